"""Tables in Markdown, and times as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Table(NamedTuple):
    """Results as people read them.

    Attributes:
        title: printed above the table.
        headings: of the columns.
        rows: the cells of each row.
        notes: sentences that are printed below the table.
        rule: the Markdown that aligns each column.
    """

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()
    rule: str = "---:"

    def to_markdown(self) -> str:
        """The table with its title above and its notes below.

        >>> print(Table("Sizes", ["Kind", "Size"], [["Shrew", "1"]], ["In squares."]).to_markdown())
        **Sizes**
        <BLANKLINE>
        | Kind | Size |
        | ---: | ---: |
        | Shrew | 1 |
        <BLANKLINE>
        In squares.
        <BLANKLINE>
        """
        rules = [self.rule] * len(self.headings)
        table = markdown_rows([self.headings, rules, *self.rows])
        notes = (f"\n{note}" for note in self.notes)
        return "\n".join([f"**{self.title}**", "", *table, *notes]) + "\n"


def markdown_rows(rows: Iterable[Sequence[str]]) -> list[str]:
    """Rows of cells as lines of a table."""
    return ["| " + " | ".join(cell.replace("|", r"\|") for cell in row) + " |" for row in rows]


def duration(seconds: float) -> str:
    """A time in a unit that suits it, to three digits.

    >>> duration(0.00123), duration(12.34)
    ('1.23 ms', '12.3 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"
