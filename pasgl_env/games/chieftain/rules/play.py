"""The effects of an action of Chieftain, and the end of a turn."""

from __future__ import annotations

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.bits import lowest
from pasgl_env.games.chieftain.rules.board import CHIEFTAIN, EMPTY, OFFSET, PLANES, WINDOW
from pasgl_env.games.chieftain.rules.legal import LAST_PLANE, PASS
from pasgl_env.games.chieftain.rules.state import (
    VALUE,
    begin_turn,
    cell_of_square,
    commanders,
    file_of,
    kind_at,
    orders_left,
    rank_of,
    take_command,
)
from pasgl_env.jit.compiled import rule, wide


@rule
def play(state: State, options: OptionsRecord, action: int) -> None:
    """Carry out a legal action."""
    squares = wide(options.squares)
    plane, square = action // squares, action % squares
    if plane == LAST_PLANE:
        _end_turn(state, options, square == PASS)
        return
    cell = cell_of_square(options, wide(state.mover), square)
    if plane < PLANES:
        _open_move(state, options, cell, target_of(state, cell, plane))
    else:
        _move(state, options, wide(state.origin), wide(state.target), _number_of(state, cell))


@rule
def target_of(state: State, origin: int, plane: int) -> int:
    """The cell that a piece of the mover on a cell reaches by a plane."""
    return origin - WINDOW + wide(OFFSET[state.mover, plane])


@rule
def _open_move(state: State, options: OptionsRecord, origin: int, target: int) -> None:
    """Move at once, unless several Chieftains could activate the piece."""
    able = commanders(state, options, origin)
    if able & (able - 1) and not wins(state, target):
        state.origin = origin
        state.target = target
    else:
        _move(state, options, origin, target, lowest(able))


@rule
def close_choices(state: State, options: OptionsRecord) -> None:
    """Let any Chieftain that can activate a piece: the value of a state does not depend on it."""
    origin, target = wide(state.origin), wide(state.target)
    _move(state, options, origin, target, lowest(commanders(state, options, origin)))


@rule
def wins(state: State, target: int) -> bool:
    """Whether a move to a cell captures the last enemy Chieftain."""
    last = state.chieftains[1 - wide(state.mover)] == 1
    return last and state.board[target] != EMPTY and kind_at(state, target) == CHIEFTAIN


@rule
def _number_of(state: State, cell: int) -> int:
    """The number of the mover's Chieftain on a cell."""
    number = 0
    while state.chieftain_cell[state.mover, number] != cell:
        number += 1
    return number


@rule
def _move(state: State, options: OptionsRecord, origin: int, target: int, commander: int) -> None:
    """Move a piece that a Chieftain activates; this may end the turn."""
    mover = wide(state.mover)
    state.left[commander] -= 1
    if state.board[target] != EMPTY:
        _capture(state, target)
    if kind_at(state, origin) == CHIEFTAIN:
        _relocate(state, origin, target)
    state.board[target] = state.board[origin]
    state.board[origin] = EMPTY
    _take_away(state, mover, origin)
    bit, rank = 1 << file_of(target), rank_of(target)
    state.occupants[mover, rank] = wide(state.occupants[mover, rank]) | bit
    state.moved[rank] = wide(state.moved[rank]) | bit
    state.origin = state.target = state.pass_count = 0
    state.move_count += 1
    if state.chieftains[1 - mover] == 0 or orders_left(state, options) == 0:
        _end_turn(state, options, False)
    else:
        take_command(state, options)


@rule
def _take_away(state: State, side: int, cell: int) -> None:
    rank = rank_of(cell)
    state.occupants[side, rank] = wide(state.occupants[side, rank]) & ~(1 << file_of(cell))


@rule
def _capture(state: State, cell: int) -> None:
    """Remove an enemy's piece; the mover's piece takes its place."""
    mover = wide(state.mover)
    enemy = 1 - mover
    kind = kind_at(state, cell)
    state.score[mover] += VALUE[kind]
    _take_away(state, enemy, cell)
    if kind != CHIEFTAIN:
        return
    state.chieftains[enemy] -= 1
    last = wide(state.chieftains[enemy])
    number = 0
    while state.chieftain_cell[enemy, number] != cell:
        number += 1
    for place in range(number, last):
        state.chieftain_cell[enemy, place] = state.chieftain_cell[enemy, place + 1]
    state.chieftain_cell[enemy, last] = 0


@rule
def _relocate(state: State, origin: int, target: int) -> None:
    """Move one of the mover's Chieftains in their list, which stays in order."""
    own = state.chieftain_cell[state.mover]
    place, last = _number_of(state, origin), wide(state.chieftains[state.mover]) - 1
    left = wide(state.left[place])
    while place > 0 and own[place - 1] > target:
        own[place], state.left[place] = own[place - 1], state.left[place - 1]
        place -= 1
    while place < last and own[place + 1] < target:
        own[place], state.left[place] = own[place + 1], state.left[place + 1]
        place += 1
    own[place], state.left[place] = target, left


@rule
def _end_turn(state: State, options: OptionsRecord, passed: bool) -> None:
    state.pass_count = state.pass_count + 1 if passed else 0
    state.turn_count += 1
    begin_turn(state, options, 1 - wide(state.mover))
