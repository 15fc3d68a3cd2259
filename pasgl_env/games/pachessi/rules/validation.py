"""Validation of records from outside: whether they are states of Pachessi."""

from __future__ import annotations

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.games.pachessi.rules.board import PIECES, PLACES, ROWS, holds
from pasgl_env.games.pachessi.rules.chance import SIDES
from pasgl_env.games.pachessi.rules.play import has_all_off
from pasgl_env.games.pachessi.rules.state import (
    ABSENT,
    ALL_PIECES,
    CHOICE,
    FIRST_ROLL,
    FIRST_SQUARE,
    GRACE,
    LOTS,
    has_one_die,
)
from pasgl_env.jit.compiled import rule, wide

# More than a text can hold, and less than would overflow in any game.
MOST = 2 * 10**9


@rule
def is_valid(state: State, options: OptionsRecord) -> bool:
    """Whether every field is in range and all fields are consistent."""
    return (
        0 <= state.turn_count <= MOST
        and state.mover < options.number
        and state.over <= 1
        and state.captured <= 1
        and has_possible_pieces(state, options)
        and has_exact_set(state)
        and has_possible_dice(state, options)
        and has_possible_end(state, options)
    )


@rule
def has_possible_pieces(state: State, options: OptionsRecord) -> bool:
    """Whether each piece of the game is at a possible place, and there are no others."""
    for piece in range(ALL_PIECES):
        place, laps = wide(state.place[piece]), wide(state.laps[piece])
        is_played = piece < PIECES * options.number and piece % PIECES < options.kinds
        if not 0 <= place < PLACES or (place == ABSENT) == is_played:
            return False
        if place >= FIRST_SQUARE and (holds(options.walls, place) or not is_played):
            return False
        if not is_played and place != ABSENT:
            return False
        if laps < -MOST or laps > MOST or (place < FIRST_SQUARE and laps != 0):
            return False
    return True


@rule
def has_exact_set(state: State) -> bool:
    """Whether no two pieces share a square, and the set of occupied places is correct."""
    count = 0
    for piece in range(ALL_PIECES):
        place = wide(state.place[piece])
        if place >= FIRST_SQUARE:
            count += 1
            if not holds(state.occupied, place):
                return False
            for other in range(piece):
                if state.place[other] == place:
                    return False
    for row in range(ROWS):
        word = wide(state.occupied[row])
        while word != 0:
            word &= word - 1
            count -= 1
    return count == 0


@rule
def has_possible_dice(state: State, options: OptionsRecord) -> bool:
    """Whether the dice, the roll and the mark of a capture are consistent."""
    low, high = wide(state.dice[0]), wide(state.dice[1])
    most_roll = GRACE if options.grace else FIRST_ROLL
    if low == 0:
        if high != 0 or state.captured:
            return False
        if state.roll == LOTS:
            return options.opener < 0 and state.mover == 0 and state.over == 0
        if state.roll == CHOICE:
            return options.chooses != 0 and state.over == 0
        return state.roll <= most_roll
    if not options.lowest <= low <= SIDES or high > SIDES or (high != 0 and high < low):
        return False
    if state.captured and (high != 0 or has_one_die(state, options) or not options.grace):
        return False
    return state.roll <= most_roll and (high == 0 or not has_one_die(state, options))


@rule
def has_possible_end(state: State, options: OptionsRecord) -> bool:
    """Whether the game is over exactly if the mover has borne off all pieces by a die."""
    for player in range(options.number):
        if has_all_off(state, options, player) != (player == state.mover and state.over == 1):
            return False
    dice = wide(state.dice[0] != 0) + wide(state.dice[1] != 0)
    return state.over == 0 or dice < (1 if has_one_die(state, options) else 2)
