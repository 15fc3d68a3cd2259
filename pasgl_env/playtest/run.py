"""Runs: shards are played one after the other, or on a cluster, and added up in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from pasgl_env.engine.position import check_start
from pasgl_env.evaluation.progress import Pace, Report
from pasgl_env.playtest.cluster import PlayShards, here
from pasgl_env.playtest.folder import Totals, opened
from pasgl_env.playtest.play import Plan, Shard, ShardResult, play_shard
from pasgl_env.playtest.stopping import StoppingRule


def play_here(shards: Iterable[Shard], progress: Callable[[int], None], /) -> Iterator[ShardResult]:
    """Play shards in this process, one after the other."""
    return here(play_shard)(shards, progress)


def run(
    plan: Plan,
    games: int,
    folder: Path,
    *,
    keeps_games: bool | None = None,
    threads: int = 1,
    play_shards: PlayShards[Shard, ShardResult] = play_here,
    command: Sequence[str] = (),
    until: StoppingRule | None = None,
    stop: Callable[[Totals], bool] = lambda totals: False,
    report: Report = lambda progress: None,
    pace: Pace | None = None,
) -> Totals:
    """Play the games of a run, or those that are still missing.

    Args:
        plan: of the run.
        games: their number, of whole groups; with ``until`` the maximum.
        folder: for the results; a run that was begun there is continued.
        keeps_games: whether to keep the games; by default, if there are at most 10,000.
        threads: number of threads; results do not depend on it.
        play_shards: plays the shards.
        command: the command line, for the manifest.
        until: the run stops after the first shard at which this rule reaches a verdict.
        stop: whether the run stops at these totals; unlike ``until``, it is not part of the run's
            settings.
        report: called whenever games have ended.
        pace: of the sweep that the run is part of, instead of ``report``.

    Raises:
        BadRun: if the folder holds another run, more games, other files, or damaged ones.
        InUse: if another process uses the folder.
        OSError: if something cannot be written; earlier results are safe.
        ValueError: for a number of games that are not whole groups, or a rule for something that is
            not measured or that needs more openings.
    """
    plan.check_games(games)
    if not plan.openings.texts:
        check_start(plan.ruleset)
    if until is not None:
        check_rule(until, plan, games)

    def is_decided(totals: Totals) -> bool:
        is_over = until is not None and until.is_decided(plan, totals.counts)
        return is_over or stop(totals)

    with opened(folder, plan, games, keeps_games, command, until) as kept:
        pace = pace or Pace(games, report)
        pace.resume(kept.totals.counts.games)
        shards = shards_of(plan, games, kept.totals.shards, kept.keeps_games, threads)
        results = play_shards(shards, pace.tell)
        while not is_decided(kept.totals) and (result := next(results, None)):
            kept.add(result)
            pace.add(result.counts.games)
        pace.skip(games - kept.totals.counts.games)
    return kept.totals


def check_rule(until: StoppingRule, plan: Plan, games: int) -> None:
    """Raise ``ValueError`` if a rule cannot stop a run."""
    openings = len(plan.openings.texts)
    if plan.openings.clusters and games > plan.alike * openings:
        each = "game" if plan.is_self_play else plan.group
        raise ValueError(
            f"with a stopping rule each {each} needs an opening of its own: there are {openings},"
            f" enough for {plan.alike * openings} games, not {games}"
        )
    until.cell(plan)


def shards_of(
    plan: Plan, games: int, begin: int, keeps_games: bool, threads: int
) -> Iterator[Shard]:
    """The shards of a run from number ``begin`` on; the last may be smaller."""
    for first in range(begin * plan.shard, games, plan.shard):
        size = min(plan.shard, games - first)
        yield Shard(plan, first // plan.shard, size, keeps_games, threads)
