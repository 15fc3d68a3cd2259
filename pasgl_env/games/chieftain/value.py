"""How good a state of Chieftain is for a player, in points of captured material.

The value is the lead in captured material, and each side's pieces lose by where they stand::

    a Chieftain     1/4 for each king's step by which all enemy pieces are out of its range
                    half of its worth if an enemy piece under command could capture it at once;
                    an eighth if its own side is to move
    other pieces    1/128 for each king's step to the nearest enemy Chieftain
                    1/32 of their worth where no own Chieftain commands them, or could after a move

So Chieftains lead their armies, no nearer to the enemy than they can bear. All are multiples of
1/128, so that sums are exact: what is equally good compares as equal.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.engine.compiled import rule, wide
from pasgl_env.games.bits import lowest
from pasgl_env.games.chieftain.board import (
    CHIEFTAIN,
    MOST,
    OFFSET,
    PLANES,
    SIDE_BIT,
    WALL,
    WINDOW,
)
from pasgl_env.games.chieftain.legal import reaches
from pasgl_env.games.chieftain.state import (
    VALUE,
    cell_at,
    file_of,
    is_over,
    kind_at,
    points,
    rank_of,
    winner,
)
from pasgl_env.games.contract import OptionsRecord, State

WON = 1000.0
STRANDED = 1 / 32
CHIEFTAIN_MOVE = 2
STEP, CHIEFTAIN_STEP = 1 / 128, 1 / 4
THREATENED, THREATENED_TO_MOVE = 1 / 2, 1 / 8


@rule
def evaluate(state: State, options: OptionsRecord, player: int) -> float:
    """The value of a state for a player; for the other it is the negative."""
    if is_over(state, options):
        best = winner(state, options)
        return 0.0 if best < 0 else WON if best == player else -WON
    lead = np.float64(points(state, player) - points(state, 1 - player))
    return lead + _standing(state, options, player) - _standing(state, options, 1 - player)


@rule
def _standing(state: State, options: OptionsRecord, side: int) -> float:
    """What a side's pieces lose by where they stand; not positive."""
    value = 0.0
    for rank in range(wide(options.ranks)):
        files = wide(state.standing[side, rank])
        while files:
            cell = cell_at(lowest(files), rank)
            files &= files - 1
            value -= _distance(state, options, side, cell)
    for number in range(wide(state.chieftains[side])):
        if _is_threatened(state, options, side, wide(state.chieftain_cell[side, number])):
            share = THREATENED_TO_MOVE if side == state.mover else THREATENED
            value -= share * VALUE[CHIEFTAIN]
    return value


@rule
def _distance(state: State, options: OptionsRecord, side: int, cell: int) -> float:
    """What a piece loses by being far from those that it needs."""
    kind = kind_at(state, cell)
    reach = wide(options.command_range)
    if kind == CHIEFTAIN:
        return CHIEFTAIN_STEP * max(_nearest_piece(state, options, 1 - side, cell) - reach, 0)
    steps = STEP * nearest_chieftain(state, 1 - side, cell)
    if nearest_chieftain(state, side, cell) > reach + CHIEFTAIN_MOVE:
        return steps + STRANDED * VALUE[kind]
    return steps


@rule
def nearest_chieftain(state: State, side: int, cell: int) -> int:
    """King's steps from a cell to a side's nearest Chieftain; more than any board has if none."""
    least = MOST
    for number in range(wide(state.chieftains[side])):
        least = min(least, _steps(wide(state.chieftain_cell[side, number]), cell))
    return least


@rule
def _nearest_piece(state: State, options: OptionsRecord, side: int, cell: int) -> int:
    """King's steps from a cell to a side's nearest piece."""
    least = MOST
    for rank in range(wide(options.ranks)):
        files = wide(state.standing[side, rank])
        while files:
            least = min(least, _steps(cell_at(lowest(files), rank), cell))
            files &= files - 1
    return least


@rule
def _steps(cell: int, other: int) -> int:
    return max(abs(file_of(cell) - file_of(other)), abs(rank_of(cell) - rank_of(other)))


@rule
def _is_threatened(state: State, options: OptionsRecord, side: int, cell: int) -> bool:
    """Whether an enemy piece under command could move to a Chieftain's cell."""
    enemy = SIDE_BIT[1 - side]
    for plane in range(PLANES):
        origin = cell - WINDOW + wide(OFFSET[0, plane])
        there = state.board[origin]
        if (
            there & enemy != 0
            and there & WALL != WALL
            and reaches(state, 1 - side, origin, cell)
            and nearest_chieftain(state, 1 - side, origin) <= options.command_range
        ):
            return True
    return False
