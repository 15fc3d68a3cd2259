"""The folder of a run: what has been played so far, from which the same command goes on.

``manifest.json`` says what is played. ``totals.npz`` holds the sums over all shards so far, in
their order, and is replaced as a whole; ``games.pgb`` the games themselves, if they are kept. What
a kill left in it beyond the totals is cut off.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from pasgl_env.playtest.counting import MARKED_GAMES, MARKS, Counts, table_of
from pasgl_env.playtest.play import Plan, ShardResult
from pasgl_env.playtest.settle import Question
from pasgl_env.records.binary import SIGNATURE
from pasgl_env.storage import runs
from pasgl_env.storage.files import append, write_whole
from pasgl_env.storage.runs import BadRun, check_same

TOTALS, GAMES = "totals.npz", "games.pgb"
FORMAT = "pasgl_env playtest 2"
SECONDS_BETWEEN_SAVES = 2.0
MOST_KEPT = 10_000
"""Games themselves are kept, unless it is said, only of runs with so many or fewer."""


@dataclass(frozen=True)
class Totals:
    """What a number of shards came to.

    Attributes:
        shards: how many, from the first on; the last may be a part of one.
        counts: what was counted in them.
        limited: see :class:`ShardResult`.
        record_bytes: the size of the file of games.
    """

    shards: int
    counts: Counts
    limited: np.ndarray
    record_bytes: int

    @classmethod
    def none(cls, plan: Plan) -> Totals:
        """Those of no shards."""
        counts = Counts.none(table_of(plan.variant).cells, plan.openings.clusters)
        return cls(0, counts, np.zeros(2, np.int64), 0)

    def plus(self, result: ShardResult, record_bytes: int) -> Totals:
        """These and the next shard's."""
        return Totals(
            self.shards + 1,
            self.counts.plus(result.counts),
            self.limited + result.limited,
            record_bytes,
        )

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Ready for a file."""
        counts = self.counts
        return {
            "numbers": np.array([self.shards, counts.games, counts.distinct, self.record_bytes]),
            "sums": counts.sums,
            "clusters": counts.clusters,
            "lengths": counts.lengths,
            "marks": counts.marks,
            "limited": self.limited,
        }

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, np.ndarray], usual: Totals) -> Totals:
        """The inverse; ``ValueError`` or ``KeyError`` if there is something else."""
        shards, games, distinct, record_bytes = arrays["numbers"].tolist()
        counts = Counts(
            games,
            arrays["sums"],
            arrays["clusters"],
            arrays["lengths"],
            distinct,
            arrays["marks"],
        )
        totals = cls(shards, counts, arrays["limited"], record_bytes)
        marked = usual.counts._replace(marks=np.zeros((min(games, MARKED_GAMES), MARKS), np.uint64))
        expected = replace(usual, counts=marked).to_arrays()
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
    until: Question | None = None,
) -> Iterator[RunFolder]:
    """A run's folder, made if need be, which no other process can open meanwhile.

    Args:
        path: of the folder.
        plan: what is played.
        games: how many there are to be, even; as many as before or more.
        keeps_games: whether the games are kept, too; None: as before, and in a new folder if there
            are :data:`MOST_KEPT` of them or fewer.
        command: what the run was asked for with.
        until: the question whose answer ends the run.

    Raises:
        BadRun: if the folder holds another run, more games, other files, or damaged ones.
        InUse: if another process is at work there.
        OSError: if it cannot be read or written.
    """
    with runs.opened(path, "playtest"):
        yield RunFolder(path, plan, games, keeps_games, command, until)


class RunFolder:
    """A run's folder; see :func:`opened`.

    Attributes:
        totals: what has been played so far.
        keeps_games: whether the games are kept.
    """

    def __init__(
        self,
        path: Path,
        plan: Plan,
        games: int,
        keeps_games: bool | None,
        command: Sequence[str],
        until: Question | None,
    ) -> None:
        self._path, self._plan = path, plan
        known = runs.read_manifest(path, "playtest", FORMAT, _check)
        if keeps_games is None:
            keeps_games = known["keeps_games"] if known else games <= MOST_KEPT
        self.keeps_games = keeps_games
        about = {
            "format": FORMAT,
            "plan": plan.to_dict(),
            "keeps_games": keeps_games,
            "settle": str(until) if until else None,
        }
        if known:
            other = f"{path} holds another run"
            check_same(other, known["plan"]["options"], plan.options)
            check_same(other, _besides_options(known), _besides_options(about))
        none = Totals.none(plan)
        self._whole, self.totals = self._read_totals(none)
        self._go_back_to(games)
        runs.write_manifest(path, {**about, "games": games, "command": list(command)})
        self._open_games()
        self._next_save = 0.0
        self.save()

    @property
    def games(self) -> Path:
        """The file of games."""
        return self._path / GAMES

    def add(self, result: ShardResult) -> None:
        """Take in the next shard; it is on disk some seconds later, or after :meth:`save`.

        Raises:
            OSError: if something cannot be written; what was there before is safe.
        """
        size = self.totals.record_bytes
        if self.keeps_games:
            append(self.games, result.games)
            size += len(result.games)
        self.totals = self.totals.plus(result, size)
        if result.counts.games == self._plan.shard:
            self._whole = self.totals
        if monotonic() >= self._next_save:
            self.save()

    def save(self) -> None:
        """Write the totals.

        Raises:
            OSError: if they cannot be written; those that were there are.
        """
        arrays = {
            f"{prefix}_{name}": array
            for prefix, totals in (("whole", self._whole), ("all", self.totals))
            for name, array in totals.to_arrays().items()
        }
        stream = io.BytesIO()
        np.savez_compressed(stream, allow_pickle=False, **arrays)
        write_whole(self._path / TOTALS, stream.getbuffer())
        self._next_save = monotonic() + SECONDS_BETWEEN_SAVES

    def _read_totals(self, none: Totals) -> tuple[Totals, Totals]:
        """The totals of all whole shards, and of all shards."""
        file = self._path / TOTALS
        if not file.exists():
            return none, none
        content = file.read_bytes()
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as archive:
                whole, everything = (
                    Totals.of_arrays(
                        {key: archive[f"{prefix}_{key}"] for key in none.to_arrays()}, none
                    )
                    for prefix in ("whole", "all")
                )
        except Exception as error:  # a damaged file makes its readers stumble over anything
            raise BadRun(f"{file} is damaged: delete {self._path} and start again") from error
        return whole, everything

    def _go_back_to(self, games: int) -> None:
        """Forget an incomplete last shard if there are to be more games."""
        done = self.totals.counts.games
        if done > games:
            raise BadRun(f"{self._path} holds {done} games already, more than {games}")
        if done < games:
            self.totals = self._whole

    def _open_games(self) -> None:
        """Cut off what a kill left behind the last games that count."""
        if not self.keeps_games:
            return
        if self.totals.shards == 0:
            write_whole(self.games, SIGNATURE)
            self.totals = self._whole = replace(self.totals, record_bytes=len(SIGNATURE))
            return
        size = self.games.stat().st_size
        if size < self.totals.record_bytes:
            raise BadRun(f"{self.games} is damaged: delete {self._path} and start again")
        os.truncate(self.games, self.totals.record_bytes)


def _check(about: dict[str, Any]) -> None:
    """Raise an error if a manifest lacks something."""
    if not isinstance(about["keeps_games"], bool):
        raise TypeError("keeps_games")
    dict(about["plan"]["options"], **_besides_options(about))


def _besides_options(about: Mapping[str, Any]) -> dict[str, Any]:
    """What must be the same, too; an option may have the name of something else."""
    plan = {name: value for name, value in about["plan"].items() if name != "options"}
    return {**plan, "keeps_games": about["keeps_games"], "settle": about.get("settle")}
