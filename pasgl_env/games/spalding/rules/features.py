"""Learned values' features of Captain Spalding Chess, the board turned for the mover.

A *thing* is the mover's piece of a kind, 0 to 10, the other's, 11 to 21, or a neutral piece, 22 to
24, in the order of contents. A square is attacked by a side whose piece could capture there.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import FeatureRun, Features, OptionsRecord, State
from pasgl_env.contract.bits import lowest
from pasgl_env.games.spalding.rules.board import (
    FIRST_KNIGHT,
    NEIGHBOUR,
    NONE,
    ROOK_STEPS,
    SQUARES,
    TARGET,
    TURN,
)
from pasgl_env.games.spalding.rules.evaluation import CAPTURES_ALONG, square_of
from pasgl_env.games.spalding.rules.state import (
    BOX,
    EMPTY,
    HALF,
    KIND,
    KINDS,
    LEFT_BITS,
    MOVED_BY,
    OWNER,
    has_box,
    own,
    to_move,
)
from pasgl_env.jit.compiled import rule, wide

THINGS = 2 * KINDS + 3
SPAN = 15
OFFSETS = SPAN * SPAN
DANGERS = 6
BOX_AT = THINGS * SQUARES
DANGER_AT = BOX_AT + 2 * THINGS * OFFSETS
LEFT_AT = DANGER_AT + THINGS * DANGERS
RING_AT = LEFT_AT + 2 * LEFT_BITS
RINGS = 9
COUNT = RING_AT + 2 * RINGS
MOST = 4 * SQUARES + 2 * LEFT_BITS + 2
# OFFSET[square, box]: the square relative to a Box's.
OFFSET = np.array(
    [
        [SPAN * (square // 8 - box // 8 + 7) + square % 8 - box % 8 + 7 for box in range(SQUARES)]
        for square in range(SQUARES)
    ],
    np.int64,
)

# The number of directions in which a kind captures, and the directions.
CAPTURES = CAPTURES_ALONG.sum(axis=1)
CAPTURE = np.zeros((CAPTURES.size, CAPTURES.max()), np.int64)
for _kind, _along in enumerate(CAPTURES_ALONG):
    CAPTURE[_kind, : CAPTURES[_kind]] = np.flatnonzero(_along)


@rule
def write(state: State, options: OptionsRecord, player: int, indices: np.ndarray) -> int:
    """Write the features that are present."""
    turn = TURN[player]
    own_box = square_of(state, own(player, BOX))
    other_box = square_of(state, own(1 - player, BOX))
    own_once, own_twice = attacked(state, player)
    other_once, other_twice = attacked(state, 1 - player)
    count = 0
    for square in range(SQUARES):
        content = wide(state.board[square])
        if content != EMPTY:
            owner = OWNER[content]
            if owner == 2:
                thing = content - 1
            else:
                thing = wide(KIND[content]) - 1 + (0 if owner == player else KINDS)
            seen = square ^ turn
            indices[count] = SQUARES * thing + seen
            indices[count + 1] = BOX_AT + OFFSETS * thing + OFFSET[seen, own_box ^ turn]
            indices[count + 2] = (
                BOX_AT + OFFSETS * (THINGS + thing) + OFFSET[seen, other_box ^ turn]
            )
            by_own = (own_once >> square) & 1
            by_other = (other_once >> square) & 1
            if owner == player:
                danger = 3 * by_own + by_other + ((other_twice >> square) & 1)
            else:
                danger = 3 * by_other + by_own + ((own_twice >> square) & 1)
            indices[count + 3] = DANGER_AT + DANGERS * thing + danger
            count += 4
    for bit in range(2 * LEFT_BITS):
        whose = bit // LEFT_BITS
        if (wide(state.left) >> bit) & 1:
            seat = 0 if whose == player else LEFT_BITS
            indices[count] = LEFT_AT + seat + bit % LEFT_BITS
            count += 1
    indices[count] = RING_AT + _attacked_round(own_box, other_once)
    indices[count + 1] = RING_AT + RINGS + _attacked_round(other_box, own_once)
    return count + 2


@rule
def attacked(state: State, player: int) -> tuple[int, int]:
    """The sets of squares that a player's pieces attack at least once, and at least twice."""
    once, twice = 0, 0
    for half in range(2):
        squares = wide(state.movers[player, half])
        while squares:
            square = HALF * half + lowest(squares)
            squares &= squares - 1
            kind = wide(MOVED_BY[player, state.board[square]])
            for number in range(CAPTURES[kind]):
                direction = CAPTURE[kind, number]
                target = wide(TARGET[player, square, direction])
                if target != NONE and _is_open(state, player, square, direction):
                    twice |= once & (1 << target)
                    once |= 1 << target
    return once, twice


@rule
def _is_open(state: State, player: int, square: int, direction: int) -> bool:
    """Whether nothing stands in the way of a Rhino's second step."""
    if direction < FIRST_KNIGHT:
        return True
    step = ROOK_STEPS[(direction - FIRST_KNIGHT) // 2]
    return state.board[TARGET[player, square, step]] == EMPTY


@rule
def _attacked_round(box: int, squares: int) -> int:
    """The number of squares next to a Box in a set."""
    count = 0
    for neighbour in NEIGHBOUR[box]:
        if neighbour != NONE:
            count += (squares >> wide(neighbour)) & 1
    return count


@rule
def is_terminal(state: State, options: OptionsRecord) -> bool:
    """Whether the mover's Box has been captured; a lack of legal turns is ignored."""
    return not has_box(state, wide(state.mover))


def count(options: OptionsRecord) -> int:
    """The number of features."""
    return COUNT


FEATURES = Features(
    count,
    MOST,
    write,
    to_move,
    (
        FeatureRun("25 × 64", "this thing on this square"),
        FeatureRun("2 × 25 × 225", "this thing so far from the mover's Box, from the other's"),
        FeatureRun("25 × 2 × 3", "this thing, defended or not, attacked never, once, more often"),
        FeatureRun("2 × 3", "R, H, E still to be found, by the mover, by the other"),
        FeatureRun("2 × 9", "attacked squares round the mover's Box, round the other's"),
    ),
    free=("turn_limit", "more_planes", "white_finds", "black_finds"),
    units=63,
)
