"""Checking an entry: its figures follow from its outcomes, and these from its games, replayed.

All games are played again from the frozen openings and dice, by their records: they must be legal,
and end as recorded. In some of them the reference then chooses for itself, from the seeds of the
protocol, and must choose what was recorded: games that were not played against it are found out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pasgl_env.benchmark.protocol import Protocol
from pasgl_env.benchmark.result import AgentRun, Result
from pasgl_env.benchmark.run import RECORDS, beside
from pasgl_env.benchmark.units import Unit, games_of, units_of
from pasgl_env.engine.batch import Batch
from pasgl_env.evaluation.progress import Pace, Report
from pasgl_env.players import Player
from pasgl_env.records.binary import StoredGame, stored_games
from pasgl_env.records.game import BY_THE_RULES
from pasgl_env.storage.files import sha256_of

REPLAYED = 0.1
"""The share of an entry's games in which a check lets the references choose again."""


class BadEntry(ValueError):
    """The results of an entry are not those of its games."""


class RecordedPlayer:
    """Plays the actions of recorded games, of either side; slot s of the batch plays game s."""

    name = "record"

    def __init__(self, games: Sequence[StoredGame]) -> None:
        self._games = games

    def choose(self, batch: Batch, games: np.ndarray) -> np.ndarray:
        rows = zip(games.tolist(), batch.length[games].tolist(), strict=True)
        # Where a record ends too early, no action is legal.
        found = [[*self._games[game].choices[played : played + 1], -1][0] for game, played in rows]
        return np.array(found, np.int64)


class Recorded(NamedTuple):
    """A unit of a run with its recorded games and outcomes."""

    run: int
    unit: Unit
    games: list[StoredGame]
    outcomes: str


def read_result(file: Path, protocol: Protocol | None = None) -> Result:
    """The result in a file; its hash, figures and protocol are checked, but not its games.

    Raises:
        OSError: if it cannot be read.
        BadEntry: if it is not a whole result, or its parts do not agree.
    """
    try:
        value = json.loads(file.read_bytes())
        _ = value["format"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadEntry(f"{file} holds no result of the benchmark") from error
    try:
        return Result.of_json(value, protocol)
    except ValueError as error:
        raise BadEntry(f"{file}: {error}") from error


def check_entry(
    file: Path,
    *,
    protocol: Protocol | None = None,
    share: float = REPLAYED,
    seed: int | None = None,
    report: Report = lambda progress: None,
) -> tuple[Result, int]:
    """Check an entry, with the games that are kept beside it.

    Args:
        file: the result.
        protocol: its protocol; None for the one of its name that comes with the package.
        share: of the games in which the references choose again.
        seed: of the choice of these; None draws one, so that nobody can know it before.
        report: called whenever references have chosen again in some games.

    Returns:
        The result, and the number of games in which the references have chosen again.

    Raises:
        BadEntry: if something is wrong; says what.
        ChangedReference: if a reference is not the frozen one here.
        OSError: if a file cannot be read.
    """
    result = read_result(file, protocol)
    records = beside(file, RECORDS)
    if sha256_of(records) != result.games:
        raise BadEntry(f"{records} does not hold the games of {file}")
    recorded = list(_recorded(records, result))
    for each in recorded:
        _replay(each, RecordedPlayer(each.games))
        own = "".join(_outcome(game, number) for number, game in enumerate(each.games))
        if own != each.outcomes:
            raise BadEntry(f"{records}: {_where(each)} end otherwise than {file} says")
    _check_different(recorded)
    for task in result.tasks:
        for reference in task.references:
            task.check(reference)
    wanted = max(1, round(share * len(recorded)))
    drawn = np.random.default_rng(seed).choice(len(recorded), wanted, replace=False)
    chosen = [recorded[number] for number in sorted(drawn.tolist())]
    games = sum(len(each.games) for each in chosen)
    pace = Pace(games, report)
    for each in chosen:
        _replay(each)
        pace.add(len(each.games))
    return result, games


def _recorded(file: Path, result: Result) -> Iterator[Recorded]:
    """The units of a result with their games, in the order of the file."""
    with open(file, "rb") as stream:
        stored = [game for _, _, game in stored_games(stream, str(file))]
    units = [(at, unit) for at, run in enumerate(result.runs) for unit in _units(result, run)]
    if len(stored) != sum(unit.games for _, unit in units):
        raise BadEntry(f"{file} does not hold all games")
    games = iter(stored)
    for at, unit in units:
        first = unit.first
        outcomes = result.runs[at].outcomes[unit.task.name][unit.reference.name]
        own = [next(games) for _ in range(unit.games)]
        yield Recorded(at, unit, own, outcomes[first : first + unit.games])


def _check_different(recorded: Sequence[Recorded]) -> None:
    """Raise ``BadEntry`` if two runs have the same games in a task: one agent counted twice."""
    games = dict[tuple[str, int], list[StoredGame]]()
    for each in recorded:
        games.setdefault((each.unit.task.name, each.run), []).extend(each.games)
    for (task, run), own in games.items():
        for other in range(run):
            if all(map(_is_same, games[task, other], own)):
                raise BadEntry(f"runs {other + 1} and {run + 1} have the same games in {task}")


def _units(result: Result, run: AgentRun) -> Iterator[Unit]:
    for task in result.tasks:
        for reference in task.references:
            yield from units_of(result.protocol, task, reference, None, run.agent[task.name])


def _outcome(game: StoredGame, number: int) -> str:
    """The outcome of a game, as in :class:`pasgl_env.evaluation.journal.Part`."""
    if game.termination != BY_THE_RULES:
        return "-"
    return "=" if game.winner < 0 else str(int(game.winner == number % 2))


def _is_same(one: StoredGame, other: StoredGame) -> bool:
    return one.choices == other.choices


def _replay(recorded: Recorded, reference: Player | None = None) -> None:
    """Play a unit again, the agent by its record, and compare; None for the unit's reference."""
    try:
        _, games = games_of(recorded.unit, RecordedPlayer(recorded.games), reference)
    except ValueError as error:
        raise BadEntry(f"{_where(recorded)} cannot be replayed: {error}") from error
    for number, (one, other) in enumerate(zip(games, recorded.games, strict=True)):
        if one != other:
            game = recorded.unit.first + number
            raise BadEntry(f"{_where(recorded)}: game {game} is another when replayed")


def _where(recorded: Recorded) -> str:
    unit = recorded.unit
    last = unit.first + unit.games - 1
    return f"games {unit.first} to {last} against {unit.reference.name} in {unit.task.name}"
