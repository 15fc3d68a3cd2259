"""Which actions of Chieftain are legal.

The action space of a board with S squares, ``Discrete(41 * S + 2)``, as the player to move sees the
board (ranks mirrored for Black)::

    0 ... 40 S - 1       plane * S + square   the piece on the square moves as the plane says
    40 S ... 41 S - 1    40 * S + square      the Chieftain on the square activates it
    41 S                 end of the turn
    41 S + 1             pass
"""

from __future__ import annotations

import numpy as np

from pasgl_env.engine.compiled import rule, wide
from pasgl_env.games.base import OptionsRecord, State
from pasgl_env.games.bits import lowest
from pasgl_env.games.chieftain.rules.board import (
    EMPTY,
    OFFSET,
    PLANES,
    SIDE_BIT,
    START,
    WAY_FROM,
    WAY_OFFSET,
    WAY_PLANE,
    WAYS,
    WINDOW,
)
from pasgl_env.games.chieftain.rules.state import (
    cell_at,
    commanders,
    is_asked,
    is_over,
    kind_at,
    row_of,
    square_of,
)

BY = PLANES
LAST_PLANE = BY + 1
END, PASS = 0, 1


@rule
def legal_actions(state: State, options: OptionsRecord, mask: np.ndarray) -> int:
    """Write the mask of legal actions, return their number.

    A player who cannot move passes (Ruling 4).
    """
    mask[:] = 0
    if is_over(state, options):
        return 0
    if is_asked(state):
        return _mark_commanders(state, options, mask)
    count = _mark_moves(state, options, mask)
    last = LAST_PLANE * wide(options.squares)
    if state.move_count:
        mask[last + END] = 1
        return count + 1
    if count == 0:
        mask[last + PASS] = 1
        return 1
    return count


@rule
def _mark_commanders(state: State, options: OptionsRecord, mask: np.ndarray) -> int:
    able = commanders(state, options, wide(state.origin))
    count = 0
    while able:
        cell = wide(state.chieftain_cell[state.mover, lowest(able)])
        mask[BY * wide(options.squares) + square_of(options, state.mover, cell)] = 1
        able &= able - 1
        count += 1
    return count


@rule
def _mark_moves(state: State, options: OptionsRecord, mask: np.ndarray) -> int:
    """The moves of all pieces under command that have not moved."""
    mover = wide(state.mover)
    count = 0
    for rank in range(wide(options.ranks)):
        able = wide(state.occupants[mover, rank] & state.command[rank] & ~state.moved[rank])
        first = row_of(options, mover, rank) * wide(options.files)
        while able:
            file = lowest(able)
            able &= able - 1
            count += _mark_piece(state, options, cell_at(file, rank), first + file, mask)
    return count


@rule
def _mark_piece(
    state: State, options: OptionsRecord, cell: int, square: int, mask: np.ndarray
) -> int:
    """Mark a piece's moves, return their number.

    Without a branch: what is where is hard to guess, for a processor, too. Unsigned indices are not
    tested for being negative.
    """
    mover, kind = wide(state.mover), kind_at(state, cell)
    own = SIDE_BIT[mover]
    squares = wide(options.squares)
    ahead = 1 << START
    count = 0
    planes, offsets, before = WAY_PLANE[kind], WAY_OFFSET[mover, kind], WAY_FROM[kind]
    for way in range(WAYS[kind]):
        plane = wide(planes[way])
        there = state.board[np.uint64(cell - WINDOW + wide(offsets[way]))]
        ends = (there & own == 0) & (ahead & before[way] != 0)
        ahead |= wide(ends & (there == EMPTY)) << plane
        mask[np.uint64(plane * squares + square)] = ends
        count += wide(ends)
    return count


@rule
def reaches(state: State, side: int, cell: int, target: int) -> bool:
    """Whether a side's piece on a cell could move to another one."""
    kind = kind_at(state, cell)
    own = SIDE_BIT[side]
    ahead = 1 << START
    for way in range(WAYS[kind]):
        plane = wide(WAY_PLANE[kind, way])
        to = cell - WINDOW + wide(OFFSET[side, plane])
        there = state.board[to]
        ends = (there & own == 0) & (ahead & WAY_FROM[kind, way] != 0)
        if to == target:
            return ends
        ahead |= wide(ends & (there == EMPTY)) << plane
    return False
