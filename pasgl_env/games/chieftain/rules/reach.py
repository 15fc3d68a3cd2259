"""The squares that pieces of Chieftain can reach, as sets of files: one word per rank.

A *window* is the part of a rank around a piece: nine bits, the piece's own file in the middle.
Pieces move alike forwards and backwards, left and right, so a kind's reach follows from the empty
squares of nine windows.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.engine.compiled import rule, wide
from pasgl_env.games.base import OptionsRecord, State
from pasgl_env.games.chieftain.rules.board import (
    BISHOPY,
    BORDER,
    CHIEFTAIN,
    HERO,
    KNIGHT,
    LONGEST_MOVE,
    MAN,
    MOST,
    SHAMAN,
)

ROWS = MOST + 2 * BORDER
"""Words of a set: the ranks, with an unused border on both sides."""
WINDOW = 0x1FF
# Bits of a window: the piece's own file, and the files at each distance on both sides.
HERE, ONE, TWO = 0x10, 0x28, 0x44
NEAR = HERE | ONE


@rule
def write_empty(state: State, options: OptionsRecord, sets: np.ndarray, at: int) -> None:
    """Write the set of empty squares."""
    full = (1 << wide(options.files)) - 1
    for row in range(ROWS):
        sets[at + row] = 0
    for rank in range(wide(options.ranks)):
        pieces = wide(state.occupants[0, rank]) | wide(state.occupants[1, rank])
        sets[at + BORDER + rank] = full & ~pieces


@rule
def window(sets: np.ndarray, at: int, file: int, rank: int) -> int:
    """The part of a set around a file on a rank; the rank may be on the border."""
    return ((wide(sets[at + BORDER + rank]) << LONGEST_MOVE) >> file) & WINDOW


@rule
def widened(members: int) -> int:
    """A set of files and their neighbours."""
    return members | (members << 1) | (members >> 1)


@rule
def outwards(members: int) -> int:
    """The bits of a window, each moved one file away from the middle."""
    return ((members >> 1) & 0x07) | ((members & 0xE0) << 1)


Rows = tuple[int, int, int, int, int, int, int, int, int]
"""Windows of nine ranks, from four below to four above."""


@rule
def reach(sets: np.ndarray, empty: int, kind: int, file: int, rank: int) -> Rows:
    """The squares that a piece reaches, including those of friends.

    Args:
        sets: ``int32``, memory with the set of empty squares.
        empty: index of that set.
        kind: the kind of piece.
        file: the piece's file.
        rank: the piece's rank.
    """
    if kind == MAN:
        return 0, 0, 0, NEAR, ONE, NEAR, 0, 0, 0
    if kind == KNIGHT:
        return 0, 0, ONE, TWO, 0, TWO, ONE, 0, 0
    if kind == CHIEFTAIN:
        return _chieftain(sets, empty, file, rank)
    level = window(sets, empty, file, rank)
    b1, b2 = window(sets, empty, file, rank - 1), window(sets, empty, file, rank - 2)
    a1, a2 = window(sets, empty, file, rank + 1), window(sets, empty, file, rank + 2)
    if kind == HERO:
        third = outwards(outwards(level & ONE) | (level & TWO))
        return 0, (b1 | b2) & HERE, HERE, HERE, ONE | TWO | third, HERE, HERE, (a1 | a2) & HERE, 0
    if kind == SHAMAN:
        below = outwards(outwards(b1 & ONE) | (b2 & TWO))
        above = outwards(outwards(a1 & ONE) | (a2 & TWO))
        return 0, below, TWO, ONE, 0, ONE, TWO, above, 0
    b3, a3 = window(sets, empty, file, rank - 3), window(sets, empty, file, rank + 3)
    if kind == BISHOPY:
        below2, above2 = outwards(b1 & ONE), outwards(a1 & ONE)
        below3, above3 = outwards(b2 & below2), outwards(a2 & above2)
        below4, above4 = outwards(b3 & below3), outwards(a3 & above3)
        return below4, below3, below2 | HERE, ONE, TWO, ONE, above2 | HERE, above3, above4
    below2, above2 = b1 & HERE, a1 & HERE
    below3, above3 = below2 & b2, above2 & a2
    second = outwards(level & ONE)
    third = outwards(level & second)
    along = ONE | second | third | outwards(level & third)
    return below3 & b3, below3, below2 | TWO, HERE, along, HERE, above2 | TWO, above3, above3 & a3


@rule
def _chieftain(sets: np.ndarray, empty: int, file: int, rank: int) -> Rows:
    """One king's step, or two if the first square is empty."""
    below = widened(window(sets, empty, file, rank - 1) & NEAR)
    level = widened(window(sets, empty, file, rank) & ONE)
    above = widened(window(sets, empty, file, rank + 1) & NEAR)
    low, high = below | level | NEAR, above | level | NEAR
    return 0, 0, below, low, (low | high) & ~HERE, high, above, 0, 0


@rule
def add_reach(sets: np.ndarray, once: int, rows: Rows, file: int, rank: int) -> None:
    """Add a piece's reach to a set; the set behind it has what is reached more than once."""
    _add(sets, once, rows[0], file, rank - 4)
    _add(sets, once, rows[1], file, rank - 3)
    _add(sets, once, rows[2], file, rank - 2)
    _add(sets, once, rows[3], file, rank - 1)
    _add(sets, once, rows[4], file, rank)
    _add(sets, once, rows[5], file, rank + 1)
    _add(sets, once, rows[6], file, rank + 2)
    _add(sets, once, rows[7], file, rank + 3)
    _add(sets, once, rows[8], file, rank + 4)


@rule
def _add(sets: np.ndarray, once: int, members: int, file: int, rank: int) -> None:
    row = once + BORDER + rank
    files = ((members << file) >> LONGEST_MOVE) & 0xFFFFFF
    sets[row + ROWS] = wide(sets[row + ROWS]) | (wide(sets[row]) & files)
    sets[row] = wide(sets[row]) | files
