"""How good a state of PASGL 312 Chess is for a player, in points.

The value is the lead in points plus the worth of the own critters less that of the enemy's::

    alive                        1 + its campfire points
    without lunch                a quarter less
    stinky                       a quarter less
    certain to be run over       nothing; a Bear: the Bear's bonus to the other side
    ready to score next turn     3/4 of its campfire points more
    ready, but elsewhere         1/64 less for each step to the campfire

All are multiples of 1/256, so that sums are exact and equal values compare as equal.
"""

from __future__ import annotations

from pasgl_env.engine.compiled import rule
from pasgl_env.games.contract import OptionsRecord, State
from pasgl_env.games.pasgl312.board import (
    BOARD_SQUARES,
    CAMPFIRE,
    DEAD,
    PHASES,
    TRAIN_HEAD,
)
from pasgl_env.games.pasgl312.play import points_of
from pasgl_env.games.pasgl312.state import (
    BEAR,
    CRITTERS,
    SIDE,
    has_lunch,
    is_over,
    kind_of,
    points,
    winner,
)

WON = 1000.0


@rule
def evaluate(state: State, options: OptionsRecord, player: int) -> float:
    """The value of a state for a player; the other player's is the negative."""
    if is_over(state, options):
        best = winner(state, options)
        return 0.0 if best < 0 else WON if best == player else -WON
    value = np.float64(points(state, player) - points(state, 1 - player))
    for critter in range(CRITTERS):
        if state.where[critter] != DEAD:
            worth = _worth(state, options, critter)
            value += worth if critter // SIDE == player else -worth
    return value
