"""The measures of a playtest in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:  # they need SciPy
    from pasgl_env.playtest.results import Figure, Results
    from pasgl_env.playtest.sheets import Section, Sheet

_MOST_CELLS = 8
_MOST_COLUMNS = 2


def playtest_table(results: Results) -> Group:
    """The measures of a playtest, a table for each heading; large ones are only named."""
    from pasgl_env.playtest.sheets import VALUES, sections
    from pasgl_env.playtest.verdict import remarks

    plan = results.plan
    one, other = plan.shown_players
    return Group(
        Text(f"{plan.ruleset.game.title}: {one} against {other}", "bold"),
        f"{results.games:,} games, seed {plan.seed}; 95% intervals in parentheses.",
        "",
        *(
            Text(f"{remark.text}\n", "bold yellow" if remark.warns else "")
            for remark in remarks(results)
        ),
        *(
            table
            for section in sections(results)
            if section.title != VALUES
            for table in _section_tables(section)
        ),
    )


def _section_tables(section: Section) -> Iterator[Table | Text]:
    """The measures under a heading: those without seats, those by seat, the names of large ones."""
    yield Text(section.title, "bold")
    short = [sheet for sheet in section.sheets if len(sheet.measure.figures) <= _MOST_CELLS]
    for columns in dict.fromkeys(((), *map(_columns, short))):
        alike = [sheet for sheet in short if _columns(sheet) == columns]
        if alike:
            yield _numbers_table(alike, columns)
    long = [sheet.measure.title for sheet in section.sheets if sheet not in short]
    if long:
        yield Text(f"In the report: {', '.join(long)}.\n", "dim")


def _columns(sheet: Sheet) -> tuple[str, ...]:
    """The seats, if there are few enough for a column each."""
    return sheet.columns if 1 < len(sheet.columns) <= _MOST_COLUMNS else ()


def _numbers_table(sheets: Sequence[Sheet], columns: tuple[str, ...]) -> Table:
    from pasgl_env.statistics.texts import estimate_text

    table = Table(box=None, show_header=bool(columns), padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("", overflow="fold")
    for column in columns or ("",):
        table.add_column(column, no_wrap=True)
    for sheet in sheets:
        measure = sheet.measure
        unit = f", {measure.phrase}" if measure.per else ""
        title = Text.assemble(measure.title, (unit, "dim"))
        lines = dict(_lines(sheet, columns))
        if "" not in lines:
            table.add_row(title, *([] if lines else ["never"]))
        for name, figures in lines.items():
            cells = (
                estimate_text(figure.estimate, measure.is_share, measure.missing)
                for figure in figures
            )
            table.add_row(f"  {name}" if name else title, *cells)
    table.add_row()
    return table


def _lines(sheet: Sheet, columns: tuple[str, ...]) -> Iterator[tuple[str, Sequence[Figure]]]:
    """The lines of a measure, with their names; a line for each seat that has no column."""
    for name, figures in sheet.rows.items():
        if columns or len(figures) == 1:
            yield name, figures
            continue
        for seat, figure in zip(sheet.columns, figures, strict=True):
            yield ", ".join(filter(None, (name, seat))), (figure,)
