"""The leaderboard: a page made from the results of entries, and their plot."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from pasgl_env.benchmark.result import DRAFT, Result
from pasgl_env.evaluation.table import Table
from pasgl_env.playtest.plot import draw_intervals, label_vertical_axis, panels_to_svg
from pasgl_env.statistics.texts import estimate_text, value_text

_HEADINGS = "", "entry", "IQM", "mean"
_STATED = "runs", "decisions", "uses", "hash"
_IQM = (
    "IQM: interquartile mean of the scores of all runs in all tasks, with its 95% interval; then"
    " the score in each task."
)
TITLE = "# Leaderboard"
_INTRODUCTION = f"""{TITLE}

Results of the benchmark, from files that anybody can check. A table for each version, track and
list of tasks: only entries with the same ones can be compared.
"""
_SIDE_BY_SIDE = 0.6
"""Entries are shifted over this share of the distance between two tasks, so as not to overlap."""


def leaderboard(results: Sequence[Result]) -> str:
    """A page, in Markdown: a table for each protocol, track and list of tasks, the best first.

    Raises:
        ValueError: if two results have the same games.
    """
    _check_different(results)
    parts = [_INTRODUCTION]
    for (protocol, _, left_out, track), group in groupby(sorted(results, key=_place), key=_group):
        own = list(group)
        tasks = [task.name for task in own[0].tasks]
        notes = [_IQM, *([] if own[0].protocol.is_final else [DRAFT])]
        rows = [_row(number, result) for number, result in enumerate(own, 1)]
        where = ", ".join(tasks) if left_out else "all tasks"
        title = f"Benchmark {protocol}, track {track}, {where}"
        headings = *_HEADINGS, *tasks, *_STATED
        left = 1, len(headings) - 2, len(headings) - 1
        parts.append(Table(title, headings, rows, notes, left=left).to_markdown())
    return "\n".join(parts)


def _check_different(results: Sequence[Result]) -> None:
    """Raise ``ValueError`` if two results have the same games, whatever their names."""
    names = dict[str, str]()
    for result in results:
        name = result.entry.name
        if (other := names.get(result.games)) == name:
            raise ValueError(f"two results of {name!r} have the same games: give one of them")
        if other is not None:
            raise ValueError(f"{other!r} and {name!r} have the same games: they are one agent")
        names[result.games] = name


def _group(result: Result) -> tuple[str, str, tuple[str, ...], str]:
    """What entries have in common that can be compared; those that left no task out come first."""
    played = [task.name for task in result.tasks]
    left_out = tuple(name for name in result.protocol.tasks if name not in played)
    return result.protocol.name, result.protocol.digest, left_out, result.entry.track


def _place(result: Result) -> tuple[Any, ...]:
    return (*_group(result), -(result.iqm.value or 0.0), result.entry.name)


def _row(number: int, result: Result) -> list[str]:
    entry = result.entry
    return [
        str(number),
        f"[{entry.name}]({entry.link})" if entry.link else entry.name,
        estimate_text(result.iqm, True),
        estimate_text(result.mean, True),
        *(value_text(result.task_score(task), True) for task in result.tasks),
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
