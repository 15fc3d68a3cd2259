"""The observation of Captain Spalding Chess: 36 binary planes of 8 by 8 squares, or 54.

Rows are ranks and columns are files as the observing player sees the board: turned by 180° for
Black, so that both play up the board.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord, Plane, State, show_turns_left, turns_left
from pasgl_env.games.spalding.rules.board import NONE, SQUARES, TURN
from pasgl_env.games.spalding.rules.history import logged_content, logged_square
from pasgl_env.games.spalding.rules.state import (
    CONTENTS,
    KINDS,
    LEFT_GREAT_ELEPHANT,
    LEFT_HEADLESS,
    LEFT_RHINO,
    is_left,
    turns,
)
from pasgl_env.jit.compiled import clear, rule, wide

SIDE = 8
PLANES = (
    Plane(0, 1, "empty squares"),
    Plane(1, 11, "own pieces, one plane a kind: X P J R H V W C M L E"),
    Plane(12, 11, "the enemy's pieces, likewise"),
    Plane(23, 3, "neutral pieces: Lint, Dust Bunnies, Dust Demons"),
    Plane(26, 3, "all 1 for what the player may still find: Rhino, Headless Rhino, Great Elephant"),
    Plane(29, 3, "all 1 for what the enemy may still find, likewise"),
    Plane(32, 1, "all 1 if the observing player is Black"),
    Plane(33, 1, "all 1 if the observing player is to act"),
    Plane(34, 1, "the container that has moved and has to bring out a piece"),
    Plane(35, 1, "the square that it came from"),
)
(
    EMPTIES,
    OWN_PIECES,
    ENEMY_PIECES,
    NEUTRAL,
    OWN_FINDS,
    ENEMY_FINDS,
    BLACK,
    TO_ACT,
    CONTAINER,
    ORIGIN,
) = (plane.first for plane in PLANES)
TURNS_BACK = 8
MORE_PLANES = (
    turns_left(36),
    Plane(
        46,
        TURNS_BACK,
        "squares that held something else when the turn 1, 2 ... 8 turns before this one began, as"
        " far as the game's history goes back",
    ),
)
TURNS_LEFT, PAST = (plane.first for plane in MORE_PLANES)

# PLANE_OF[player, content] and the start of that plane.
PLANE_OF = np.zeros((2, CONTENTS), np.int64)
PLANE_OF[0] = range(CONTENTS)
PLANE_OF[1] = [0, *range(KINDS + 1, 2 * KINDS + 1), *range(1, KINDS + 1), *range(NEUTRAL, CONTENTS)]
FIRST_CELL = PLANE_OF * SQUARES


@rule
def observe(state: State, options: OptionsRecord, player: int, planes: np.ndarray) -> None:
    """Write all planes, ``uint8[36, 8, 8]`` or ``uint8[54, 8, 8]``, as the player sees them."""
    cells = planes.reshape(planes.size)
    clear(cells)
    turn = TURN[player]
    for square in range(SQUARES):
        cells[FIRST_CELL[player, state.board[square]] + (square ^ turn)] = 1
    _show_finds(state, options, player, OWN_FINDS, cells)
    _show_finds(state, options, 1 - player, ENEMY_FINDS, cells)
    if player == 1:
        _fill(cells, BLACK)
    if player == state.mover:
        _fill(cells, TO_ACT)
    if state.container != NONE:
        cells[SQUARES * CONTAINER + (wide(state.container) ^ turn)] = 1
        cells[SQUARES * ORIGIN + (wide(state.origin) ^ turn)] = 1
    if options.more_planes:
        show_turns_left(turns(state), options, TURNS_LEFT, planes)
        _show_past(state, turn, cells)


@rule
def _fill(cells: np.ndarray, plane: int) -> None:
    cells[SQUARES * plane : SQUARES * (plane + 1)] = 1


@rule
def _show_past(state: State, turn: int, cells: np.ndarray) -> None:
    """The differences of earlier positions from the board: a turn may not lead back to one."""
    for back in range(min(TURNS_BACK, wide(state.history) - 1)):
        changed = 0
        first_entry = wide(state.log_at[wide(state.history) - 2 - back])
        for entry in range(first_entry, wide(state.log_length)):
            square = logged_square(state, entry)
            if (changed >> square) & 1 == 0:
                # The first change since then holds the square's content at that time.
                changed |= 1 << square
                differs = logged_content(state, entry) != state.board[square]
                cells[SQUARES * (PAST + back) + (square ^ turn)] = differs


@rule
def _show_finds(
    state: State, options: OptionsRecord, player: int, first: int, cells: np.ndarray
) -> None:
    if options.box_rhino and is_left(state, player, LEFT_RHINO):
        _fill(cells, first)
    if options.box_headless and is_left(state, player, LEFT_HEADLESS):
        _fill(cells, first + 1)
    if options.great_elephant and is_left(state, player, LEFT_GREAT_ELEPHANT):
        _fill(cells, first + 2)
