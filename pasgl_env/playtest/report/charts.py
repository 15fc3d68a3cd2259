"""Plots as SVG for an HTML page, whose style sheet colours them by their classes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pasgl_env.render.svg.canvas import Canvas
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.histograms import first_of_bin
from pasgl_env.statistics.texts import estimate_text

_WIDTH = 580
_NAMES, _MARGIN = 222, 24  # to the left and to the right of a plot of intervals
_ROW, _LETTERS, _NUMBERS = 42, 14, 12
_MARK = 4.5
_MOST_BARS = 48
_HEIGHT = 256
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, _WIDTH - 20, 24, _HEIGHT - 44  # of a histogram's bars
_DWARFS = 3  # a bar this many times as high as the second highest is cut off
_EXCESS = 0.07  # of its height, by which a bar that is cut off exceeds the others
_STRIP = (150, 9)  # width of a plot in a table row, and height for each mark

_Axis = Callable[[float], float]
"""The coordinate of a value on an axis."""


def shares(title: str, rows: Sequence[tuple[str, Estimate]], middle: float | None = None) -> str:
    """Shares with their intervals, on an axis from 0 to 1; a line marks an even score."""
    bottom = _ROW * len(rows) + 6
    canvas = Canvas(_WIDTH, bottom + 24, title)
    length = _WIDTH - _NAMES - _MARGIN

    def x_of(share: float) -> float:
        return _NAMES + length * share

    for tick in sorted({0.0, 0.25, 0.5, 0.75, 1.0} | ({middle} if middle else set())):
        emphasis = "even" if tick == middle else "grid"
        canvas.line(x_of(tick), 0, x_of(tick), bottom, class_=emphasis)
        canvas.text(x_of(tick), bottom + 18, f"{tick:.0%}", 12, class_="tick")
    for number, (name, estimate) in enumerate(rows):
        y, text = _ROW * (number + 0.5), estimate_text(estimate, is_share=True)
        canvas.text(_NAMES - 14, y - 2, name, _LETTERS, text_anchor="end", class_="name")
        canvas.text(_NAMES - 14, y + 13, text, _NUMBERS, text_anchor="end", class_="tick")
        _mark(canvas, estimate, x_of, y, 0)
    return canvas.to_svg()


def strip(estimates: Sequence[Estimate], low: float, high: float) -> str:
    """Numbers with their intervals, one below the other, without an axis, from low to high."""
    width, row = _STRIP
    canvas = Canvas(width, row * len(estimates), "values with their intervals")

    def x_of(value: float) -> float:
        inside = min(max((value - low) / (high - low), 0.0), 1.0) if high > low else 0.5
        return _MARK + (width - 2 * _MARK) * inside

    for number, estimate in enumerate(estimates):
        _mark(canvas, estimate, x_of, row * (number + 0.5), number)
    return canvas.to_svg(width)


def lengths(title: str, histogram: np.ndarray, unit: str) -> str:
    """A histogram of the lengths of games.

    A bar that would dwarf all others, often that of truncated games, is cut off with a gap, and its
    number is written beside it.

    Args:
        title: for screen readers.
        histogram: ``int64[BINS]``, see :func:`pasgl_env.statistics.histograms.histogram`.
        unit: of the lengths.
    """
    canvas = Canvas(_WIDTH, _HEIGHT, title)
    bars = list(_bars(histogram))
    start, end = bars[0].first, bars[-1].beyond
    scale = (_RIGHT - _LEFT) / (end - start)
    highest = _highest([bar.games for bar in bars])
    for games in sorted({0, highest // 2, highest}):
        y = _BOTTOM - (_BOTTOM - _TOP) * games / highest
        canvas.line(_LEFT, y, _RIGHT, y, class_="grid")
        canvas.text(_LEFT - 8, y + 4, f"{games:,}", 12, text_anchor="end", class_="tick")
    for bar in bars:
        x, width = _LEFT + scale * (bar.first - start), scale * (bar.beyond - bar.first)
        _draw_bar(canvas, bar, x, max(width - 1, 0.5), highest, unit)
    for tick in _ticks(start, end):
        canvas.text(_LEFT + scale * (tick - start), _BOTTOM + 18, f"{tick:,}", 12, class_="tick")
    canvas.text((_LEFT + _RIGHT) / 2, _HEIGHT - 6, f"{unit} of a game", 13, class_="name")
    return canvas.to_svg()


def _highest(bars: Sequence[int]) -> int:
    """The number of games at the top: that of the highest bar that is not cut off."""
    *_, second, first = 0, *sorted(bars)
    return second if 0 < _DWARFS * second < first else first


def _draw_bar(canvas: Canvas, bar: _Bar, x: float, width: float, highest: int, unit: str) -> None:
    """Draw a bar; if it is too high, with a gap and its number on the left."""
    height = (_BOTTOM - _TOP) * min(bar.games / highest, 1 + _EXCESS)
    with canvas.group(class_="bar"):
        canvas.add(f"<title>{bar.range_text} {unit}: {bar.games:,} games</title>")
        canvas.rect(x, _BOTTOM - height, width, height)
    if bar.games > highest:
        canvas.rect(x - 1, _TOP - 3, width + 2, 3, class_="gap")
        canvas.text(x - 5, _TOP - 5, f"{bar.games:,}", 12, text_anchor="end", class_="name")


def _mark(canvas: Canvas, estimate: Estimate, x_of: _Axis, y: float, series: int) -> None:
    """Draw a line for the interval with a mark for the value."""
    if estimate.value is None:
        return
    with canvas.group(class_=f"series{series % 4}"):
        if estimate.low is not None and estimate.high is not None:
            canvas.line(x_of(estimate.low), y, x_of(estimate.high), y, class_="interval")
        canvas.circle(x_of(estimate.value), y, _MARK if canvas.width == _WIDTH else 3)


class _Bar(NamedTuple):
    """The number of games from ``first`` up to, but not including, ``beyond`` in length."""

    first: int
    beyond: int
    games: int

    @property
    def range_text(self) -> str:
        last = self.beyond - 1
        return f"{self.first:,}" if last == self.first else f"{self.first:,} to {last:,}"


def _bars(histogram: np.ndarray) -> Iterator[_Bar]:
    """Bars of equal width."""
    found = np.flatnonzero(histogram)
    start = first_of_bin(int(found[0]))
    end = first_of_bin(int(found[-1]) + 1)
    # A bar is as wide as the widest bin, or wider: none is divided between two bars.
    width = max(-(-(end - start) // _MOST_BARS), end - first_of_bin(int(found[-1])))
    firsts = np.array([first_of_bin(int(number)) for number in found])
    games = np.bincount((firsts - start) // width, weights=histogram[found])
    for number, several in enumerate(games.tolist()):
        first = start + number * width
        yield _Bar(first, first + width, round(several))


def _ticks(start: int, end: int) -> Iterator[int]:
    """About five round numbers between two lengths."""
    rough = max((end - start) / 5, 1)
    power = 10 ** (len(str(int(rough))) - 1)
    step = min((power * each for each in (1, 2, 5, 10)), key=lambda each: abs(each - rough))
    yield from range(-(-start // step) * step, end, step)
