"""Playing a sweep, one arm after the other, each in a folder of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pasgl_env.evaluation.progress import Pace, Report
from pasgl_env.playtest.folder import check_run, check_same_settings
from pasgl_env.playtest.output import finish, is_finished
from pasgl_env.playtest.results import Results
from pasgl_env.playtest.run import check_even, check_rule, run
from pasgl_env.playtest.stopping import StoppingRule
from pasgl_env.playtest.sweep.grid import Arm, Sweep
from pasgl_env.storage import runs
from pasgl_env.storage.runs import BadRun, check_same

FORMAT = "pasgl_env sweep 1"


def run_sweep(
    sweep: Sweep,
    games: int,
    folder: Path,
    *,
    command: Sequence[str] = (),
    until: StoppingRule | None = None,
    keeps_games: bool | None = None,
    report: Report = lambda progress: None,
    on_arm: Callable[[Arm, Results], None] = lambda arm, results: None,
    **how: Any,
) -> list[Results]:
    """Play all arms, or the games that are still missing, and write the results of each.

    Args:
        sweep: the sweep.
        games: number of games of each arm, even; with ``until`` the maximum.
        folder: for the folders of the arms.
        command: the command line, for the manifests.
        until: the rule that stops each arm.
        keeps_games: see :func:`pasgl_env.playtest.run.run`.
        report: called with the progress of the whole sweep whenever games have ended.
        on_arm: called with each arm that has been played and its results.
        how: other arguments of :func:`pasgl_env.playtest.run.run`, for all arms.

    Returns:
        The results of each arm, without the values of pieces.

    Raises:
        BadRun: if the folder holds a playtest, another sweep, more games, or other files.
        InUse, OSError, ValueError: as :func:`pasgl_env.playtest.run.run`.
    """
    check_even(games)
    if until:
        for arm in sweep.arms:
            check_rule(until, arm.plan, games)
    pace = Pace(games * len(sweep.arms), report)
    found = []
    with _opened(folder, sweep, games, until, keeps_games, command):
        for arm in sweep.arms:
            totals = run(
                arm.plan,
                games,
                folder / arm.name,
                command=command,
                until=until,
                keeps_games=keeps_games,
                pace=pace,
                **how,
            )
            results = Results.of(arm.plan, totals, until=until)
            if not is_finished(results, folder / arm.name):
                finish(arm.plan, totals, folder / arm.name, until)
            on_arm(arm, results)
            found.append(results)
    return found


@contextmanager
def _opened(
    path: Path,
    sweep: Sweep,
    games: int,
    until: StoppingRule | None,
    keeps_games: bool | None,
    command: Sequence[str],
) -> Iterator[None]:
    """Lock the folder of a sweep, created if missing; it may only gain games and values."""
    with runs.opened(path, "sweep"):
        about = {
            "format": FORMAT,
            "sweep": {each.option.name: list(each.values) for each in sweep.swept},
            "games": games,
            "until": str(until) if until else None,
            "plan": sweep.to_dict(),
        }
        if known := runs.read_manifest(path, "sweep", FORMAT, _check_complete):
            _check_same(path, known, about)
        for arm in sweep.arms:
            check_run(path / arm.name, arm.plan, games, keeps_games, until)
        runs.write_manifest(path, {**about, "command": list(command)})
        yield


def _check_complete(about: dict[str, Any]) -> None:
    """Raise an error if a manifest lacks something."""
    dict(about["sweep"], **about["plan"]["options"])
    if not isinstance(about["games"], int):
        raise TypeError("games")


def _check_same(path: Path, own: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Raise :class:`BadRun` if something would be lost, or mixed with another sweep."""
    other = f"{path} holds another sweep"
    check_same(other, *({"options": list(about["sweep"])} for about in (own, wanted)))
    for name, values in own["sweep"].items():
        missing = [value for value in values if value not in wanted["sweep"][name]]
        if missing:
            raise BadRun(f"{other}, with {name}={missing[0]} too: give another folder")
    check_same_settings(other, own, wanted)
    if own["games"] > wanted["games"]:
        raise BadRun(
            f"{path} holds a sweep of {own['games']} games an arm, more than {wanted['games']}"
        )
