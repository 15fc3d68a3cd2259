"""The state of Pachessi: the STATE record, options, the start, and questions of all rules.

Pieces are numbered ``4 * player + kind``, kinds in the order R E H S. A piece on no square is on
one of three places beyond the board: ``TAKEN``, ``OFF`` (borne off) or ``ABSENT`` (not part of the
game).
"""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.games.pachessi.rules.board import (
    BOARD_FIELDS,
    PIECES,
    ROWS,
    derive_board,
)
from pasgl_env.jit.compiled import rule, wide

LETTERS = "REHS"
RAJA, ELEPHANT, HORSE, SHIP = range(PIECES)
COLOURS = ("black", "green", "yellow", "red")
LOT, TEAM = "lot", "team"
BEGINNERS = (*COLOURS, LOT, TEAM)
PLAYERS = 4  # at most
ALL_PIECES = PLAYERS * PIECES
TAKEN, OFF, ABSENT = 0, 1, 2
# Any greater place is a square.
FIRST_SQUARE = 3

# The kinds of rolls. `LOTS` and `CHOICE` precede the first roll of the game: a lot is drawn, and
# the player who is drawn chooses which of the team begins.
FIRST_ROLL, GRACE, LOTS, CHOICE = range(4)

STATE = np.dtype(
    (
        np.record,
        [
            ("turn_count", np.int32),  # turns completed, all players'
            ("laps", np.int32, (ALL_PIECES,)),  # 0 for a piece that is on no square
            ("occupied", np.uint32, (ROWS,)),  # set of the places where a piece is
            ("place", np.int16, (ALL_PIECES,)),  # of each piece
            ("dice", np.uint8, (2,)),  # still to play, the lower one first; 0: none
            ("mover", np.uint8),
            ("roll", np.uint8),  # FIRST_ROLL ... CHOICE: the last, or due if there are no dice
            ("captured", np.uint8),  # 1 if a capture that earns a grace die was made with the roll
            ("over", np.uint8),  # 1 if the mover has won
        ],
    )
)


DERIVED = (
    *BOARD_FIELDS,
    ("number", np.int32),  # of players
    ("kinds", np.int32),  # of pieces: 3 without Ships, else 4
    ("range", np.int32, (PIECES,)),  # how far a piece slides
    ("lowest", np.int32),  # the lowest number that dice show: 2 without Ships, else 1
    ("opener", np.int32),  # the first player; -1: by lot
    ("chooses", np.int32),  # 1 if the team that wins the lot chooses which of its players begins
    ("adjusts", np.int32),  # 1 if an option changes which uses of the dice are legal
)


def derive(options: OptionsRecord) -> None:
    """Write the derived fields; ``ValueError`` if the options do not go together."""
    derive_board(options)
    options.number = number = (2, 4)[options.players]
    has_ships = number == 2 or options.grand
    options.kinds = PIECES if has_ships else PIECES - 1
    options.lowest = 1 if has_ships else 2
    elephant = options.elephant_range or options.last // 2
    options.range = (options.raja_range or 1 + options.grand, elephant, 0, options.last)
    options.opener = _opener(BEGINNERS[options.first], number)
    # A team of one player has no choice.
    options.chooses = BEGINNERS[options.first] == TEAM and number == PLAYERS
    options.adjusts = options.bear_off != 0 or options.grace_move != 0 or options.dice != 0


def _opener(first: str, number: int) -> int:
    if first in (LOT, TEAM):
        return -1
    colours = COLOURS[:: PLAYERS // number]
    if first not in colours:
        allowed = ", ".join((*colours, LOT))
        raise ValueError(f"option first must be {allowed} or {TEAM}, not {first!r}")
    return colours.index(first)


@rule
def start(state: State, options: OptionsRecord) -> None:
    """Write the starting position: a roll is due, or the lot for the first player (Ruling 4)."""
    clear(state)
    for player in range(options.number):
        for kind in range(options.kinds):
            put(state, PIECES * player + kind, home_of(options, player, kind))
    if options.opener >= 0:
        state.mover = options.opener
    else:
        state.roll = LOTS


@rule
def clear(state: State) -> None:
    """Write a state without pieces, the first player to roll."""
    state.laps[:] = 0
    state.occupied[:] = 0
    state.place[:] = ABSENT
    state.dice[:] = 0
    state.turn_count = 0
    state.mover = state.roll = state.captured = state.over = 0


@rule
def put(state: State, piece: int, place: int) -> None:
    """Put a piece that is on no square on an empty square."""
    state.place[piece] = place
    state.occupied[place >> 5] = wide(state.occupied[place >> 5]) | (1 << (place & 31))


@rule
def lift(state: State, piece: int, place: int) -> None:
    """Move a piece from its square to a place beyond the board."""
    square = wide(state.place[piece])
    state.occupied[square >> 5] = wide(state.occupied[square >> 5]) & ~(1 << (square & 31))
    state.place[piece] = place


@rule
def piece_on(state: State, place: int) -> int:
    """The piece on an occupied square."""
    piece = 0
    while state.place[piece] != place:
        piece += 1
    return piece


@rule
def corner_of(options: OptionsRecord, player: int) -> int:
    """The corner of a player; with two players, Black faces Yellow (Ruling 6)."""
    return player if options.number == PLAYERS else 2 * player


@rule
def home_of(options: OptionsRecord, player: int, kind: int) -> int:
    """The starting square of a piece."""
    return wide(options.start[corner_of(options, player), kind])


@rule
def has_raja_taken(state: State, player: int) -> bool:
    """Whether a player has to enter the Raja first."""
    return state.place[PIECES * player + RAJA] == TAKEN


@rule
def team(player: int) -> int:
    """Black and Yellow play against Green and Red; each of two players is a team."""
    return player % 2


@rule
def to_move(state: State) -> int:
    """The player who acts; -1 if dice have to be rolled or a lot drawn."""
    return -1 if awaits_chance(state) else wide(state.mover)


@rule
def awaits_chance(state: State) -> bool:
    """Whether dice or lots are due."""
    return state.dice[0] == 0 and state.over == 0 and state.roll != CHOICE


@rule
def has_one_die(state: State, options: OptionsRecord) -> bool:
    """Whether the roll that is due, or has been made, is of one die."""
    return state.roll == GRACE or (options.first_dice == 1 and state.turn_count == 0)


@rule
def laps_beyond(state: State, options: OptionsRecord, piece: int) -> int:
    """The laps of a piece beyond those before the last one: 1 or more if it may be borne off."""
    return wide(state.laps[piece]) - options.laps + 1


@rule
def is_quiescent(state: State) -> bool:
    """Whether the roll has no second die left, with which the same player acts."""
    has_one_die = state.dice[0] != 0 and state.dice[1] == 0
    return not has_one_die or state.roll == GRACE or state.over == 1


@rule
def turns(state: State) -> int:
    """Turns completed, all players'."""
    return wide(state.turn_count)


@rule
def forget(state: State, options: OptionsRecord) -> None:
    """Forget the number of turns, and laps that a piece has more than it can lose again.

    Only the first turn may differ from the others, by its dice.
    """
    state.turn_count = min(wide(state.turn_count), 1) if options.first_dice == 1 else 0
    if goes_one_way(options):
        for piece in range(ALL_PIECES):
            state.laps[piece] = min(wide(state.laps[piece]), wide(options.laps) + 1)


@rule
def goes_one_way(options: OptionsRecord) -> bool:
    """Whether no piece can go round the board clockwise: it then loses one lap at most.

    To do so, it would have to move from one quadrant over the next into the third, along the hole:
    that is a move of the hole's length and two squares more.
    """
    longest = max(wide(options.range[RAJA]), wide(options.range[ELEPHANT]))
    leap = 3 if options.grand else 2
    return max(longest, leap) < wide(options.hole) + 2


@rule
def winner(state: State, options: OptionsRecord) -> int:
    """A player who has borne off every piece; the whole team wins."""
    return wide(state.mover)
