"""The legal actions of Chieftain.

The action space of a board with S squares, ``Discrete(41 * S + 2)``, from the view of the player to
move (ranks mirrored for Black)::

    0 ... 40 S - 1       plane * S + square   the piece on the square moves as the plane says
    40 S ... 41 S - 1    40 * S + square      the Chieftain on the square activates it
    41 S                 end of the turn
    41 S + 1             pass
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.bits import lowest
from pasgl_env.games.chieftain.rules.board import (
    BISHOPY,
    CHIEFTAIN,
    CHIEFTAIN_FROM,
    EMPTY,
    HERO,
    KNIGHT,
    KNIGHT_PLANES,
    LINE,
    MAN,
    OFFSET,
    PLANES,
    SHAMAN,
    SIDE_BIT,
    START,
    WINDOW,
)
from pasgl_env.games.chieftain.rules.state import (
    cell_at,
    commanders,
    is_asked,
    is_over,
    kind_at,
    row_of,
    square_of,
)
from pasgl_env.jit.compiled import clear, rule, wide

BY = PLANES
LAST_PLANE = BY + 1
END, PASS = 0, 1


@rule
def legal_actions(state: State, options: OptionsRecord, mask: np.ndarray) -> int:
    """Write the mask of legal actions; return their number.

    A player who cannot move passes (Ruling 4).
    """
    clear(mask)
    if is_over(state, options):
        return 0
    if is_asked(state):
        return _mark_commanders(state, options, mask)
    if options.has_other_ranges:
        count = _mark_moves_by_ways(state, options, mask)
    else:
        count = _mark_moves(state, options, mask)
    last = LAST_PLANE * wide(options.squares)
    if state.move_count:
        mask[last + END] = 1
        return count + 1
    if count == 0:
        mask[last + PASS] = 1
        return 1
    return count


@rule
def _mark_commanders(state: State, options: OptionsRecord, mask: np.ndarray) -> int:
    able = commanders(state, options, wide(state.origin))
    count = 0
    while able:
        cell = wide(state.chieftain_cell[state.mover, lowest(able)])
        mask[BY * wide(options.squares) + square_of(options, state.mover, cell)] = 1
        able &= able - 1
        count += 1
    return count


@rule
def _mark_moves(state: State, options: OptionsRecord, mask: np.ndarray) -> int:
    """Mark the moves of all pieces under command that have not moved."""
    mover = wide(state.mover)
    count = 0
    for rank in range(wide(options.ranks)):
        able = wide(state.occupants[mover, rank] & state.command[rank] & ~state.moved[rank])
        first = row_of(options, mover, rank) * wide(options.files)
        while able:
            file = lowest(able)
            able &= able - 1
            count += _mark_piece(state, options, cell_at(file, rank), first + file, mask)
    return count


class Mobility(NamedTuple):
    """The properties that determine a piece's moves, looked up once for all of them."""

    board: np.ndarray
    own: np.uint8
    offsets: np.ndarray
    window: int
    square: int
    squares: int


@rule
def _mark_piece(
    state: State, options: OptionsRecord, cell: int, square: int, mask: np.ndarray
) -> int:
    """Mark a piece's moves; return their number.

    Written out kind by kind, without branches on the content of squares, which processors cannot
    predict.
    """
    mover, kind = wide(state.mover), kind_at(state, cell)
    piece = Mobility(
        state.board, SIDE_BIT[mover], OFFSET[mover], cell - WINDOW, square, wide(options.squares)
    )
    if kind == MAN:
        return _mark_leaps(piece, 0, 1, mask)
    if kind == KNIGHT:
        return _mark_leaps(piece, KNIGHT_PLANES, 2, mask)
    if kind == CHIEFTAIN:
        return _mark_king_steps(piece, mask)
    if kind == HERO:
        return _mark_steps_and_leaps(piece, 0, mask)
    if kind == SHAMAN:
        return _mark_steps_and_leaps(piece, 1, mask)
    if kind == BISHOPY:
        return _mark_slides(piece, 1, mask)
    return _mark_slides(piece, 0, mask)


@rule
def _mark_moves_by_ways(state: State, options: OptionsRecord, mask: np.ndarray) -> int:
    """Mark the same with the ranges of the options; apart, so that others need not ask for them."""
    mover = wide(state.mover)
    count = 0
    for rank in range(wide(options.ranks)):
        able = wide(state.occupants[mover, rank] & state.command[rank] & ~state.moved[rank])
        while able:
            count += _mark_ways(state, options, cell_at(lowest(able), rank), mask)
            able &= able - 1
    return count


@rule
def _mark_ways(state: State, options: OptionsRecord, cell: int, mask: np.ndarray) -> int:
    """Mark a piece's moves by the table of ways; return their number."""
    mover, kind = wide(state.mover), kind_at(state, cell)
    square = square_of(options, mover, cell)
    piece = Mobility(
        state.board, SIDE_BIT[mover], OFFSET[mover], cell - WINDOW, square, wide(options.squares)
    )
    count, ahead = 0, 1 << START
    for way in range(options.ways[kind]):
        plane = wide(options.way_plane[kind, way])
        there = _there(piece, plane)
        goes_on = ahead & wide(options.way_from[kind, way]) != 0
        count += _mark(piece, plane, there, goes_on, mask)
        ahead |= wide(goes_on & (there == EMPTY)) << way
    return count


@rule
def _mark_leaps(piece: Mobility, first: int, step: int, mask: np.ndarray) -> int:
    """Mark moves to eight planes that nothing can block."""
    count = 0
    for number in range(8):
        plane = first + step * number
        count += _mark(piece, plane, _there(piece, plane), True, mask)
    return count


@rule
def _mark_king_steps(piece: Mobility, mask: np.ndarray) -> int:
    """Mark one king's step, or two if an intermediate square is empty."""
    count = empty = 0
    for plane in range(8):
        there = _there(piece, plane)
        count += _mark(piece, plane, there, True, mask)
        empty |= wide(there == EMPTY) << plane
    for plane in range(8, 24):
        goes_on = empty & CHIEFTAIN_FROM[plane] != 0
        count += _mark(piece, plane, _there(piece, plane), goes_on, mask)
    return count


@rule
def _mark_steps_and_leaps(piece: Mobility, first: int, mask: np.ndarray) -> int:
    """Mark a step, a leap of two, or both in either order, in every second direction."""
    count = 0
    for direction in range(first, 8, 2):
        step, leap, both = LINE[direction, 0], LINE[direction, 1], LINE[direction, 2]
        one, two = _there(piece, step), _there(piece, leap)
        count += _mark(piece, step, one, True, mask)
        count += _mark(piece, leap, two, True, mask)
        goes_on = (one == EMPTY) | (two == EMPTY)
        count += _mark(piece, both, _there(piece, both), goes_on, mask)
    return count


@rule
def _mark_slides(piece: Mobility, first: int, mask: np.ndarray) -> int:
    """Mark up to four squares in every second direction, and a leap of two in the others."""
    count = 0
    for direction in range(first, 8, 2):
        goes_on = True
        for plane in LINE[direction]:
            there = _there(piece, plane)
            count += _mark(piece, plane, there, goes_on, mask)
            goes_on &= there == EMPTY
        leap = LINE[direction ^ 1, 1]
        count += _mark(piece, leap, _there(piece, leap), True, mask)
    return count


@rule
def _there(piece: Mobility, plane: int) -> int:
    """The content of a plane's cell. Unsigned indices are not tested for being negative."""
    return piece.board[np.uint64(piece.window + wide(piece.offsets[plane]))]


@rule
def _mark(piece: Mobility, plane: int, there: int, arrives: bool, mask: np.ndarray) -> int:
    """Mark a move to a cell if the piece arrives and no friend is there; return 1 if so."""
    ends = arrives & (there & piece.own == 0)
    mask[np.uint64(wide(plane) * piece.squares + piece.square)] = ends
    return wide(ends)


@rule
def reaches(state: State, options: OptionsRecord, side: int, cell: int, target: int) -> bool:
    """Whether a side's piece on a cell could move to another one."""
    kind = kind_at(state, cell)
    own = SIDE_BIT[side]
    ahead = 1 << START
    for way in range(options.ways[kind]):
        plane = wide(options.way_plane[kind, way])
        to = cell - WINDOW + wide(OFFSET[side, plane])
        there = state.board[to]
        ends = (there & own == 0) & (ahead & wide(options.way_from[kind, way]) != 0)
        if to == target:
            return ends
        ahead |= wide(ends & (there == EMPTY)) << way
    return False
