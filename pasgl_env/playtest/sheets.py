"""Measures as tables under headings, and their numbers as text, for the report and the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple
from math import floor, log10
from typing import NamedTuple

from pasgl_env.games.counters import SEAT
from pasgl_env.playtest import generic
from pasgl_env.playtest.counting import own_counters
from pasgl_env.playtest.results import Figure, Measure, Results
from pasgl_env.statistics.estimates import Estimate

_MOST_DECIMALS = 6
VALUES = "Values of pieces"
_VALUES = {VALUES: "piece_values piece_log_odds"}
_JUDGED = {"As a strong player sees it": "one_sensible_turns known_share drama loser_most"}


class Sheet(NamedTuple):
    """A measure as a table.

    Attributes:
        measure: the measure.
        columns: the seats; ``("",)`` if it is not measured by seat.
        rows: the figures of each row, one for each column, by the row's name, which is empty if
            there is only one row. Rows in which nothing was counted are left out.
        empty: the number of rows left out.
    """

    measure: Measure
    columns: tuple[str, ...]
    rows: dict[str, tuple[Figure, ...]]
    empty: int

    @classmethod
    def of(cls, measure: Measure) -> Sheet:
        """The table of a measure."""
        rows: dict[str, tuple[Figure, ...]] = {}
        columns: dict[str, None] = {}
        for figure in measure.figures:
            columns[figure.cell.get(SEAT, "")] = None
            name = ", ".join(label for axis, label in figure.cell.items() if axis != SEAT)
            rows[name] = (*rows.get(name, ()), figure)
        kept = {
            name: figures
            for name, figures in rows.items()
            if len(rows) == 1 or any(figure.total != 0 for figure in figures)
        }
        return cls(measure, tuple(columns), kept, len(rows) - len(kept))

    @property
    def row_axes(self) -> str:
        """What the rows differ in."""
        axes = (axis for axis in self.measure.figures[0].cell if axis != SEAT)
        return ", ".join(axis.replace("_", " ") for axis in axes)

    @property
    def is_line(self) -> bool:
        """Whether there is a single row without a name, so that the title can serve as one."""
        return list(self.rows) == [""]


class Section(NamedTuple):
    """Tables under a heading."""

    title: str
    sheets: tuple[Sheet, ...]

    def blocks(self) -> Iterator[tuple[Sheet, ...]]:
        """The tables in order, with single rows under the same columns gathered in one block."""
        blocks: dict[object, list[Sheet]] = {}
        for number, sheet in enumerate(self.sheets):
            blocks.setdefault(sheet.columns if sheet.is_line else number, []).append(sheet)
        yield from map(tuple, blocks.values())


def sections(results: Results) -> Iterator[Section]:
    """All measures under their headings: those of every game, the game's own, values of pieces."""
    own = own_counters(results.plan.variant)
    headings = {**generic.SECTIONS, **_JUDGED, **(own.SECTIONS if own else {}), **_VALUES}
    known = {measure.name: measure for measure in results.all_measures()}
    for title, names in headings.items():
        sheets = tuple(Sheet.of(known[name]) for name in names.split() if name in known)
        if sheets:
            yield Section(title, sheets)


def value_text(estimate: Estimate, is_share: bool, missing: str = "–") -> str:
    """A value for people; ``missing`` if there is none.

    >>> value_text(Estimate(52.6512, 48.1, 57.2), False), value_text(Estimate(0.5, 0.3, 0.7), True)
    ('52.7', '50%')
    """
    if estimate.value is None:
        return missing
    return _written(estimate.value, estimate, is_share)


def interval_text(estimate: Estimate, is_share: bool) -> str:
    """An interval for people; empty if there is none, or its ends are equal.

    >>> interval_text(Estimate(52.6512, 48.1, 57.2), False)
    '48.1 to 57.2'
    """
    if estimate.low is None or estimate.high is None or estimate.low == estimate.high:
        return ""
    low, high = (_written(end, estimate, is_share) for end in (estimate.low, estimate.high))
    return f"{low} to {high}"


def estimate_text(estimate: Estimate, is_share: bool, missing: str = "–") -> str:
    """A value with its interval in parentheses, if it has one.

    >>> estimate_text(Estimate(52.6512, 48.1, 57.2), False)
    '52.7 (48.1 to 57.2)'
    """
    value, interval = value_text(estimate, is_share, missing), interval_text(estimate, is_share)
    return f"{value} ({interval})" if interval else value


def _written(number: float, estimate: Estimate, is_share: bool) -> str:
    """A number of an estimate; a share in percent."""
    scale = 100 if is_share else 1
    decimals = _decimals(estimate, scale)
    rounded = round(scale * number, decimals) + 0.0  # turns -0 into 0
    if number == 0 or (is_share and number == 1):
        decimals = 0
    return f"{rounded:,.{decimals}f}{'%' * is_share}"


def _decimals(estimate: Estimate, scale: int) -> int:
    """Decimals that give half the interval's width two significant digits, or the value four."""
    ends = [end for end in astuple(estimate) if end is not None]
    if scale == 1 and all(end == round(end) for end in ends):
        return 0
    width = scale * (max(ends) - min(ends)) / 2
    digits = 1 - floor(log10(width)) if width else 3 - floor(log10(scale * abs(ends[0]) or 1000))
    return min(max(digits, 0), _MOST_DECIMALS)
