"""What drawings of PASGL 312 Chess show: critters, the Train, open choices, the score.

If ten or more critters share a place, those that look the same are one sprite, with their number.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.bits import lowest, size
from pasgl_env.contract.scene import show
from pasgl_env.games.pasgl312.description import first_alike, symbol_of
from pasgl_env.games.pasgl312.drawing.forest import SIDE, SPACES
from pasgl_env.games.pasgl312.rules.board import (
    BOARD_SQUARES,
    CAR_AT,
    DEAD,
    HEAD_CAR,
    PHASES,
    RANK,
    SQUARES,
    TRAIN_HEAD,
)
from pasgl_env.games.pasgl312.rules.legal import victims
from pasgl_env.games.pasgl312.rules.play import displaced_next
from pasgl_env.games.pasgl312.rules.state import (
    CHOOSE_DISPLACEMENT,
    CHOOSE_VICTIM,
    CRITTERS,
    SIDE_MASK,
    at,
    bear_is_dead,
    in_turn,
    is_over,
    points,
    winner,
)
from pasgl_env.jit.compiled import rule, wide
from pasgl_env.render.svg.layout import cells

# Up to this number, the critters of a place are drawn one by one.
MOST_SINGLE = 9
# Places behind the squares: the platforms, the windows of head and tail car in each phase, and the
# ground of each side's dead, with one row of them, two ...
PLATFORM, WINDOW = SQUARES, SQUARES + 4
ROWS = 8
GRAVE = WINDOW + 2 * PHASES
# Looks. Cars go left or right. A critter is drawn in cells of three sizes; every second look is
# that of a critter that the next choice is about.
NEXT, CAR, CRITTER, CROWD = 0, 1, 5, 11
TILE = 13  # as the places of the dead
LYING = TILE + 2 * ROWS  # then those of which several are drawn as one
CHOSEN = LYING + 2
# Those of a player are followed by Black's.
SEAT, TO_MOVE, SCORE, LEAD, TURN, DISPLACES, TAKES = range(CHOSEN + 1, CHOSEN + 15, 2)
PASSES = TAKES + 2
# The result: a draw, or won by White or Black, because of a dead Bear, passes or points.
OVER = PASSES + 1
COMES = OVER + 9
MOST = 2 * CRITTERS + 20

_UPPER = 4  # the rank on which the Train goes right
# The sizes of cells.
LARGE, MEDIUM, SMALL = range(3)


def _size(width: float) -> int:
    return LARGE if width > 0.5 * SIDE else SMALL if width < 0.4 * SIDE else MEDIUM


# _SIZE[space, number of cells less one].
_SIZE = np.array(
    [
        [_size(cells(space, number)[0].width) for number in range(1, CRITTERS + 1)]
        for space in SPACES
    ]
)


@rule
def scene(
    state: State, options: OptionsRecord, rolled: int, mask: np.ndarray, out: np.ndarray
) -> int:
    """Write the sprites."""
    over = is_over(state, options)
    count = _train(state, options, out, 0, over)
    asked = _asked(state)
    for place in range(DEAD):
        if at(state, place):
            count = _crowd(state, out, count, place, asked)
    for side in range(2):
        count = _dead(state, out, count, side)
    if in_turn(state):
        count = _choices(state, out, count)
    for side in (1, 0):
        count = _score(state, out, count, side, over)
    if state.pass_count:
        count = show(out, count, PASSES, -1, -1, wide(state.pass_count))
    count = _situation(state, options, out, count, over)
    return count if over else show(out, count, COMES, -1, _next_head(state))


@rule
def _next_head(state: State) -> int:
    return wide(TRAIN_HEAD[wide(state.phase) % PHASES + 1])


@rule
def _train(state: State, options: OptionsRecord, out: np.ndarray, count: int, over: bool) -> int:
    """The Train, and its head's next square."""
    if not over:
        count = show(out, count, NEXT, -1, _next_head(state))
    for car in range(options.train_length):
        square = wide(CAR_AT[state.phase, car])
        look = CAR + 2 * (car > 0) + (RANK[square] == _UPPER)
        count = show(out, count, look, -1, square)
    return count


@rule
def _asked(state: State) -> int:
    """The set of critters that the next choice is about."""
    if state.choice == CHOOSE_VICTIM:
        return victims(state, wide(state.actor), wide(state.target))
    if state.choice == CHOOSE_DISPLACEMENT:
        return wide(1) << displaced_next(state)
    return 0


@rule
def _crowd(state: State, out: np.ndarray, count: int, place: int, asked: int) -> int:
    """The critters on a square or in a car."""
    here = at(state, place)
    shown, space = place, 0
    if place >= HEAD_CAR:
        car = place - HEAD_CAR
        shown, space = WINDOW + PHASES * car + wide(state.phase) - 1, 2 + car
    elif place >= BOARD_SQUARES:
        shown, space = place - BOARD_SQUARES + PLATFORM, 1
    is_crowd = size(here) > MOST_SINGLE
    look = CRITTER + 2 * wide(_SIZE[space, _groups(state, here, is_crowd) - 1])
    return _critters(state, out, count, here, is_crowd, shown, look, CROWD, asked)


@rule
def _dead(state: State, out: np.ndarray, count: int, side: int) -> int:
    """The dead critters of a side, in pairs."""
    dead = at(state, DEAD)
    own, is_crowd = dead & SIDE_MASK[side], size(dead) > MOST_SINGLE
    if own == 0:
        return count
    number = ROWS * side + (_groups(state, own, is_crowd) - 1) // 2
    count = show(out, count, TILE + number, -1, GRAVE + number)
    return _critters(state, out, count, own, is_crowd, GRAVE + number, LYING, LYING + 1, 0)


@rule
def _critters(
    state: State,
    out: np.ndarray,
    count: int,
    critters: int,
    is_crowd: bool,
    place: int,
    look: int,
    counted: int,
    asked: int,
) -> int:
    """Critters in stack order; in a crowd those as one that look the same."""
    while critters:
        alike = first_alike(state, critters)
        group = alike if is_crowd else alike & -alike
        critters &= ~group
        number = size(group)
        shown = (counted if number > 1 else look) + (asked & group != 0)
        count = show(out, count, shown, symbol_of(state, lowest(group)), place, number)
    return count


@rule
def _groups(state: State, critters: int, is_crowd: bool) -> int:
    """The number of sprites of critters at a place."""
    if not is_crowd:
        return size(critters)
    number = 0
    while critters:
        critters &= ~first_alike(state, critters)
        number += 1
    return number


@rule
def _choices(state: State, out: np.ndarray, count: int) -> int:
    """Arrows for the choices of an incomplete turn, which have no effect on the board yet."""
    target, pushed = wide(state.target), wide(state.pushed)
    count = show(out, count, CHOSEN, -1, wide(state.where[state.actor]))
    out[count - 1].target = target
    while pushed:
        count = show(out, count, CHOSEN, -1, target)
        out[count - 1].target = state.push_to[lowest(pushed)]
        pushed &= pushed - 1
    return count


@rule
def _score(state: State, out: np.ndarray, count: int, side: int, over: bool) -> int:
    """A side's score, and the leader's lead."""
    moves = not over and side == state.mover
    count = show(out, count, (TO_MOVE if moves else SEAT) + side)
    score = points(state, side)
    count = show(out, count, SCORE + side, -1, -1, score)
    lead = score - points(state, 1 - side)
    return show(out, count, LEAD + side, -1, -1, lead) if lead > 0 else count


@rule
def _situation(
    state: State, options: OptionsRecord, out: np.ndarray, count: int, over: bool
) -> int:
    """Who has to do what, or the result."""
    turn, mover = wide(state.turn_count) + (not over), wide(state.mover)
    if over:
        reason = 0 if bear_is_dead(state) else 1 if state.pass_count >= options.passes else 2
        count = show(out, count, OVER + 3 * reason + winner(state, options) + 1, -1, -1, turn)
        out[count - 1].other = abs(points(state, 0) - points(state, 1))
        return count
    if state.choice == CHOOSE_DISPLACEMENT:
        symbol = symbol_of(state, displaced_next(state))
        return show(out, count, DISPLACES + mover, symbol, -1, turn)
    if in_turn(state):
        return show(out, count, TAKES + mover, -1, wide(state.target), turn)
    return show(out, count, TURN + mover, -1, -1, turn)
