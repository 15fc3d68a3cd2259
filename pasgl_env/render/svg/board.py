"""The common parts of all games' drawings: chequered boards, marked squares, the player to move.

Conventions that make the games look alike:

- The size of a drawing depends on variant and options only, never on the state: films need that.
- A piece is drawn as a symbol for each side and kind: a
  :class:`~pasgl_env.render.svg.silhouette.Silhouette` filled in the side's colour, with an outline
  and details in its line colour.
- A piece is one element with ``class="piece"``, ``data-piece`` (its symbol in position texts) and
  ``data-square`` (its square, or the name of its other place).
- The layers are, from bottom to top: page, squares, heat map and last turn, the board's scenery,
  origin and targets, pieces. Coordinates are outside of the board.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from string import ascii_lowercase
from typing import NamedTuple

from pasgl_env.render.svg.canvas import Shapes, written_number
from pasgl_env.render.svg.theme import Theme


class Box(NamedTuple):
    """A rectangle in a drawing, by its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @classmethod
    def around(cls, x: float, y: float, side: float) -> Box:
        """A square around a point."""
        return cls(x - side / 2, y - side / 2, side, side)

    @property
    def centre(self) -> tuple[float, float]:
        """Its middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def shrunk(self, share: float) -> Box:
        """The part of it around its middle with this share of its width and height."""
        inset = (1 - share) / 2
        x, y = self.x + inset * self.width, self.y + inset * self.height
        return Box(x, y, share * self.width, share * self.height)

    def with_(self, other: Box) -> Box:
        """The smallest box around both."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        right = max(self.x + self.width, other.x + other.width)
        return Box(x, y, right - x, max(self.y + self.height, other.y + other.height) - y)


@dataclass(frozen=True)
class Board:
    """The positions of squares; file 0, rank 0 is the lower left one.

    Attributes:
        left: left edge of the board, in units of the drawing.
        top: upper edge of the board.
        side: length of a square's side.
        files: number of files.
        ranks: number of ranks.
    """

    left: float
    top: float
    side: float
    files: int
    ranks: int

    def corner(self, file: int, rank: int) -> tuple[float, float]:
        """The upper left corner of a square."""
        return self.left + file * self.side, self.top + (self.ranks - 1 - rank) * self.side

    def centre(self, file: int, rank: int) -> tuple[float, float]:
        """The middle of a square."""
        x, y = self.corner(file, rank)
        return x + self.side / 2, y + self.side / 2

    def box(self, file: int, rank: int) -> Box:
        """A square as a box."""
        return Box(*self.corner(file, rank), self.side, self.side)


@cache
def squares(board: Board, theme: Theme) -> str:
    """The chequered squares as SVG, with a dark one in the lower left corner."""
    shapes = Shapes()
    width, height = board.files * board.side, board.ranks * board.side
    shapes.rect(board.left, board.top, width, height, fill=theme.light)
    dark = "".join(
        "M{} {}h{side}v{side}h-{side}z".format(*board.corner(file, rank), side=board.side)
        for rank in range(board.ranks)
        for file in range(rank % 2, board.files, 2)
    )
    shapes.path(dark, fill=theme.dark)
    shapes.rect(board.left, board.top, width, height, fill="none", stroke=theme.faint)
    return str(shapes)


@cache
def coordinates(board: Board, theme: Theme, size: float) -> str:
    """Letters below the board and numbers on its left as SVG; ``size`` is in units."""
    shapes = Shapes()
    with shapes.group(fill=theme.faint):
        below = board.top + board.ranks * board.side + 1.1 * size
        for file in range(board.files):
            shapes.text(board.centre(file, 0)[0], below, ascii_lowercase[file], size)
        for rank in range(board.ranks):
            y = board.centre(0, rank)[1] + 0.36 * size
            shapes.text(board.left - 0.4 * size, y, str(rank + 1), size, text_anchor="end")
    return str(shapes)


def area(board: Board, rows: Sequence[int]) -> str:
    """Squares as a path, from the sets of files on each rank."""
    return "".join(
        "M{} {}h{width}v{side}h-{width}z".format(
            *map(written_number, board.corner(first, rank)),
            width=written_number((end - first) * board.side),
            side=written_number(board.side),
        )
        for rank, files in enumerate(rows)
        for first, end in _runs(files)
    )


def outline(board: Board, rows: Sequence[int]) -> str:
    """The edges between squares and others, as a path; arguments as for :func:`area`."""
    columns = [
        sum((files >> file & 1) << rank for rank, files in enumerate(rows))
        for file in range(board.files)
    ]

    def move(file: int, rank: int, draw: str, length: int) -> str:
        x, y = board.left + file * board.side, board.top + (board.ranks - rank) * board.side
        drawn = f"{draw}{written_number(length * board.side)}"
        return f"M{written_number(x)} {written_number(y)}{drawn}"

    across = (
        move(first, rank, "h", end - first)
        for rank, (below, above) in enumerate(pairwise([0, *rows, 0]))
        for first, end in _runs(below ^ above)
    )
    upward = (
        move(file, first, "v", first - end)
        for file, (left, right) in enumerate(pairwise([0, *columns, 0]))
        for first, end in _runs(left ^ right)
    )
    return "".join([*across, *upward])


def _runs(bits: int) -> Iterator[tuple[int, int]]:
    """The index of the first of each run of ones, and the index after its last."""
    while bits:
        first = bits & -bits
        # The sum carries to the first zero above the run.
        end = bits + first & -(bits + first)
        yield first.bit_length() - 1, end.bit_length() - 1
        bits &= -end


def seat(x: float, y: float, size: float, theme: Theme, player: int, moves: bool) -> str:
    """A disc in a player's colours, with an arrow beside it if it is that player's turn, as SVG.

    Args:
        x: centre of the disc.
        y: centre of the disc.
        size: diameter of the disc; the arrow needs the same space on its left.
        theme: the colours.
        player: 0 or 1.
        moves: whether it is the player's turn.
    """
    fill, line = theme.of_player(player)
    shapes = Shapes().circle(x, y, size / 2, fill=fill, stroke=line, stroke_width=0.14 * size)
    if moves:
        left, half = x - 1.25 * size, 0.4 * size
        arrow = f"M{left:g} {y - half:g}v{2 * half:g}l{0.55 * size:g} {-half:g}z"
        shapes.path(arrow, class_="turn", fill=theme.target)
    return str(shapes)
