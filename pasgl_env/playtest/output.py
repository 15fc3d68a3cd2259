"""The files that a run's folder has in the end. Needs the extra ``lab``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from pasgl_env.playtest.folder import GAMES, Totals
from pasgl_env.playtest.judged import judged
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.report import REPORT_FILE, write_report
from pasgl_env.playtest.results import Results
from pasgl_env.playtest.settle import Question
from pasgl_env.playtest.values import PieceValues
from pasgl_env.playtest.verdict import doubt_of
from pasgl_env.storage.files import write_whole

JSON_FILE, PARQUET_FILE = "results.json", "results.parquet"


def finish(
    plan: Plan,
    totals: Totals,
    folder: Path,
    until: Question | None = None,
    progress: Callable[[int], None] = lambda games: None,
) -> Results:
    """Estimate what a run came to, and write it down.

    Args:
        plan: what was played.
        totals: what was counted.
        folder: where the run is kept; values of pieces are estimated if its games are.
        until: the question that may have ended the run.
        progress: told in how many games positions have been looked at that show what pieces are
            worth, whenever these are more.

    Raises:
        ImportError: without PyArrow.
        OSError: if something cannot be read or written.
        ValueError: if the file of games is damaged.
    """
    are_varied = not doubt_of(Results.of(plan, totals))
    values = _values(plan, totals, folder, progress, are_varied)
    seen = judged(plan, folder / GAMES) if _are_kept(totals) else None
    results = Results.of(plan, totals, values, until, seen)
    write_report(results, folder)
    write_whole(folder / PARQUET_FILE, results.to_parquet())
    write_whole(folder / JSON_FILE, results.to_json())  # the last one: see is_finished
    return results


def is_finished(results: Results, folder: Path) -> bool:
    """Whether these results, but for what is seen in kept games, are written down already."""
    try:
        found = json.loads((folder / JSON_FILE).read_bytes())
    except (OSError, ValueError):
        return False
    later: dict[str, None] = {"values": None, "judged": None}
    same = {**json.loads(results.to_json()), **later} == {**found, **later}
    return same and all((folder / name).exists() for name in (REPORT_FILE, PARQUET_FILE))


def _are_kept(totals: Totals) -> bool:
    return totals.record_bytes > 0 and totals.counts.games > 0


def _values(
    plan: Plan, totals: Totals, folder: Path, progress: Callable[[int], None], are_varied: bool
) -> PieceValues | None:
    """The values of pieces, if games are kept and the game has material."""
    if totals.record_bytes == 0:
        return None
    try:
        return PieceValues.of(plan, folder / GAMES, progress, are_varied=are_varied)
    except NotImplementedError:
        return None
