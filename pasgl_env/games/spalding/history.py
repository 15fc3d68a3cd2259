"""The rule that no position may come twice: what stands on the board and whose turn is next.

The position that a turn would lead to is told by how it differs from the board: a piece leaves
``origin`` (NONE: none does) and ``arrives`` at ``target`` as what is said (EMPTY: it is eaten, and
so are the monsters next to ``target``); then ``created`` is put on ``spot`` (NONE: nothing is).
"""

from __future__ import annotations

from typing import NamedTuple

from pasgl_env.engine.compiled import rule, wide
from pasgl_env.games.contract import State
from pasgl_env.games.spalding.board import NEIGHBOUR, NONE, SQUARES
from pasgl_env.games.spalding.state import (
    EMPTY,
    IS_MONSTER,
    KEY,
    SEEN_BITS,
    position_key,
)


class Turn(NamedTuple):
    """A turn's effect on the board."""

    origin: int
    target: int
    arrives: int
    spot: int
    created: int


@rule
def would_repeat(state: State, turn: Turn) -> bool:
    """Whether the game has had the position that the turn leads to."""
    key = key_after(state, turn)
    return is_seen(state, key) and _is_in_history(state, key, turn)


@rule
def key_after(state: State, turn: Turn) -> int:
    """The key of the position that the turn leads to."""
    key = position_key(state, wide(state.key), 1 - wide(state.mover))
    if turn.origin != NONE:
        moved = wide(state.board[turn.origin])
        before = wide(state.board[turn.target])
        key ^= KEY[moved, turn.origin] ^ KEY[before, turn.target]
        key ^= KEY[turn.arrives, turn.target]
        if turn.arrives == EMPTY:
            for square in NEIGHBOUR[turn.target]:
                content = state.board[square]
                key ^= KEY[content, square] * IS_MONSTER[content]
    if turn.spot != NONE:
        before = EMPTY if turn.spot == turn.origin else wide(state.board[turn.spot])
        key ^= KEY[before, turn.spot] ^ KEY[turn.created, turn.spot]
    return key


@rule
def is_seen(state: State, key: int) -> bool:
    """Whether a position of the history may have the key; False is certain."""
    low = key & ((1 << SEEN_BITS) - 1)
    return (wide(state.seen[low >> 3]) >> (low & 7)) & 1 == 1


@rule
def _is_in_history(state: State, key: int, turn: Turn) -> bool:
    for number in range(wide(state.history)):
        if state.keys[number] == key and _is_same(state, number, turn):
            return True
    return False


@rule
def _is_same(state: State, number: int, turn: Turn) -> bool:
    """Whether the position that the turn leads to is the one of this number in the history."""
    changed = 0
    for entry in range(wide(state.log_at[number]), wide(state.log_length)):
        square = logged_square(state, entry)
        if (changed >> square) & 1 == 0:
            # The first change since then tells what the square held then.
            changed |= 1 << square
            if logged_content(state, entry) != _content_after(state, square, turn):
                return False
    for square in range(SQUARES):
        is_unchanged = (changed >> square) & 1 == 0
        if is_unchanged and state.board[square] != _content_after(state, square, turn):
            return False
    return True


@rule
def logged_square(state: State, entry: int) -> int:
    """The square that changed."""
    return wide(state.log[entry]) % SQUARES


@rule
def logged_content(state: State, entry: int) -> int:
    """What the square held before."""
    return wide(state.log[entry]) // SQUARES


@rule
def _content_after(state: State, square: int, turn: Turn) -> int:
    """What a square holds after the turn."""
    content = wide(state.board[square])
    if square == turn.spot:
        return turn.created
    if square == turn.origin:
        return EMPTY
    if square == turn.target:
        return turn.arrives
    if turn.origin != NONE and turn.arrives == EMPTY and IS_MONSTER[content]:
        return EMPTY if _is_next_to(square, turn.target) else content
    return content


@rule
def _is_next_to(square: int, other: int) -> bool:
    for neighbour in NEIGHBOUR[square]:
        if neighbour == other:
            return True
    return False
