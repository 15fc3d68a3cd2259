"""The squares that pieces of Chieftain can reach, as sets of files: one word per rank.

All pieces of a kind move at once: a step shifts their set. The compiler makes the one loop over
ranks work on 8 or 16 ranks at a time.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord
from pasgl_env.contract.bits import lowest
from pasgl_env.games.chieftain.rules.board import (
    BISHOPY,
    CHIEFTAIN,
    HERO,
    KINDS,
    KNIGHT,
    MAN,
    MOST,
    PLACES,
    ROOKISH,
    SHAMAN,
    START,
)
from pasgl_env.jit.compiled import inlined_rule, rule, wide

MARGIN = 8
"""Words of a set before the first rank and after the last. They are 0."""
ROWS = MOST + 2 * MARGIN
"""Words of a set."""
# A block of sets: the squares reached, those reached by more than one piece, the empty squares, and
# the pieces of each kind. With the results first, no word is read after a later rank's is written.
ONCE, TWICE, EMPTY, PIECES = 0, ROWS, 2 * ROWS, 3 * ROWS
BLOCK = PIECES + KINDS * ROWS
"""Words of a block."""
# Files to the right and ranks ahead of each plane; all kinds go alike in all four quarters.
RIGHT = np.array([right for right, _ in PLACES], np.int64)
UP = np.array([up for _, up in PLACES], np.int64)


@rule
def write_reach(block: np.ndarray, ranks: int) -> None:
    """Write the squares that a block's pieces reach, including those of friends.

    The sets may contain files that the board does not have.

    Args:
        block: ``int32[BLOCK]``, with the empty squares and the pieces.
        ranks: the number of ranks of the board.
    """
    for rank in range(ranks):
        row = MARGIN + rank
        block[np.uintp(ONCE + row)] = block[np.uintp(TWICE + row)] = 0
        _add_straight(block, row, 0, 1)
        _add_straight(block, row, 1, 0)
        _add_straight(block, row, 0, -1)
        _add_straight(block, row, -1, 0)
        _add_diagonal(block, row, 1, 1)
        _add_diagonal(block, row, 1, -1)
        _add_diagonal(block, row, -1, -1)
        _add_diagonal(block, row, -1, 1)


@inlined_rule
def _add_straight(block: np.ndarray, row: int, x: int, y: int) -> None:
    """Add what is reached straight in a direction, or by a knight's step either side of it."""
    # A Chieftain's two king's steps can go round a corner.
    right, left = _moved(block, EMPTY, row, x + y, y - x), _moved(block, EMPTY, row, x - y, y + x)
    _add_line(block, row, x, y, HERO, ROOKISH, BISHOPY, left | right)
    one = _moved(block, EMPTY, row, x, y)
    to_right = _pieces(block, KNIGHT, row, 2 * x + y, 2 * y - x) | (
        _pieces(block, CHIEFTAIN, row, 2 * x + y, 2 * y - x) & (one | right)
    )
    to_left = _pieces(block, KNIGHT, row, 2 * x - y, 2 * y + x) | (
        _pieces(block, CHIEFTAIN, row, 2 * x - y, 2 * y + x) & (one | left)
    )
    _add(block, row, to_right)
    _add(block, row, to_left)


@inlined_rule
def _add_diagonal(block: np.ndarray, row: int, x: int, y: int) -> None:
    """Add what is reached diagonally in a direction."""
    _add_line(block, row, x, y, SHAMAN, BISHOPY, ROOKISH, 0)


@inlined_rule
def _add_line(
    block: np.ndarray,
    row: int,
    x: int,
    y: int,
    leaper: int,
    slider: int,
    jumper: int,
    around: int,
) -> None:
    """Add what is reached in a direction.

    Args:
        block: the block of sets.
        row: the rank reached.
        x: files of a step.
        y: ranks of a step.
        leaper: the kind that goes a step, leaps two, or does one after the other.
        slider: the kind that slides up to four steps.
        jumper: the kind that only jumps two steps.
        around: the empty squares, seen from two steps on, by which a Chieftain goes around.
    """
    # The empty squares on the way, seen from the target: one step before it, two, three.
    one, two, three = (
        _moved(block, EMPTY, row, x, y),
        _moved(block, EMPTY, row, 2 * x, 2 * y),
        _moved(block, EMPTY, row, 3 * x, 3 * y),
    )
    first = (
        _pieces(block, MAN, row, x, y)
        | _pieces(block, CHIEFTAIN, row, x, y)
        | _pieces(block, leaper, row, x, y)
        | _pieces(block, slider, row, x, y)
    )
    second = (
        _pieces(block, leaper, row, 2 * x, 2 * y)
        | _pieces(block, jumper, row, 2 * x, 2 * y)
        | _pieces(block, slider, row, 2 * x, 2 * y) & one
        | _pieces(block, CHIEFTAIN, row, 2 * x, 2 * y) & (one | around)
    )
    third = (
        _pieces(block, leaper, row, 3 * x, 3 * y) & (one | two)
        | _pieces(block, slider, row, 3 * x, 3 * y) & one & two
    )
    _add(block, row, first)
    _add(block, row, second)
    _add(block, row, third)
    _add(block, row, _pieces(block, slider, row, 4 * x, 4 * y) & one & two & three)


@inlined_rule
def _pieces(block: np.ndarray, kind: int, row: int, x: int, y: int) -> int:
    """The pieces of a kind on a rank after a move by some files and ranks."""
    return _moved(block, PIECES + ROWS * kind, row, x, y)


@inlined_rule
def _moved(block: np.ndarray, at: int, row: int, x: int, y: int) -> int:
    """The members of a set on a rank after a move by some files and ranks."""
    members = wide(block[np.uintp(at + row - y)])
    return members << x if x >= 0 else members >> -x


@inlined_rule
def _add(block: np.ndarray, row: int, reached: int) -> None:
    """Add a set of reached squares on a rank, each reached by another piece than before."""
    once = wide(block[np.uintp(ONCE + row)])
    block[np.uintp(TWICE + row)] |= once & reached
    block[np.uintp(ONCE + row)] = once | reached


@rule
def write_reach_by_ways(options: OptionsRecord, block: np.ndarray) -> None:
    """:func:`write_reach`, piece by piece, with the ranges of the options."""
    for kind in range(KINDS):
        for rank in range(wide(options.ranks)):
            files = wide(block[PIECES + ROWS * kind + MARGIN + rank])
            while files:
                _add_ways(options, block, kind, MARGIN + rank, lowest(files))
                files &= files - 1


@rule
def _add_ways(options: OptionsRecord, block: np.ndarray, kind: int, row: int, file: int) -> None:
    """Add the squares that a piece reaches."""
    ahead = 1 << START
    for way in range(options.ways[kind]):
        plane = wide(options.way_plane[kind, way])
        to_row, to_file = row + UP[plane], file + RIGHT[plane]
        if ahead & wide(options.way_from[kind, way]) and 0 <= to_file < MOST:
            _add(block, to_row, 1 << to_file)
            ahead |= (wide(block[EMPTY + to_row]) >> to_file & 1) << way
