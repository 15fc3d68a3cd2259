"""Results as people read them: measures under headings, as tables, and their numbers as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pasgl_env.playtest.lab.counting import own_measures
from pasgl_env.playtest.lab.measures import SEAT, generic
from pasgl_env.playtest.lab.results import Figure, Measure, Results
from pasgl_env.playtest.match import Estimate

VALUES = "Values of pieces"
_VALUES = {VALUES: "piece_values piece_log_odds"}


class Row(NamedTuple):
    """A row of a table: the figures of one kind of thing, one for each seat if it has seats."""

    name: str
    figures: tuple[Figure, ...]


class Sheet(NamedTuple):
    """A measure as a table.

    Attributes:
        measure: what was measured.
        columns: the seats; one without a name if it is not measured by seat.
        rows: those in which anything was counted; those without a name are the only ones.
        empty: how many rows are left out, since nothing was counted there.
    """

    measure: Measure
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    empty: int

    @classmethod
    def of(cls, measure: Measure) -> Sheet:
        """The table of a measure."""
        rows: dict[tuple[str, ...], list[Figure]] = {}
        columns: dict[str, None] = {}
        for figure in measure.figures:
            columns[figure.cell.get(SEAT, "")] = None
            key = tuple(label for axis, label in figure.cell.items() if axis != SEAT)
            rows.setdefault(key, []).append(figure)
        told = {
            key: figures
            for key, figures in rows.items()
            if len(rows) == 1 or any(figure.total != 0 for figure in figures)
        }
        return cls(
            measure,
            tuple(columns),
            tuple(Row(", ".join(key), tuple(figures)) for key, figures in told.items()),
            len(rows) - len(told),
        )


class Section(NamedTuple):
    """Tables that belong together, under a heading."""

    title: str
    sheets: tuple[Sheet, ...]


def sections(results: Results) -> Iterator[Section]:
    """All measures under their headings: those of every game, the game's own, values of pieces."""
    own = own_measures(results.plan.variant)
    headings = {**generic.SECTIONS, **(own.SECTIONS if own else {}), **_VALUES}
    known = {measure.name: measure for measure in results.all_measures()}
    for title, names in headings.items():
        sheets = tuple(Sheet.of(known[name]) for name in names.split() if name in known)
        if sheets:
            yield Section(title, sheets)


def value_text(measure: Measure, value: float | None) -> str:
    """A value as people read it."""
    if value is None:
        return "–"
    if measure.is_share:
        return percent_text(value)
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def percent_text(share: float) -> str:
    """A share in percent, with more digits where it is next to 0% or 100%.

    >>> percent_text(0.5), percent_text(0.99987), percent_text(0.000021)
    ('50.0%', '99.987%', '0.0021%')
    """
    if 0 < share < 0.001:
        return f"{100 * share:.2g}%"
    return f"{share:.3%}" if 0.999 < share < 1 else f"{share:.1%}"


def interval_text(measure: Measure, estimate: Estimate) -> str:
    """An interval as people read it; empty if there is none."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"{value_text(measure, estimate.low)} to {value_text(measure, estimate.high)}"
