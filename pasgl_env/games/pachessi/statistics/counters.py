"""The counters of Pachessi and Grand Pachessi."""

from __future__ import annotations

from string import ascii_lowercase

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.counters import SQUARE, Axis, Counter, first_cells, seats
from pasgl_env.games.pachessi.names import KIND_NAMES
from pasgl_env.games.pachessi.rules.board import (
    GREATEST_SIZE,
    MARGIN,
    PIECES,
    ROWS,
    STUCK_CAMEL,
    STUCK_KNIGHT,
    STUCK_SHIP,
    holds,
    place_of_cell,
    quadrants_of,
)
from pasgl_env.games.pachessi.rules.legal import PLANES, bearings_off
from pasgl_env.games.pachessi.rules.state import (
    CHOICE,
    FIRST_ROLL,
    FIRST_SQUARE,
    GRACE,
    HORSE,
    PLAYERS,
    RAJA,
    SHIP,
    TAKEN,
    corner_of,
    has_one_die,
    has_raja_taken,
    piece_on,
    team,
)
from pasgl_env.jit.compiled import rule, wide

# The uses of a die.
MOVED, ENTERED, BORNE_OFF = range(3)
USES = 3
# The whereabouts of a Raja.
ON_BOARD, AWAY, HOME = range(3)
WHEREABOUTS = 3
# The reasons why a turn is blocked.
RAJA_BLOCKED, OTHERWISE_BLOCKED = range(2)
REASONS = 2
# Owners of captured pieces.
ENEMYS, MATES, OWN = range(3)
OWNERS = 3

_SEATS = seats(PLAYERS)
_SQUARE = Axis(
    SQUARE, tuple(f"{file}{rank + 1}" for rank in range(GREATEST_SIZE) for file in ascii_lowercase)
)
_PIECE = Axis("piece", KIND_NAMES)

COUNTERS = (
    Counter("turns_taken", "Turns of the player.", "turns", (_SEATS,)),
    Counter(
        "dice_used",
        "Dice that the player used, by the piece and whether it moved, entered or was borne off.",
        "dice",
        (_SEATS, _PIECE, Axis("use", ("move", "enter", "bear off"))),
    ),
    Counter("dice_wasted", "Dice that the player threw away.", "dice", (_SEATS,)),
    Counter("grace_dice", "Grace dice that the player earned.", "dice", (_SEATS,)),
    Counter(
        "blocked_turns",
        "Turns in which the player could use neither of the two dice, because the Raja was taken "
        "or otherwise.",
        "turns",
        (_SEATS, Axis("reason", ("Raja taken", "otherwise"))),
        per="turns_taken",
        is_share=True,
    ),
    Counter(
        "raja",
        "Turns that the player began with the Raja on the board, taken, or borne off.",
        "turns",
        (_SEATS, Axis("whereabouts", ("on the board", "taken", "borne off"))),
        per="turns_taken",
        is_share=True,
        title="Where the Raja is",
    ),
    Counter(
        "laps",
        "Laps that moves gained the player's pieces, less those that steps back cost them.",
        "laps",
        (_SEATS, _PIECE),
        is_signed=True,
    ),
    Counter(
        "extra_laps",
        "Laps gained by the player's pieces that had one already.",
        "laps",
        (_SEATS, _PIECE),
        title="Laps gained by pieces that had one",
    ),
    Counter(
        "captures",
        "Captures by the player, by the kind that captured.",
        "captures",
        (_SEATS, _PIECE),
        title="Captures by captor",
    ),
    Counter(
        "captures_on",
        "Captures by all players on this square.",
        "captures",
        (_SQUARE,),
        title="Captures by square",
    ),
    Counter(
        "taken",
        "The player's pieces that were captured.",
        "pieces",
        (_SEATS, _PIECE),
        title="Pieces lost",
    ),
    Counter(
        "taken_from",
        "Captures by the player, by whose piece it was.",
        "captures",
        (_SEATS, Axis("owner", ("an enemy", "the team-mate", "the player"))),
        title="Whose pieces were captured",
    ),
    Counter(
        "laps_lost",
        "Laps that the player's pieces had when they were captured.",
        "laps",
        (_SEATS,),
        title="Laps lost by capture",
    ),
    Counter(
        "stuck",
        "Moves of the player's pieces to squares from which that piece has no move.",
        "moves",
        (_SEATS, _PIECE),
        title="Moves into a dead end",
    ),
)
SECTIONS = {
    "Turns and dice": "turns_taken dice_used dice_wasted grace_dice blocked_turns",
    "The Raja": "raja",
    "Laps": "laps extra_laps laps_lost stuck",
    "Captures": "captures captures_on taken taken_from",
}
_AT = first_cells(COUNTERS)
TURNS_TAKEN, DICE_USED, DICE_WASTED = _AT["turns_taken"], _AT["dice_used"], _AT["dice_wasted"]
GRACE_DICE, BLOCKED_TURNS, RAJA_AT = _AT["grace_dice"], _AT["blocked_turns"], _AT["raja"]
LAPS, EXTRA_LAPS, LAPS_LOST = _AT["laps"], _AT["extra_laps"], _AT["laps_lost"]
CAPTURES, TAKEN_AT, TAKEN_FROM = _AT["captures"], _AT["taken"], _AT["taken_from"]
CAPTURES_ON, STUCK = _AT["captures_on"], _AT["stuck"]


def squares(option: OptionsRecord) -> frozenset[str]:
    """The names of the squares."""
    size, hole = int(option.last) + 1, int(option.hole)
    return frozenset(
        f"{ascii_lowercase[x]}{y + 1}"
        for x in range(size)
        for y in range(size)
        if quadrants_of(x, y, size, hole)
    )


@rule
def count(
    before: State, option: OptionsRecord, action: int, after: State, tally: np.ndarray
) -> None:
    """Count the effects of an action; see :class:`pasgl_env.contract.parts.Counters`."""
    player = wide(before.mover)
    if before.roll == CHOICE:
        return
    cells = (wide(option.last) + 1) * (wide(option.last) + 1)
    is_pass = action == PLANES * cells
    if before.roll == FIRST_ROLL and (before.dice[1] != 0 or has_one_die(before, option)):
        is_blocked = is_pass and bearings_off(before, option, player) == 0
        _count_beginning(before, player, is_blocked, tally)
    if is_pass:
        tally[DICE_WASTED + player] += 1 + wide(before.dice[1] != 0)
    else:
        kind = action // cells % PIECES
        target = wide(place_of_cell(option, corner_of(option, player), action % cells))
        _count_use(before, option, after, PIECES * player + kind, target, tally)
    # Every action uses up a grace die, so a grace die afterwards is another one.
    if after.roll == GRACE and after.over == 0:
        tally[GRACE_DICE + player] += 1


@rule
def _count_beginning(before: State, player: int, is_blocked: bool, tally: np.ndarray) -> None:
    """Count the Raja's whereabouts, and a blocked turn, at the start of a turn."""
    place = wide(before.place[PIECES * player + RAJA])
    raja = ON_BOARD if place >= FIRST_SQUARE else AWAY if place == TAKEN else HOME
    tally[TURNS_TAKEN + player] += 1
    tally[RAJA_AT + player * WHEREABOUTS + raja] += 1
    if is_blocked:
        reason = RAJA_BLOCKED if has_raja_taken(before, player) else OTHERWISE_BLOCKED
        tally[BLOCKED_TURNS + player * REASONS + reason] += 1


@rule
def _count_use(
    before: State, option: OptionsRecord, after: State, piece: int, target: int, tally: np.ndarray
) -> None:
    """Count a used die: a piece moves, enters or is borne off."""
    origin = wide(before.place[piece])
    use = ENTERED if origin == TAKEN else BORNE_OFF if origin == target else MOVED
    tally[DICE_USED + piece * USES + use] += 1
    if use == BORNE_OFF:
        return
    if holds(before.occupied, target):
        _count_capture(before, piece, piece_on(before, target), tally)
        file, row = target % ROWS - MARGIN, target // ROWS - MARGIN
        tally[CAPTURES_ON + row * GREATEST_SIZE + file] += 1
    if use == MOVED:
        gained = wide(after.laps[piece]) - wide(before.laps[piece])
        tally[LAPS + piece] += gained
        if gained > 0 and before.laps[piece] > 0:
            tally[EXTRA_LAPS + piece] += gained
        if _is_stuck(option, piece % PIECES, target):
            tally[STUCK + piece] += 1


@rule
def _is_stuck(option: OptionsRecord, kind: int, place: int) -> bool:
    """Whether a piece of this kind has no move from a square, even on an empty board."""
    if kind == HORSE:
        bit = STUCK_CAMEL if option.grand else STUCK_KNIGHT
    else:
        bit = STUCK_SHIP if kind == SHIP else 0
    return wide(option.stuck[place]) & bit != 0


@rule
def _count_capture(before: State, captor: int, taken: int, tally: np.ndarray) -> None:
    player, owner = captor // PIECES, taken // PIECES
    whose = OWN if owner == player else MATES if team(owner) == team(player) else ENEMYS
    tally[CAPTURES + captor] += 1
    tally[TAKEN_AT + taken] += 1
    tally[TAKEN_FROM + player * OWNERS + whose] += 1
    tally[LAPS_LOST + owner] += max(wide(before.laps[taken]), 0)
