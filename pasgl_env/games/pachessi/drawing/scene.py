"""What drawings of Pachessi show: pieces and their laps, dice or lots, whose turn it is."""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.scene import show
from pasgl_env.games.pachessi.rules.board import CORNERS, MARGIN, PIECES
from pasgl_env.games.pachessi.rules.chance import GRACE_DICE, PAIRS, SIDES
from pasgl_env.games.pachessi.rules.state import (
    ALL_PIECES,
    CHOICE,
    GRACE,
    LOTS,
    OFF,
    PLAYERS,
    TAKEN,
    corner_of,
    has_one_die,
)
from pasgl_env.jit.compiled import rule, wide

# Places behind the squares: of each corner's taken and borne-off pieces, and of one thing in the
# panel, of two, of three, of four.
WAITING, HOME, PANEL = range(0, 3 * ALL_PIECES, ALL_PIECES)
MOST_THINGS = 4
# Symbols, behind the pieces: each corner's slot, and its dice by their numbers, 0 for a blank one.
SLOT_OF = ALL_PIECES
DIE_OF = SLOT_OF + CORNERS
# Looks. Arrows round the corners, and those of the player who acts.
WAY, OWN_WAY = 0, CORNERS
PIECE, SLOT, LAPS, MANY_LAPS, FEW_LAPS, TURN = range(2 * CORNERS, 2 * CORNERS + 6)
DIE, GRACE_DIE, USED, DUE, GRACE_DUE, LOT, CROWN = range(TURN + 1, TURN + 8)
LOTS_DRAWN = CROWN + 1
# Those of each corner: plays, with one or two dice left.
CHOOSES, ROLLS, ROLLS_GRACE, PLAYS, PLAYS_TWO, PLAYS_GRACE, WINS = range(
    LOTS_DRAWN + 1, LOTS_DRAWN + 1 + 7 * CORNERS, CORNERS
)
MOST_LAPS = 9  # that are written
MOST = CORNERS + 3 * ALL_PIECES + 2 + MOST_THINGS


@rule
def scene(
    state: State, options: OptionsRecord, rolled: int, mask: np.ndarray, out: np.ndarray
) -> int:
    """Write the sprites."""
    count = 0
    acting = corner_of(options, wide(state.mover))
    for corner in range(CORNERS):
        look = OWN_WAY if corner == acting and state.roll != LOTS else WAY
        count = show(out, count, look + corner)
    for player in range(options.number):
        for kind in range(options.kinds):
            count = _piece(state, options, out, count, player, kind)
    count = show(out, count, TURN, -1, -1, wide(state.turn_count) + (state.over == 0))
    count = _status(state, out, count, acting)
    return _things(state, options, rolled, out, count, acting)


@rule
def _piece(
    state: State, options: OptionsRecord, out: np.ndarray, count: int, player: int, kind: int
) -> int:
    """A piece with its laps, and its future place unless it is borne off."""
    size = wide(options.last) + 1
    symbol = PIECES * corner_of(options, player) + kind
    place = wide(state.place[PIECES * player + kind])
    if place == OFF:
        return show(out, count, PIECE, symbol, size * size + HOME + symbol)
    slot = SLOT_OF + corner_of(options, player)
    count = show(out, count, SLOT, slot, size * size + HOME + symbol)
    if place == TAKEN:
        return show(out, count, PIECE, symbol, size * size + WAITING + symbol)
    square = size * ((place >> 5) - MARGIN) + (place & 31) - MARGIN
    count = show(out, count, PIECE, symbol, square)
    laps = wide(state.laps[PIECES * player + kind])
    if laps == 0:
        return count
    look = MANY_LAPS if laps > MOST_LAPS else FEW_LAPS if laps < -MOST_LAPS else LAPS
    return show(out, count, look, -1, square, laps)


@rule
def _status(state: State, out: np.ndarray, count: int, corner: int) -> int:
    """Who does what next."""
    low, high = wide(state.dice[0]), wide(state.dice[1])
    if state.roll == LOTS:
        return show(out, count, LOTS_DRAWN)
    if state.over:
        look = WINS
    elif state.roll == CHOICE:
        look = CHOOSES
    elif low == 0:
        look = ROLLS_GRACE if state.roll == GRACE else ROLLS
    elif high:
        look = PLAYS_TWO
    else:
        look = PLAYS_GRACE if state.roll == GRACE else PLAYS
    count = show(out, count, look + corner, -1, -1, low)
    out[count - 1].other = high
    return count


@rule
def _things(
    state: State, options: OptionsRecord, rolled: int, out: np.ndarray, count: int, corner: int
) -> int:
    """Dice, lots or the winner's crown."""
    first = count
    if state.over:
        count = show(out, count, CROWN)
    elif state.roll == LOTS:
        for player in range(options.number):
            count = show(out, count, LOT, SLOT_OF + corner_of(options, player))
    elif state.roll == CHOICE:
        for player in range(state.mover % 2, PLAYERS, 2):
            count = show(out, count, LOT, SLOT_OF + corner_of(options, player))
    else:
        count = _dice(state, options, rolled, out, count, DIE_OF + (SIDES + 1) * corner)
    number = count - first
    row = (wide(options.last) + 1) ** 2 + PANEL + number * (number - 1) // 2
    for thing in range(number):
        out[first + thing].place = row + thing
    return count


@rule
def _dice(
    state: State, options: OptionsRecord, rolled: int, out: np.ndarray, count: int, symbol: int
) -> int:
    """The dice of the roll: the used one, those left, those to be rolled."""
    is_grace = state.roll == GRACE
    if state.dice[0] == 0:
        for _ in range(1 if has_one_die(state, options) else 2):
            count = show(out, count, GRACE_DUE if is_grace else DUE)
        return count
    used = _used(state, options, rolled)
    if used >= 0:
        count = show(out, count, USED, symbol + used)
    for number in state.dice:
        if number:
            count = show(out, count, GRACE_DIE if is_grace else DIE, symbol + wide(number))
    return show(out, count, GRACE_DUE) if state.captured else count


@rule
def _used(state: State, options: OptionsRecord, rolled: int) -> int:
    """The number of the used die; 0 if it is unknown, -1 if there is none."""
    if state.dice[1] or has_one_die(state, options):
        return -1
    if not 0 <= rolled < GRACE_DICE:
        return 0
    low, high = wide(PAIRS[rolled, 0]), wide(PAIRS[rolled, 1])
    return low if high == state.dice[0] else high
