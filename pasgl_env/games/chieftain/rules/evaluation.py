"""The evaluation of a state of Chieftain for a player, in points of captured material.

The value is the lead in captured material, less penalties for the squares of each side's pieces::

    a Chieftain     1/4 for each king's step by which all enemy pieces are out of its range
                    half of its worth if an enemy piece under command could capture it at once;
                    an eighth if its own side is to move
    other pieces    1/128 for each king's step to the nearest enemy Chieftain
                    1/32 of their worth where no own Chieftain commands them, or could after a move

A Leader counts as a Chieftain, with a Chieftain's range in the distances.

So Chieftains lead their armies without going too near the enemy. All terms are multiples of 1/128,
so that sums are exact and equal values compare as equal.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.bits import lowest
from pasgl_env.games.chieftain.rules.board import (
    CHIEFTAIN,
    LONGEST_MOVE,
    MOST,
    OFFSET,
    PLANES,
    SIDE_BIT,
    WALL,
    WINDOW,
)
from pasgl_env.games.chieftain.rules.legal import reaches
from pasgl_env.games.chieftain.rules.state import (
    VALUE,
    cell_at,
    file_of,
    is_over,
    kind_at,
    points,
    range_of,
    rank_of,
    winner,
)
from pasgl_env.jit.compiled import rule, wide

WON = 1000.0
STRANDED = 1 / 32
CHIEFTAIN_MOVE = 2
STEP, CHIEFTAIN_STEP = 1 / 128, 1 / 4
THREATENED, THREATENED_TO_MOVE = 1 / 2, 1 / 8

# [steps, file]: the set of files at most this many steps from a file.
_FILES = np.arange(MOST)
_APART = abs(_FILES[:, None] - _FILES)
FILES_WITHIN = np.array(
    [np.less_equal(_APART, steps) @ (1 << _FILES) for steps in range(MOST + 1)], np.uint32
)


@rule
def evaluate(state: State, options: OptionsRecord, player: int) -> float:
    """The value of a state for a player; its negative for the other player."""
    if is_over(state, options):
        best = winner(state, options)
        return 0.0 if best < 0 else WON if best == player else -WON
    lead = np.float64(points(state, player) - points(state, 1 - player))
    return lead + _standing(state, options, player) - _standing(state, options, 1 - player)


@rule
def _standing(state: State, options: OptionsRecord, side: int) -> float:
    """The penalties for the squares of a side's pieces; not positive."""
    value = 0.0
    for rank in range(wide(options.ranks)):
        value -= _followers(state, options, side, rank)
    for number in range(wide(state.chieftains[side])):
        value -= _leader(state, options, side, wide(state.chieftain_cell[side, number]))
    return value


@rule
def _followers(state: State, options: OptionsRecord, side: int, rank: int) -> float:
    """The penalties of the pieces on a rank other than Chieftains."""
    files = wide(state.occupants[side, rank])
    if files == 0:
        return 0.0
    led = _led(state, options, side, rank)
    steps, stranded = 0, 0
    while files:
        file = lowest(files)
        files &= files - 1
        cell = cell_at(file, rank)
        kind = kind_at(state, cell)
        if kind != CHIEFTAIN:
            steps += nearest_chieftain(state, 1 - side, cell)
            stranded += VALUE[kind] * (led >> file & 1 == 0)
    return STEP * steps + STRANDED * stranded


@rule
def _led(state: State, options: OptionsRecord, side: int, rank: int) -> int:
    """The set of files of a rank that a side's Chieftains command, or could after a move."""
    reach = min(wide(options.command_range) + CHIEFTAIN_MOVE, MOST)
    files = 0
    for number in range(wide(state.chieftains[side])):
        cell = wide(state.chieftain_cell[side, number])
        if abs(rank_of(cell) - rank) <= reach:
            files |= wide(FILES_WITHIN[reach, file_of(cell)])
    return files


@rule
def _leader(state: State, options: OptionsRecord, side: int, cell: int) -> float:
    """The penalty of a Chieftain for being far from the enemy or within its reach."""
    steps = nearest_piece(state, options, 1 - side, cell)
    is_threatened = steps <= LONGEST_MOVE and _is_threatened(state, options, side, cell)
    return leader_penalty(state, options, side, steps, is_threatened)


@rule
def leader_penalty(
    state: State, options: OptionsRecord, side: int, steps: int, is_threatened: bool
) -> float:
    """The penalty of a Chieftain that is some king's steps from the nearest enemy piece."""
    loss = CHIEFTAIN_STEP * max(steps - wide(options.command_range), 0)
    if is_threatened:
        share = THREATENED_TO_MOVE if side == state.mover else THREATENED
        loss += share * VALUE[CHIEFTAIN]
    return loss


@rule
def nearest_chieftain(state: State, side: int, cell: int) -> int:
    """King's steps from a cell to a side's nearest Chieftain; more than any board has if none."""
    least = MOST
    for number in range(wide(state.chieftains[side])):
        other = wide(state.chieftain_cell[side, number])
        files, ranks = abs(file_of(other) - file_of(cell)), abs(rank_of(other) - rank_of(cell))
        least = min(least, max(files, ranks))
    return least


@rule
def nearest_piece(state: State, options: OptionsRecord, side: int, cell: int) -> int:
    """King's steps from a cell to a side's nearest piece; more than any board has if none."""
    file, rank = file_of(cell), rank_of(cell)
    files = 0
    for steps in range(MOST):
        files |= wide(state.occupants[side, max(rank - steps, 0)])
        files |= wide(state.occupants[side, min(rank + steps, wide(options.ranks) - 1)])
        if files & wide(FILES_WITHIN[steps, file]):
            return steps
    return MOST


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
            and reaches(state, options, 1 - side, origin, cell)
            and _is_led(state, options, 1 - side, origin)
        ):
            return True
    return False


@rule
def _is_led(state: State, options: OptionsRecord, side: int, cell: int) -> bool:
    """Whether a side has a Chieftain within whose range a cell is."""
    for number in range(wide(state.chieftains[side])):
        other = wide(state.chieftain_cell[side, number])
        files, ranks = abs(file_of(other) - file_of(cell)), abs(rank_of(other) - rank_of(cell))
        if max(files, ranks) <= range_of(state, options, other):
            return True
    return False
