"""The folder of a run, from which an interrupted run continues.

``manifest.json`` describes the run. ``totals.npz`` holds the sums over the shards played so far,
in order, and is always replaced as a whole. ``games.pgb`` holds the games, if they are kept; games
that the totals do not count, left by an interrupt, are cut off.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic

import numpy as np

from pasgl_env.playtest.counting import MARKED_GAMES, MARKS, Counts, table_of, unit_sums
from pasgl_env.playtest.play import Plan, ShardResult
from pasgl_env.playtest.positions import tallies_of
from pasgl_env.playtest.stopping import StoppingRule
from pasgl_env.records.binary import SIGNATURE
from pasgl_env.storage import runs
from pasgl_env.storage.arrays import packed, unpacked
from pasgl_env.storage.files import append, write_whole
from pasgl_env.storage.runs import BadRun

TOTALS, GAMES = "totals.npz", "games.pgb"
FORMAT = "pasgl_env playtest 2"
SECONDS_BETWEEN_SAVES = 2.0
MOST_KEPT = 10_000
"""By default, games are kept in runs of at most this many."""

_ARRAYS = "sums", "clusters", "lengths", "marks", "limited"


@dataclass(frozen=True)
class Totals:
    """The results of a number of shards.

    Attributes:
        shards: their number, from the first on; the last one may be incomplete.
        counts: of their games.
        record_bytes: the size of the file of games.
    """

    shards: int
    counts: Counts
    record_bytes: int

    @classmethod
    def none(cls, plan: Plan) -> Totals:
        """The totals of no shards."""
        counts = Counts.none(table_of(plan.ruleset.game).cells, plan.openings.clusters)
        return cls(0, counts, 0)

    def plus(self, result: ShardResult, record_bytes: int) -> Totals:
        """The totals with the next shard."""
        return Totals(self.shards + 1, self.counts.plus(result.counts), record_bytes)

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Arrays for a file."""
        counts = self.counts
        return {
            "numbers": np.array([self.shards, counts.games, counts.distinct, self.record_bytes]),
            **{name: getattr(counts, name) for name in _ARRAYS},
        }

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, np.ndarray], none: Totals) -> Totals:
        """The inverse; ``ValueError`` or ``KeyError`` if the arrays have the wrong form."""
        shards, games, distinct, record_bytes = arrays["numbers"].tolist()
        counts = none.counts._replace(
            games=games, distinct=distinct, **{name: arrays[name] for name in _ARRAYS}
        )
        totals = cls(shards, counts, record_bytes)
        marks = np.zeros((min(games, MARKED_GAMES), MARKS), np.uint64)
        expected = replace(none, counts=none.counts._replace(marks=marks)).to_arrays()
        for name, array in totals.to_arrays().items():
            if (array.shape, array.dtype) != (expected[name].shape, expected[name].dtype):
                raise ValueError(f"{name} has the wrong form")
        return totals


@contextmanager
def opened(
    path: Path,
    plan: Plan,
    games: int,
    keeps_games: bool | None,
    command: Sequence[str],
    until: StoppingRule | None = None,
) -> Iterator[RunFolder]:
    """Lock the folder of a run, which is created if missing; save its totals at the end.

    Arguments and errors are those of :func:`pasgl_env.playtest.run.run`. Without ``keeps_games``,
    games are kept as before, and in a new folder if there are at most :data:`MOST_KEPT`.
    """
    with runs.opened(path, "playtest"):
        known = runs.read_manifest(path, "playtest", FORMAT)
        if keeps_games is None:
            keeps_games = bool(known.get("keeps_games")) if known else games <= MOST_KEPT
        about = {
            "plan": plan.to_dict(),
            "keeps_games": keeps_games,
            "until": str(until) if until else None,
        }
        runs.check_manifest(path, "playtest", FORMAT, about)
        folder = RunFolder(path, plan, keeps_games)
        folder.go_back_to(games)
        runs.write_manifest(path, FORMAT, {**about, "games": games}, command)
        folder.open_games()
        folder.save()
        try:
            yield folder
        except BaseException:
            with suppress(OSError):  # such as that of a full disk, which is raised anyway
                folder.save()
            raise
        folder.save()


def games_in(path: Path, plan: Plan) -> int:
    """The number of games of a run that a folder holds; :class:`BadRun` if it is damaged."""
    return RunFolder(path, plan, keeps_games=True).totals.counts.games


class RunFolder:
    """The folder of a run; see :func:`opened`.

    Attributes:
        totals: of the games played so far.
        keeps_games: whether the games are kept.
    """

    def __init__(self, path: Path, plan: Plan, keeps_games: bool) -> None:
        self._path, self._plan = path, plan
        self.keeps_games = keeps_games
        self._complete, self.totals = self._read_totals(Totals.none(plan))
        self._next_save = 0.0

    def add(self, result: ShardResult) -> None:
        """Add the next shard; it is on disk some seconds later, or after :meth:`save`.

        Raises:
            OSError: if something cannot be written; earlier results are safe.
        """
        size = self.totals.record_bytes
        if self.keeps_games:
            append(self._path / GAMES, result.games)
            size += len(result.games)
        self.totals = self.totals.plus(result, size)
        if result.counts.games == self._plan.shard:
            self._complete = self.totals
        if monotonic() >= self._next_save:
            self.save()

    def save(self) -> None:
        """Write the totals.

        Raises:
            OSError: if they cannot be written; those that were there are kept.
        """
        arrays = {
            f"{prefix}_{name}": array
            for prefix, totals in (("whole", self._complete), ("all", self.totals))
            for name, array in totals.to_arrays().items()
        }
        write_whole(self._path / TOTALS, packed(arrays))
        self._next_save = monotonic() + SECONDS_BETWEEN_SAVES

    def go_back_to(self, games: int) -> None:
        """Drop an incomplete last shard if there are to be more games."""
        done = self.totals.counts.games
        if done > games:
            raise BadRun(f"{self._path} holds {done} games already, more than {games}")
        if done < games:
            self.totals = self._complete

    def open_games(self) -> None:
        """Open the file of games, and cut off those that the totals do not count."""
        file = self._path / GAMES
        if not self.keeps_games:
            return
        if self.totals.shards == 0:
            write_whole(file, SIGNATURE)
            self.totals = self._complete = replace(self.totals, record_bytes=len(SIGNATURE))
            return
        if file.stat().st_size < self.totals.record_bytes:
            raise BadRun(f"{file} is damaged: delete {self._path} and start again")
        os.truncate(file, self.totals.record_bytes)

    def _read_totals(self, none: Totals) -> tuple[Totals, Totals]:
        """The totals of all complete shards, and of all shards."""
        file = self._path / TOTALS
        if not file.exists():
            return none, none
        content = file.read_bytes()
        try:
            names = [f"{prefix}_{name}" for prefix in ("whole", "all") for name in none.to_arrays()]
            arrays = unpacked(content, names)
            cells = arrays["all_sums"].shape[1]
            known = replace(none, counts=Counts.none(cells, len(none.counts.clusters)))
            complete, everything = (
                Totals.of_arrays(
                    {name: arrays[f"{prefix}_{name}"] for name in none.to_arrays()}, known
                )
                for prefix in ("whole", "all")
            )
            if cells == none.counts.sums.shape[1]:
                return complete, everything
            if everything.record_bytes:
                tallies = tallies_of(self._plan, self._path / GAMES)
                both = (_recounted(self._plan, each, tallies) for each in (complete, everything))
                return next(both), next(both)
        except Exception as error:  # damaged files raise all kinds of errors
            raise BadRun(f"{file} is damaged: delete {self._path} and start again") from error
        raise BadRun(
            f"{file} has not all measures of this version, and the games were not kept: give"
            " another folder"
        )


def _recounted(plan: Plan, totals: Totals, tallies: np.ndarray) -> Totals:
    """Totals of an earlier version with the counters of this one: ``tallies`` are of each game."""
    counts, table = totals.counts, table_of(plan.ruleset.game)
    own = tallies[: counts.games]
    sums = unit_sums(own.reshape(-1, plan.sides, table.cells).sum(axis=1), table.divisors)
    clusters = np.zeros((plan.openings.clusters, table.cells))
    if clusters.size:
        np.add.at(clusters, [plan.cluster(game) for game in range(len(own))], own)
    return replace(totals, counts=counts._replace(sums=sums, clusters=clusters))
