"""Learned values' features of Chieftain after an order, relative to pieces, for any board.

Squares are not named: a piece is described by its kind, its distances, and the pieces that could
capture it, so that what is learned on one board holds on others. A square is *attacked* by a side
if one of its pieces under command could move there: for the mover, under a Chieftain with an
activation left, otherwise under any. A Chieftain is *safe* on a square that no enemy piece under
command could move to.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pasgl_env.contract.base import FeatureRun, Features, OptionsRecord, PositionKeys, State
from pasgl_env.contract.bits import lowest
from pasgl_env.games.chieftain.rules.approach import approach
from pasgl_env.games.chieftain.rules.board import CELLS, PLANES
from pasgl_env.games.chieftain.rules.evaluation import STEP, leader_penalty, nearest_piece
from pasgl_env.games.chieftain.rules.feature_changes import changes
from pasgl_env.games.chieftain.rules.feature_groups import (
    COMMON,
    COUNT,
    FOLLOWERS,
    MEMORY,
    OTHERS,
    PER_CHIEFTAIN,
    PER_PIECE,
    SETS_AT,
    first_slot,
    write_chieftains,
    write_common,
    write_piece,
)
from pasgl_env.games.chieftain.rules.play import target_of
from pasgl_env.games.chieftain.rules.reach import MARGIN, ONCE
from pasgl_env.games.chieftain.rules.sets import GUARD, OTHER, write_sets, write_steps
from pasgl_env.games.chieftain.rules.state import (
    cell_of_square,
    file_of,
    points,
    rank_of,
    to_move,
)
from pasgl_env.jit.compiled import rule, wide

CELL_KEYS = np.random.default_rng(20201).integers(2**64, size=CELLS, dtype=np.uint64)
"""Random factors, one for each cell."""


@rule
def write(state: State, options: OptionsRecord, player: int, indices: np.ndarray) -> int:
    """Write the features that are present."""
    sets = indices[SETS_AT:]
    write_sets(state, options, player, sets)
    write_steps(state, options, sets)
    write_common(state, options, player, sets)
    for side in range(2):
        write_chieftains(state, options, player, side, sets, sets, False)
    count = 0
    for side in range(2):
        count = _write_pieces(state, options, player, side, sets, indices, count)
    for slot in range(COMMON):
        indices[count + slot] = sets[OTHERS + slot]
    count += COMMON
    for side in range(2):
        first = OTHERS + first_slot(side)
        number = PER_CHIEFTAIN * wide(state.chieftains[side])
        for slot in range(number):
            indices[count + slot] = sets[first + slot]
        count += number
    return count


@rule
def _write_pieces(
    state: State,
    options: OptionsRecord,
    player: int,
    side: int,
    sets: np.ndarray,
    indices: np.ndarray,
    count: int,
) -> int:
    """Write the features of a side's pieces; return the new number of features."""
    penalty = 0
    for rank in range(wide(options.ranks)):
        files = wide(state.occupants[side, rank])
        while files:
            file = lowest(files)
            files &= files - 1
            penalty += write_piece(state, options, player, side, file, rank, sets, indices, count)
            count += PER_PIECE
    sets[FOLLOWERS + side] = penalty
    return count


@rule
def evaluate(state: State, options: OptionsRecord, player: int, indices: np.ndarray) -> float:
    """:func:`evaluation.evaluate`, from what :func:`write` has left behind the features."""
    lead = np.float64(points(state, player) - points(state, 1 - player))
    mine = _standing(state, options, player, OTHER, indices[SETS_AT:])
    return lead + mine - _standing(state, options, 1 - player, GUARD, indices[SETS_AT:])


@rule
def _standing(
    state: State, options: OptionsRecord, side: int, enemy: int, sets: np.ndarray
) -> float:
    """The penalties for the squares of a side's pieces; not positive."""
    value = -STEP * wide(sets[FOLLOWERS + side])
    for chief in range(wide(state.chieftains[side])):
        cell = wide(state.chieftain_cell[side, chief])
        steps = nearest_piece(state, options, 1 - side, cell)
        is_threatened = wide(sets[enemy + ONCE + MARGIN + rank_of(cell)]) >> file_of(cell) & 1 == 1
        value -= leader_penalty(state, options, side, steps, is_threatened)
    return value


@rule
def board_key(state: State) -> np.uint64:
    """A hash of the board: who is to move and what the turn has left do not count.

    So ending a turn early repeats a position too. It is a sum, which the compiler vectorises.
    """
    key = np.uint64(0)
    for cell in range(CELLS):
        key += np.uint64(state.board[cell]) * CELL_KEYS[cell]
    return key


@rule
def board_key_after(state: State, options: OptionsRecord, key: np.uint64, action: int) -> np.uint64:
    """The hash of the board after a move, or after the end of the turn, from that before."""
    squares = wide(options.squares)
    plane = action // squares
    if plane >= PLANES:
        return key
    origin = cell_of_square(options, wide(state.mover), action % squares)
    target = target_of(state, origin, plane)
    moved, taken = np.uint64(state.board[origin]), np.uint64(state.board[target])
    return key + (moved - taken) * CELL_KEYS[target] - moved * CELL_KEYS[origin]


def count(options: OptionsRecord) -> int:
    """The number of features."""
    return COUNT


def free_in(options: Mapping[str, Any]) -> tuple[str, ...]:
    """The setup is free if both sides have several Chieftains and no Leaders.

    What is learned on the usual boards then holds on others, as measured; it says too little of
    lone Chieftains.
    """
    setup = str(options["setup"])
    if "L" in setup.upper() or min(setup.count("C"), setup.count("c")) < 2:
        return ()
    return ("setup", "leader_activations", "leader_range")


FEATURES = Features(
    count,
    SETS_AT,
    write,
    to_move,
    (
        FeatureRun("14", "a piece, by side and kind"),
        FeatureRun(
            "14 × 2 × 16", "king's steps to the nearest enemy Chieftain, or to the last one"
        ),
        FeatureRun("14 × 2 × 3", "it is guarded or not, attacked never, once, more often"),
        FeatureRun("14 × 8", "king's steps from it to the nearest own Chieftain"),
        FeatureRun("14 × 8", "how far it has come up the board, in eighths"),
        FeatureRun("2 × 2 × 17", "by how many pieces its side is ahead round a Chieftain"),
        FeatureRun("2 × 2 × 2 × 8", "a Chieftain is attacked or not; its safe squares, in classes"),
        FeatureRun("2 × 2 × 5 × 5", "its distances from the nearest edges"),
        FeatureRun("2 × 9", "how many Chieftains a side has"),
        FeatureRun("2 × 2 × 4", "how many Chieftains are attacked"),
        FeatureRun("10", "orders left to the mover"),
        FeatureRun("49", "the mover's lead in captured material, in twos"),
    ),
    # The value of a turn with several orders only shows after the enemy's reply.
    free=("turn_limit", "more_planes", "first_turn_orders"),
    free_in=free_in,
    ahead=2,
    position_keys=PositionKeys(board_key, board_key_after),
    memory=MEMORY,
    evaluate=evaluate,
    changes=changes,
    approach=approach,
)
