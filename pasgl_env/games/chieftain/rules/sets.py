"""The squares that sides of Chieftain occupy, command and attack, and distances of Chieftains.

All of this lies in one piece of memory: sets of squares, one word per rank, and king's steps, one
byte per square. Plain loops over words and bytes are ones that the compiler can run on many at a
time.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.bits import lowest
from pasgl_env.games.chieftain.rules.board import LONGEST_MOVE, MOST, STRIDE
from pasgl_env.games.chieftain.rules.evaluation import FILES_WITHIN
from pasgl_env.games.chieftain.rules.reach import (
    BLOCK,
    EMPTY,
    MARGIN,
    ONCE,
    PIECES,
    ROWS,
    write_reach,
    write_reach_by_ways,
)
from pasgl_env.games.chieftain.rules.state import (
    cell_at,
    file_of,
    kind_at,
    range_of,
    rank_of,
)
from pasgl_env.jit.compiled import rule, wide

# Only pieces this near to an enemy's file and rank are asked what they attack: a long move, and the
# two squares that a Chieftain escapes to.
NEAR = LONGEST_MOVE + 2
# Blocks of sets: what the mover's pieces attack and guard, and what the other side's pieces attack.
ATTACK, GUARD, OTHER = 0, BLOCK, 2 * BLOCK
# Two sets each, one per side: its pieces, the squares near enemies, those that its Chieftains
# command, and those on which they would be safe.
OCCUPIED, BESET, LED, SAFE = (3 * BLOCK + 2 * ROWS * number for number in range(4))
# Squares where one of these sets has changed, and those within a few ranks of them.
TOUCHED, NEAR_TOUCHED = 3 * BLOCK + 8 * ROWS, 3 * BLOCK + 9 * ROWS
# By side and square, as bytes: king's steps to the side's nearest Chieftain.
STEPS = 3 * BLOCK + 10 * ROWS
SQUARES = STRIDE * MOST
END = STEPS + 2 * SQUARES // 4
# [file, square]: king's steps from a Chieftain on a file of the rank MOST - 1. For one on a lower
# rank, the first squares are left out.
_RANK, _FILE = np.divmod(np.arange(2 * SQUARES), STRIDE)
KING_STEPS = np.array(
    [np.maximum(abs(_FILE - file), abs(_RANK - (MOST - 1))) for file in range(MOST)], np.uint8
)


@rule
def write_sets(state: State, options: OptionsRecord, player: int, sets: np.ndarray) -> None:
    """Write sets of squares."""
    sets[:STEPS] = 0
    for side in range(2):
        _write_occupied(state, options, side, sets)
        _write_led(state, options, side, sets)
    _write_attackers(state, options, player, sets)
    full = (1 << wide(options.files)) - 1
    for rank in range(wide(options.ranks)):
        row = MARGIN + rank
        pieces = wide(state.occupants[0, rank]) | wide(state.occupants[1, rank])
        empty = full & ~pieces
        sets[ATTACK + EMPTY + row] = sets[GUARD + EMPTY + row] = sets[OTHER + EMPTY + row] = empty
    for block in (ATTACK, GUARD, OTHER):
        if options.has_other_ranges:
            write_reach_by_ways(options, sets[block : block + BLOCK])
        else:
            write_reach(sets[block : block + BLOCK], wide(options.ranks))
    for side in range(2):
        enemy = OTHER if side == player else GUARD
        for rank in range(wide(options.ranks)):
            row = MARGIN + rank
            free = wide(sets[EMPTY + row]) | wide(sets[OCCUPIED + ROWS * (1 - side) + row])
            sets[SAFE + ROWS * side + row] = free & ~wide(sets[enemy + ONCE + row])


@rule
def _write_occupied(state: State, options: OptionsRecord, side: int, sets: np.ndarray) -> None:
    """Write the squares of a side's pieces, and those that are near to their files and ranks."""
    occupied = sets[OCCUPIED + ROWS * side : OCCUPIED + ROWS * (side + 1)]
    beset = sets[BESET + ROWS * (1 - side) : BESET + ROWS * (2 - side)]
    for rank in range(wide(options.ranks)):
        occupied[MARGIN + rank] = state.occupants[side, rank]
    for rank in range(wide(options.ranks)):
        files = 0
        for row in range(MARGIN + rank - NEAR, MARGIN + rank + NEAR + 1):
            files |= wide(occupied[row])
        files |= files << 1 | files >> 1
        files |= files << 2 | files >> 2
        beset[MARGIN + rank] = files | files << 3 | files >> 3


@rule
def _write_led(state: State, options: OptionsRecord, side: int, sets: np.ndarray) -> None:
    """Write the squares that a side's Chieftains command."""
    led = sets[LED + ROWS * side : LED + ROWS * (side + 1)]
    for chief in range(wide(state.chieftains[side])):
        cell = wide(state.chieftain_cell[side, chief])
        range_, rank = range_of(state, options, cell), rank_of(cell)
        files = FILES_WITHIN[range_, file_of(cell)]
        for near in range(max(rank - range_, 0), min(rank + range_ + 1, wide(options.ranks))):
            led[MARGIN + near] = wide(led[MARGIN + near]) | wide(files)


@rule
def _write_attackers(state: State, options: OptionsRecord, player: int, sets: np.ndarray) -> None:
    """Write the pieces under command that are near to enemies, by kind."""
    for rank in range(wide(options.ranks)):
        row = MARGIN + rank
        active = wide(state.command[rank] & ~state.moved[rank])
        led = wide(sets[LED + ROWS * player + row])
        near = wide(state.occupants[player, rank]) & wide(sets[BESET + ROWS * player + row])
        _add_pieces(state, rank, near & led, sets, GUARD)
        _add_pieces(state, rank, near & active, sets, ATTACK)
        other = 1 - player
        near = wide(state.occupants[other, rank]) & wide(sets[BESET + ROWS * other + row])
        _add_pieces(state, rank, near & wide(sets[LED + ROWS * other + row]), sets, OTHER)


@rule
def _add_pieces(state: State, rank: int, files: int, sets: np.ndarray, block: int) -> None:
    """Add pieces of a rank to the sets of their kinds."""
    at = block + PIECES + MARGIN + rank
    while files:
        member = files & -files
        row = at + ROWS * kind_at(state, cell_at(lowest(files), rank))
        sets[row] = wide(sets[row]) | member
        files ^= member


@rule
def write_touched(options: OptionsRecord, old: np.ndarray, sets: np.ndarray, ranks: int) -> None:
    """Write where pieces or attacked squares have changed, and what is within some ranks."""
    for rank in range(wide(options.ranks)):
        row = MARGIN + rank
        pieces = old[OCCUPIED + row] ^ sets[OCCUPIED + row]
        pieces |= old[OCCUPIED + ROWS + row] ^ sets[OCCUPIED + ROWS + row]
        attacks = old[ATTACK + ONCE + row] ^ sets[ATTACK + ONCE + row]
        attacks |= old[GUARD + ONCE + row] ^ sets[GUARD + ONCE + row]
        attacks |= old[OTHER + ONCE + row] ^ sets[OTHER + ONCE + row]
        sets[TOUCHED + row] = pieces | attacks
    for rank in range(wide(options.ranks)):
        row, files = MARGIN + rank, 0
        for near in range(row - ranks, row + ranks + 1):
            files |= wide(sets[TOUCHED + near])
        sets[NEAR_TOUCHED + row] = files


@rule
def write_steps(state: State, options: OptionsRecord, sets: np.ndarray) -> None:
    """Write king's steps to each side's nearest Chieftain; more than any board has if none."""
    for side in range(2):
        _write_steps(state, options, side, sets[STEPS:END].view(np.uint8))


@rule
def _write_steps(state: State, options: OptionsRecord, side: int, steps: np.ndarray) -> None:
    own = steps[SQUARES * side : SQUARES * side + SQUARES]
    squares = STRIDE * wide(options.ranks)
    for square in range(squares):
        own[square] = MOST
    for chief in range(wide(state.chieftains[side])):
        cell = wide(state.chieftain_cell[side, chief])
        first = STRIDE * (MOST - 1 - rank_of(cell))
        away = KING_STEPS[file_of(cell), first : first + SQUARES]
        for square in range(squares):
            own[square] = min(own[square], away[square])
