"""A run: shards are played one after the other, or all over a cluster, and added up in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from time import perf_counter

from pasgl_env.evaluation.tournament import Progress
from pasgl_env.playtest.counting import Counts
from pasgl_env.playtest.folder import Totals, opened
from pasgl_env.playtest.play import Plan, Shard, ShardResult, play_shard
from pasgl_env.playtest.settle import Question

Report = Callable[[Progress], None]
PlayShards = Callable[[Iterable[Shard], Callable[[int], None]], Iterator[ShardResult]]
"""Plays shards and yields what came of them, in their order; it may call the second argument with
the number of games of the next shard that have finished."""


def play_here(shards: Iterable[Shard], progress: Callable[[int], None]) -> Iterator[ShardResult]:
    """Play shards in this process, one after the other."""
    for shard in shards:
        yield play_shard(shard, progress)


def run(
    plan: Plan,
    games: int,
    folder: Path,
    *,
    keeps_games: bool | None = None,
    threads: int = 1,
    play_shards: PlayShards = play_here,
    command: Sequence[str] = (),
    until: Question | None = None,
    report: Report = lambda progress: None,
) -> Totals:
    """Play games, or those that are still to be played.

    Args:
        plan: what is played.
        games: how many, even; with ``until`` at most.
        folder: where results are kept; a run that was begun there goes on.
        keeps_games: whether the games are kept, too; None: see :func:`opened`.
        threads: how many share the work; results do not depend on it.
        play_shards: who plays.
        command: what the run was asked for with, for the manifest.
        until: the run ends with the first shard after which this question is settled.
        report: called whenever games have ended.

    Raises:
        BadRun: if the folder holds another run, more games, other files, or damaged ones.
        InUse: if another process is at work in it.
        OSError: if something cannot be written; what was kept before is safe.
        ValueError: for a number of games that is not even, a question about what is not measured,
            or one with more pairs of games than openings.
    """
    check_even(games)
    is_over = _ending(plan, until, games)
    with opened(folder, plan, games, keeps_games, command, until) as place:
        pace = _Pace(games, place.totals.counts.games, report)
        shards = shards_of(plan, games, place.totals.shards, place.keeps_games, threads)
        try:
            if not is_over(place.totals.counts):
                for result in play_shards(shards, pace.running):
                    place.add(result)
                    pace.ended(place.totals.counts.games)
                    if is_over(place.totals.counts):
                        break
        except BaseException:
            with suppress(OSError):  # of a full disk, say, which is what is told anyway
                place.save()
            raise
        place.save()
        pace.stopped()
        return place.totals


def check_even(games: int) -> None:
    """Raise ``ValueError`` unless so many games are pairs."""
    if games < 2 or games % 2:
        raise ValueError(f"games are played in pairs, so their number must be even, not {games}")


def _ending(plan: Plan, until: Question | None, games: int) -> Callable[[Counts], bool]:
    """Whether what has been counted is enough; ``ValueError`` if the question is none."""
    if until is None:
        return lambda counts: False
    openings = len(plan.openings.texts)
    if plan.openings.clusters and games > 2 * openings:
        raise ValueError(
            f"to settle a question each pair of games needs an opening of its own: there are"
            f" {openings}, enough for {2 * openings} games, not {games}"
        )
    until.cell(plan)
    return lambda counts: until.verdict(*until.sums(plan, counts)) is not None


def shards_of(
    plan: Plan, games: int, begin: int, keeps_games: bool, threads: int
) -> Iterator[Shard]:
    """The shards of a run from one on; the last may have fewer games."""
    for first in range(begin * plan.shard, games, plan.shard):
        size = min(plan.shard, games - first)
        yield Shard(plan, first // plan.shard, size, keeps_games, threads)


class _Pace:
    """How long games take, and so how long those to come will take.

    Args:
        games: how many there will be.
        done: how many had been played before.
        report: told whenever games have ended.
    """

    def __init__(self, games: int, done: int, report: Report) -> None:
        self._games, self._before, self._done, self._report = games, done, done, report
        self._begun = perf_counter()
        self._tell(done)

    def ended(self, done: int) -> None:
        """A shard has ended; so many games have been played in all."""
        self._done = done
        self._tell(done)

    def stopped(self) -> None:
        """There will be no more, though there might have been."""
        if self._done < self._games:
            self._games = self._done
            self._tell(self._done)

    def running(self, games: int) -> None:
        """So many games of the next shard have been played."""
        self._tell(self._done + games)

    def _tell(self, done: int) -> None:
        played = done - self._before
        left = None
        # Games of a shard begin all at once: how long they take shows when the first has ended.
        if self._done > self._before:
            left = (perf_counter() - self._begun) / played * (self._games - done)
        self._report(Progress(done, self._games, left))
