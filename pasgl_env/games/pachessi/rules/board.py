"""Geometry of Pachessi: squares of boards of any size, steps, prohibitions, and the turned board.

A board of ``size`` n lies in a grid of 32 by 32 places, with three free columns and rows on all
sides, so that no leap goes round an edge: the square (x, y), file and rank from 0, is the place
``32 * (y + 3) + x + 3``. A set of places is 32 words, one a row, a bit for each column.

Players sit at the corners, counterclockwise: Black at the upper left (0), Green at the lower left
(1), Yellow (2), Red (3). Everybody sees the board turned so that his own corner is the lower left
one; a *cell* is the number of a square on the turned board, ``n * row + column``.
"""

from __future__ import annotations

from functools import cache
from math import atan2, pi

import numpy as np

from pasgl_env.contract.base import OptionsRecord
from pasgl_env.jit.compiled import rule, wide

GREATEST_SIZE = 26
MARGIN = 3
ROWS = 32
PLACES = 32 * ROWS
CORNERS = 4
PIECES = 4  # at most, of one player

# The quadrants, as bits; a square on a corner diagonal lies in two.
QUADRANTS = "NWSE"
NORTH, WEST, SOUTH, EAST = 1, 2, 4, 8

# Directions: the orthogonal ones, the diagonal ones, the Knight's leaps, the Camel's.
_ORTHOGONAL = ((1, 0), (0, 1), (-1, 0), (0, -1))
_DIAGONAL = ((1, 1), (-1, 1), (-1, -1), (1, -1))


def _leaps(long: int) -> tuple[tuple[int, int], ...]:
    return tuple(leap for i in (1, -1) for j in (1, -1) for leap in ((i, long * j), (long * i, j)))


DIRECTIONS = (*_ORTHOGONAL, *_DIAGONAL, *_leaps(2), *_leaps(3))
FIRST_DIAGONAL, FIRST_KNIGHT, FIRST_CAMEL, ALL_DIRECTIONS = 4, 8, 16, 24
STEP_X = np.array([x for x, _ in DIRECTIONS], np.int64)
STEP_Y = np.array([y for _, y in DIRECTIONS], np.int64)
STEP = 32 * STEP_Y + STEP_X


def _is_forbidden(quadrants: int, x: int, y: int) -> bool:
    """Whether a move is forbidden: east in the North, north in the West, and so on."""
    return bool(
        (quadrants & NORTH and x > 0)
        or (quadrants & WEST and y > 0)
        or (quadrants & SOUTH and x < 0)
        or (quadrants & EAST and y < 0)
    )


# MAY_GO[quadrants, direction]
MAY_GO = np.array(
    [
        [not _is_forbidden(quadrants, x, y) for x, y in DIRECTIONS]
        for quadrants in range(1 << len(QUADRANTS))
    ],
    np.bool_,
)

# Angles are integer parts of a circle, so that sums are exact.
CIRCLE = 1 << 16
# Bits of pieces that are stuck.
STUCK_KNIGHT, STUCK_CAMEL, STUCK_SHIP = 1, 2, 4

# Fields of the options record for the board, written by `derive_board`.
BOARD_FIELDS = (
    ("last", np.int32),  # size - 1
    ("walls", np.uint32, (ROWS,)),  # the places where no square is
    ("quadrants", np.uint8, (PLACES,)),  # of each place; 0 where no square is
    # The quadrants N W S E, one plane of cells each; the same from every corner.
    ("forbidden", np.uint8, (4 * GREATEST_SIZE * GREATEST_SIZE,)),
    ("angle", np.int32, (PLACES,)),  # counterclockwise round the centre, in parts of a circle
    ("stuck", np.uint8, (PLACES,)),  # bits of the pieces that have no move from there
    ("start", np.int32, (CORNERS, PIECES)),  # places where the pieces R E H S of a corner start
    # A corner's cell of a place: first + across * column + up * row of the grid.
    ("cell_first", np.int32, (CORNERS,)),
    ("cell_across", np.int32, (CORNERS,)),
    ("cell_up", np.int32, (CORNERS,)),
)


def place_at(x: int, y: int) -> int:
    """The place of a square."""
    return 32 * (y + MARGIN) + x + MARGIN


def square_at(place: int) -> tuple[int, int]:
    """The square (x, y) of a place."""
    return place % 32 - MARGIN, place // 32 - MARGIN


def quadrants_of(x: int, y: int, size: int, hole: int) -> int:
    """The quadrants of a square, as the corner diagonals divide them; 0 for no square."""
    ring, last = (size - hole) // 2, size - 1
    if not (0 <= x <= last and 0 <= y <= last) or ring <= x <= last - ring >= y >= ring:
        return 0
    return (
        NORTH * (y > last - ring and y >= x and x + y >= last)
        | WEST * (x < ring and x <= y and x + y <= last)
        | SOUTH * (y < ring and y <= x and x + y <= last)
        | EAST * (x > last - ring and x >= y and x + y >= last)
    )


def derive_board(options: OptionsRecord) -> None:
    """Write the geometry of the board into an options record; ``ValueError`` if there is none."""
    # Records have an attribute `size` of their own.
    size, hole = int(options["size"]), int(options.hole)
    _check_board(size, hole)
    last = size - 1
    options.last = last
    for name, table in _tables(size, hole).items():
        options[name][: table.size] = table
    for piece in range(PIECES):
        squares = ((piece, last), (0, piece), (last - piece, 0), (last, last - piece))
        options.start[:, piece] = [place_at(x, y) for x, y in squares]
    options.cell_across = (size, 1, -size, -1)
    options.cell_up = (-1, size, 1, -size)
    firsts = np.array([last, 0, size * last, size * size - 1])
    options.cell_first = firsts - MARGIN * (options.cell_across + options.cell_up)


@cache
def _tables(size: int, hole: int) -> dict[str, np.ndarray]:
    """The tables for the fields of these names."""
    places = range(PLACES)
    quadrants = np.array([quadrants_of(*square_at(place), size, hole) for place in places])
    squares = np.array([quadrants[place_at(x, y)] for y in range(size) for x in range(size)])
    return {
        "quadrants": quadrants,
        "walls": (quadrants.reshape(ROWS, 32) == 0) @ (1 << np.arange(32)),
        "forbidden": np.concatenate([squares >> quadrant & 1 for quadrant in range(4)]),
        "angle": np.array([_angle(*square_at(place), size) for place in places]),
        "stuck": np.array([_stuck(place, quadrants) for place in places]),
    }


def _angle(x: int, y: int, size: int) -> int:
    turn = atan2(2 * y - (size - 1), 2 * x - (size - 1)) / (2 * pi)
    return round(turn * CIRCLE) % CIRCLE


def _stuck(place: int, quadrants: np.ndarray) -> int:
    """The set of Horse, Horse as a Camel too, and Ship without a move from a square (Ruling 7)."""
    own = quadrants[place]
    if own == 0:
        return 0

    def is_stuck(first: int, after: int) -> bool:
        return not any(
            MAY_GO[own, direction] and quadrants[place + STEP[direction]]
            for direction in range(first, after)
        )

    return (
        STUCK_KNIGHT * is_stuck(FIRST_KNIGHT, FIRST_CAMEL)
        | STUCK_CAMEL * is_stuck(FIRST_KNIGHT, ALL_DIRECTIONS)
        | STUCK_SHIP * is_stuck(FIRST_DIAGONAL, FIRST_KNIGHT)
    )


def _check_board(size: int, hole: int) -> None:
    if (size - hole) % 2:
        raise ValueError(f"size {size} and hole {hole} must both be even or both be odd")
    if size - hole < 4:
        raise ValueError(f"a hole of {hole} in a size of {size} leaves no ring two squares wide")


@rule
def cell_of(options: OptionsRecord, corner: int, place: int) -> int:
    """The cell of a square on the board as it is seen from a corner."""
    return (
        options.cell_first[corner]
        + options.cell_across[corner] * (place & 31)
        + options.cell_up[corner] * (place >> 5)
    )


@rule
def place_of_cell(options: OptionsRecord, corner: int, cell: int) -> int:
    """The inverse of `cell_of`."""
    size = options.last + 1
    row, column = cell // size, cell % size
    if corner == 0:
        x, y = row, options.last - column
    elif corner == 1:
        x, y = column, row
    elif corner == 2:
        x, y = options.last - row, column
    else:
        x, y = options.last - column, options.last - row
    return 32 * (y + MARGIN) + x + MARGIN


@rule
def holds(places: np.ndarray, place: int) -> bool:
    """Whether a set of places holds one."""
    return (wide(places[place >> 5]) >> (place & 31)) & 1 != 0


@rule
def laps_gained(options: OptionsRecord, home: int, origin: int, target: int) -> int:
    """The change of laps by a move of a piece that started on ``home``: 1, 0 or -1.

    Whether the ray from the centre through ``home`` is reached counterclockwise or left clockwise;
    half a circle counts as counterclockwise (Ruling 8).
    """
    turn = cross(options, origin, target)
    if turn > 0:
        return is_between(options, origin, home, target)
    if turn < 0:
        return -is_between(options, target, home, origin)
    if dot(options, origin, target) > 0:
        return 0
    # Half round the board counts as counterclockwise.
    side = cross(options, origin, home)
    return wide(side > 0 or (side == 0 and dot(options, home, target) > 0))


@rule
def is_between(options: OptionsRecord, first: int, place: int, last: int) -> int:
    """1 if a place is passed going counterclockwise from one to another, less than half round.

    The last place counts, the first does not.
    """
    return wide(cross(options, first, place) > 0 and cross(options, place, last) >= 0)


@rule
def cross(options: OptionsRecord, one: int, other: int) -> int:
    """Above 0 if the other place is counterclockwise of the first, as seen from the centre."""
    return _across(options, one) * _up(options, other) - _up(options, one) * _across(options, other)


@rule
def dot(options: OptionsRecord, one: int, other: int) -> int:
    """Above 0 if both places are on the same side of the centre."""
    return _across(options, one) * _across(options, other) + _up(options, one) * _up(options, other)


@rule
def _across(options: OptionsRecord, place: int) -> int:
    """Twice the distance to the right of the centre."""
    return 2 * ((place & 31) - MARGIN) - options.last


@rule
def _up(options: OptionsRecord, place: int) -> int:
    """Twice the distance above the centre."""
    return 2 * ((place >> 5) - MARGIN) - options.last
