"""The state of Chieftain: the STATE record, the start, and questions of all rules."""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.games.chieftain.rules.board import (
    BORDER,
    CELLS,
    CHIEFTAIN,
    EMPTY,
    KIND_BITS,
    LEADER_BIT,
    MOST,
    SIDE_BIT,
    STRIDE,
)
from pasgl_env.jit.compiled import inlined_rule, rule, wide

MOST_CHIEFTAINS = 32
# The inventor does not value his pieces: these values reflect how far and how freely they move.
VALUE = np.array([8, 3, 3, 2, 1, 4, 4], np.int32)

STATE = np.dtype(
    (
        np.record,
        [
            ("turn_count", np.int32),  # turns completed, both players'
            ("score", np.int32, (2,)),  # value of the enemy's pieces that each player has captured
            ("occupants", np.uint32, (2, MOST)),  # [side, rank]: set of files with its pieces
            ("moved", np.uint32, (MOST,)),  # [rank]: files with pieces that moved this turn
            ("command", np.uint32, (MOST,)),  # [rank]: files within range of active Chieftains
            ("chieftain_cell", np.uint16, (2, MOST_CHIEFTAINS)),  # their cells, ascending; then 0
            ("origin", np.uint16),  # cell of the piece that moves, while it is asked by whom; or 0
            ("target", np.uint16),  # and the cell that it moves to
            ("move_count", np.uint16),  # moves made this turn
            ("pass_count", np.uint16),  # passes in a row
            ("board", np.uint8, (CELLS,)),  # content of each cell
            ("left", np.uint8, (MOST_CHIEFTAINS,)),  # activations left to the mover's Chieftains
            ("chieftains", np.uint8, (2,)),  # how many each side has
            ("mover", np.uint8),
            ("spare", np.uint8),  # 0; makes the record a multiple of 4 bytes
        ],
    )
)


@rule
def start(state: State, options: OptionsRecord) -> None:
    """Write the starting position."""
    state.turn_count = state.pass_count = state.spare = 0
    for cell in range(CELLS):
        state.board[cell] = options.home[cell]
    begin(state, options, 0)


@rule
def begin(state: State, options: OptionsRecord, mover: int) -> None:
    """Write everything that follows from the board at the start of a player's turn."""
    for side in range(2):
        state.score[1 - side] = options.army[side]
        state.chieftains[side] = 0
        for rank in range(MOST):
            state.occupants[side, rank] = 0
        for number in range(MOST_CHIEFTAINS):
            state.chieftain_cell[side, number] = 0
    for rank in range(options.ranks):
        for file in range(options.files):
            cell = cell_at(file, rank)
            if state.board[cell] != EMPTY:
                _count_in(state, cell, file, rank)
    begin_turn(state, options, mover)


@rule
def _count_in(state: State, cell: int, file: int, rank: int) -> None:
    side, kind = side_at(state, cell), kind_at(state, cell)
    state.occupants[side, rank] = wide(state.occupants[side, rank]) | 1 << file
    state.score[1 - side] -= VALUE[kind]
    if kind == CHIEFTAIN:
        state.chieftain_cell[side, state.chieftains[side]] = cell
        state.chieftains[side] += 1


@rule
def begin_turn(state: State, options: OptionsRecord, mover: int) -> None:
    """Reset the turn: no piece has moved, and all Chieftains of the player have all activations."""
    state.mover = mover
    state.move_count = state.origin = state.target = 0
    for rank in range(MOST):
        state.moved[rank] = 0
    for number in range(MOST_CHIEFTAINS):
        has_it = number < wide(state.chieftains[mover])
        state.left[number] = options.activations if has_it else 0
    if options.has_leaders:
        for number in range(wide(state.chieftains[mover])):
            state.left[number] = orders_of(state, options, number)
    take_command(state, options)


@rule
def take_command(state: State, options: OptionsRecord) -> None:
    """Write the squares in range of the mover's Chieftains with activations left.

    Pieces in between do not matter (Ruling 2).
    """
    for rank in range(MOST):
        state.command[rank] = 0
    # Apart, so that games without Leaders are as fast as if there were none.
    if options.has_leaders:
        for number in range(wide(state.chieftains[state.mover])):
            cell = wide(state.chieftain_cell[state.mover, number])
            _take_command_of(state, options, number, range_of(state, options, cell))
        return
    reach = wide(options.command_range)
    for number in range(wide(state.chieftains[state.mover])):
        _take_command_of(state, options, number, reach)


@inlined_rule
def _take_command_of(state: State, options: OptionsRecord, number: int, reach: int) -> None:
    """Add the squares in range of a Chieftain of the mover, if it has activations left."""
    if state.left[number]:
        cell = wide(state.chieftain_cell[state.mover, number])
        file, rank = file_of(cell), rank_of(cell)
        last = min(file + reach, wide(options.files) - 1)
        files = (2 << last) - (1 << max(file - reach, 0))
        for near in range(max(rank - reach, 0), min(rank + reach + 1, wide(options.ranks))):
            state.command[near] = wide(state.command[near]) | files


@rule
def is_leader(state: State, cell: int) -> bool:
    """Whether the piece on a cell is a Leader (Ruling 5)."""
    return state.board[cell] & LEADER_BIT != 0


@rule
def orders_of(state: State, options: OptionsRecord, number: int) -> int:
    """The pieces that a Chieftain or Leader of the mover activates in a turn."""
    is_leaders = is_leader(state, wide(state.chieftain_cell[state.mover, number]))
    return wide(options.leader_activations if is_leaders else options.activations)


@rule
def range_of(state: State, options: OptionsRecord, cell: int) -> int:
    """The range of command of the Chieftain or Leader on a cell."""
    if options.has_leaders and is_leader(state, cell):
        return wide(options.leader_range)
    return wide(options.command_range)


@rule
def cell_at(file: int, rank: int) -> int:
    """The cell of a square."""
    return (rank + BORDER) * STRIDE + file + BORDER


@rule
def file_of(cell: int) -> int:
    """The file of a cell, from 0."""
    return cell % STRIDE - BORDER


@rule
def rank_of(cell: int) -> int:
    """The rank of a cell, from 0."""
    return cell // STRIDE - BORDER


@rule
def side_at(state: State, cell: int) -> int:
    """The side of the piece on an occupied cell."""
    return wide(state.board[cell] & SIDE_BIT[0] == 0)


@rule
def kind_at(state: State, cell: int) -> int:
    """The kind of the piece on an occupied cell."""
    return wide(state.board[cell] & KIND_BITS) - 1


@rule
def row_of(options: OptionsRecord, player: int, rank: int) -> int:
    """A rank as counted by a player: both play up the board."""
    return rank if player == 0 else wide(options.ranks) - 1 - rank


@rule
def square_of(options: OptionsRecord, player: int, cell: int) -> int:
    """The number of a cell's square in a player's actions."""
    return row_of(options, player, rank_of(cell)) * wide(options.files) + file_of(cell)


@rule
def cell_of_square(options: OptionsRecord, player: int, square: int) -> int:
    """The inverse."""
    files = wide(options.files)
    return cell_at(square % files, row_of(options, player, square // files))


@inlined_rule
def _commands(state: State, number: int, cell: int, reach: int) -> bool:
    """Whether a Chieftain of the mover has an activation left and a cell in range (Ruling 2)."""
    own = wide(state.chieftain_cell[state.mover, number])
    files, ranks = abs(file_of(own) - file_of(cell)), abs(rank_of(own) - rank_of(cell))
    return state.left[number] != 0 and max(files, ranks) <= reach


@rule
def commanders(state: State, options: OptionsRecord, cell: int) -> int:
    """The set of the mover's Chieftains that can activate a piece on a cell."""
    able = 0
    if options.has_leaders:
        for number in range(wide(state.chieftains[state.mover])):
            reach = range_of(state, options, wide(state.chieftain_cell[state.mover, number]))
            able |= wide(_commands(state, number, cell, reach)) << number
        return able
    for number in range(wide(state.chieftains[state.mover])):
        able |= wide(_commands(state, number, cell, wide(options.command_range))) << number
    return able


@rule
def activations_left(state: State) -> int:
    """The number of moves that the mover's Chieftains can still order this turn."""
    total = 0
    for number in range(wide(state.chieftains[state.mover])):
        total += wide(state.left[number])
    return total


@rule
def orders_left(state: State, options: OptionsRecord) -> int:
    """The moves that the mover may still make this turn; options may limit the first turn."""
    left = activations_left(state)
    if options.first_turn_orders and state.turn_count == 0:
        return max(min(left, options.first_turn_orders - wide(state.move_count)), 0)
    return left


@rule
def is_asked(state: State) -> bool:
    """Whether the Chieftain that activates the moving piece is still to be chosen."""
    return state.origin != 0


@rule
def is_quiescent(state: State) -> bool:
    """Whether the board shows all actions played so far."""
    return not is_asked(state)


@rule
def to_move(state: State) -> int:
    """The player who acts."""
    return wide(state.mover)


@rule
def in_turn(state: State) -> bool:
    """Whether an action has been played in this turn."""
    return state.move_count != 0 or is_asked(state)


@rule
def turns(state: State) -> int:
    """Turns completed, both players'."""
    return wide(state.turn_count)


@rule
def forget(state: State, options: OptionsRecord) -> None:
    """Forget the number of turns, but for whether it is the first, if options limit that one."""
    state.turn_count = min(wide(state.turn_count), 1) if options.first_turn_orders else 0


@rule
def points(state: State, player: int) -> int:
    """The value of a player's captures; the outcome does not depend on it."""
    return wide(state.score[player])


@rule
def is_over(state: State, options: OptionsRecord) -> bool:
    """Whether the player to move has no Chieftain, or there were two passes in a row (Ruling 4).

    Neither repetition nor the number of turns ends a game (Ruling 3).
    """
    return state.chieftains[state.mover] == 0 or state.pass_count >= 2


@rule
def winner(state: State, options: OptionsRecord) -> int:
    """The player who has captured all Chieftains; -1 for a draw."""
    return 1 - wide(state.mover) if state.chieftains[state.mover] == 0 else -1
