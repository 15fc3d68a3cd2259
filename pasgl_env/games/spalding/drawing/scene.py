"""What drawings of Captain Spalding Chess show: pieces, trays, finds that may be put on squares."""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.scene import show
from pasgl_env.games.spalding.rules.board import NONE, SQUARES, TURN
from pasgl_env.games.spalding.rules.legal import (
    CREATIONS,
    FIND_BAT,
    FIND_ELEPHANT,
    FIND_GREAT,
    FIND_HEADLESS,
    FIND_RHINO,
    FINDS_OF,
    FOUND,
    creates,
    legal_actions,
)
from pasgl_env.games.spalding.rules.state import (
    BOX,
    ELEPHANT,
    EMPTY,
    LEFT_GREAT_ELEPHANT,
    LEFT_HEADLESS,
    LEFT_RHINO,
    has_box,
    is_left,
    own,
)
from pasgl_env.jit.compiled import rule, wide

FINDS = len(FOUND)
MOST_CHOICES = 4
# Looks. Those of a player are followed by Black's.
PIECE, ORIGIN, FRAME, DISC, ON_DISC = range(5)
CHOICE = 5  # the finds on a free square: one, the first of two, the second of two ...
SEAT = CHOICE + MOST_CHOICES * (MOST_CHOICES + 1) // 2
TO_MOVE, LOST, NO_TURN, WON = SEAT + 2, SEAT + 4, SEAT + 6, SEAT + 8
TRAY = SEAT + 10  # Box, Pajama and Great Pajama, and Black's
LOST_TRAY = TRAY + 6
FIND = TRAY + 12
GONE = FIND + 2 * FINDS
MOST = 2 * SQUARES + MOST_CHOICES * SQUARES + 40

_ALL_FILES = 0xFF
# The bits of ``left`` of finds that come once a game; 0: others.
_ONCE = np.zeros(FINDS, np.int64)
_ONCE[[FIND_RHINO, FIND_HEADLESS, FIND_GREAT]] = LEFT_RHINO, LEFT_HEADLESS, LEFT_GREAT_ELEPHANT


@rule
def scene(
    state: State, options: OptionsRecord, rolled: int, mask: np.ndarray, out: np.ndarray
) -> int:
    """Write the sprites."""
    is_over = legal_actions(state, options, mask) == 0
    count = 0
    if state.container != NONE:
        count = show(out, count, ORIGIN, -1, wide(state.container))
    for square in range(SQUARES):
        if state.board[square] != EMPTY:
            count = show(out, count, PIECE, wide(state.board[square]), square)
    if state.container != NONE:
        for square in range(SQUARES):
            count = _choices(state, mask, out, count, square)
    for player in range(2):
        count = _seat(state, out, count, player, is_over)
        for tray in range(3):
            count = _tray(state, out, count, player, tray)
    return count


@rule
def _choices(state: State, mask: np.ndarray, out: np.ndarray, count: int, square: int) -> int:
    """The finds that may be put on a square, on an occupied one upon a disc."""
    first = CREATIONS + (square ^ TURN[state.mover])
    number = 0
    for find in range(FINDS):
        number += wide(mask[first + SQUARES * find])
    if number == 0:
        return count
    content = wide(state.board[square])
    look = CHOICE + number * (number - 1) // 2
    count = show(out, count, FRAME, -1, square)
    if content != EMPTY:
        look = ON_DISC
        count = show(out, count, DISC, -1, square)
    for find in range(FINDS):
        if mask[first + SQUARES * find]:
            count = show(out, count, look, creates(state, find, square, content), square)
            look += 1
    return count


@rule
def _seat(state: State, out: np.ndarray, count: int, player: int, is_over: bool) -> int:
    """A player's turn, or the result."""
    is_mover = player == state.mover
    if not is_over:
        look = TO_MOVE if is_mover else SEAT
    elif is_mover:
        look = NO_TURN if has_box(state, player) else LOST
    else:
        look = WON
    return show(out, count, look + player, -1, -1, wide(state.turn_count) + (not is_over))


@rule
def _tray(state: State, out: np.ndarray, count: int, player: int, tray: int) -> int:
    """A container, with its possible finds."""
    if state.number[own(player, BOX + tray)] == 0:
        return show(out, count, LOST_TRAY + 3 * player + tray)
    count = show(out, count, TRAY + 3 * player + tray)
    for find in range(FINDS_OF[BOX + tray, 0], FINDS_OF[BOX + tray, 1]):
        look = FIND if _is_inside(state, player, find) else GONE
        count = show(out, count, look + FINDS * player + find)
    return count


@rule
def _is_inside(state: State, player: int, find: int) -> bool:
    """Whether a find can come out of its container."""
    if _ONCE[find]:
        return is_left(state, player, _ONCE[find])
    if find == FIND_ELEPHANT:
        return state.number[own(player, ELEPHANT)] == 0
    return find != FIND_BAT or state.bat_files[player] != _ALL_FILES
