"""Plots as SVG for a page of HTML, whose style sheet gives them their colours by their classes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pasgl_env.playtest.lab.counting import first_of_bin
from pasgl_env.playtest.match import Estimate
from pasgl_env.render.svg.canvas import Canvas

_WIDTH = 560
_NAMES, _MARGIN = 196, 24  # room to the left and to the right of a plot of intervals
_ROW, _LETTERS, _NUMBERS = 42, 14, 12
_MARK = 4.5
_MOST_BARS = 48
_HEIGHT = 240
_STRIP = (150, 9)  # of a plot in a row of a table: its width, and its height for each mark

_Place = Callable[[float], float]
"""Where a value lies on an axis."""


class Interval(NamedTuple):
    """A row of a plot of intervals.

    Attributes:
        name: what stands to its left.
        estimate: a share.
        text: the numbers, which stand below the name.
    """

    name: str
    estimate: Estimate
    text: str


def shares(title: str, rows: Sequence[Interval], middle: float | None = None) -> str:
    """Shares with their intervals, on an axis from 0 to 1.

    Args:
        title: for those who cannot see it.
        rows: the shares; what is unknown has no mark.
        middle: where a line marks what would be even; None: nowhere.
    """
    bottom = _ROW * len(rows) + 6
    canvas = Canvas(_WIDTH, bottom + 24, title)
    length = _WIDTH - _NAMES - _MARGIN

    def place(share: float) -> float:
        return _NAMES + length * share

    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        emphasis = "even" if tick == middle else "grid"
        canvas.line(place(tick), 0, place(tick), bottom, class_=emphasis)
        canvas.text(place(tick), bottom + 18, f"{tick:.0%}", 12, class_="tick")
    for number, row in enumerate(rows):
        y = _ROW * (number + 0.5)
        canvas.text(_NAMES - 14, y - 2, row.name, _LETTERS, text_anchor="end", class_="name")
        canvas.text(_NAMES - 14, y + 13, row.text, _NUMBERS, text_anchor="end", class_="tick")
        _mark(canvas, row.estimate, place, y, 0)
    return canvas.to_svg()


def strip(estimates: Sequence[Estimate], low: float, high: float) -> str:
    """Some numbers with their intervals, one below the other, without an axis.

    Args:
        estimates: the numbers; what is unknown has no mark.
        low: what the left end stands for.
        high: and the right end.
    """
    width, row = _STRIP
    canvas = Canvas(width, row * len(estimates), "values with their intervals")

    def place(value: float) -> float:
        inside = min(max((value - low) / (high - low), 0.0), 1.0) if high > low else 0.5
        return _MARK + (width - 2 * _MARK) * inside

    for number, estimate in enumerate(estimates):
        _mark(canvas, estimate, place, row * (number + 0.5), number)
    return canvas.to_svg(width)


def lengths(title: str, histogram: np.ndarray, unit: str) -> str:
    """How long games were, as a histogram.

    Args:
        title: for those who cannot see it.
        histogram: ``int64[BINS]``, see :func:`pasgl_env.playtest.lab.counting.bins_of`.
        unit: of the lengths.
    """
    left, top, bottom = 60, 8, _HEIGHT - 44
    canvas = Canvas(_WIDTH, _HEIGHT, title)
    bars = list(_bars(histogram))
    most = max(games for _, _, games in bars)
    start, end = bars[0][0], bars[-1][1]
    scale = (_WIDTH - left - 20) / (end - start)
    for games in sorted({0, most // 2, most}):
        y = bottom - (bottom - top) * games / most
        canvas.line(left, y, _WIDTH - 20, y, class_="grid")
        canvas.text(left - 8, y + 4, f"{games:,}", 12, text_anchor="end", class_="tick")
    for first, beyond, games in bars:
        height = (bottom - top) * games / most
        x = left + scale * (first - start)
        with canvas.group(class_="bar"):
            canvas.add(f"<title>{_range(first, beyond)} {unit}: {games:,} games</title>")
            canvas.rect(x, bottom - height, max(scale * (beyond - first) - 1, 0.5), height)
    for tick in _ticks(start, end):
        canvas.text(left + scale * (tick - start), bottom + 18, f"{tick:,}", 12, class_="tick")
    canvas.text((left + _WIDTH - 20) / 2, _HEIGHT - 6, f"{unit} of a game", 13, class_="name")
    return canvas.to_svg()


def _mark(canvas: Canvas, estimate: Estimate, place: _Place, y: float, series: int) -> None:
    """A line for the interval, and on it a mark for the value."""
    if estimate.value is None:
        return
    with canvas.group(class_=f"series{series % 4}"):
        if estimate.low is not None and estimate.high is not None:
            canvas.line(place(estimate.low), y, place(estimate.high), y, class_="interval")
        canvas.circle(place(estimate.value), y, _MARK if canvas.width == _WIDTH else 3)


def _bars(histogram: np.ndarray) -> Iterator[tuple[int, int, int]]:
    """Equally wide bars: the least length, the least that is too long, and how many games."""
    found = np.flatnonzero(histogram)
    start = first_of_bin(int(found[0]))
    end = first_of_bin(int(found[-1]) + 1)
    # A bar is as wide as the widest bin, or wider: none is divided between two bars.
    width = max(-(-(end - start) // _MOST_BARS), end - first_of_bin(int(found[-1])))
    firsts = np.array([first_of_bin(int(number)) for number in found])
    games = np.bincount((firsts - start) // width, weights=histogram[found])
    for number, several in enumerate(games.tolist()):
        first = start + number * width
        yield first, first + width, round(several)


def _range(first: int, beyond: int) -> str:
    return f"{first:,}" if beyond == first + 1 else f"{first:,} to {beyond - 1:,}"


def _ticks(start: int, end: int) -> Iterator[int]:
    """Round numbers between two lengths, some five of them."""
    rough = max((end - start) / 5, 1)
    power = 10 ** (len(str(int(rough))) - 1)
    step = min((power * each for each in (1, 2, 5, 10)), key=lambda each: abs(each - rough))
    yield from range(-(-start // step) * step, end, step)
