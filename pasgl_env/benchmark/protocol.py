"""The protocol of the benchmark: tasks, openings and reference players, frozen in a file.

``python -m studies.freeze`` writes the files. A protocol is known by the digest of its file, so
that results under different ones are never mixed.

>>> protocol = Protocol.load("v1")
>>> protocol.is_final, list(protocol.tasks)[:2]
(True, ['pasgl312', 'spalding'])
>>> [reference.name for reference in protocol.tasks["pasgl312"].references]
['random', ...]
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from operator import contains
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from pasgl_env import players
from pasgl_env.contract import variants
from pasgl_env.contract.game import brief, meant
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.position import Position
from pasgl_env.evaluation.openings import states_of
from pasgl_env.players import Player
from pasgl_env.players.values.weights import SHIPPED, SUFFIX, shipped_file
from pasgl_env.storage.files import json_bytes, sha256_of, write_whole

LATEST = "v1"
"""The protocol of an evaluation that names none."""
SHORT = "short"
"""The name of the short list of tasks, for small budgets."""
PROTOCOLS = Path(__file__).parent / "protocols"
"""Folder of the protocols, and of those learned values of theirs that are no longer shipped."""


class ChangedReference(ValueError):
    """A reference player is not the frozen one: scores against it would not be comparable."""


@dataclass(frozen=True)
class ReferencePlayer:
    """A reference player of a task.

    Attributes:
        name: its name, for :func:`pasgl_env.players.make`.
        elo: its frozen rating; None if it is not finite.
        values: digest of the file of its learned values; None without any.
        choices: the actions that it chose in the positions of the task.
    """

    name: str
    elo: float | None
    values: str | None
    choices: tuple[int, ...]

    @property
    def player(self) -> str:
        """Its name with the file of its values, for :func:`pasgl_env.players.make`.

        Raises:
            ChangedReference: if there is no such file.
        """
        return self.name if self.values is None else f"{self.name}:values={_file_of(self.values)}"


class SolvedPosition(NamedTuple):
    """A position whose optimal actions are known.

    Attributes:
        text: the position text.
        losses: how much the expected result of the player to act falls by each of its legal
            actions, in ascending order: from 0, for the best, to 2.
    """

    text: str
    losses: tuple[float, ...]


@dataclass(frozen=True)
class BenchmarkTask:
    """A task: a variant under options, with its openings and reference players.

    Attributes:
        name: the variant's, or ``pachessi_four``.
        ruleset: the variant under its options, turn limit included.
        openings: position texts where the pairs of games begin, in their order.
        positions: position texts in which the references' choices were recorded.
        references: from weak to strong.
        actions: mean number of actions in a game, by both players together, for estimates of time.
        solved: positions in which the choice matters and its value is known; () if none could be
            solved under these rules.
    """

    name: str
    ruleset: Ruleset
    openings: tuple[str, ...]
    positions: tuple[str, ...]
    references: tuple[ReferencePlayer, ...]
    actions: float
    solved: tuple[SolvedPosition, ...] = ()

    @classmethod
    def of_json(cls, name: str, value: Mapping[str, Any]) -> BenchmarkTask:
        """Parse the output of :meth:`to_json`."""
        return cls(
            name,
            variants.ruleset(value["variant"], **value["options"]),
            tuple(value["openings"]),
            tuple(value["positions"]),
            tuple(
                ReferencePlayer(**{**each, "choices": tuple(each["choices"])})
                for each in value["references"]
            ),
            value["actions"],
            tuple(
                SolvedPosition(text, tuple(map(float, losses.split())))
                for text, losses in value["solved"].items()
            ),
        )

    def to_json(self) -> dict[str, Any]:
        """The task as JSON values, without its name."""
        return {
            "variant": self.ruleset.name,
            "options": dict(self.ruleset.options),
            "openings": self.openings,
            "positions": self.positions,
            "references": [asdict(each) for each in self.references],
            "actions": self.actions,
            "solved": {
                each.text: " ".join(f"{loss:g}" for loss in each.losses) for each in self.solved
            },
        }

    def reference(self, name: str) -> ReferencePlayer:
        """The reference of this name."""
        return next(each for each in self.references if each.name == name)

    def losses(self, choices: Sequence[int]) -> np.ndarray:
        """What an agent's choices in the solved positions lose: ``float64[k]``.

        Raises:
            ValueError: if a choice is missing or not legal.
        """
        legal = [
            Position.from_text(self.ruleset, each.text).legal_actions() for each in self.solved
        ]
        if len(choices) != len(legal) or not all(map(contains, legal, choices)):
            raise ValueError(
                f"the choices in the solved positions of {self.name} are not all legal"
            )
        pairs = zip(self.solved, legal, choices, strict=True)
        return np.array([each.losses[own.index(action)] for each, own, action in pairs])

    def check(self, reference: ReferencePlayer) -> float:
        """Check that a reference plays as it did when frozen; return its seconds per action.

        Raises:
            ChangedReference: if its values are missing or a choice differs; says which.
        """
        player = players.make(reference.player, self.ruleset.name, seed=0)
        trial = try_out(player, self.ruleset, self.positions)
        for text, action, frozen in zip(
            self.positions, trial.choices, reference.choices, strict=True
        ):
            if action != frozen:
                raise ChangedReference(
                    f"{reference.name} of {self.name} chooses action {action} instead of {frozen}"
                    f" in the position {text!r}: scores against it would not be comparable"
                )
        return trial.seconds


@dataclass(frozen=True)
class Protocol:
    """A version of the benchmark.

    Attributes:
        name: of the version.
        is_final: whether it stays as it is; results under a draft are not to be published.
        package: the version of the package that it was frozen with.
        seed: of all games.
        games: number of games against each reference, in pairs with an opening each.
        short: names of the tasks for small budgets.
        tasks: by name.
    """

    name: str
    is_final: bool
    package: str
    seed: int
    games: int
    short: tuple[str, ...]
    tasks: Mapping[str, BenchmarkTask]

    @classmethod
    def load(cls, name: str = LATEST) -> Protocol:
        """A protocol that comes with the package; ``ValueError`` for an unknown name."""
        if name not in names():
            raise ValueError(f"no benchmark {brief(name)}: {', '.join(names())}")
        return cls.of_json(json.loads((PROTOCOLS / f"{name}.json").read_bytes()))

    @classmethod
    def of_json(cls, value: Mapping[str, Any]) -> Protocol:
        """Parse the output of :meth:`to_json`."""
        tasks = {name: BenchmarkTask.of_json(name, each) for name, each in value["tasks"].items()}
        return cls(**{**value, "short": tuple(value["short"]), "tasks": tasks})

    def to_json(self) -> dict[str, Any]:
        """The protocol as JSON values."""
        plain = {each.name: getattr(self, each.name) for each in fields(self)}
        return {**plain, "tasks": {name: task.to_json() for name, task in self.tasks.items()}}

    @cached_property
    def digest(self) -> str:
        """The digest by which the protocol is known."""
        return json_digest(self.to_json())

    def select(self, names: Iterable[str] | None) -> list[BenchmarkTask]:
        """Tasks by name, in the protocol's order; all if None; :data:`SHORT` for the short list.

        Raises:
            ValueError: for an unknown name, or no name.
        """
        if names is None:
            return list(self.tasks.values())
        wanted = {each for name in names for each in (self.short if name == SHORT else (name,))}
        if unknown := wanted - self.tasks.keys():
            known = ", ".join((*self.tasks, SHORT))
            name = min(unknown)
            like = meant(name, self.tasks)
            raise ValueError(f"no task {brief(name)} in the benchmark: {known}{like}")
        if not wanted:
            raise ValueError("an evaluation needs a task")
        return [task for name, task in self.tasks.items() if name in wanted]


class Trial(NamedTuple):
    """What a player did in some positions: its choices, and its seconds per action."""

    choices: tuple[int, ...]
    seconds: float


def names() -> list[str]:
    """The names of the protocols that come with the package."""
    return sorted(file.stem for file in PROTOCOLS.glob("*.json"))


def try_out(player: Player, ruleset: Ruleset, positions: Sequence[str]) -> Trial:
    """Let a player choose in some positions, twice: the first choice may load compiled rules."""
    rows, trials = np.arange(len(positions)), []
    batch = Batch(ruleset, len(positions), seed=0)
    for _ in range(2):
        players.reseed(player, rows, rows.tolist())
        batch.reseed(rows, rows.tolist())
        batch.put(rows, states_of(ruleset, positions))
        begun = perf_counter()
        choices = players.choose(player, batch, rows)
        trials.append(Trial(tuple(choices.tolist()), (perf_counter() - begun) / rows.size))
    return trials[1]


def values_of(player: str, ruleset: Ruleset) -> str | None:
    """The digest of the shipped values that a player uses now; None if it uses none."""
    file = shipped_file(ruleset) if players.takes_values(player) else None
    return None if file is None else sha256_of(file)


def keep_values(file: Path) -> None:
    """Keep shipped values that a protocol uses, before others replace them."""
    if not file.exists():
        return
    own = sha256_of(file)
    tasks = (task for name in names() for task in Protocol.load(name).tasks.values())
    if any(each.values == own for task in tasks for each in task.references):
        write_whole(PROTOCOLS / f"{own}{SUFFIX}", file.read_bytes())


def json_digest(value: Any) -> str:
    """A digest of JSON values."""
    return hashlib.sha256(json_bytes(value)).hexdigest()


def _file_of(digest: str) -> Path:
    """The file of frozen values: kept for the protocol, or still shipped."""
    if (kept := PROTOCOLS / f"{digest}{SUFFIX}").exists():
        return kept
    for file in SHIPPED.glob(f"*{SUFFIX}"):
        if sha256_of(file) == digest:
            return file
    raise ChangedReference(f"the learned values {digest[:16]} are missing in this installation")
