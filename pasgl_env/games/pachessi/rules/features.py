"""Learned values' features of Pachessi at a roll, the board turned for the player who rolls.

Seats are numbered from the roller in the order of turns. A piece's *lap* is one before the last
that is needed, that one, or beyond. How far a player is: the sum over the pieces of how far round
the board they are.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import FeatureRun, Features, OptionsRecord, State
from pasgl_env.games.pachessi.rules.board import CIRCLE, PIECES, cell_of
from pasgl_env.games.pachessi.rules.evaluation import MOST_DANGER, danger
from pasgl_env.games.pachessi.rules.state import (
    FIRST_SQUARE,
    GRACE,
    OFF,
    PLAYERS,
    TAKEN,
    corner_of,
    home_of,
    laps_beyond,
    team,
)
from pasgl_env.jit.compiled import rule, wide

LAPS = 3
DANGERS = MOST_DANGER + 1
SEAT_PIECES = PLAYERS * PIECES
# A player's progress and a team's lead, in parts of a quarter of a circle.
QUARTER = CIRCLE // 4
LEAST_PROGRESS, PROGRESSES = -8, 48
MOST_LEAD = 24
# The runs after that of cells, whose size depends on the board.
TAKEN_AT = 0
OFF_AT = TAKEN_AT + SEAT_PIECES
OFF_COUNT_AT = OFF_AT + SEAT_PIECES
GOAL_AT = OFF_COUNT_AT + PLAYERS * (PIECES + 1)
DANGER_AT = GOAL_AT + SEAT_PIECES
PROGRESS_AT = DANGER_AT + SEAT_PIECES * DANGERS
LEAD_AT = PROGRESS_AT + PLAYERS * PROGRESSES
GRACE_AT = LEAD_AT + 2 * MOST_LEAD + 1
AFTER_CELLS = GRACE_AT + 1
MOST = 3 * SEAT_PIECES + 2 * PLAYERS + 2


@rule
def write(state: State, options: OptionsRecord, player: int, indices: np.ndarray) -> int:
    """Write the features that are present."""
    size = wide(options.last) + 1
    after = SEAT_PIECES * LAPS * size * size
    number = wide(options.number)
    count, lead = 0, 0
    for other in range(number):
        seat = (other - player + number) % number
        count = _write_pieces(state, options, player, other, seat, indices, count)
        progress = 0
        for kind in range(options.kinds):
            progress += _way(state, options, other, kind)
        lead += progress if team(other) == team(player) else -progress
        quarters = min(max(progress // QUARTER - LEAST_PROGRESS, 0), PROGRESSES - 1)
        indices[count] = after + PROGRESS_AT + PROGRESSES * seat + quarters
        indices[count + 1] = after + OFF_COUNT_AT + (PIECES + 1) * seat + _born_off(state, other)
        count += 2
    quarters = min(max(lead // QUARTER, -MOST_LEAD), MOST_LEAD)
    indices[count] = after + LEAD_AT + quarters + MOST_LEAD
    count += 1
    if state.roll == GRACE:
        indices[count] = after + GRACE_AT
        count += 1
    return count


@rule
def _write_pieces(
    state: State,
    options: OptionsRecord,
    player: int,
    other: int,
    seat: int,
    indices: np.ndarray,
    count: int,
) -> int:
    """Append the features of a player's pieces; return the new number of features."""
    cells = (wide(options.last) + 1) ** 2
    after = SEAT_PIECES * LAPS * cells
    corner = corner_of(options, player)
    for kind in range(options.kinds):
        piece = PIECES * seat + kind
        place = wide(state.place[PIECES * other + kind])
        laps = laps_beyond(state, options, PIECES * other + kind)
        if place == TAKEN:
            indices[count] = after + TAKEN_AT + piece
            count += 1
        elif place == OFF:
            indices[count] = after + OFF_AT + piece
            count += 1
        elif place >= FIRST_SQUARE:
            lap = min(max(laps, -1), 1) + 1
            indices[count] = (LAPS * piece + lap) * cells + cell_of(options, corner, place)
            threat = danger(state, options, other, place)
            indices[count + 1] = after + DANGER_AT + DANGERS * piece + threat
            count += 2
            if laps >= 1 and place == home_of(options, other, kind):
                indices[count] = after + GOAL_AT + piece
                count += 1
    return count


@rule
def _way(state: State, options: OptionsRecord, player: int, kind: int) -> int:
    """A piece's way round the board, in parts of a circle; two circles if it is borne off."""
    place = wide(state.place[PIECES * player + kind])
    if place == OFF:
        return 2 * CIRCLE
    if place < FIRST_SQUARE:
        return -CIRCLE // 4 - (wide(options.laps) - 1) * CIRCLE
    laps = laps_beyond(state, options, PIECES * player + kind)
    home = home_of(options, player, kind)
    if laps >= 1 and place == home:
        return 3 * CIRCLE // 2
    return min(laps, 0) * CIRCLE + (wide(options.angle[place]) - options.angle[home]) % CIRCLE


@rule
def _born_off(state: State, player: int) -> int:
    """The number of a player's pieces that have been borne off."""
    total = 0
    for kind in range(PIECES):
        total += wide(state.place[PIECES * player + kind] == OFF)
    return total


@rule
def viewpoint(state: State) -> int:
    """The player who acts or rolls."""
    return wide(state.mover)


@rule
def is_terminal(state: State, options: OptionsRecord) -> bool:
    """Whether a player has borne off every piece."""
    return state.over == 1


def count(options: OptionsRecord) -> int:
    """The number of features on a board of this size."""
    return SEAT_PIECES * LAPS * (int(options.last) + 1) ** 2 + AFTER_CELLS


FEATURES = Features(
    count,
    MOST,
    write,
    viewpoint,
    (
        FeatureRun("4 × 4 × 3 × size²", "a piece of this seat and kind, on this lap, on this cell"),
        FeatureRun("4 × 4", "the piece is taken"),
        FeatureRun("4 × 4", "the piece has been borne off"),
        FeatureRun("4 × 5", "how many pieces of this seat have been borne off"),
        FeatureRun("4 × 4", "the piece may be borne off"),
        FeatureRun("4 × 4 × 4", "0 to 3 enemies' pieces could take the piece"),
        FeatureRun("4 × 48", "how far this seat's pieces are, in quarters of a round"),
        FeatureRun("49", "by how many quarters of a round the roller's team is ahead"),
        FeatureRun("1", "the roll that is due is one of a grace die"),
    ),
    free=("turn_limit", "more_planes", "first", "first_dice"),
)
