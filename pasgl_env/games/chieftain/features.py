"""What a learned value sees of Chieftain after an order, relative to pieces, on any board.

Squares are not named: a piece is known by its kind, its distances, and by who could capture it. So
what is learned on one board holds on others. A square is *in reach* of a side whose piece under
command could move there: for the mover's attacks by a Chieftain with an activation left, else by
any.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.engine.compiled import rule, wide
from pasgl_env.games.bits import lowest
from pasgl_env.games.chieftain.board import (
    CHIEFTAIN,
    EMPTY,
    KINDS,
    LONGEST_MOVE,
    MOST,
    OFFSET,
    SIDE_BIT,
    START,
    WALL,
    WAY_FROM,
    WAY_PLANE,
    WAYS,
    WINDOW,
)
from pasgl_env.games.chieftain.state import (
    activations_left,
    cell_at,
    file_of,
    is_over,
    kind_at,
    points,
    rank_of,
    row_of,
    to_move,
)
from pasgl_env.games.chieftain.value import FILES_WITHIN, nearest_chieftain
from pasgl_env.games.contract import FeatureRun, Features, OptionsRecord, State

# Of each piece, by side and kind.
THINGS = 2 * KINDS
DISTANCES = 16
DANGERS = 6
ROWS = 8
FAR_AT = THINGS
DANGER_AT = FAR_AT + THINGS * DISTANCES
LED_AT = DANGER_AT + THINGS * DANGERS
ROW_AT = LED_AT + THINGS * ROWS
# Of each side.
CHIEFTAINS = 9
BALANCES = 17
CHIEFTAINS_AT = ROW_AT + THINGS * ROWS
BALANCE_AT = CHIEFTAINS_AT + 2 * CHIEFTAINS
HUNTED_AT = BALANCE_AT + 2 * BALANCES
HUNTED = 4
# Of the position.
ORDERS_AT = HUNTED_AT + 2 * HUNTED * 2
ORDERS = 10
LEAD_AT = ORDERS_AT + ORDERS
MOST_LEAD = 24
COUNT = LEAD_AT + 2 * MOST_LEAD + 1
BALANCE_REACH = 4
# At most 32 Chieftains and 224 other pieces a side, on 24 by 24 squares.
PIECES = MOST * MOST
PER_PIECE = 5
SETS_AT = PER_PIECE * PIECES + 128
# Sets of squares, a word for each rank, kept behind the features while they are written.
NOW, NOW_TWICE, GUARD, OTHER, OTHER_TWICE = range(5)
SETS = 5
SIZE = SETS_AT + SETS * MOST


@rule
def write(state: State, options: OptionsRecord, player: int, indices: np.ndarray) -> int:
    """Write the features that are present; behind them is memory to work in."""
    _write_reach(state, options, player, indices)
    count = 0
    for side in range(2):
        seat = 0 if side == player else 1
        hunted = 0
        for rank in range(wide(options.ranks)):
            files = wide(state.standing[side, rank])
            while files:
                file = lowest(files)
                files &= files - 1
                cell = cell_at(file, rank)
                kind = kind_at(state, cell)
                thing = KINDS * seat + kind
                danger = _danger(indices, seat, file, rank)
                hunted += wide(kind == CHIEFTAIN and danger % 3 > 0)
                far = min(nearest_chieftain(state, 1 - side, cell), DISTANCES - 1)
                led = min(nearest_chieftain(state, side, cell), ROWS - 1)
                row = row_of(options, side, rank) * ROWS // wide(options.ranks)
                indices[count] = thing
                indices[count + 1] = FAR_AT + DISTANCES * thing + far
                indices[count + 2] = DANGER_AT + DANGERS * thing + danger
                indices[count + 3] = LED_AT + ROWS * thing + led
                indices[count + 4] = ROW_AT + ROWS * thing + row
                count += PER_PIECE
        number = wide(state.chieftains[side])
        indices[count] = CHIEFTAINS_AT + CHIEFTAINS * seat + min(number, CHIEFTAINS - 1)
        last = 1 if number == 1 else 0
        indices[count + 1] = HUNTED_AT + HUNTED * (2 * seat + last) + min(hunted, HUNTED - 1)
        count += 2
        for chief in range(number):
            balance = _balance(state, options, side, wide(state.chieftain_cell[side, chief]))
            indices[count] = BALANCE_AT + BALANCES * seat + balance
            count += 1
    lead = points(state, player) - points(state, 1 - player)
    indices[count] = ORDERS_AT + min(activations_left(state), ORDERS - 1)
    indices[count + 1] = LEAD_AT + min(max(lead // 2, -MOST_LEAD), MOST_LEAD) + MOST_LEAD
    return count + 2


@rule
def _danger(indices: np.ndarray, seat: int, file: int, rank: int) -> int:
    """Who has a piece's square in reach: 3 × (guarded: 0, 1) + (attacked: never, once, more)."""
    if seat == 0:
        guarded = _in_set(indices, GUARD, file, rank)
        attacks = _in_set(indices, OTHER, file, rank) + _in_set(indices, OTHER_TWICE, file, rank)
    else:
        guarded = _in_set(indices, OTHER, file, rank)
        attacks = _in_set(indices, NOW, file, rank) + _in_set(indices, NOW_TWICE, file, rank)
    return 3 * guarded + attacks


@rule
def _in_set(indices: np.ndarray, number: int, file: int, rank: int) -> int:
    return (wide(indices[SETS_AT + MOST * number + rank]) >> file) & 1


@rule
def _write_reach(state: State, options: OptionsRecord, player: int, indices: np.ndarray) -> None:
    """Write the sets of squares in reach of each side's pieces that are near enemies."""
    for word in range(SETS_AT, SIZE):
        indices[word] = 0
    reach = wide(options.command_range)
    for side in range(2):
        for rank in range(wide(options.ranks)):
            files = wide(state.standing[side, rank])
            active = wide(state.command[rank] & ~state.moved[rank])
            while files:
                file = lowest(files)
                files &= files - 1
                cell = cell_at(file, rank)
                if not _is_near(state, options, 1 - side, file, rank):
                    continue
                is_led = nearest_chieftain(state, side, cell) <= reach
                is_active = side == player and (active >> file) & 1 == 1
                if is_led or is_active:
                    _reach_of(state, side, cell, is_led, is_active, player, indices)


@rule
def _is_near(state: State, options: OptionsRecord, side: int, file: int, rank: int) -> bool:
    """Whether a side has a piece within a long move of a square, and one more."""
    near = wide(FILES_WITHIN[LONGEST_MOVE + 1, file])
    first, last = max(rank - LONGEST_MOVE - 1, 0), min(rank + LONGEST_MOVE + 2, wide(options.ranks))
    for row in range(first, last):
        if wide(state.standing[side, row]) & near:
            return True
    return False


@rule
def _reach_of(
    state: State,
    side: int,
    cell: int,
    is_led: bool,
    is_active: bool,
    player: int,
    indices: np.ndarray,
) -> None:
    """Add the squares that a piece could move to, or guards, to the sets."""
    kind = kind_at(state, cell)
    ahead = 1 << START
    for way in range(WAYS[kind]):
        plane = wide(WAY_PLANE[kind, way])
        to = cell - WINDOW + wide(OFFSET[side, plane])
        there = state.board[to]
        if there != WALL and ahead & WAY_FROM[kind, way] != 0:
            ahead |= wide(there == EMPTY) << plane
            if there != EMPTY:
                bit, rank = 1 << file_of(to), rank_of(to)
                if side != player:
                    _add(indices, OTHER, rank, bit)
                else:
                    if is_active and there & SIDE_BIT[side] == 0:
                        _add(indices, NOW, rank, bit)
                    if is_led:
                        place = SETS_AT + MOST * GUARD + rank
                        indices[place] = wide(indices[place]) | bit


@rule
def _add(indices: np.ndarray, number: int, rank: int, bit: int) -> None:
    """Add a square to a set, or to the set of those that are in reach more than once."""
    once = SETS_AT + MOST * number + rank
    twice = once + MOST
    indices[twice] = wide(indices[twice]) | (wide(indices[once]) & bit)
    indices[once] = wide(indices[once]) | bit


@rule
def _balance(state: State, options: OptionsRecord, side: int, cell: int) -> int:
    """By how many pieces a side is ahead round a Chieftain, from 0, far behind, to 16."""
    near = wide(FILES_WITHIN[BALANCE_REACH, file_of(cell)])
    rank, more = rank_of(cell), 0
    first, last = max(rank - BALANCE_REACH, 0), min(rank + BALANCE_REACH + 1, wide(options.ranks))
    for row in range(first, last):
        more += _size(wide(state.standing[side, row]) & near)
        more -= _size(wide(state.standing[1 - side, row]) & near)
    half = BALANCES // 2
    return min(max(more, -half), half) + half


@rule
def _size(files: int) -> int:
    """How many files are in a set."""
    count = 0
    while files:
        files &= files - 1
        count += 1
    return count


def count(options: OptionsRecord) -> int:
    """How many features there are."""
    return COUNT


FEATURES = Features(
    count,
    SIZE,
    write,
    to_move,
    is_over,
    (
        FeatureRun("14", "a piece, by side and kind"),
        FeatureRun("14 × 16", "king's steps from it to the nearest enemy Chieftain"),
        FeatureRun("14 × 2 × 3", "it is guarded or not, attacked never, once, more often"),
        FeatureRun("14 × 8", "king's steps from it to the nearest own Chieftain"),
        FeatureRun("14 × 8", "how far it has come up the board, in eighths"),
        FeatureRun("2 × 9", "how many Chieftains a side has"),
        FeatureRun("2 × 17", "by how many pieces its side is ahead round a Chieftain"),
        FeatureRun("2 × 2 × 4", "how many Chieftains are attacked, the last one or one of several"),
        FeatureRun("10", "orders left to the mover"),
        FeatureRun("49", "the mover's lead in captured material, in twos"),
    ),
)
