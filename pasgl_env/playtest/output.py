"""The files that a finished run leaves in its folder. Needs the extra ``lab``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from pasgl_env.playtest.assessment import assess
from pasgl_env.playtest.first_turns import FirstTurn, first_turns
from pasgl_env.playtest.folder import GAMES, Totals
from pasgl_env.playtest.lab import Lab, PlayedRun
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.report import REPORT_FILE, write_report
from pasgl_env.playtest.results import Results
from pasgl_env.playtest.retrain import Retraining
from pasgl_env.playtest.stopping import StoppingRule
from pasgl_env.playtest.values import PieceValues
from pasgl_env.playtest.verdict import doubt_of
from pasgl_env.storage.files import write_whole

JSON_FILE, PARQUET_FILE = "results.json", "results.parquet"


def finish(
    plan: Plan,
    totals: Totals,
    folder: Path,
    until: StoppingRule | None = None,
    progress: Callable[[int], None] = lambda games: None,
) -> Results:
    """Estimate the results of a run and write them to its folder.

    Args:
        plan: of the run.
        totals: of the run.
        folder: of the run; values of pieces are estimated if its games are kept there.
        until: the rule that may have stopped the run.
        progress: called with the number of games searched for positions, from which the values of
            pieces are estimated, whenever it has grown.

    Raises:
        ImportError: without PyArrow.
        OSError: if something cannot be read or written.
        ValueError: if the file of games is damaged.
    """
    values, seen = None, None
    begun: tuple[FirstTurn, ...] = ()
    if totals.record_bytes > 0:
        are_varied = not doubt_of(Results.of(plan, totals))
        with suppress(NotImplementedError):  # of a game without material
            values = PieceValues.of(plan, folder / GAMES, progress, are_varied=are_varied)
        if totals.counts.games > 0:
            seen = assess(plan, folder / GAMES)
            begun = first_turns(plan, folder / GAMES)
    results = Results.of(plan, totals, values, until, seen, begun)
    write_report(results, folder)
    write_whole(folder / PARQUET_FILE, results.to_parquet())
    write_whole(folder / JSON_FILE, results.to_json())  # the last one: see _is_finished
    return results


def play_rules(
    lab: Lab, plans: Mapping[str, Plan], games: int, retraining: Retraining | None, **how: Any
) -> dict[str, PlayedRun]:
    """Play under each rule, and write what has not been written of its results."""
    runs = {}
    plans = lab.learn(plans, retraining)
    lab.expect(games * len(plans))
    for name, plan in plans.items():
        run = runs[name] = lab.play(name, plan, games, **how)
        if not _is_finished(run.results, run.folder):
            finish(plan, run.totals, run.folder, run.until)
        decision = f" {run.results.decision.sentence}" if run.results.decision else ""
        lab.tell(f"{name}: {run.games} games.{decision}")
    return runs


def _is_finished(results: Results, folder: Path) -> bool:
    """Whether these results, apart from those of kept games, have been written already."""
    try:
        found = json.loads((folder / JSON_FILE).read_bytes())
    except (OSError, ValueError):
        return False
    of_games = dict.fromkeys(("values", "judged", "first_turns"))
    same = {**json.loads(results.to_json()), **of_games} == {**found, **of_games}
    return same and all((folder / name).exists() for name in (REPORT_FILE, PARQUET_FILE))
