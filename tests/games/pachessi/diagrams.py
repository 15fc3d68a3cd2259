"""Diagrams in the inventor's manner, and where pieces may go on a chart of quadrants.

The charts name the quadrants of each square: N (no eastward moves), W (no northward moves),
S (no westward moves), E (no southward moves).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .positions import point, square

# The inventor's own chart.
PACHESSI = """
   +---+---+---+---+---+---+---+
 7 |N+W| N | N | N | N | N |E+N|
   +---+---+---+---+---+---+---+
 6 | W |N+W| N | N | N |E+N| E |
   +---+---+---+---+---+---+---+
 5 | W | W |           | E | E |
   +---+---+           +---+---+
 4 | W | W | PACHESSI  | E | E |
   +---+---+           +---+---+
 3 | W | W |           | E | E |
   +---+---+---+---+---+---+---+
 2 | W |W+S| S | S | S |S+E| E |
   +---+---+---+---+---+---+---+
 1 |W+S| S | S | S | S | S |S+E|
   +---+---+---+---+---+---+---+
     a   b   c   d   e   f   g
"""
GRAND = """
 11 |N+W| N | N | N | N | N | N | N | N | N |E+N|
 10 | W |N+W| N | N | N | N | N | N | N |E+N| E |
  9 | W | W |N+W| N | N | N | N | N |E+N| E | E |
  8 | W | W | W |                   | E | E | E |
  7 | W | W | W |                   | E | E | E |
  6 | W | W | W |                   | E | E | E |
  5 | W | W | W |                   | E | E | E |
  4 | W | W | W |                   | E | E | E |
  3 | W | W |W+S| S | S | S | S | S |S+E| E | E |
  2 | W |W+S| S | S | S | S | S | S | S |S+E| E |
  1 |W+S| S | S | S | S | S | S | S | S | S |S+E|
"""
SIX_BY_SIX = """
 6 |N+W| N | N | N | N |E+N|
 5 | W |N+W| N | N |E+N| E |
 4 | W | W |       | E | E |
 3 | W | W |       | E | E |
 2 | W |W+S| S | S |S+E| E |
 1 |W+S| S | S | S | S |S+E|
"""
SIX_BY_SIX_START = """
 6 | R | E | H | S |   |*R*|
 5 |   |   |   |   |   |*E*|
 4 |*s*|   |       |   |*H*|
 3 |*h*|   |       |   |*S*|
 2 |*e*|   |   |   |   |   |
 1 |*r*|   | s | h | e | r |
"""
ORTHOGONAL = ((1, 0), (0, 1), (-1, 0), (0, -1))
DIAGONAL = ((1, 1), (-1, 1), (-1, -1), (1, -1))


def cells(diagram: str) -> Iterator[tuple[str, str]]:
    """The squares of a diagram with what stands in them; the hole has no squares."""
    for line in diagram.splitlines():
        row = re.match(r" *(\d+) (\|.*\|)$", line)
        if row:
            for x in range(len(row[2]) // 4):
                cell = row[2][4 * x : 4 * x + 5]
                if cell[0] == cell[4] == "|":
                    yield square(x, int(row[1]) - 1), cell[1:4].strip()


def forbidden(quadrants: str, dx: int, dy: int) -> bool:
    return (
        ("N" in quadrants and dx > 0)
        or ("W" in quadrants and dy > 0)
        or ("S" in quadrants and dx < 0)
        or ("E" in quadrants and dy < 0)
    )


def leaps(*sizes: tuple[int, int]) -> list[tuple[int, int]]:
    return [
        (sign_x * dx, sign_y * dy)
        for long, short in sizes
        for dx, dy in ((long, short), (short, long))
        for sign_x in (1, -1)
        for sign_y in (1, -1)
    ]


def targets(chart: str, letter: str, start: str, *, grand: bool, elephant_range: int) -> str:
    """Where a piece can go from a square of an empty board."""
    quadrants = dict(cells(chart))
    directions, longest = {
        "R": (ORTHOGONAL + DIAGONAL, 2 if grand else 1),
        "E": (ORTHOGONAL, elephant_range),
        "H": (leaps((2, 1), (3, 1)) if grand else leaps((2, 1)), 1),
        "S": (DIAGONAL, 26),
    }[letter]
    x, y = point(start)
    found = []
    for dx, dy in directions:
        for steps in range(1, longest + 1):
            end_x, end_y = x + steps * dx, y + steps * dy
            if min(end_x, end_y) < 0 or square(end_x, end_y) not in quadrants:
                break
            if not forbidden(quadrants[start], dx, dy):
                found.append(square(end_x, end_y))
    return " ".join(sorted(found))
