"""Measures as tables under headings, for the report and the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pasgl_env.contract.counters import SEAT
from pasgl_env.playtest import generic
from pasgl_env.playtest.counting import own_counters
from pasgl_env.playtest.results import Figure, Measure, Results

VALUES = "Values of pieces"
_VALUES = {VALUES: "piece_values piece_log_odds"}
_ASSESSED = {"As td sees it": "one_sensible_turns known_share drama loser_most"}


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
        """The axes in which the rows differ."""
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
    own = own_counters(results.plan.ruleset.game)
    headings = {**generic.SECTIONS, **_ASSESSED, **(own.SECTIONS if own else {}), **_VALUES}
    known = {measure.name: measure for measure in results.all_measures()}
    for title, names in headings.items():
        sheets = tuple(Sheet.of(known[name]) for name in names.split() if name in known)
        if sheets:
            yield Section(title, sheets)
