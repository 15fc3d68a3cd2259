"""The games of an evaluation, in units that are repeatable from their seeds."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from pasgl_env import players
from pasgl_env.benchmark.protocol import BenchmarkTask, Protocol, ReferencePlayer, states_of
from pasgl_env.evaluation.journal import Part
from pasgl_env.evaluation.match import MatchResult, play_match
from pasgl_env.players import Player
from pasgl_env.records.binary import BinaryWriter, StoredGame, heading_of
from pasgl_env.storage.runs import BadRun, JsonLines

UNIT = 20
"""The most games in a unit; even."""
FORMAT = "pasgl_env benchmark games 1"
Key = tuple[str, str, int]


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
        """The key of :attr:`PlayedUnit.part`."""
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


def units_of(
    protocol: Protocol, task: BenchmarkTask, reference: ReferencePlayer, agent: Any, identity: str
) -> Iterator[Unit]:
    """The units of a pairing."""
    pairing = blake2b(f"{task.name}\0{reference.name}".encode(), digest_size=8).digest()
    for number, first in enumerate(range(0, protocol.games, UNIT)):
        entropy = protocol.seed, int.from_bytes(pairing), number
        seed = int(np.random.SeedSequence(entropy).generate_state(1, np.uint64)[0])
        games = min(UNIT, protocol.games - first)
        yield Unit(task, reference, number, games, seed, agent, identity)


def play_unit(unit: Unit) -> PlayedUnit:
    """Play a unit."""
    begun = perf_counter()
    result, games = games_of(unit, unit.agent)
    part = Part.of_match(*unit.key, result, perf_counter() - begun)
    return PlayedUnit(part, _records(unit, games))


def games_of(unit: Unit, agent: Any) -> tuple[MatchResult, list[StoredGame]]:
    """Play the games of a unit with an agent, and record them."""
    ruleset, stored = unit.task.ruleset, list[StoredGame]()
    result = play_match(
        ruleset,
        _player(agent, ruleset.name, "agent") if isinstance(agent, str) else agent,
        _player(unit.reference.name, ruleset.name, "reference"),
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
    names, ruleset, writer = ("agent", unit.reference.name), unit.task.ruleset, BinaryWriter()
    headings = [
        heading_of(ruleset, tuple(names[(team + parity) % 2] for team in ruleset.teams))
        for parity in (0, 1)
    ]
    return b"".join(writer.blocks(headings[number % 2], game) for number, game in enumerate(games))


class UnitJournal:
    """The units that were played, in a file of JSON lines that only grows.

    Args:
        file: created if missing; None keeps them in memory only.
        protocol: the protocol, which they must share.

    Raises:
        BadRun: if the file holds something else, damaged units or those of another protocol.
        OSError: if it cannot be read or written.
    """

    def __init__(self, file: Path | None, protocol: Protocol) -> None:
        self._units: dict[Key, PlayedUnit] = {}
        self._lines: JsonLines | None = None
        if file is None:
            return
        about = {"format": FORMAT, "protocol": protocol.name, "digest": protocol.digest}
        self._lines = JsonLines(file, "benchmark", about)
        for number, line in enumerate(self._lines.lines, 2):
            try:
                content = json.loads(line)
                records = base64.b64decode(content.pop("records"), validate=True)
                self._keep(PlayedUnit(Part.of_json(content), records))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                raise BadRun(
                    f"{file}, line {number}, is damaged: delete the line to continue"
                ) from error

    def get(self, unit: Unit) -> PlayedUnit | None:
        """The results of a unit; None if it was not played."""
        return self._units.get(unit.key)

    def add(self, played: PlayedUnit) -> None:
        """Keep the results of a unit, and wait until they are on disk."""
        if self._lines is not None:
            records = base64.b64encode(played.records).decode()
            self._lines.add({**played.part.to_json(), "records": records})
        self._keep(played)

    def _keep(self, played: PlayedUnit) -> None:
        self._units[played.part.key] = played
