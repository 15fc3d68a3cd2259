"""The evaluation of a state of PASGL 312 Chess for a player, in points.

The value is the lead in points, plus the worth of the player's critters, less that of the enemy's.
A critter is worth 1 plus its campfire points, and::

    without its lunch, or stinky        a quarter less for each
    ready to score, at the campfire     3/4 of its campfire points more
    ready to score, elsewhere           1/64 of them less for each step to the campfire
    in the Train's way, past helping    nothing; a Bear: what its death costs

All are multiples of 1/64, so that sums are exact and equal values compare as equal.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.games.pasgl312.rules.board import BOARD_SQUARES, DEAD, FILE, PHASES, RANK, TRAIN_HEAD
from pasgl_env.games.pasgl312.rules.play import points_of
from pasgl_env.games.pasgl312.rules.state import (
    BEAR,
    CRITTERS,
    SIDE,
    has_lunch,
    is_over,
    kind_of,
    points,
    winner,
)
from pasgl_env.jit.compiled import rule, wide

WON = 1000.0
# King's steps from a square to the campfire.
STEPS_TO_FIRE = np.max([3 - FILE, FILE - 4, 3 - RANK, RANK - 4, 0 * RANK], axis=0).astype(np.int8)


@rule
def evaluate(state: State, options: OptionsRecord, player: int) -> float:
    """The value of a state for a player; its negative for the other player."""
    if is_over(state, options):
        best = winner(state, options)
        return 0.0 if best < 0 else WON if best == player else -WON
    value = np.float64(points(state, player) - points(state, 1 - player))
    for critter in range(CRITTERS):
        if state.where[critter] != DEAD:
            worth = _worth(state, options, critter)
            value += worth if critter // SIDE == player else -worth
    return value


@rule
def _worth(state: State, options: OptionsRecord, critter: int) -> float:
    """The worth of a living critter to its side."""
    place = wide(state.where[critter])
    if _is_doomed(state, critter, place):
        return np.float64(-options.bear_bonus if critter % SIDE == BEAR else 0)
    earns = points_of(options, kind_of(state, critter))
    worth = 1.0 + earns
    lunch = has_lunch(state, critter)
    stinks = (wide(state.stinky) >> critter) & 1 == 1
    if not lunch or stinks:
        return worth * (0.75 if lunch or not stinks else 0.5)
    if place >= BOARD_SQUARES:
        return worth
    steps = STEPS_TO_FIRE[place]
    return worth + (0.75 * earns if steps == 0 else -steps * earns / 64.0)


@rule
def _is_doomed(state: State, critter: int, place: int) -> bool:
    """Whether White's critter is on the Train's next square while Black is to move."""
    is_next = place < BOARD_SQUARES and place == TRAIN_HEAD[state.phase % PHASES + 1]
    return is_next and state.mover == 1 and critter < SIDE
