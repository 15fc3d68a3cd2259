"""Tables of results, for people."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple


class Table(NamedTuple):
    """Results as people read them.

    Attributes:
        title: printed above the table.
        headings: of the columns.
        rows: the cells of each row.
        notes: sentences that are printed below the table.
        left: the numbers of the columns that are aligned left; the others are aligned right.
    """

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()
    left: Collection[int] = ()

    def to_markdown(self) -> str:
        """The table with its title above and its notes below.

        >>> sizes = Table("Sizes", ["Kind", "Size"], [["Shrew", "1"]], ["In squares."], left=[0])
        >>> print(sizes.to_markdown())
        **Sizes**
        <BLANKLINE>
        | Kind | Size |
        | --- | ---: |
        | Shrew | 1 |
        <BLANKLINE>
        In squares.
        <BLANKLINE>
        """
        rules = ["---" if at in self.left else "---:" for at in range(len(self.headings))]
        table = markdown_rows([self.headings, rules, *self.rows])
        notes = (f"\n{note}" for note in self.notes)
        return "\n".join([f"**{self.title}**", "", *table, *notes]) + "\n"


def markdown_rows(rows: Iterable[Sequence[str]]) -> list[str]:
    """Rows of cells as lines of a table."""
    return ["| " + " | ".join(cell.replace("|", r"\|") for cell in row) + " |" for row in rows]
