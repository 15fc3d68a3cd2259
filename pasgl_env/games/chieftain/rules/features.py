"""Learned values' features of Chieftain after an order, relative to pieces, for any board.

Squares are not named: a piece is described by its kind, its distances, and the pieces that could
capture it, so that what is learned on one board holds on others. A square is *attacked* by a side
if one of its pieces under command could move there: for the mover, under a Chieftain with an
activation left, otherwise under any. A Chieftain is *safe* on a square that no enemy piece under
command could move to.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.engine.compiled import rule, wide
from pasgl_env.games.base import FeatureRun, Features, OptionsRecord, State
from pasgl_env.games.bits import lowest, size
from pasgl_env.games.chieftain.rules.board import (
    BORDER,
    CELLS,
    CHIEFTAIN,
    KINDS,
    LONGEST_MOVE,
    MOST,
)
from pasgl_env.games.chieftain.rules.evaluation import FILES_WITHIN, nearest_chieftain
from pasgl_env.games.chieftain.rules.reach import ROWS, add_reach, reach, write_empty
from pasgl_env.games.chieftain.rules.state import (
    cell_at,
    file_of,
    is_over,
    kind_at,
    orders_left,
    points,
    rank_of,
    row_of,
    to_move,
)

# For each piece, by side and kind.
THINGS = 2 * KINDS
DISTANCES = 16
DANGERS = 6
EIGHTHS = 8
FAR_AT = THINGS
DANGER_AT = FAR_AT + 2 * THINGS * DISTANCES
LED_AT = DANGER_AT + THINGS * DANGERS
ROW_AT = LED_AT + THINGS * EIGHTHS
PER_PIECE = 5
# For each Chieftain, by side, and whether it is the side's last.
BALANCES = 17
ESCAPES = 8
EDGES = 5
BALANCE_AT = ROW_AT + THINGS * EIGHTHS
ESCAPE_AT = BALANCE_AT + 4 * BALANCES
EDGE_AT = ESCAPE_AT + 4 * 2 * ESCAPES
PER_CHIEFTAIN = 3
# For each side, and for the position.
CHIEFTAINS = 9
ORDERS = 10
MOST_LEAD = 24
CHIEFTAINS_AT = EDGE_AT + 4 * EDGES * EDGES
HUNTED_AT = CHIEFTAINS_AT + 2 * CHIEFTAINS
HUNTED = 4
ORDERS_AT = HUNTED_AT + 4 * HUNTED
LEAD_AT = ORDERS_AT + ORDERS
COUNT = LEAD_AT + 2 * MOST_LEAD + 1
BALANCE_REACH = 4
# Only pieces this near to an enemy's file and rank are asked what they attack: a long move, and the
# two squares that a Chieftain escapes to.
NEAR = LONGEST_MOVE + 2
# At most 32 Chieftains and 224 other pieces a side, on 24 by 24 squares.
SETS_AT = PER_PIECE * MOST * MOST + PER_CHIEFTAIN * 64 + 8
# Sets of squares, stored behind the features while these are written; the set behind each attack
# contains the squares that are attacked more than once.
EMPTY, ATTACK, GUARD, OTHER = (SETS_AT + ROWS * number for number in (0, 1, 3, 5))
SIZE = SETS_AT + 7 * ROWS
# [safe squares]: their classes.
ESCAPE = np.array([0, 1, 2, 3, 3, 4, 4, 5, 5, 5, 6, 6, 6, 6, 6, 6] + 16 * [7], np.uint8)


@rule
def write(state: State, options: OptionsRecord, player: int, indices: np.ndarray) -> int:
    """Write the features that are present; the memory behind them is scratch memory."""
    _write_attacks(state, options, player, indices)
    count = 0
    for side in range(2):
        seat = 0 if side == player else 1
        count = _write_pieces(state, options, side, seat, indices, count)
        count = _write_chieftains(state, options, side, seat, indices, count)
    lead = points(state, player) - points(state, 1 - player)
    indices[count] = ORDERS_AT + min(orders_left(state, options), ORDERS - 1)
    indices[count + 1] = LEAD_AT + min(max(lead // 2, -MOST_LEAD), MOST_LEAD) + MOST_LEAD
    return count + 2


@rule
def _write_pieces(
    state: State, options: OptionsRecord, side: int, seat: int, indices: np.ndarray, count: int
) -> int:
    """Write the features of a side's pieces; return the new number of features."""
    hunts_last = 1 if state.chieftains[1 - side] == 1 else 0
    for rank in range(wide(options.ranks)):
        row = row_of(options, side, rank) * EIGHTHS // wide(options.ranks)
        files = wide(state.occupants[side, rank])
        while files:
            file = lowest(files)
            files &= files - 1
            cell = cell_at(file, rank)
            thing = KINDS * seat + kind_at(state, cell)
            far = min(nearest_chieftain(state, 1 - side, cell), DISTANCES - 1)
            led = min(nearest_chieftain(state, side, cell), EIGHTHS - 1)
            danger = _danger(indices, seat, file, rank)
            indices[count] = thing
            indices[count + 1] = FAR_AT + DISTANCES * (2 * thing + hunts_last) + far
            indices[count + 2] = DANGER_AT + DANGERS * thing + danger
            indices[count + 3] = LED_AT + EIGHTHS * thing + led
            indices[count + 4] = ROW_AT + EIGHTHS * thing + row
            count += PER_PIECE
    return count


@rule
def _write_chieftains(
    state: State, options: OptionsRecord, side: int, seat: int, indices: np.ndarray, count: int
) -> int:
    """Write the features of a side's Chieftains; return the new number of features."""
    number = wide(state.chieftains[side])
    whose = 2 * seat + (1 if number == 1 else 0)
    hunted = 0
    for chief in range(number):
        cell = wide(state.chieftain_cell[side, chief])
        file, rank = file_of(cell), rank_of(cell)
        attacked = 1 if _danger(indices, seat, file, rank) % 3 > 0 else 0
        hunted += attacked
        escape = wide(ESCAPE[min(_escapes(state, side, seat, file, rank, indices), 31)])
        aside = min(file, wide(options.files) - 1 - file, EDGES - 1)
        behind = min(rank, wide(options.ranks) - 1 - rank, EDGES - 1)
        indices[count] = BALANCE_AT + BALANCES * whose + _balance(state, options, side, cell)
        indices[count + 1] = ESCAPE_AT + ESCAPES * (2 * whose + attacked) + escape
        indices[count + 2] = EDGE_AT + EDGES * EDGES * whose + EDGES * aside + behind
        count += PER_CHIEFTAIN
    indices[count] = CHIEFTAINS_AT + CHIEFTAINS * seat + min(number, CHIEFTAINS - 1)
    indices[count + 1] = HUNTED_AT + HUNTED * whose + min(hunted, HUNTED - 1)
    return count + 2


@rule
def _danger(indices: np.ndarray, seat: int, file: int, rank: int) -> int:
    """The attackers of a piece's square: 3 × (guarded: 0, 1) + (by the enemy: 0, 1, more)."""
    own, enemy = (GUARD, OTHER) if seat == 0 else (OTHER, ATTACK)
    guarded = _in_set(indices, own, file, rank)
    return 3 * guarded + (
        _in_set(indices, enemy, file, rank) + _in_set(indices, enemy + ROWS, file, rank)
    )


@rule
def _in_set(indices: np.ndarray, at: int, file: int, rank: int) -> int:
    return (wide(indices[at + BORDER + rank]) >> file) & 1


@rule
def _write_attacks(state: State, options: OptionsRecord, player: int, indices: np.ndarray) -> None:
    """Write the sets of squares that each side attacks, near enemies."""
    for word in range(ATTACK, SIZE):
        indices[word] = 0
    write_empty(state, options, indices, EMPTY)
    range_ = wide(options.command_range)
    for side in range(2):
        for rank in range(wide(options.ranks)):
            files = wide(state.occupants[side, rank])
            active = wide(state.command[rank] & ~state.moved[rank])
            enemies = _files_of_ranks_near(state, options, 1 - side, rank)
            while files:
                file = lowest(files)
                files &= files - 1
                if enemies & wide(FILES_WITHIN[NEAR, file]) == 0:
                    continue
                cell = cell_at(file, rank)
                is_led = nearest_chieftain(state, side, cell) <= range_
                is_active = side == player and (active >> file) & 1 == 1
                if is_led or is_active:
                    rows = reach(indices, EMPTY, kind_at(state, cell), file, rank)
                    if side != player:
                        add_reach(indices, OTHER, rows, file, rank)
                    if side == player and is_led:
                        add_reach(indices, GUARD, rows, file, rank)
                    if is_active:
                        add_reach(indices, ATTACK, rows, file, rank)


@rule
def _files_of_ranks_near(state: State, options: OptionsRecord, side: int, rank: int) -> int:
    """The set of files on which a side has a piece within :data:`NEAR` ranks of a rank."""
    files = 0
    for row in range(max(rank - NEAR, 0), min(rank + NEAR + 1, wide(options.ranks))):
        files |= wide(state.occupants[side, row])
    return files


@rule
def _escapes(state: State, side: int, seat: int, file: int, rank: int, indices: np.ndarray) -> int:
    """The number of squares within a Chieftain's reach, including its own, on which it is safe."""
    enemy = OTHER if seat == 0 else GUARD
    rows = reach(indices, EMPTY, CHIEFTAIN, file, rank)
    free = 1 - _in_set(indices, enemy, file, rank)
    free += _safe(state, side, rows[2], file, rank - 2, enemy, indices)
    free += _safe(state, side, rows[3], file, rank - 1, enemy, indices)
    free += _safe(state, side, rows[4], file, rank, enemy, indices)
    free += _safe(state, side, rows[5], file, rank + 1, enemy, indices)
    free += _safe(state, side, rows[6], file, rank + 2, enemy, indices)
    return free


@rule
def _safe(
    state: State, side: int, members: int, file: int, rank: int, enemy: int, indices: np.ndarray
) -> int:
    """The number of squares of a window that the side could go to and the enemy does not attack."""
    if rank < 0 or rank >= MOST:
        return 0
    row = BORDER + rank
    files = (members << file) >> LONGEST_MOVE
    free = wide(indices[EMPTY + row]) | wide(state.occupants[1 - side, rank])
    return size(files & free & ~wide(indices[enemy + row]))


@rule
def _balance(state: State, options: OptionsRecord, side: int, cell: int) -> int:
    """The lead in pieces of a side around a Chieftain, from 0, far behind, to 16."""
    near = wide(FILES_WITHIN[BALANCE_REACH, file_of(cell)])
    rank, more = rank_of(cell), 0
    first, last = max(rank - BALANCE_REACH, 0), min(rank + BALANCE_REACH + 1, wide(options.ranks))
    for row in range(first, last):
        more += size(wide(state.occupants[side, row]) & near)
        more -= size(wide(state.occupants[1 - side, row]) & near)
    half = BALANCES // 2
    return min(max(more, -half), half) + half


@rule
def board_key(state: State) -> np.uint64:
    """A hash of the board: who is to move and what the turn has left do not count.

    So ending a turn early repeats a position too. It is FNV-1a, cell by cell.
    """
    key = np.uint64(0xCBF29CE484222325)
    for cell in range(CELLS):
        key = (key ^ np.uint64(state.board[cell])) * np.uint64(0x100000001B3)
    return key ^ (key >> np.uint64(32))


def count(options: OptionsRecord) -> int:
    """The number of features."""
    return COUNT


FEATURES = Features(
    count,
    SIZE,
    write,
    to_move,
    is_over,
    (
        FeatureRun("14", "a piece, by side and kind"),
        FeatureRun(
            "14 × 2 × 16", "king's steps to the nearest enemy Chieftain, or to the last one"
        ),
        FeatureRun("14 × 2 × 3", "it is guarded or not, attacked never, once, more often"),
        FeatureRun("14 × 8", "king's steps from it to the nearest own Chieftain"),
        FeatureRun("14 × 8", "how far it has come up the board, in eighths"),
        FeatureRun("2 × 2 × 17", "by how many pieces its side is ahead round a Chieftain"),
        FeatureRun("2 × 2 × 2 × 8", "a Chieftain is attacked or not; its safe squares, in classes"),
        FeatureRun("2 × 2 × 5 × 5", "its distances from the nearest edges"),
        FeatureRun("2 × 9", "how many Chieftains a side has"),
        FeatureRun("2 × 2 × 4", "how many Chieftains are attacked"),
        FeatureRun("10", "orders left to the mover"),
        FeatureRun("49", "the mover's lead in captured material, in twos"),
    ),
    # The value of a turn with several orders only shows after the enemy's reply.
    free=("turn_limit", "more_planes", "first_turn_orders"),
    ahead=2,
    position_key=board_key,
)
