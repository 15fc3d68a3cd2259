"""Validation of records from outside: whether the rules can handle them."""

from __future__ import annotations

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.games.chieftain.rules.board import (
    CELLS,
    CHIEFTAIN,
    EMPTY,
    KINDS,
    LEADER,
    LEADER_BIT,
    MOST,
    PIECE_BITS,
    SIDE_BIT,
    WALL,
)
from pasgl_env.games.chieftain.rules.legal import reaches
from pasgl_env.games.chieftain.rules.play import wins
from pasgl_env.games.chieftain.rules.state import (
    MOST_CHIEFTAINS,
    VALUE,
    activations_left,
    cell_at,
    commanders,
    file_of,
    is_asked,
    is_over,
    orders_left,
    orders_of,
    rank_of,
    side_at,
)
from pasgl_env.jit.compiled import rule, wide


@rule
def is_valid(state: State, options: OptionsRecord) -> bool:
    """Whether every field is in range and consistent with the others and with the rules."""
    return (
        _numbers_are_possible(state)
        and _board_is_possible(state, options)
        and _armies_are_possible(state, options)
        and _chieftains_are_listed(state, options)
        and _turn_is_possible(state, options)
        and _command_is_right(state, options)
        and _question_is_possible(state, options)
    )


@rule
def _numbers_are_possible(state: State) -> bool:
    return state.mover <= 1 and state.pass_count <= 2 and state.turn_count >= 0 and state.spare == 0


@rule
def _board_is_possible(state: State, options: OptionsRecord) -> bool:
    """Whether there are walls exactly where the board ends, and only pieces inside."""
    for cell in range(CELLS):
        held = wide(state.board[cell])
        if (held == WALL) != (options.home[cell] == WALL):
            return False
        side, piece = held & ~PIECE_BITS, held & PIECE_BITS
        is_piece = (side == SIDE_BIT[0] or side == SIDE_BIT[1]) and (
            1 <= piece <= KINDS or piece == LEADER_BIT + CHIEFTAIN + 1
        )
        if held != WALL and held != EMPTY and not is_piece:
            return False
    return True


@rule
def _armies_are_possible(state: State, options: OptionsRecord) -> bool:
    """Whether no kind exceeds its number at the start, and the score fits the captures."""
    for side in range(2):
        lost = wide(options.army[side])
        for kind in range(KINDS + 1):
            number = number_of_kind(state, options, side, kind)
            if number > options.most[side, kind]:
                return False
            lost -= number * VALUE[kind % LEADER]
        if state.score[1 - side] != lost:
            return False
        for rank in range(MOST):
            if state.occupants[side, rank] != _files_with(state, options, side, rank):
                return False
    return True


@rule
def number_of_kind(state: State, options: OptionsRecord, side: int, kind: int) -> int:
    """The number of a side's pieces of a kind, or of its Leaders, on the board."""
    piece = wide(SIDE_BIT[side]) + (LEADER_BIT + CHIEFTAIN if kind == LEADER else kind) + 1
    number = 0
    for cell in range(CELLS):
        number += wide(state.board[cell] == piece)
    return number


@rule
def _files_with(state: State, options: OptionsRecord, side: int, rank: int) -> int:
    """The set of files of a rank on which a side has a piece."""
    if rank >= options.ranks:
        return 0
    found = 0
    for file in range(options.files):
        cell = cell_at(file, rank)
        found |= wide(state.board[cell] != EMPTY and side_at(state, cell) == side) << file
    return found


@rule
def _chieftains_are_listed(state: State, options: OptionsRecord) -> bool:
    """Whether Chieftains are listed by ascending cell, then zeros, and the enemy has one."""
    for side in range(2):
        own = wide(state.chieftains[side])
        leaders = number_of_kind(state, options, side, LEADER)
        if own != number_of_kind(state, options, side, CHIEFTAIN) + leaders:
            return False
        for number in range(MOST_CHIEFTAINS):
            cell = wide(state.chieftain_cell[side, number])
            if number >= own:
                if cell != 0:
                    return False
            elif (
                cell >= CELLS
                or (number > 0 and cell <= state.chieftain_cell[side, number - 1])
                or wide(state.board[cell]) & ~LEADER_BIT != SIDE_BIT[side] + CHIEFTAIN + 1
            ):
                return False
    return state.chieftains[1 - wide(state.mover)] > 0


@rule
def _turn_is_possible(state: State, options: OptionsRecord) -> bool:
    """Whether as many pieces have moved as activations are spent, and the turn is unfinished."""
    own = wide(state.chieftains[state.mover])
    all_orders = 0
    for number in range(MOST_CHIEFTAINS):
        most = orders_of(state, options, number) if number < own else 0
        all_orders += most
        if state.left[number] > most:
            return False
    left = activations_left(state)
    moved = 0
    for rank in range(MOST):
        files = wide(state.moved[rank])
        if files & ~wide(state.occupants[state.mover, rank]):
            return False
        while files:
            files &= files - 1
            moved += 1
    if moved != state.move_count or moved != all_orders - left:
        return False
    return moved == 0 or (orders_left(state, options) > 0 and state.pass_count == 0)


@rule
def _command_is_right(state: State, options: OptionsRecord) -> bool:
    for rank in range(MOST):
        within = 0
        if rank < options.ranks:
            for file in range(options.files):
                within |= wide(commanders(state, options, cell_at(file, rank)) != 0) << file
        if state.command[rank] != within:
            return False
    return True


@rule
def _question_is_possible(state: State, options: OptionsRecord) -> bool:
    """Whether the open question is about a legal, not winning move that several can order."""
    origin, target = wide(state.origin), wide(state.target)
    if not is_asked(state):
        return target == 0
    if is_over(state, options) or origin >= CELLS or target >= CELLS:
        return False
    held = wide(state.board[origin])
    if held in (WALL, EMPTY) or side_at(state, origin) != state.mover:
        return False
    if (wide(state.moved[rank_of(origin)]) >> file_of(origin)) & 1:
        return False
    able = commanders(state, options, origin)
    return (
        able & (able - 1) != 0
        and reaches(state, options, wide(state.mover), origin, target)
        and not wins(state, target)
    )
