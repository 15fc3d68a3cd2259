"""Labels and position text of Pachessi. Plain Python."""

from __future__ import annotations

import re
from string import ascii_lowercase

from pasgl_env.contract.base import OptionsRecord, State, Texts
from pasgl_env.contract.fields import read_number, wrong
from pasgl_env.contract.game import brief
from pasgl_env.games.pachessi.rules.board import PIECES, holds, place_at, square_at
from pasgl_env.games.pachessi.rules.play import has_all_off
from pasgl_env.games.pachessi.rules.state import (
    ABSENT,
    ALL_PIECES,
    CHOICE,
    COLOURS,
    FIRST_ROLL,
    GRACE,
    LETTERS,
    LOT,
    LOTS,
    OFF,
    PLAYERS,
    TAKEN,
    clear,
    has_one_die,
    put,
)

FIELDS = ("pieces", "mover", "dice", "roll", "turns")
# A lot is drawn before the first roll.
ROLLS = {FIRST_ROLL: "i", GRACE: "g", LOTS: "i", CHOICE: "c"}
BEYOND = {TAKEN: "@", OFF: "*", ABSENT: ""}
_PIECE = re.compile(r"([A-Z])(?:([@*])|([a-z])([1-9][0-9]?):(0|-?[1-9][0-9]{0,8}))")
_DICE = re.compile("[1-6](,[1-6])?")


def seats(options: OptionsRecord) -> tuple[str, ...]:
    """The names of the players."""
    return tuple(colour.capitalize() for colour in colours_of(options))


def colours_of(options: OptionsRecord) -> tuple[str, ...]:
    """The colours of the players."""
    return COLOURS[:: PLAYERS // int(options.number)]


def name_of(place: int) -> str:
    """The name of a square."""
    x, y = square_at(place)
    return f"{ascii_lowercase[x]}{y + 1}"


def write(state: State, options: OptionsRecord) -> str:
    """Position text of any state."""
    words = [*map(_write_piece, range(ALL_PIECES), state.place.tolist(), state.laps.tolist())]
    kinds = int(options.kinds)
    firsts = range(0, PIECES * int(options.number), PIECES)
    pieces = "/".join(",".join(words[first : first + kinds]) for first in firsts)
    mover = LOT if state.roll == LOTS else colours_of(options)[state.mover]
    dice = ",".join(str(die) for die in state.dice if die) or "-"
    roll = ROLLS[int(state.roll)] + "+" * int(state.captured)
    return f"{pieces} {mover} {dice} {roll} {state.turn_count}"


def _write_piece(piece: int, place: int, laps: int) -> str:
    where = BEYOND[place] if place in BEYOND else f"{name_of(place)}:{laps}"
    return LETTERS[piece % PIECES] + where


def read(text: str, options: OptionsRecord, state: State) -> None:
    """Read a position text into a state; ``ValueError`` says which field is wrong and why."""
    values = dict(zip(FIELDS, text.split(" "), strict=True))
    clear(state)
    _read_pieces(values["pieces"], options, state)
    _read_mover(values["mover"], options, state)
    _read_dice(values["dice"], options, state)
    _read_roll(values["roll"], options, state)
    state.turn_count = read_number("turns", values["turns"])
    _check_roll(options, state)
    _check_lot(values, state)
    _check_end(options, state)


def _read_pieces(text: str, options: OptionsRecord, state: State) -> None:
    players = text.split("/")
    if len(players) != options.number:
        raise wrong("pieces", f"{len(players)} players instead of {options.number}")
    for player, words in enumerate(players):
        pieces = words.split(",")
        if len(pieces) != options.kinds:
            letters = LETTERS[: int(options.kinds)]
            raise wrong("pieces", f"{brief(words)} is not one of each piece: {' '.join(letters)}")
        for kind, word in enumerate(pieces):
            _read_piece(word, options, state, player, kind)


def _read_piece(text: str, options: OptionsRecord, state: State, player: int, kind: int) -> None:
    match = _PIECE.fullmatch(text)
    if match is None or match[1] != LETTERS[kind]:
        example = f"{LETTERS[kind]}a1:0, {LETTERS[kind]}@ or {LETTERS[kind]}*"
        raise wrong("pieces", f"{brief(text)} is not of the form {example}")
    piece = PIECES * player + kind
    if match[2]:
        state.place[piece] = TAKEN if match[2] == "@" else OFF
        return
    place = _place_named(match[3], int(match[4]), options)
    if holds(state.occupied, place):
        raise wrong("pieces", f"two pieces on {name_of(place)}")
    put(state, piece, place)
    state.laps[piece] = int(match[5])


def _place_named(file: str, rank: int, options: OptionsRecord) -> int:
    x, y = ascii_lowercase.index(file), rank - 1
    if x > options.last or y > options.last or holds(options.walls, place_at(x, y)):
        raise wrong("pieces", f"the board has no square {file}{rank}")
    return place_at(x, y)


def _read_mover(text: str, options: OptionsRecord, state: State) -> None:
    colours = colours_of(options)
    if text == LOT and options.opener < 0:
        state.roll = LOTS
    elif text in colours:
        state.mover = colours.index(text)
    else:
        raise wrong("mover", f"{brief(text)} is not {' or '.join(colours)}")


def _read_dice(text: str, options: OptionsRecord, state: State) -> None:
    if text == "-":
        return
    dice = [int(die) for die in text.split(",")] if _DICE.fullmatch(text) else []
    if not dice or dice != sorted(dice):
        raise wrong("dice", f"{brief(text)} is not one or two numbers 1-6, ascending, or '-'")
    if dice[0] < options.lowest:
        raise wrong("dice", "a 1 is never on the table in this game: it is rolled again")
    state.dice[: len(dice)] = dice


def _read_roll(text: str, options: OptionsRecord, state: State) -> None:
    rolls = {"i": FIRST_ROLL, "i+": FIRST_ROLL, "g": GRACE}
    if options.chooses:
        rolls["c"] = CHOICE
    if text not in rolls:
        *others, last = rolls
        raise wrong("roll", f"{brief(text)} is not {', '.join(others)} or {last}")
    plus = text[1:]
    if text == ROLLS[CHOICE] and state.dice[0]:
        raise wrong("dice", "no dice are on the table before the first player is chosen")
    is_one_left = state.dice[0] != 0 and state.dice[1] == 0
    if plus and not is_one_left:
        raise wrong("roll", "a '+' needs exactly one die left to play")
    if state.roll != LOTS:
        state.roll = rolls[text]
    elif text != ROLLS[LOTS]:
        raise wrong("roll", "a lot is drawn before the first roll, i")
    state.captured = len(plus)


def _check_roll(options: OptionsRecord, state: State) -> None:
    if (state.captured or state.roll == GRACE) and not options.grace:
        raise wrong("roll", "no capture earns a grace die in this game")
    if not has_one_die(state, options):
        return
    if state.dice[1]:
        what = "a grace die" if state.roll == GRACE else "the first roll of this game"
        raise wrong("dice", f"{what} is one die")
    if state.captured:
        raise wrong("roll", "a '+' needs a die of the roll to have been played")


def _check_lot(values: dict[str, str], state: State) -> None:
    if state.roll == LOTS and state.dice[0]:
        raise wrong("dice", f"{values['dice']} on the table before the lot is drawn")


def _check_end(options: OptionsRecord, state: State) -> None:
    for player, colour in enumerate(colours_of(options)):
        if has_all_off(state, options, player):
            if player != state.mover or state.roll in (LOTS, CHOICE):
                raise wrong("pieces", f"{colour} has borne off all pieces but is not the mover")
            state.over = 1
    unplayed = sum(die != 0 for die in state.dice)
    if state.over and unplayed == (1 if has_one_die(state, options) else 2):
        raise wrong("dice", "the mover has borne off all pieces, but played no die")


TEXTS = Texts(write, read, seats=seats)
