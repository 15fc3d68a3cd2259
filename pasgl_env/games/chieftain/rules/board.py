"""Geometry of Chieftain: the padded board, relative moves, how each kind moves.

All boards, 4×4 to 24×24, lie in one array of 32×32 *cells* with a wall of at least four cells
around them, so that no rule checks whether a square exists. Cell ``(rank + 4) * 32 + file + 4`` is
a square, counting ranks and files from 0. In an action, squares are numbered ``rank * files +
file``, ranks mirrored for Black.

Every move of every kind leads to one of 40 squares around a piece, numbered outward in rings,
clockwise from straight ahead: the *planes* of the action space.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pasgl_env.contract.base import OptionsRecord

LEAST, MOST = 4, 24
BORDER, STRIDE = 4, 32
CELLS = STRIDE * STRIDE
FIRST_CELL = BORDER * STRIDE + BORDER
FILES = "abcdefghijklmnopqrstuvwx"

CHIEFTAIN, HERO, SHAMAN, KNIGHT, MAN, BISHOPY, ROOKISH = range(7)
KINDS = 7
LETTERS = "CHSNMBR"
# A Leader is a Chieftain that commands otherwise. Setups, texts and armies count it apart.
LEADER = KINDS
ALL_LETTERS = f"{LETTERS}L"

# The content of a cell: nothing, or a kind (1 more than its number) and the bit of its side, with
# another bit for a Leader. A wall has both sides' bits, so that neither side can enter it.
EMPTY = 0
SIDE_BIT = np.array([0x10, 0x20], np.uint8)
WALL = 0x30
KIND_BITS, LEADER_BIT = 0x07, 0x08
PIECE_BITS = KIND_BITS | LEADER_BIT

Step = tuple[int, int]
ROOK: tuple[Step, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
BISHOP: tuple[Step, ...] = ((1, 1), (1, -1), (-1, -1), (-1, 1))
_KING = tuple(step for pair in zip(ROOK, BISHOP, strict=True) for step in pair)


def _clockwise(ring: int) -> list[Step]:
    """All squares at a distance, from straight ahead to the right."""
    corner = range(-ring, ring)
    return [
        *((x, ring) for x in range(ring)),
        *((ring, -y) for y in corner),
        *((-x, -ring) for x in corner),
        *((-ring, y) for y in corner),
        *((x, ring) for x in range(-ring, 0)),
    ]


def _scaled(steps: tuple[Step, ...], length: int) -> list[Step]:
    return [(right * length, up * length) for right, up in steps]


PLACES: tuple[Step, ...] = (
    *_KING,
    *_clockwise(2),
    *_scaled(_KING, 3),
    *_scaled(_KING, 4),
)
"""(files to the right, ranks ahead) of each plane."""
PLANES = len(PLACES)
LONGEST_MOVE = max(max(map(abs, place)) for place in PLACES)
_PLANE_AT = {place: plane for plane, place in enumerate(PLACES)}
# LINE[direction]: the planes one to four squares away, straight and diagonally in turn, clockwise.
LINE = np.array(
    [[_PLANE_AT[right * n, up * n] for n in range(1, 5)] for right, up in _KING], np.uint8
)
# A knight's planes are every second one from here.
KNIGHT_PLANES = _PLANE_AT[1, 2]

# A plane's cell is WINDOW cells before the piece's and OFFSET[player, plane] on: never negative.
WINDOW = FIRST_CELL
OFFSET = np.array(
    [[WINDOW + direction * up * STRIDE + right for right, up in PLACES] for direction in (1, -1)],
    np.uint16,
)

# A move continues from an empty square, or from the piece's own square, which has this bit in sets.
START = 30
Ways = dict[Step, tuple[Step, ...]]
_ORIGIN: Step = (0, 0)


def _slides(steps: tuple[Step, ...], reach: int) -> Ways:
    """Up to ``reach`` steps in a straight line, each from the previous one."""
    lengths = range(1, reach + 1)
    return {
        place: (before,)
        for n in lengths
        for before, place in zip(_scaled(steps, n - 1), _scaled(steps, n), strict=True)
    }


def _leaps(steps: tuple[Step, ...], length: int = 2) -> Ways:
    return {place: (_ORIGIN,) for place in _scaled(steps, length)}


def _step_and_leap(steps: tuple[Step, ...]) -> Ways:
    """A step, a leap of two, or both in a straight line, in either order."""
    both = {
        third: (first, second)
        for first, second, third in zip(*(_scaled(steps, n) for n in (1, 2, 3)), strict=True)
    }
    return _leaps(steps, 1) | _leaps(steps) | both


def _two_king_steps() -> Ways:
    def touches(one: Step, other: Step) -> bool:
        return max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1

    return _leaps(_KING, 1) | {
        place: tuple(step for step in _KING if touches(step, place)) for place in _clockwise(2)
    }


_KNIGHT = tuple(place for place in PLACES if sorted(map(abs, place)) == [1, 2])
MOST_WAYS = 32
# Fields of the options record. For each kind: the number of ways to go, and of each the plane that
# it leads to and the ways that it can continue, as a set. Ways that others continue come first,
# fewer than `START`.
WAY_FIELDS = (
    ("ways", np.int32, (KINDS,)),
    ("way_plane", np.int32, (KINDS, MOST_WAYS)),
    ("way_from", np.int32, (KINDS, MOST_WAYS)),
    ("has_other_ranges", np.int32),  # 1 if some kind does not move as in the inventor's game
)
# The planes from which a Chieftain continues to each other: 0-7, or its own square.
CHIEFTAIN_FROM = np.array(
    [
        sum(1 << _PLANE_AT.get(place, START) for place in _two_king_steps().get(to, ()))
        for to in PLACES
    ],
    np.int64,
)


class Ranges(NamedTuple):
    """The range of each kind; the defaults are the inventor's game."""

    chieftain: int = 2
    hero: int = 3
    shaman: int = 3
    man: int = 1
    bishopy: int = 4
    rookish: int = 4


def derive_ways(options: OptionsRecord, ranges: Ranges) -> None:
    """Write the fields of ways into an options record."""
    options.has_other_ranges = ranges != Ranges()
    for kind, ways in enumerate(_ways(ranges)):
        options.ways[kind] = len(ways)
        ordered = sorted(ways.items(), key=lambda way: _PLANE_AT[way[0]])
        numbers = {place: number for number, (place, _) in enumerate(ordered)}
        for number, (place, before) in enumerate(ordered):
            options.way_plane[kind, number] = _PLANE_AT[place]
            options.way_from[kind, number] = sum(1 << numbers.get(each, START) for each in before)


def _ways(ranges: Ranges) -> tuple[Ways, ...]:
    return (
        _within(ranges.chieftain, _two_king_steps()),
        _within(ranges.hero, _step_and_leap(ROOK)),
        _within(ranges.shaman, _step_and_leap(BISHOP)),
        _leaps(_KNIGHT, 1),
        _slides(_KING, ranges.man),
        _slides(BISHOP, ranges.bishopy) | _leaps(ROOK),
        _slides(ROOK, ranges.rookish) | _leaps(BISHOP),
    )


def _within(reach: int, ways: Ways) -> Ways:
    return {place: before for place, before in ways.items() if max(map(abs, place)) <= reach}


def cell_of(file: int, rank: int) -> int:
    """The cell of a square, files and ranks counted from 0."""
    return (rank + BORDER) * STRIDE + file + BORDER


def name_of(cell: int) -> str:
    """The name of a cell's square."""
    rank, file = divmod(int(cell) - FIRST_CELL, STRIDE)
    return f"{FILES[file]}{rank + 1}"
