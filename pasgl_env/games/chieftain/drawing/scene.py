"""What drawings of Chieftain show: pieces, who can activate what, points."""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.scene import show
from pasgl_env.games.chieftain.description import symbol_at
from pasgl_env.games.chieftain.rules.board import ALL_LETTERS, EMPTY
from pasgl_env.games.chieftain.rules.board import MOST as MOST_SIDE
from pasgl_env.games.chieftain.rules.state import (
    MOST_CHIEFTAINS,
    activations_left,
    cell_at,
    file_of,
    in_turn,
    is_asked,
    is_leader,
    is_over,
    rank_of,
    winner,
)
from pasgl_env.jit.compiled import rule, wide

# Looks.
COMMAND, ORIGIN, RING, UNMARKED, PIECE, MOVED, BADGE, QUESTION, MOVE = range(9)
# Those of a player are followed by Black's; plurals by their singulars.
SEAT, TO_MOVE, POINTS, ORDERS = 9, 11, 13, 17
NEWS = 21
TURN, PASSED, DRAW, WON, LOST = range(NEWS, NEWS + 10, 2)
# Symbols, behind those of the description: Chieftains that can activate, and Leaders.
ACTIVE = 2 * len(ALL_LETTERS)
MOST = 2 * MOST_SIDE**2 + MOST_SIDE + MOST_CHIEFTAINS + 20


@rule
def scene(
    state: State, options: OptionsRecord, rolled: int, mask: np.ndarray, out: np.ndarray
) -> int:
    """Write the sprites."""
    over = is_over(state, options)
    count = 0
    if not over:
        for rank in range(options.ranks):
            count = show(out, count, COMMAND, -1, -1, wide(state.command[rank]))
    if is_asked(state):
        count = show(out, count, ORIGIN, -1, _place(options, wide(state.origin)))
        count = show(out, count, RING)
    elif in_turn(state):
        count = show(out, count, UNMARKED)
    count = _pieces(state, options, out, count, over)
    if is_asked(state):
        count = show(out, count, QUESTION, -1, _place(options, wide(state.origin)))
        out[count - 1].target = _place(options, wide(state.target))
    for player in range(2):
        count = _player(state, options, out, count, player, over)
    return count


@rule
def _place(options: OptionsRecord, cell: int) -> int:
    return rank_of(cell) * wide(options.files) + file_of(cell)


@rule
def _pieces(state: State, options: OptionsRecord, out: np.ndarray, count: int, over: bool) -> int:
    """The pieces; those that have moved are underlined, numbers are activations left."""
    mover = wide(state.mover)
    for rank in range(options.ranks):
        for file in range(options.files):
            cell = cell_at(file, rank)
            if state.board[cell] == EMPTY:
                continue
            place, symbol = rank * wide(options.files) + file, symbol_at(state, cell)
            if not over and _activations(state, cell) > 0:
                symbol = ACTIVE + 2 * mover + is_leader(state, cell)
            count = show(out, count, PIECE, symbol, place)
            if (wide(state.moved[rank]) >> file) & 1:
                count = show(out, count, MOVED, -1, place)
    for number in range(state.chieftains[mover]):
        left = wide(state.left[number])
        if left > 1 and not over:
            place = _place(options, wide(state.chieftain_cell[mover, number]))
            count = show(out, count, BADGE, -1, place, left)
    return count


@rule
def _activations(state: State, cell: int) -> int:
    """The activations that a Chieftain of the mover has left; 0 for other pieces."""
    mover = wide(state.mover)
    for number in range(state.chieftains[mover]):
        if state.chieftain_cell[mover, number] == cell:
            return wide(state.left[number])
    return 0


@rule
def _player(
    state: State, options: OptionsRecord, out: np.ndarray, count: int, player: int, over: bool
) -> int:
    """The turn, points and activations left of a player, or the result."""
    moves = player == state.mover and not over
    count = show(out, count, (TO_MOVE if moves else SEAT) + player)
    score = wide(state.score[player])
    count = show(out, count, POINTS + player + 2 * (score == 1), -1, -1, score)
    if moves:
        left = activations_left(state)
        count = show(out, count, ORDERS + player + 2 * (left == 1), -1, -1, left)
    turn = wide(state.turn_count) + (not over)
    if moves:
        return show(out, count, TURN + player, -1, -1, turn)
    if not over:
        return show(out, count, PASSED + player) if state.pass_count else count
    won = winner(state, options)
    look = DRAW if won < 0 else WON if won == player else LOST
    return show(out, count, look + player, -1, -1, turn)
