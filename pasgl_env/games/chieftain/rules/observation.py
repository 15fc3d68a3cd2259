"""The observation of Chieftain: 32 binary planes as large as the board, or 42.

Rows are ranks as counted by the observing player (row 0 is its own back rank), columns are files.
Planes about the current turn are about the player to act, for all observers.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord, Plane, State, show_turns_left, turns_left
from pasgl_env.contract.bits import lowest
from pasgl_env.games.chieftain.rules.board import KINDS, LETTERS, MAN
from pasgl_env.games.chieftain.rules.state import (
    cell_at,
    commanders,
    file_of,
    is_asked,
    is_leader,
    kind_at,
    orders_left,
    rank_of,
    row_of,
    turns,
)
from pasgl_env.jit.compiled import clear, rule, wide

LEFT_BITS, MOVES_BITS = 4, 5
MOST_MOVES = (1 << MOVES_BITS) - 1

PLANES = (
    Plane(0, KINDS, f"own pieces, one plane a kind: {' '.join(LETTERS)}; a Leader in C and M"),
    Plane(7, KINDS, "the enemy's pieces, likewise"),
    Plane(14, 1, "pieces that have moved in this turn"),
    Plane(
        15,
        LEFT_BITS,
        "activations left to the Chieftain on the square, in binary, lowest bit first",
    ),
    Plane(19, 1, "Chieftains that can still activate"),
    Plane(20, 1, "squares under command: within range of one of those"),
    Plane(
        21,
        MOVES_BITS,
        "activations left in all in binary, at most 31, lowest bit first, all 0 or 1",
    ),
    Plane(26, 1, "the square of the piece that moves, while it is asked who activates it"),
    Plane(27, 1, "the square that it moves to"),
    Plane(28, 1, "the Chieftains that can activate it"),
    Plane(29, 1, "all 1 if the observing player is Black"),
    Plane(30, 1, "all 1 if the observing player is to act"),
    Plane(31, 1, "all 1 if the turn before was a pass"),
)
(
    OWN,
    ENEMY,
    MOVED,
    LEFT,
    ACTIVE,
    COMMAND,
    MOVES,
    ORIGIN,
    TARGET,
    COMMANDERS,
    BLACK,
    TO_ACT,
    PASSED,
) = (plane.first for plane in PLANES)
TURNS_LEFT = 32
MORE_PLANES = (turns_left(TURNS_LEFT),)


@rule
def observe(state: State, options: OptionsRecord, player: int, planes: np.ndarray) -> None:
    """Write all planes, ``uint8[32 or 42, ranks, files]``, as the player sees them."""
    clear(planes.reshape(planes.size))
    for rank in range(wide(options.ranks)):
        row = row_of(options, player, rank)
        _show_pieces(state, player, OWN, rank, row, planes)
        _show_pieces(state, 1 - player, ENEMY, rank, row, planes)
        _show_set(wide(state.moved[rank]), planes[MOVED, row])
        command = wide(state.command[rank])
        for file in range(wide(options.files)):
            planes[COMMAND, row, file] = (command >> file) & 1
    _show_chieftains(state, options, player, planes)
    if options.has_leaders:
        _show_leaders(state, options, player, planes)
    if is_asked(state):
        _show_question(state, options, player, planes)
    if player == 1:
        planes[BLACK, :, :] = 1
    if player == state.mover:
        planes[TO_ACT, :, :] = 1
    if state.pass_count:
        planes[PASSED, :, :] = 1
    if options.more_planes:
        show_turns_left(turns(state), options, TURNS_LEFT, planes)


@rule
def _show_pieces(
    state: State, side: int, first: int, rank: int, row: int, planes: np.ndarray
) -> None:
    standing = wide(state.occupants[side, rank])
    while standing:
        file = lowest(standing)
        standing &= standing - 1
        planes[first + kind_at(state, cell_at(file, rank)), row, file] = 1


@rule
def _show_set(files: int, row: np.ndarray) -> None:
    while files:
        row[lowest(files)] = 1
        files &= files - 1


@rule
def _show_chieftains(state: State, options: OptionsRecord, player: int, planes: np.ndarray) -> None:
    """The activations that the mover's Chieftains have left, each and together."""
    for number in range(wide(state.chieftains[state.mover])):
        cell, left = wide(state.chieftain_cell[state.mover, number]), wide(state.left[number])
        row, file = row_of(options, player, rank_of(cell)), file_of(cell)
        planes[ACTIVE, row, file] = left != 0
        for bit in range(LEFT_BITS):
            planes[LEFT + bit, row, file] = (left >> bit) & 1
    rest = min(orders_left(state, options), MOST_MOVES)
    while rest:
        planes[MOVES + lowest(rest), :, :] = 1
        rest &= rest - 1


@rule
def _show_leaders(state: State, options: OptionsRecord, player: int, planes: np.ndarray) -> None:
    """Show Leaders, which are among the Chieftains, among the Men too."""
    for side in range(2):
        plane = MAN + (OWN if side == player else ENEMY)
        for number in range(wide(state.chieftains[side])):
            cell = wide(state.chieftain_cell[side, number])
            if is_leader(state, cell):
                _show_cell(options, player, cell, planes[plane])


@rule
def _show_question(state: State, options: OptionsRecord, player: int, planes: np.ndarray) -> None:
    _show_cell(options, player, wide(state.origin), planes[ORIGIN])
    _show_cell(options, player, wide(state.target), planes[TARGET])
    able = commanders(state, options, wide(state.origin))
    while able:
        cell = wide(state.chieftain_cell[state.mover, lowest(able)])
        _show_cell(options, player, cell, planes[COMMANDERS])
        able &= able - 1


@rule
def _show_cell(options: OptionsRecord, player: int, cell: int, plane: np.ndarray) -> None:
    plane[row_of(options, player, rank_of(cell)), file_of(cell)] = 1
