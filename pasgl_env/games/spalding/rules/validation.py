"""Validation of records from outside: whether the rules can handle them."""

from __future__ import annotations

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.games.spalding.rules.board import LAST_RANK, NEIGHBOUR, NONE, SQUARES, TARGET
from pasgl_env.games.spalding.rules.history import logged_content, logged_square
from pasgl_env.games.spalding.rules.legal import (
    can_bring_out,
    container_direction,
    container_goes,
    container_steps,
)
from pasgl_env.games.spalding.rules.state import (
    BAT,
    BEYOND,
    CHANGES_REMEMBERED,
    CONTENTS,
    EMPTY,
    GREAT,
    GREAT_ELEPHANT,
    HALF,
    HEADLESS,
    IS_MONSTER,
    KIND,
    LEFT_BITS,
    LEFT_GREAT_ELEPHANT,
    LEFT_HEADLESS,
    LEFT_RHINO,
    MOST_CHANGES,
    MOVED_BY,
    ONE_EACH,
    OWNER,
    RHINO,
    SEEN_BITS,
    TURNS_REMEMBERED,
    has_box,
    is_left,
    key_of,
    own,
    position_key,
)
from pasgl_env.jit.compiled import rule, wide


@rule
def is_valid(state: State, options: OptionsRecord) -> bool:
    """Whether every field is in range and consistent with the others and with the rules."""
    return (
        _numbers_are_possible(state)
        and _board_is_possible(state)
        and _pieces_are_possible(state, 0)
        and _pieces_are_possible(state, 1)
        and has_box(state, 1 - wide(state.mover))
        and _history_is_possible(state)
        and _choice_is_possible(state, options)
    )


@rule
def _numbers_are_possible(state: State) -> bool:
    return (
        state.mover <= 1
        and state.turn_count >= 0
        and state.left < 1 << 2 * LEFT_BITS
        and state.container <= NONE
        and state.origin <= NONE
        and 1 <= state.history <= TURNS_REMEMBERED
        and state.log_length <= CHANGES_REMEMBERED
    )


@rule
def _board_is_possible(state: State) -> bool:
    """Whether contents are valid, and everything derived from them is correct."""
    if state.board[NONE] != BEYOND or state.number[EMPTY] != 0:
        return False
    for square in range(SQUARES):
        if state.board[square] >= BEYOND:
            return False
    key = 0
    for square in range(SQUARES):
        content = wide(state.board[square])
        if state.monsters_near[square] != _monsters_near(state, square):
            return False
        key ^= key_of(content, square)
        for player in range(2):
            is_mover = (wide(state.movers[player, square // HALF]) >> square % HALF) & 1 == 1
            if is_mover != (MOVED_BY[player, content] != EMPTY):
                return False
    for content in range(1, CONTENTS):
        if state.number[content] != _number(state, content):
            return False
    return key == state.key


@rule
def _monsters_near(state: State, square: int) -> int:
    near = 0
    for neighbour in NEIGHBOUR[square]:
        near += IS_MONSTER[state.board[neighbour]]
    return near


@rule
def _number(state: State, content: int) -> int:
    number = 0
    for square in range(SQUARES):
        number += state.board[square] == content
    return number


@rule
def _pieces_are_possible(state: State, player: int) -> bool:
    for kind in ONE_EACH:
        if wide(state.number[own(player, kind)]) > 1:
            return False
    return (
        not (is_left(state, player, LEFT_RHINO) and state.number[own(player, RHINO)])
        and not (is_left(state, player, LEFT_HEADLESS) and state.number[own(player, HEADLESS)])
        and not (
            is_left(state, player, LEFT_GREAT_ELEPHANT)
            and state.number[own(player, GREAT_ELEPHANT)]
        )
        and _bats_are_possible(state, player)
    )


@rule
def _bats_are_possible(state: State, player: int) -> bool:
    """Whether there is at most one Bat per file, and none on the last rank."""
    for file in range(8):
        bats = 0
        for rank in range(8):
            is_bat = state.board[8 * rank + file] == own(player, BAT)
            if is_bat and rank == LAST_RANK[player]:
                return False
            bats += is_bat
        if bats != (wide(state.bat_files[player]) >> file) & 1:
            return False
    return True


@rule
def _history_is_possible(state: State) -> bool:
    last = wide(state.history) - 1
    begun = wide(state.log_at[last])
    played = 0 if state.container == NONE else 2
    if state.log_at[0] != 0 or begun + played != state.log_length:
        return False
    return _log_is_possible(state) and _keys_are_possible(state) and _seen_is_possible(state)


@rule
def _log_is_possible(state: State) -> bool:
    for number in range(1, wide(state.history)):
        changes = wide(state.log_at[number]) - wide(state.log_at[number - 1])
        if not 1 <= changes < MOST_CHANGES or state.log_at[number] > state.log_length:
            return False
    for entry in range(wide(state.log_length)):
        content = logged_content(state, entry)
        if content >= BEYOND or content == _content_since(state, entry):
            return False
    return True


@rule
def _content_since(state: State, entry: int) -> int:
    """A square's content after a change."""
    square = logged_square(state, entry)
    for later in range(entry + 1, wide(state.log_length)):
        if logged_square(state, later) == square:
            return logged_content(state, later)
    return wide(state.board[square])


@rule
def _keys_are_possible(state: State) -> bool:
    """Whether undoing the log reproduces the keys."""
    key, mover = wide(state.key), wide(state.mover)
    entry = wide(state.log_length)
    for number in range(wide(state.history) - 1, -1, -1):
        while entry > state.log_at[number]:
            entry -= 1
            square = logged_square(state, entry)
            key ^= key_of(_content_since(state, entry), square)
            key ^= key_of(logged_content(state, entry), square)
        if state.keys[number] != position_key(state, key, mover):
            return False
        mover = 1 - mover
    return True


@rule
def _seen_is_possible(state: State) -> bool:
    """Whether the bit set holds exactly the keys' low bits."""
    different = 0
    for number in range(wide(state.history)):
        low = wide(state.keys[number]) & ((1 << SEEN_BITS) - 1)
        if (wide(state.seen[low >> 3]) >> (low & 7)) & 1 == 0:
            return False
        is_new = True
        for earlier in range(number):
            if (wide(state.keys[earlier]) ^ low) & ((1 << SEEN_BITS) - 1) == 0:
                is_new = False
        different += is_new
    bits = 0
    for byte in state.seen:
        for bit in range(8):
            bits += (wide(byte) >> bit) & 1
    return bits == different


@rule
def _choice_is_possible(state: State, options: OptionsRecord) -> bool:
    if state.container == NONE or state.origin == NONE:
        return state.container == state.origin
    mover, container, origin = wide(state.mover), wide(state.container), wide(state.origin)
    content = wide(state.board[container])
    last = wide(state.log_length) - 2
    return (
        OWNER[content] == mover
        and KIND[content] <= GREAT
        and has_box(state, mover)
        and state.monsters_near[container] == 0
        and state.log[last] == SQUARES * content + origin
        and state.log[last + 1] == SQUARES * EMPTY + container
        and state.board[origin] == EMPTY
        and _may_have_moved(options, mover, KIND[content], origin, container)
        and can_bring_out(state, options, KIND[content], NONE, container)
    )


@rule
def _may_have_moved(
    options: OptionsRecord, player: int, kind: int, origin: int, target: int
) -> bool:
    for step in range(container_steps(kind)):
        goes = container_goes(options, player, kind, step)
        if goes and TARGET[player, origin, container_direction(kind, step)] == target:
            return True
    return False
