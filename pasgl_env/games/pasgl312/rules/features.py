"""Learned values' features of PASGL 312 Chess, always from White's side.

The game is not symmetric: the Train comes to White's half first, and White moves first. A critter's
*condition* is its side, its kind, whether it has its lunch, and whether it is stinky.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import FeatureRun, Features, OptionsRecord, State
from pasgl_env.games.pasgl312.rules.board import DEAD, PHASES, TRAIN_HEAD
from pasgl_env.games.pasgl312.rules.state import (
    CHIPMUNK,
    CRITTERS,
    SIDE,
    has_lunch,
    kind_of,
    points,
)
from pasgl_env.jit.compiled import rule, wide

KINDS = CHIPMUNK + 1
CONDITIONS = 4 * KINDS  # of one side
CONDITION_AT = 2 * CONDITIONS * DEAD
DOOM_AT = CONDITION_AT + 2 * CONDITIONS
MOST_DOOM = 4  # turns ahead that the Train is seen coming
PHASE_AT = DOOM_AT + 2 * KINDS * 2 * MOST_DOOM
LEAD_AT = PHASE_AT + 2 * PHASES
MOST_LEAD = 30
COUNT = LEAD_AT + 2 * MOST_LEAD + 1
MOST = 3 * CRITTERS + 2


def _doom() -> np.ndarray:
    """Table [phase, place] -> in how many rounds the Train's head is there; 0 if not soon."""
    table = np.zeros((PHASES + 1, DEAD + 1), np.int64)
    for phase in range(1, PHASES + 1):
        for rounds in range(MOST_DOOM, 0, -1):
            table[phase, TRAIN_HEAD[(phase + rounds - 1) % PHASES + 1]] = rounds
    return table


DOOM = _doom()


@rule
def write(state: State, options: OptionsRecord, player: int, indices: np.ndarray) -> int:
    """Write the features that are present."""
    count = 0
    mover, phase = wide(state.mover), wide(state.phase)
    stinky = wide(state.stinky)
    for critter in range(CRITTERS):
        place = wide(state.where[critter])
        if place != DEAD:
            kind, side = kind_of(state, critter), critter // SIDE
            condition = 2 * (1 - wide(has_lunch(state, critter))) + ((stinky >> critter) & 1)
            condition += 4 * (KINDS * side + kind)
            indices[count] = condition * DEAD + place
            indices[count + 1] = CONDITION_AT + condition
            count += 2
            rounds = DOOM[phase, place]
            if rounds > 0:
                doomed = 2 * (KINDS * side + kind) + mover
                indices[count] = DOOM_AT + MOST_DOOM * doomed + rounds - 1
                count += 1
    lead = points(state, 0) - points(state, 1)
    indices[count] = PHASE_AT + 2 * (phase - 1) + mover
    indices[count + 1] = LEAD_AT + min(max(lead, -MOST_LEAD), MOST_LEAD) + MOST_LEAD
    return count + 2


@rule
def viewpoint(state: State) -> int:
    """White."""
    return 0


def count(options: OptionsRecord) -> int:
    """The number of features."""
    return COUNT


FEATURES = Features(
    count,
    MOST,
    write,
    viewpoint,
    (
        FeatureRun("2 × 36 × 70", "a critter of this side, kind, lunch and stink at this place"),
        FeatureRun("2 × 36", "a critter of this side, kind, lunch and stink anywhere"),
        FeatureRun("2 × 9 × 2 × 4", "the Train's head reaches it in 1 to 4 rounds, by mover"),
        FeatureRun("20 × 2", "the phase, by mover"),
        FeatureRun("61", "White's lead in points, -30 to 30"),
    ),
    free=("turn_limit", "more_planes", "first", "score_handicap"),
    units=63,
)
