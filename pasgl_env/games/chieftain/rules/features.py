"""Learned values' features of Chieftain after an order, relative to pieces, for any board.

Squares are not named: a piece is described by its kind, its distances, and the pieces that could
capture it, so that what is learned on one board holds on others. A square is *attacked* by a side
if one of its pieces under command could move there: for the mover, under a Chieftain with an
activation left, otherwise under any. A Chieftain is *safe* on a square that no enemy piece under
command could move to.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.engine.compiled import inlined_rule, rule, wide
from pasgl_env.games.base import FeatureRun, Features, OptionsRecord, State
from pasgl_env.games.bits import lowest, size
from pasgl_env.games.chieftain.rules.board import CELLS, CHIEFTAIN, KINDS, MOST, STRIDE
from pasgl_env.games.chieftain.rules.evaluation import (
    CHIEFTAIN_MOVE,
    STEP,
    STRANDED,
    leader_penalty,
    nearest_piece,
)
from pasgl_env.games.chieftain.rules.reach import EMPTY, MARGIN, ONCE, ROWS, TWICE
from pasgl_env.games.chieftain.rules.sets import (
    ATTACK,
    END,
    GUARD,
    OCCUPIED,
    OTHER,
    SAFE,
    SQUARES,
    STEPS,
    write_sets,
    write_steps,
)
from pasgl_env.games.chieftain.rules.state import (
    MOST_CHIEFTAINS,
    VALUE,
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
# A piece out of command is as bad as one this many steps away, for each point of its worth.
STRANDED_STEPS = int(STRANDED / STEP)
# Files of a window around a Chieftain: those beside its own, and these three.
BESIDE, WITHIN_ONE = 0b01010, 0b01110
# Features other than a piece's have slots: six of the sides and the position, and three of each
# Chieftain.
COMMON = 6
SLOTS = COMMON + PER_CHIEFTAIN * 2 * MOST_CHIEFTAINS
# The most features. Behind them is the memory of sets, then the slots, and by side the penalty of
# the pieces that follow Chieftains.
SETS_AT = PER_PIECE * MOST * MOST + SLOTS
OTHERS = END
FOLLOWERS = OTHERS + SLOTS
MEMORY = FOLLOWERS + 2
# [safe squares]: their classes.
ESCAPE = np.array([0, 1, 2, 3, 3, 4, 4, 5, 5, 5, 6, 6, 6, 6, 6, 6] + 16 * [7], np.uint8)


@rule
def write(state: State, options: OptionsRecord, player: int, indices: np.ndarray) -> int:
    """Write the features that are present."""
    sets = indices[SETS_AT:]
    write_sets(state, options, player, sets)
    write_steps(state, options, sets)
    _write_others(state, options, player, sets)
    count = 0
    for side in range(2):
        count = _write_pieces(state, options, player, side, sets, indices, count)
    for slot in range(COMMON):
        indices[count + slot] = sets[OTHERS + slot]
    count += COMMON
    for side in range(2):
        first = OTHERS + _first_slot(side)
        number = PER_CHIEFTAIN * wide(state.chieftains[side])
        for slot in range(number):
            indices[count + slot] = sets[first + slot]
        count += number
    return count


@rule
def _write_pieces(
    state: State,
    options: OptionsRecord,
    player: int,
    side: int,
    sets: np.ndarray,
    indices: np.ndarray,
    count: int,
) -> int:
    """Write the features of a side's pieces; return the new number of features."""
    penalty, steps = 0, sets[STEPS:END].view(np.uint8)
    for rank in range(wide(options.ranks)):
        files = wide(state.occupants[side, rank])
        while files:
            file = lowest(files)
            files &= files - 1
            penalty += _write_piece(
                state, options, player, side, file, rank, sets, steps, indices, count
            )
            count += PER_PIECE
    sets[FOLLOWERS + side] = penalty
    return count


@inlined_rule
def _write_piece(
    state: State,
    options: OptionsRecord,
    player: int,
    side: int,
    file: int,
    rank: int,
    sets: np.ndarray,
    steps: np.ndarray,
    indices: np.ndarray,
    at: int,
) -> int:
    """Write a piece's features; return its penalty in the evaluation, in units of ``STEP``."""
    seat = 0 if side == player else 1
    own, enemy = (GUARD, OTHER) if seat == 0 else (OTHER, ATTACK)
    row = MARGIN + rank
    guarded, once = wide(sets[own + ONCE + row]), wide(sets[enemy + ONCE + row])
    twice = wide(sets[enemy + TWICE + row])
    danger = 3 * (guarded >> file & 1) + (once >> file & 1) + (twice >> file & 1)
    square = STRIDE * rank + file
    away = wide(steps[SQUARES * (1 - side) + square])
    behind = wide(steps[SQUARES * side + square])
    hunts_last = 1 if state.chieftains[1 - side] == 1 else 0
    kind = kind_at(state, cell_at(file, rank))
    thing = KINDS * seat + kind
    come = row_of(options, side, rank) * EIGHTHS // wide(options.ranks)
    indices[at] = thing
    indices[at + 1] = FAR_AT + DISTANCES * (2 * thing + hunts_last) + min(away, DISTANCES - 1)
    indices[at + 2] = DANGER_AT + DANGERS * thing + danger
    indices[at + 3] = LED_AT + EIGHTHS * thing + min(behind, EIGHTHS - 1)
    indices[at + 4] = ROW_AT + EIGHTHS * thing + come
    if kind == CHIEFTAIN:
        return 0
    is_stranded = behind > wide(options.command_range) + CHIEFTAIN_MOVE
    return away + STRANDED_STEPS * wide(VALUE[kind]) * is_stranded


@rule
def _write_others(state: State, options: OptionsRecord, player: int, sets: np.ndarray) -> None:
    """Write all other features to their slots."""
    for side in range(2):
        _write_chieftains(state, options, player, side, sets)
    lead = points(state, player) - points(state, 1 - player)
    slot = OTHERS + COMMON - 2
    sets[slot] = ORDERS_AT + min(orders_left(state, options), ORDERS - 1)
    sets[slot + 1] = LEAD_AT + min(max(lead // 2, -MOST_LEAD), MOST_LEAD) + MOST_LEAD


@rule
def _write_chieftains(
    state: State, options: OptionsRecord, player: int, side: int, sets: np.ndarray
) -> None:
    """Write the features of a side's Chieftains to their slots."""
    seat = 0 if side == player else 1
    enemy, feared = (OTHER, OTHER) if seat == 0 else (ATTACK, GUARD)
    number = wide(state.chieftains[side])
    whose = 2 * seat + (1 if number == 1 else 0)
    hunted, slot = 0, OTHERS + _first_slot(side)
    for chief in range(number):
        cell = wide(state.chieftain_cell[side, chief])
        file, rank = file_of(cell), rank_of(cell)
        attacked = wide(sets[enemy + ONCE + MARGIN + rank]) >> file & 1
        hunted += attacked
        stays = 1 - (wide(sets[feared + ONCE + MARGIN + rank]) >> file & 1)
        escape = wide(ESCAPE[stays + _escapes(sets, side, file, rank)])
        aside = min(file, wide(options.files) - 1 - file, EDGES - 1)
        behind = min(rank, wide(options.ranks) - 1 - rank, EDGES - 1)
        sets[slot] = BALANCE_AT + BALANCES * whose + _balance(sets, side, file, rank)
        sets[slot + 1] = ESCAPE_AT + ESCAPES * (2 * whose + attacked) + escape
        sets[slot + 2] = EDGE_AT + EDGES * EDGES * whose + EDGES * aside + behind
        slot += PER_CHIEFTAIN
    slot = OTHERS + 2 * side
    sets[slot] = CHIEFTAINS_AT + CHIEFTAINS * seat + min(number, CHIEFTAINS - 1)
    sets[slot + 1] = HUNTED_AT + HUNTED * whose + min(hunted, HUNTED - 1)


@rule
def changes(
    start: State,
    state: State,
    options: OptionsRecord,
    player: int,
    before: np.ndarray,
    indices: np.ndarray,
    gone: np.ndarray,
) -> tuple[int, int]:
    """Write the features that a state has and its start has not, and the other way round.

    Args:
        start: the state before an action.
        state: the state after it.
        options: the options of both.
        player: whose point of view it is.
        before: what :func:`write` wrote for ``start``.
        indices: gets the new features, and the memory of the state behind them.
        gone: gets the features that are no longer there.

    Returns:
        The number of features gone, and of new ones.
    """
    old, sets = before[SETS_AT:], indices[SETS_AT:]
    write_sets(state, options, player, sets)
    _write_others(state, options, player, sets)
    # Mostly no Chieftain has moved.
    former, steps = old[STEPS:END].view(np.uint8), old[STEPS:END].view(np.uint8)
    has_moved = _has_moved(start, state)
    if has_moved:
        write_steps(state, options, sets)
        steps = sets[STEPS:END].view(np.uint8)
    less = more = 0
    for side in range(2):
        penalty = wide(old[FOLLOWERS + side])
        for rank in range(wide(options.ranks)):
            files = _changed(start, state, player, side, rank, old, sets)
            if has_moved:
                files |= _with_other_steps(state, side, rank, former, steps)
            while files:
                file = lowest(files)
                files &= files - 1
                had = wide(start.occupants[side, rank]) >> file & 1
                has = wide(state.occupants[side, rank]) >> file & 1
                if had:
                    penalty -= _write_piece(
                        start, options, player, side, file, rank, old, former, gone, less
                    )
                if has:
                    penalty += _write_piece(
                        state, options, player, side, file, rank, sets, steps, indices, more
                    )
                kept = _drop_kept(gone[less:], indices[more:]) if had and has else 0
                less += had * PER_PIECE - kept
                more += has * PER_PIECE - kept
        sets[FOLLOWERS + side] = penalty
    less, more = _change_slots(0, COMMON, COMMON, old, sets, indices, gone, less, more)
    for side in range(2):
        were = PER_CHIEFTAIN * wide(start.chieftains[side])
        are = PER_CHIEFTAIN * wide(state.chieftains[side])
        first = _first_slot(side)
        less, more = _change_slots(first, were, are, old, sets, indices, gone, less, more)
    return less, more


@rule
def _drop_kept(gone: np.ndarray, come: np.ndarray) -> int:
    """Drop the features of a piece that it had and has; return how many these are."""
    kept = 0
    for each in range(PER_PIECE):
        if gone[each] == come[each]:
            kept += 1
        else:
            gone[each - kept], come[each - kept] = gone[each], come[each]
    return kept


@rule
def _has_moved(start: State, state: State) -> bool:
    """Whether a Chieftain is not where it was."""
    for side in range(2):
        if start.chieftains[side] != state.chieftains[side]:
            return True
        for chief in range(wide(state.chieftains[side])):
            if start.chieftain_cell[side, chief] != state.chieftain_cell[side, chief]:
                return True
    return False


@rule
def _changed(
    start: State,
    state: State,
    player: int,
    side: int,
    rank: int,
    old: np.ndarray,
    sets: np.ndarray,
) -> int:
    """The files of a side's pieces on a rank, before or after, that other pieces have changed."""
    were, are = wide(start.occupants[side, rank]), wide(state.occupants[side, rank])
    if (start.chieftains[1 - side] == 1) != (state.chieftains[1 - side] == 1):
        return were | are
    own, enemy = (GUARD, OTHER) if side == player else (OTHER, ATTACK)
    row = MARGIN + rank
    guarded = wide(old[own + ONCE + row] ^ sets[own + ONCE + row])
    once = wide(old[enemy + ONCE + row] ^ sets[enemy + ONCE + row])
    twice = wide(old[enemy + TWICE + row] ^ sets[enemy + TWICE + row])
    return (were ^ are) | are & (guarded | once | twice)


@rule
def _with_other_steps(
    state: State, side: int, rank: int, former: np.ndarray, steps: np.ndarray
) -> int:
    """The files of a side's pieces on a rank whose steps to a nearest Chieftain have changed."""
    changed, files = 0, wide(state.occupants[side, rank])
    while files:
        file = lowest(files)
        files &= files - 1
        own, enemy = STRIDE * rank + file, SQUARES + STRIDE * rank + file
        if former[own] != steps[own] or former[enemy] != steps[enemy]:
            changed |= 1 << file
    return changed


@rule
def _change_slots(
    first: int,
    were: int,
    are: int,
    old: np.ndarray,
    sets: np.ndarray,
    indices: np.ndarray,
    gone: np.ndarray,
    less: int,
    more: int,
) -> tuple[int, int]:
    """Write the changed features of slots; return the new numbers."""
    for each in range(max(were, are)):
        slot = OTHERS + first + each
        if each >= were or each >= are or old[slot] != sets[slot]:
            if each < were:
                gone[less] = old[slot]
                less += 1
            if each < are:
                indices[more] = sets[slot]
                more += 1
    return less, more


@rule
def _first_slot(side: int) -> int:
    """The first slot of a side's Chieftains."""
    return COMMON + PER_CHIEFTAIN * MOST_CHIEFTAINS * side


@rule
def _escapes(sets: np.ndarray, side: int, file: int, rank: int) -> int:
    """The number of safe squares to which a Chieftain can move."""
    row = MARGIN + rank
    below = _widened(_window(sets, EMPTY + row - 1, file, 2) & WITHIN_ONE)
    level = _widened(_window(sets, EMPTY + row, file, 2) & BESIDE)
    above = _widened(_window(sets, EMPTY + row + 1, file, 2) & WITHIN_ONE)
    low, high = below | level | WITHIN_ONE, above | level | WITHIN_ONE
    reached = below | low << 5 | (low | high) << 10 | high << 15 | above << 20
    safe, at = 0, SAFE + ROWS * side + row
    for step in range(5):
        safe |= _window(sets, at + step - 2, file, 2) << 5 * step
    return size(reached & safe)


@rule
def _widened(files: int) -> int:
    """Files and their neighbours."""
    return files | files << 1 | files >> 1


@rule
def _balance(sets: np.ndarray, side: int, file: int, rank: int) -> int:
    """The lead in pieces of a side around a Chieftain, from 0, far behind, to 16."""
    at = OCCUPIED + MARGIN + rank
    more = _near(sets, at + ROWS * side, file) - _near(sets, at + ROWS * (1 - side), file)
    half = BALANCES // 2
    return min(max(more, -half), half) + half


@rule
def _near(sets: np.ndarray, at: int, file: int) -> int:
    """The number of members of a set that are near to a square."""
    number = 0
    for row in range(at - BALANCE_REACH, at + BALANCE_REACH + 1, 3):
        one, two = (
            _window(sets, row, file, BALANCE_REACH),
            _window(sets, row + 1, file, BALANCE_REACH),
        )
        number += size(one | two << 9 | _window(sets, row + 2, file, BALANCE_REACH) << 18)
    return number


@rule
def _window(sets: np.ndarray, row: int, file: int, distance: int) -> int:
    """The files of a set at most a distance from a file, that distance as bit 0."""
    return wide(sets[row]) << distance >> file & ((2 << 2 * distance) - 1)


@rule
def evaluate(state: State, options: OptionsRecord, player: int, indices: np.ndarray) -> float:
    """:func:`evaluation.evaluate`, from what :func:`write` has left behind the features."""
    lead = np.float64(points(state, player) - points(state, 1 - player))
    mine = _standing(state, options, player, OTHER, indices[SETS_AT:])
    return lead + mine - _standing(state, options, 1 - player, GUARD, indices[SETS_AT:])


@rule
def _standing(
    state: State, options: OptionsRecord, side: int, enemy: int, sets: np.ndarray
) -> float:
    """The penalties for the squares of a side's pieces; not positive."""
    value = -STEP * wide(sets[FOLLOWERS + side])
    for chief in range(wide(state.chieftains[side])):
        cell = wide(state.chieftain_cell[side, chief])
        steps = nearest_piece(state, options, 1 - side, cell)
        is_threatened = wide(sets[enemy + ONCE + MARGIN + rank_of(cell)]) >> file_of(cell) & 1 == 1
        value -= leader_penalty(state, options, side, steps, is_threatened)
    return value


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
    SETS_AT,
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
    memory=MEMORY,
    evaluate=evaluate,
    changes=changes,
)
