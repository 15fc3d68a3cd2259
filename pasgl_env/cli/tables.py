"""Tables in the terminal."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from rich import box
from rich.table import Table as Shown

if TYPE_CHECKING:
    from pasgl_env.evaluation.table import Table


def shown(
    table: Table,
    *,
    wraps: bool = True,
    padding: int = 1,
    splits: bool = False,
    most_rows: int | None = None,
) -> Shown:
    """A table to print, with its title above and its notes below.

    ``wraps`` lets cells of columns that are aligned right have several lines; ``splits`` gives
    intervals in parentheses lines of their own.
    """
    content = Shown(
        title=table.title,
        title_style="bold",
        title_justify="left",
        caption="\n".join(table.notes),
        caption_style="",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        show_header=any(table.headings),
        padding=(0, 1, 0, padding),
    )
    for number, heading in enumerate(table.headings):
        is_left = number in table.left
        content.add_column(
            heading,
            justify="left" if is_left else "right",
            no_wrap=not (wraps or is_left),
            overflow="fold",
        )
    for cells in islice(table.rows, most_rows):
        content.add_row(*(cell.replace(" (", "\n(") if splits else cell for cell in cells))
    return content
