"""The evaluation of a state of Captain Spalding Chess for a player.

The value is the worth of the own pieces less that of the enemy's: Rhino and Great Elephant 5,
Headless Rhino 4, Elephant and Booh 3, Great Pajama 3, Pajama 2, Bat 1, Crumb and Cookie Monster 0.
In addition:

- for each of R H L E V, a sixteenth for every step that it is nearer than 8 to the enemy's Box;
- for the player to act, three quarters of the worth of the best piece that it can capture; for a
  Box, half of a win.

All are multiples of 1/16, so that sums are exact and equal values compare as equal. A lack of legal
turns is ignored.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.games.spalding.rules.board import (
    ELEPHANT_STEPS,
    FIRST_KNIGHT,
    FORWARD,
    GREAT_STEPS,
    NONE,
    ROOK_STEPS,
    SQUARES,
    TARGET,
)
from pasgl_env.games.spalding.rules.legal import CAPTURE, MAY_ENTER
from pasgl_env.games.spalding.rules.state import (
    BAT,
    BOOH,
    BOX,
    DEMON,
    ELEPHANT,
    EMPTY,
    GREAT,
    GREAT_ELEPHANT,
    HEADLESS,
    KIND,
    MOVED_BY,
    OWNER,
    PAJAMA,
    RHINO,
    has_box,
    own,
)
from pasgl_env.jit.compiled import rule, wide

WON = 1000.0
DECISIVE = 8.0
_WORTH_OF_KIND = {
    BOX: 0.75 * WON,
    RHINO: 5,
    GREAT_ELEPHANT: 5,
    HEADLESS: 4,
    ELEPHANT: 3,
    BOOH: 3,
    GREAT: 3,
    PAJAMA: 2,
    BAT: 1,
}
WORTH = np.array([_WORTH_OF_KIND.get(int(kind), 0) for kind in KIND], np.float64)
ATTACKERS = np.isin(KIND, [RHINO, HEADLESS, ELEPHANT, GREAT_ELEPHANT, BAT])
# DISTANCE[square, goal] in king's steps; a large distance for a missing Box.
DISTANCE = np.array(
    [
        [
            max(abs(a % 8 - b % 8), abs(a // 8 - b // 8)) if b < SQUARES else 8
            for b in range(NONE + 1)
        ]
        for a in range(SQUARES)
    ],
    np.int64,
)


def _captures_along() -> np.ndarray:
    """Table [kind, direction] -> whether the kind captures along it."""
    table = np.zeros((DEMON + 1, FIRST_KNIGHT + 8), np.bool_)
    table[[ELEPHANT, DEMON], :ELEPHANT_STEPS] = True
    table[GREAT_ELEPHANT, :GREAT_STEPS] = True
    table[BAT, FORWARD] = True
    for kind in (RHINO, HEADLESS, BOOH):
        table[kind, ROOK_STEPS] = True
    table[RHINO, FIRST_KNIGHT:] = True
    return table


CAPTURES_ALONG = _captures_along()


@rule
def potential(state: State, options: OptionsRecord, player: int) -> float:
    """The value without threats, for reward shaping, so that captures pay when they are made."""
    return _worth_of_side(state, player) - _worth_of_side(state, 1 - player)


@rule
def evaluate(state: State, options: OptionsRecord, player: int) -> float:
    """The value of a state for a player; its negative for the other player."""
    for side in range(2):
        if not has_box(state, side):
            return -WON if side == player else WON
    value = potential(state, options, player)
    threat = _best_capture(state, wide(state.mover))
    return value + (0.75 * threat if state.mover == player else -0.75 * threat)


@rule
def _worth_of_side(state: State, player: int) -> float:
    goal = square_of(state, own(1 - player, BOX))
    worth = 0.0
    for square in range(SQUARES):
        content = wide(state.board[square])
        if OWNER[content] == player and KIND[content] != BOX:
            worth += WORTH[content] + ATTACKERS[content] * (8 - DISTANCE[square, goal]) / 16.0
    return worth


@rule
def square_of(state: State, content: int) -> int:
    """The first square with a content, or NONE."""
    for square in range(SQUARES):
        if state.board[square] == content:
            return square
    return NONE


@rule
def _best_capture(state: State, player: int) -> float:
    """The greatest worth of a piece that a player could capture by a move."""
    best = 0.0
    for square in range(SQUARES):
        kind = MOVED_BY[player, state.board[square]]
        if kind != EMPTY:
            for direction in range(CAPTURES_ALONG.shape[1]):
                if CAPTURES_ALONG[kind, direction]:
                    best = max(best, _captured_worth(state, player, square, direction))
    return best


@rule
def _captured_worth(state: State, player: int, square: int, direction: int) -> float:
    if direction >= FIRST_KNIGHT:
        step = ROOK_STEPS[(direction - FIRST_KNIGHT) // 2]
        if state.board[TARGET[player, square, step]] != EMPTY:
            return 0.0
    content = wide(state.board[TARGET[player, square, direction]])
    return WORTH[content] if MAY_ENTER[player, CAPTURE, content] else 0.0
