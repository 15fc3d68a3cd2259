"""The rule that no position may repeat: the board and the player to move next.

The position after a turn is described by its difference from the board: a piece leaves ``origin``
(NONE: none does) and becomes ``arrives`` on ``target`` (EMPTY: it is eaten, and so are the monsters
next to ``target``); then ``created`` is put on ``spot`` (NONE: nothing is).
"""

from __future__ import annotations

from typing import NamedTuple

from pasgl_env.contract.base import State
from pasgl_env.games.spalding.rules.board import IS_NEXT_TO, NEIGHBOUR, NONE, SQUARES
from pasgl_env.games.spalding.rules.state import (
    EMPTY,
    IS_MONSTER,
    SEEN_BITS,
    key_of,
    position_key,
)
from pasgl_env.jit.compiled import rule, wide


class Effect(NamedTuple):
    """A turn's effect on the board."""

    origin: int
    target: int
    arrives: int
    spot: int
    created: int


@rule
def would_repeat(state: State, turn: Effect) -> bool:
    """Whether the turn would repeat an earlier position of the game (Ruling 5)."""
    key = _key_after(state, turn)
    return is_seen(state, key) == 1 and is_in_history(state, key, turn)


@rule
def key_of_next(state: State) -> int:
    """The key of the current board with the other player to move."""
    return position_key(state, wide(state.key), 1 - wide(state.mover))


@rule
def _key_after(state: State, turn: Effect) -> int:
    """The key of the position that the turn leads to."""
    key = key_of_next(state)
    if turn.origin != NONE:
        key ^= key_of(wide(state.board[turn.origin]), turn.origin)
        key ^= key_of(wide(state.board[turn.target]), turn.target)
        key ^= key_of(turn.arrives, turn.target)
        if turn.arrives == EMPTY:
            for square in NEIGHBOUR[turn.target]:
                content = wide(state.board[square])
                key ^= key_of(content, wide(square)) * IS_MONSTER[content]
    if turn.spot != NONE:
        before = EMPTY if turn.spot == turn.origin else wide(state.board[turn.spot])
        key ^= key_of(before, turn.spot) ^ key_of(turn.created, turn.spot)
    return key


@rule
def is_seen(state: State, key: int) -> int:
    """1 if the history may contain the key; 0 is certain."""
    low = key & ((1 << SEEN_BITS) - 1)
    return (wide(state.seen[low >> 3]) >> (low & 7)) & 1


@rule
def is_in_history(state: State, key: int, turn: Effect) -> bool:
    """Whether the history contains the position that the turn leads to, which has this key."""
    # Most repetitions undo the last turns.
    for number in range(wide(state.history) - 1, -1, -1):
        if state.keys[number] == key and _is_same(state, number, turn):
            return True
    return False


@rule
def _is_same(state: State, number: int, turn: Effect) -> bool:
    """Whether the position that the turn leads to equals that of this number in the history."""
    changed = 0
    for entry in range(wide(state.log_at[number]), wide(state.log_length)):
        square = logged_square(state, entry)
        if (changed >> square) & 1 == 0:
            # The first change since then holds the square's content at that time.
            changed |= 1 << square
            if logged_content(state, entry) != _content_after(state, square, turn):
                return False
    return _leaves_the_rest(state, changed, turn)


@rule
def _leaves_the_rest(state: State, changed: int, turn: Effect) -> bool:
    """Whether the turn leaves all squares unchanged that have not changed since."""
    if turn.spot != NONE and not _leaves(state, changed, turn.spot, turn):
        return False
    if turn.origin == NONE:
        return True
    if not _leaves(state, changed, turn.origin, turn):
        return False
    if turn.arrives == EMPTY:
        for square in NEIGHBOUR[turn.target]:
            if square != NONE and not _leaves(state, changed, wide(square), turn):
                return False
    return _leaves(state, changed, turn.target, turn)


@rule
def _leaves(state: State, changed: int, square: int, turn: Effect) -> bool:
    is_changed = (changed >> square) & 1 == 1
    return is_changed or state.board[square] == _content_after(state, square, turn)


@rule
def logged_square(state: State, entry: int) -> int:
    """The square that changed."""
    return wide(state.log[entry]) % SQUARES


@rule
def logged_content(state: State, entry: int) -> int:
    """The square's content before the change."""
    return wide(state.log[entry]) // SQUARES


@rule
def _content_after(state: State, square: int, turn: Effect) -> int:
    """A square's content after the turn."""
    content = wide(state.board[square])
    if square == turn.spot:
        return turn.created
    if square == turn.origin:
        return EMPTY
    if square == turn.target:
        return turn.arrives
    if turn.origin != NONE and turn.arrives == EMPTY and IS_MONSTER[content]:
        return EMPTY if IS_NEXT_TO[square, turn.target] else content
    return content
