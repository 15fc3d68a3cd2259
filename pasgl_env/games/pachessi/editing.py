"""Positions of Pachessi changed by hand."""

from __future__ import annotations

from itertools import combinations_with_replacement

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.editing import TURNS, Field, Pieces, Text
from pasgl_env.games.pachessi.position_text import BEYOND, FIELDS, ROLLS, colours_of
from pasgl_env.games.pachessi.rules.board import PIECES, holds
from pasgl_env.games.pachessi.rules.chance import SIDES
from pasgl_env.games.pachessi.rules.play import has_all_off
from pasgl_env.games.pachessi.rules.state import (
    FIRST_ROLL,
    FIRST_SQUARE,
    LOT,
    LOTS,
    TAKEN,
    lift,
    piece_on,
)
from pasgl_env.games.pachessi.rules.state import put as put_piece
from pasgl_env.jit.compiled import rule, wide

_DICE = {"-": (0, 0)} | {
    ",".join(str(die) for die in dice if die): dice
    for dice in (
        *((die, 0) for die in range(1, SIDES + 1)),
        *combinations_with_replacement(range(1, SIDES + 1), 2),
    )
}
_ROLLS = {text: (roll, 0) for roll, text in ROLLS.items() if roll != LOTS}
_ROLLS["i+"] = FIRST_ROLL, 1


def fields(options: OptionsRecord) -> dict[str, Field]:
    """The colour to move, dice, the kind of the roll, and turns."""
    movers = {colour: (player,) for player, colour in enumerate(colours_of(options))}
    rolls = {**_ROLLS, LOT: (LOTS, 0)}
    return {
        "mover": Field("the colour to move", (("mover", 0),), movers),
        "dice": Field(
            "remaining dice, ascending, such as 2,6; - if a roll is due",
            (("dice", 0), ("dice", 1)),
            _DICE,
        ),
        "roll": Field(
            "i for the first roll of a turn, i+ after a capture with it, g for a grace die;"
            " lot or c before the first player is drawn or chosen",
            (("roll", 0), ("captured", 0)),
            rolls,
        ),
        "turns": TURNS,
    }


def text(options: OptionsRecord) -> Text:
    """Position texts, in which a lot is to move, and its roll is the first one."""
    seats, kinds = range(int(options.number)), range(int(options.kinds))
    pieces = tuple(tuple(PIECES * seat + kind for kind in kinds) for seat in seats)
    words = {sign: place for place, sign in BEYOND.items() if sign}
    rolls = {f"{LOT} {ROLLS[LOTS]}": (0, LOTS, 0)} | {
        f"{colour} {word}": (seat, *roll)
        for seat, colour in enumerate(colours_of(options))
        for word, roll in _ROLLS.items()
    }
    places = ("mover", 0), ("roll", 0), ("captured", 0)
    return Text(
        FIELDS,
        {"pieces": Pieces(pieces, "place", "laps", words), "mover roll": Field("", places, rolls)},
    )


@rule
def put(state: State, options: OptionsRecord, square: int, piece: int) -> bool:
    """Move a piece to a square; what is there is taken."""
    if square < FIRST_SQUARE or holds(options.walls, square):
        return False
    if piece >= 0 and not _is_played(options, piece):
        return False
    if holds(state.occupied, square):
        _take(state, piece_on(state, square))
    if piece >= 0:
        _take(state, piece)
        put_piece(state, piece, square)
    return True


@rule
def _is_played(options: OptionsRecord, piece: int) -> bool:
    return piece < PIECES * options.number and piece % PIECES < options.kinds


@rule
def _take(state: State, piece: int) -> None:
    """Take a piece off its square, if it is on one."""
    if state.place[piece] >= FIRST_SQUARE:
        lift(state, piece, TAKEN)
    state.laps[piece] = 0


@rule
def begin(state: State, options: OptionsRecord) -> None:
    """Note whether the game is over; before a lot nobody is to move."""
    if state.roll == LOTS:
        state.mover = 0
    state.over = has_all_off(state, options, wide(state.mover))
