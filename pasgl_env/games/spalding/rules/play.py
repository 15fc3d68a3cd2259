"""The effects of an action of Captain Spalding Chess: moves, monsters, creations, ends of turns."""

from __future__ import annotations

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.games.spalding.rules.board import NEIGHBOUR, NONE, SQUARES, TARGET, TURN
from pasgl_env.games.spalding.rules.legal import (
    CREATIONS,
    FIND_GREAT,
    FIND_HEADLESS,
    FIND_RHINO,
    arrives_as,
    creates,
)
from pasgl_env.games.spalding.rules.state import (
    EMPTY,
    GREAT,
    IS_MONSTER,
    KIND,
    LEFT_BITS,
    LEFT_GREAT_ELEPHANT,
    LEFT_HEADLESS,
    LEFT_RHINO,
    PAJAMA,
    begin_history,
    has_no_room,
    put,
    remember,
    see,
)
from pasgl_env.jit.compiled import rule, wide


@rule
def play(state: State, options: OptionsRecord, action: int) -> None:
    """Carry out a legal action."""
    square = (action % SQUARES) ^ TURN[state.mover]
    if action >= CREATIONS:
        _create(state, options, (action - CREATIONS) // SQUARES, square)
    else:
        _move(state, square, wide(TARGET[state.mover, square, action // SQUARES]))


@rule
def _move(state: State, square: int, target: int) -> None:
    if has_no_room(state):
        _forget_half(state)
    moved = wide(state.board[square])
    captured = KIND[state.board[target]]
    arrives = arrives_as(state, moved, target)
    _change(state, square, EMPTY)
    _change(state, target, arrives)
    if KIND[moved] <= GREAT:
        state.container, state.origin = target, square
        return
    if arrives == EMPTY:
        for neighbour in NEIGHBOUR[target]:
            if IS_MONSTER[state.board[neighbour]]:
                _change(state, wide(neighbour), EMPTY)
    _end_turn(state)
    if captured in (PAJAMA, GREAT):
        # The captured piece never returns, so no earlier position can.
        begin_history(state)


@rule
def _create(state: State, options: OptionsRecord, find: int, spot: int) -> None:
    _change(state, spot, creates(state, find, spot, wide(state.board[spot])))
    found = _once_a_game(find) << (LEFT_BITS * wide(state.mover))
    state.left = wide(state.left) & ~found
    state.container = state.origin = NONE
    _end_turn(state)
    if found and options.repetition:
        # Finds are never put back, so no earlier position with its finds can return.
        begin_history(state)


@rule
def _once_a_game(find: int) -> int:
    """The bit of a piece that is found once a game, or 0."""
    if find == FIND_RHINO:
        return LEFT_RHINO
    if find == FIND_HEADLESS:
        return LEFT_HEADLESS
    return LEFT_GREAT_ELEPHANT if find == FIND_GREAT else 0


@rule
def _change(state: State, square: int, content: int) -> None:
    """Put a content on a square, and log the change."""
    if state.board[square] != content:
        state.log[state.log_length] = SQUARES * wide(state.board[square]) + square
        state.log_length += 1
        put(state, square, content)


@rule
def _end_turn(state: State) -> None:
    state.mover = 1 - wide(state.mover)
    state.turn_count += 1
    remember(state)


@rule
def _forget_half(state: State) -> None:
    """Make room if no caller truncates: only the later part of a game this long is remembered."""
    gone = wide(state.history) // 2
    offset = wide(state.log_at[gone])
    for entry in range(offset, wide(state.log_length)):
        state.log[entry - offset] = state.log[entry]
    state.log_length = wide(state.log_length) - offset
    state.seen[:] = 0
    for number in range(gone, wide(state.history)):
        state.keys[number - gone] = state.keys[number]
        state.log_at[number - gone] = wide(state.log_at[number]) - offset
        see(state, wide(state.keys[number]))
    state.history = wide(state.history) - gone
