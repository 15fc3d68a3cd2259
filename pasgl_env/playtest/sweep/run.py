"""Playing a sweep, one arm after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter

from pasgl_env.evaluation.tournament import Progress
from pasgl_env.playtest.output import finish, is_finished
from pasgl_env.playtest.results import Results
from pasgl_env.playtest.run import PlayShards, Report, check_even, play_here, run
from pasgl_env.playtest.settle import Question
from pasgl_env.playtest.sweep.folder import opened
from pasgl_env.playtest.sweep.grid import Arm, Sweep


def run_sweep(
    sweep: Sweep,
    games: int,
    folder: Path,
    *,
    keeps_games: bool | None = None,
    threads: int = 1,
    play_shards: PlayShards = play_here,
    command: Sequence[str] = (),
    until: Question | None = None,
    report: Report = lambda progress: None,
    tell: Callable[[Arm, Results], None] = lambda arm, results: None,
) -> list[Results]:
    """Play all arms, or what is still to be played, and write down what each came to.

    Args:
        sweep: what is played.
        games: of each arm; see :func:`pasgl_env.playtest.run.run`, as for what is not here.
        folder: where the arms' folders are.
        keeps_games: see there.
        threads: see there.
        play_shards: see there.
        command: see there.
        until: the question that ends each arm; see there.
        report: called whenever games have ended, with the progress of the whole sweep.
        tell: called with each arm that has been played.

    Returns:
        What each arm came to, without the values of pieces.

    Raises:
        BadRun: if the folder holds a playtest, another sweep, more games, or other files.
        InUse: if another process is at work in it.
        OSError: if something cannot be written; what was kept before is safe.
        ValueError: as there.
    """
    check_even(games)
    if until:
        for arm in sweep.arms:
            until.cell(arm.plan)
    course = _Course(len(sweep.arms), games, report)
    found = []
    with opened(folder, sweep, games, until, command):
        for arm in sweep.arms:
            totals = run(
                arm.plan,
                games,
                folder / arm.name,
                keeps_games=keeps_games,
                threads=threads,
                play_shards=play_shards,
                command=command,
                until=until,
                report=course.arm(),
            )
            results = Results.of(arm.plan, totals, until=until)
            if not is_finished(results, folder / arm.name):
                finish(arm.plan, totals, folder / arm.name, until)
            tell(arm, results)
            found.append(results)
    return found


class _Course:
    """How far all arms are together.

    Args:
        arms: how many there are.
        games: of each, at most.
        report: told whenever games have ended.
    """

    def __init__(self, arms: int, games: int, report: Report) -> None:
        self._to_come, self._games, self._report = arms, games, report
        self._done = self._kept = 0
        self._begun = perf_counter()

    def arm(self) -> Report:
        """What the next arm reports to."""
        self._to_come -= 1
        before, to_come, games_before = self._done, self._to_come * self._games, self._kept
        is_first = True

        def report(progress: Progress) -> None:
            nonlocal is_first
            if is_first:  # what had been played before this sweep went on
                self._kept = games_before + progress.done
                is_first = False
            self._done = before + progress.done
            total = before + progress.games + to_come
            self._report(Progress(self._done, total, self._seconds(total)))

        return report

    def _seconds(self, total: int) -> float | None:
        played = self._done - self._kept
        return (perf_counter() - self._begun) / played * (total - self._done) if played else None
