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
        table = markdown_table(self.headings, self.rows, self.left)
        notes = (f"\n{note}" for note in self.notes)
        return "\n".join([f"**{self.title}**", "", *table, *notes]) + "\n"

    def to_latex(self) -> str:
        r"""The table as LaTeX with the rules of the package ``booktabs``; notes are comments.

        >>> sizes = Table("Sizes", ["Kind", "Size"], [["Shrew", "1%"]], ["In squares."], left=[0])
        >>> print(sizes.to_latex())
        % Sizes
        % In squares.
        \begin{tabular}{lr}
        \toprule
        Kind & Size \\
        \midrule
        Shrew & 1\% \\
        \bottomrule
        \end{tabular}
        <BLANKLINE>
        """
        columns = "".join("l" if at in self.left else "r" for at in range(len(self.headings)))
        head, *rows = (
            " & ".join(map(_to_latex, row)) + r" \\" for row in (self.headings, *self.rows)
        )
        lines = [
            *(f"% {text}" for text in (self.title, *self.notes)),
            rf"\begin{{tabular}}{{{columns}}}",
        ]
        lines += [r"\toprule", head, r"\midrule", *rows, r"\bottomrule", r"\end{tabular}"]
        return "\n".join(lines) + "\n"


def _to_latex(cell: str) -> str:
    """A cell with the characters escaped that LaTeX takes as commands."""
    escaped = cell.replace("\\", r"\textbackslash ")
    for special in "&%$#_{}":
        escaped = escaped.replace(special, f"\\{special}")
    return escaped.replace("~", r"\textasciitilde ").replace("^", r"\textasciicircum ")


def markdown_table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], left: Collection[int] = (0,)
) -> list[str]:
    """The lines of a table in Markdown; ``left`` are the columns that are aligned left."""
    rules = ["---" if at in left else "---:" for at in range(len(headings))]
    return [
        "| " + " | ".join(cell.replace("|", r"\|") for cell in row) + " |"
        for row in (headings, rules, *rows)
    ]
