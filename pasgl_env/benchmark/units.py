"""The games of an evaluation, in units that are repeatable from their seeds."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter
from typing import Any, NamedTuple

from pasgl_env import players
from pasgl_env.benchmark.protocol import BenchmarkTask, Protocol, ReferencePlayer
from pasgl_env.evaluation.journal import Key, Part
from pasgl_env.evaluation.match import MatchResult, play_match
from pasgl_env.evaluation.openings import states_of
from pasgl_env.evaluation.tournament import seed_of_part
from pasgl_env.players import Player
from pasgl_env.records.binary import BinaryWriter, StoredGame, headings_of

UNIT = 20
"""The most games in a unit; even."""
FORMAT = "pasgl_env benchmark games 1"


@dataclass(frozen=True)
class Unit:
    """Some games of an agent against a reference.

    Attributes:
        task: the task.
        reference: the opponent.
        number: of the unit in the pairing, from 0.
        games: number of games, even.
        seed: of dice and players; agents do not matter to it.
        agent: anything that :func:`pasgl_env.players.as_player` accepts.
        identity: the agent's identity in results.
    """

    task: BenchmarkTask
    reference: ReferencePlayer
    number: int
    games: int
    seed: int
    agent: Any
    identity: str

    @property
    def key(self) -> Key:
        """The key of the :class:`PlayedUnit`."""
        return self.identity, f"{self.task.name} {self.reference.name}", self.number

    @property
    def threads(self) -> int:
        """The number of processors that a cluster keeps free for the unit."""
        return 1

    @property
    def first(self) -> int:
        """The number of the first game in the pairing."""
        return self.number * UNIT

    @property
    def openings(self) -> Sequence[str]:
        """The position texts at which the pairs begin."""
        return self.task.openings[self.first // 2 : (self.first + self.games) // 2]


class PlayedUnit(NamedTuple):
    """A unit's results, and the blocks of its games in a record file."""

    part: Part
    records: bytes

    @property
    def key(self) -> Key:
        """The key that identifies the unit."""
        return self.part.key

    @property
    def games(self) -> int:
        """The number of games."""
        return self.part.games

    @classmethod
    def of_json(cls, value: Any) -> PlayedUnit:
        """Parse the output of :meth:`to_json`; ``ValueError`` for anything else."""
        try:
            records = base64.b64decode(value.pop("records"), validate=True)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError("it is no unit of a benchmark") from error
        return cls(Part.of_json(value), records)

    def to_json(self) -> dict[str, Any]:
        """The unit as JSON values."""
        return {**self.part.to_json(), "records": base64.b64encode(self.records).decode()}


def units_of(
    protocol: Protocol, task: BenchmarkTask, reference: ReferencePlayer, agent: Any, identity: str
) -> Iterator[Unit]:
    """The units of a pairing."""
    for number, first in enumerate(range(0, protocol.games, UNIT)):
        seed = seed_of_part(protocol.seed, task.name, reference.name, number)
        games = min(UNIT, protocol.games - first)
        yield Unit(task, reference, number, games, seed, agent, identity)


def play_unit(unit: Unit) -> PlayedUnit:
    """Play a unit."""
    begun = perf_counter()
    result, games = games_of(unit, unit.agent)
    part = Part.of_match(*unit.key, result, perf_counter() - begun)
    return PlayedUnit(part, _records(unit, games))


def games_of(
    unit: Unit, agent: Any, reference: Player | None = None
) -> tuple[MatchResult, list[StoredGame]]:
    """Play the games of a unit with an agent, and record them; None for the unit's reference."""
    ruleset, stored = unit.task.ruleset, list[StoredGame]()
    result = play_match(
        ruleset,
        _player(agent, ruleset.name, "agent") if isinstance(agent, str) else agent,
        reference or _player(unit.reference.player, ruleset.name, "reference"),
        unit.games,
        seed=unit.seed,
        paired=True,
        record=stored,
        starts=states_of(ruleset, unit.openings),
    )
    return result, [
        game._replace(about={"start": unit.openings[number // 2]})
        for number, game in enumerate(stored)
    ]


@lru_cache(maxsize=8)
def _player(name: str, variant: str, role: str) -> Player:
    """A player by name; one for all units, as loading a network takes time.

    The two roles have players of their own: one player on both sides would share its generators.
    """
    return players.make(name, variant, seed=0)


def _records(unit: Unit, games: Sequence[StoredGame]) -> bytes:
    """The blocks of games. Names of agents are left out: they may be paths."""
    headings, writer = headings_of(unit.task.ruleset, "agent", unit.reference.name), BinaryWriter()
    return b"".join(writer.blocks(headings[number % 2], game) for number, game in enumerate(games))
