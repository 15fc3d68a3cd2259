"""The observation of Pachessi: 65 binary planes of the board's cells, or 83.

The board is turned so that the observing player's corner is at row 0, column 0: everybody starts up
the left edge and moves counterclockwise, along the lower edge first. Seats come in the
order own, partner, next enemy (who plays after the observer), other enemy; in a game of two the
planes of partner and other enemy are empty.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord, Plane, State, show_turns_left, turns_left
from pasgl_env.games.pachessi.rules.board import PIECES, cell_of
from pasgl_env.games.pachessi.rules.legal import kinds_of_die
from pasgl_env.games.pachessi.rules.state import (
    FIRST_SQUARE,
    GRACE,
    LOTS,
    OFF,
    TAKEN,
    awaits_chance,
    corner_of,
    home_of,
    turns,
)
from pasgl_env.jit.compiled import clear, rule, wide


def _seat(first: int, whose: str) -> tuple[Plane, ...]:
    return (
        Plane(first, 4, f"{whose} pieces, one plane a kind: R E H S"),
        Plane(first + 4, 1, f"{whose} pieces with laps below 0"),
        Plane(first + 5, 3, f"{whose} pieces with at least 1, 2, 3 laps"),
        Plane(first + 8, 1, f"starting squares of {whose} pieces that are taken"),
        Plane(first + 9, 1, f"starting squares of {whose} pieces that have been borne off"),
    )


PLANES = (
    *_seat(0, "own"),
    *_seat(10, "the partner's"),
    *_seat(20, "the next enemy's"),
    *_seat(30, "the other enemy's"),
    Plane(40, 6, "all 1 for the lower die, or the only one, to play: 1 2 3 4 5 6"),
    Plane(46, 6, "all 1 for the higher of two dice to play, likewise; two may be equal"),
    Plane(52, 2, "pieces that the lower and the higher die are for; taken ones: starting squares"),
    Plane(54, 4, "all 1 for whose turn it is: own, partner, next enemy, other enemy"),
    Plane(58, 1, "all 1 if the dice are of grace, also if they are due"),
    Plane(59, 1, "all 1 if a capture that earns a grace die has been made with the roll"),
    Plane(60, 1, "all 1 if chance acts"),
    Plane(61, 4, "squares from which no move may go to the right, up, to the left, down"),
)
SEAT = 10
LAPS_BELOW, LAPS, ARE_TAKEN, ARE_OFF = 4, 5, 8, 9
LAPS_SHOWN = 3
DICE, MEANING, TURN, IS_GRACE, HAS_CAPTURED, IS_CHANCE, FORBIDDEN = 40, 52, 54, 58, 59, 60, 61
LAP_BITS = 8
MORE_PLANES = (
    turns_left(65),
    Plane(
        75,
        LAP_BITS,
        "laps of the piece on the square, -128 to 127 in two's complement, lowest bit first",
    ),
)
TURNS_LEFT, ALL_LAPS = (plane.first for plane in MORE_PLANES)
# Seats as shown: the players this many turns after the observer.
SHOWN_AS = np.array([0, 2, 1, 3], np.int64)


@rule
def observe(state: State, options: OptionsRecord, player: int, planes: np.ndarray) -> None:
    """Write all planes, ``uint8[65 or 83, size, size]``, as the player sees them."""
    size = wide(options.last) + 1
    count = size * size
    cells = planes.reshape(planes.size)
    clear(cells[: count * FORBIDDEN])
    for cell in range(4 * count):
        cells[count * FORBIDDEN + cell] = options.forbidden[cell]
    corner = corner_of(options, player)
    for other in range(options.number):
        show_pieces(state, options, player, other, corner, count, cells)
    if state.roll != LOTS:
        mover = wide(state.mover)
        fill(cells, count, TURN + seat_of(options, player, mover))
        for die in range(2):
            if state.dice[die]:
                fill(cells, count, DICE + 6 * die + wide(state.dice[die]) - 1)
                show_meaning(state, options, mover, die, corner, count, cells)
    if state.roll == GRACE:
        fill(cells, count, IS_GRACE)
    if state.captured:
        fill(cells, count, HAS_CAPTURED)
    if awaits_chance(state):
        fill(cells, count, IS_CHANCE)
    if options.more_planes:
        show_turns_left(turns(state), options, TURNS_LEFT, planes)
        show_laps(state, options, corner, count, cells)


@rule
def fill(cells: np.ndarray, count: int, plane: int) -> None:
    """Set a whole plane."""
    cells[count * plane : count * (plane + 1)] = 1


@rule
def seat_of(options: OptionsRecord, player: int, other: int) -> int:
    """The seat, in the order of the planes, of another player as one sees it."""
    return SHOWN_AS[(other - player) & (wide(options.number) - 1)]


@rule
def show_pieces(
    state: State,
    options: OptionsRecord,
    player: int,
    other: int,
    corner: int,
    count: int,
    cells: np.ndarray,
) -> None:
    """A seat's planes."""
    seat = cells[count * SEAT * seat_of(options, player, other) :]
    for kind in range(options.kinds):
        piece = PIECES * other + kind
        place = wide(state.place[piece])
        if place >= FIRST_SQUARE:
            cell = cell_of(options, corner, place)
            laps = wide(state.laps[piece])
            seat[count * kind + cell] = 1
            if laps != 0:
                seat[count * LAPS_BELOW + cell] = laps < 0
                for more in range(LAPS_SHOWN):
                    seat[count * (LAPS + more) + cell] = laps > more
        else:
            cell = cell_of(options, corner, home_of(options, other, kind))
            seat[count * (ARE_OFF if place == OFF else ARE_TAKEN) + cell] = 1


@rule
def show_laps(
    state: State, options: OptionsRecord, corner: int, count: int, cells: np.ndarray
) -> None:
    """The laps of all pieces; no two pieces share a square."""
    cells[count * ALL_LAPS : count * (ALL_LAPS + LAP_BITS)] = 0
    for other in range(options.number):
        for kind in range(options.kinds):
            place = wide(state.place[PIECES * other + kind])
            if place >= FIRST_SQUARE:
                cell = cell_of(options, corner, place)
                laps = min(max(wide(state.laps[PIECES * other + kind]), -128), 127)
                for bit in range(LAP_BITS):
                    cells[count * (ALL_LAPS + bit) + cell] = (laps >> bit) & 1


@rule
def show_meaning(
    state: State,
    options: OptionsRecord,
    mover: int,
    die: int,
    corner: int,
    count: int,
    cells: np.ndarray,
) -> None:
    """The pieces that may use a die."""
    kinds = kinds_of_die(state, mover, wide(state.dice[die]))
    for kind in range(options.kinds):
        place = wide(state.place[PIECES * mover + kind])
        if (kinds >> kind) & 1 and place != OFF:
            where = home_of(options, mover, kind) if place == TAKEN else place
            cells[count * (MEANING + die) + cell_of(options, corner, where)] = 1
