"""The leaderboard: a page made from the results of entries, and their plot."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from pasgl_env.benchmark.result import DRAFT, Result
from pasgl_env.evaluation.table import Table
from pasgl_env.playtest.plot import draw_intervals, label_vertical_axis, panels_to_svg
from pasgl_env.statistics.texts import estimate_text

_HEADINGS = "", "entry", "IQM", "mean", "tasks", "runs", "decisions", "uses", "hash"
_IQM = "IQM: interquartile mean of the scores of all runs in all tasks, with its 95% interval."
_SIDE_BY_SIDE = 0.6
"""Entries are shifted over this share of the distance between two tasks, so as not to overlap."""


def leaderboard(results: Sequence[Result]) -> str:
    """A page, in Markdown: a table for each protocol and track, the best entry first.

    Entries that played all tasks come before those that left some out.
    """
    parts = ["# Leaderboard\n"]
    for (protocol, _, track), group in groupby(sorted(results, key=_place), key=_group):
        own = list(group)
        notes = [_IQM, *([] if own[0].protocol.is_final else [DRAFT])]
        rows = [_row(number, result) for number, result in enumerate(own, 1)]
        title = f"Benchmark {protocol}, track {track}"
        parts.append(Table(title, _HEADINGS, rows, notes, left=[1, 7, 8]).to_markdown())
    return "\n".join(parts)


def _group(result: Result) -> tuple[str, str, str]:
    return result.protocol.name, result.protocol.digest, result.entry.track


def _place(result: Result) -> tuple[Any, ...]:
    return (*_group(result), -len(result.tasks), -(result.iqm.value or 0.0), result.entry.name)


def _row(number: int, result: Result) -> list[str]:
    entry = result.entry
    return [
        str(number),
        f"[{entry.name}]({entry.link})" if entry.link else entry.name,
        estimate_text(result.iqm, True),
        estimate_text(result.mean, True),
        f"{len(result.tasks)} of {len(result.protocol.tasks)}",
        str(len(result.runs)),
        "" if entry.decisions is None else f"{entry.decisions:,}",
        ", ".join(entry.uses) or "nothing",
        result.hash[:16],
    ]


def plot(results: Sequence[Result]) -> bytes:
    """The scores of entries in each task, with their intervals, as SVG. Needs Matplotlib.

    Raises:
        ImportError: without Matplotlib.
    """
    names = list(results[0].protocol.tasks)

    def draw(figure: Any, panels: Any) -> None:
        from matplotlib import colormaps

        (panel,) = panels
        for number, result in enumerate(results):
            shift = _SIDE_BY_SIDE * ((number + 0.5) / len(results) - 0.5)
            colour = colormaps["viridis"](0.15 + 0.65 * number / max(len(results) - 1, 1))
            points = [
                (names.index(task.name) + shift, result.task_score(task)) for task in result.tasks
            ]
            draw_intervals(panel, points, colour)
            at, scores = zip(*((at, score.value) for at, score in points), strict=True)
            panel.plot(at, scores, "o", color=colour, label=result.entry.name)
        panel.set_xticks(range(len(names)), names, rotation=30, ha="right")
        panel.set_ylim(0, 1)
        label_vertical_axis(panel, "score", is_share=True, even=0.5)
        panel.legend(fontsize=9)

    return panels_to_svg(f"Benchmark {results[0].protocol.name}", 1, 3.6, draw)
