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

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import pairwise
from string import ascii_lowercase
from typing import TYPE_CHECKING, NamedTuple

from pasgl_env.render.svg.canvas import Shapes
from pasgl_env.render.svg.theme import Theme

if TYPE_CHECKING:
    from pasgl_env.render import Marks


class Box(NamedTuple):
    """A rectangle in a drawing, by its upper left corner."""

    x: float
    y: float
    width: float
    height: float


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


Place = Callable[[str], tuple[float, float]]


def mark_squares(shapes: Shapes, marks: Marks, corner: Place, side: float, theme: Theme) -> None:
    """Tint the squares of a heat map and of the last turn.

    Args:
        shapes: the drawing.
        marks: names of squares.
        corner: returns the upper left corner of a square by name.
        side: length of a square's side.
        theme: colours.
    """
    for square, strength, words in marks.heat:
        with shapes.group(class_="heat"):
            shapes.add(f"<title>{escape(words)}</title>")
            shapes.rect(*corner(square), side, side, fill=theme.heat, fill_opacity=strength)
    for name in sorted(marks.last):
        # The frame stays visible on scenery of a similar colour.
        _tint(shapes, corner(name), side, theme.last, 0.5, 0.04, "last")


def mark_choices(
    shapes: Shapes, marks: Marks, corner: Place, side: float, theme: Theme, occupied: Container[str]
) -> None:
    """Frame the origin and mark the targets; arguments as for :func:`mark_squares`.

    Args:
        shapes: the drawing.
        marks: names of squares.
        corner: returns the upper left corner of a square by name.
        side: length of a square's side.
        theme: colours.
        occupied: the occupied squares: their corners are marked; elsewhere a dot is drawn.
    """
    if marks.origin is not None:
        _tint(shapes, corner(marks.origin), side, theme.target, 0.25, 0.07, "origin")
    for name in sorted(marks.targets):
        x, y = corner(name)
        if name in occupied:
            shapes.path(_corners(x, y, side), class_="target", fill=theme.target)
        else:
            middle = side / 2
            shapes.circle(x + middle, y + middle, 0.15 * side, class_="target", fill=theme.target)


def _tint(
    shapes: Shapes,
    corner: tuple[float, float],
    side: float,
    colour: str,
    opacity: float,
    width: float,
    class_: str,
) -> None:
    """Fill and frame a square; the width of the frame is a share of the side."""
    line = width * side
    shapes.rect(
        corner[0] + line / 2,
        corner[1] + line / 2,
        side - line,
        side - line,
        class_=class_,
        fill=colour,
        fill_opacity=opacity,
        stroke=colour,
        stroke_width=line,
    )


def _corners(x: float, y: float, side: float) -> str:
    """Triangles in the corners of a square."""
    arm = 0.24 * side
    return (
        f"M{x:g} {y:g}h{arm:g}l{-arm:g} {arm:g}zm{side:g} 0v{arm:g}l{-arm:g} {-arm:g}z"
        f"m0 {side:g}h{-arm:g}l{arm:g} {-arm:g}zm{-side:g} 0v{-arm:g}l{arm:g} {arm:g}z"
    )


def area(board: Board, rows: Sequence[int]) -> str:
    """Squares as a path, from the sets of files on each rank."""
    return "".join(
        "M{} {}h{width}v{side}h-{width}z".format(
            *board.corner(first, rank), width=(end - first) * board.side, side=board.side
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
    bottom = board.top + board.ranks * board.side
    across = (
        f"M{board.left + first * board.side} {bottom - rank * board.side}"
        f"h{(end - first) * board.side}"
        for rank, (below, above) in enumerate(pairwise([0, *rows, 0]))
        for first, end in _runs(below ^ above)
    )
    upward = (
        f"M{board.left + file * board.side} {bottom - first * board.side}"
        f"v{(first - end) * board.side}"
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


def seat(
    shapes: Shapes,
    x: float,
    y: float,
    size: float,
    colours: tuple[str, str],
    theme: Theme,
    moves: bool,
) -> None:
    """A disc in a player's colours, with an arrow beside it if it is that player's turn.

    Args:
        shapes: the drawing.
        x: centre of the disc.
        y: centre of the disc.
        size: diameter of the disc; the arrow needs the same space on its left.
        colours: the player's fill and outline.
        theme: the other colours.
        moves: whether it is the player's turn.
    """
    fill, line = colours
    shapes.circle(x, y, size / 2, fill=fill, stroke=line, stroke_width=0.14 * size)
    if moves:
        left, half = x - 1.25 * size, 0.4 * size
        shapes.path(
            f"M{left:g} {y - half:g}v{2 * half:g}l{0.55 * size:g} {-half:g}z",
            class_="turn",
            fill=theme.target,
        )
