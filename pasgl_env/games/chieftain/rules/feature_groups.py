"""Groups of Chieftain's features: their numbers, and the rules that write them."""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.bits import size
from pasgl_env.games.chieftain.rules.board import CHIEFTAIN, KINDS, MOST, STRIDE
from pasgl_env.games.chieftain.rules.evaluation import CHIEFTAIN_MOVE, STEP, STRANDED
from pasgl_env.games.chieftain.rules.reach import EMPTY, MARGIN, ONCE, ROWS, TWICE
from pasgl_env.games.chieftain.rules.sets import (
    ATTACK,
    END,
    GUARD,
    NEAR_TOUCHED,
    OCCUPIED,
    OTHER,
    SAFE,
    SQUARES,
    STEPS,
)
from pasgl_env.games.chieftain.rules.state import (
    MOST_CHIEFTAINS,
    VALUE,
    cell_at,
    file_of,
    kind_at,
    orders_left,
    points,
    rank_of,
    row_of,
)
from pasgl_env.jit.compiled import inlined_rule, rule, wide

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
def guards_and_attackers(side: int, player: int) -> tuple[int, int]:
    """The blocks with the squares that guards and attackers of a side's pieces reach."""
    return (GUARD, OTHER) if side == player else (OTHER, ATTACK)


@inlined_rule
def write_piece(
    state: State,
    options: OptionsRecord,
    player: int,
    side: int,
    file: int,
    rank: int,
    sets: np.ndarray,
    indices: np.ndarray,
    at: int,
) -> int:
    """Write a piece's features; return its penalty in the evaluation, in units of ``STEP``."""
    seat = 0 if side == player else 1
    own, enemy = guards_and_attackers(side, player)
    row = MARGIN + rank
    guarded, once = wide(sets[own + ONCE + row]), wide(sets[enemy + ONCE + row])
    twice = wide(sets[enemy + TWICE + row])
    danger = 3 * (guarded >> file & 1) + (once >> file & 1) + (twice >> file & 1)
    steps, square = sets[STEPS:END].view(np.uint8), STRIDE * rank + file
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
def write_common(state: State, options: OptionsRecord, player: int, sets: np.ndarray) -> None:
    """Write the features of the position to their slots."""
    lead = points(state, player) - points(state, 1 - player)
    slot = OTHERS + COMMON - 2
    sets[slot] = ORDERS_AT + min(orders_left(state, options), ORDERS - 1)
    sets[slot + 1] = LEAD_AT + min(max(lead // 2, -MOST_LEAD), MOST_LEAD) + MOST_LEAD


@rule
def write_chieftains(
    state: State,
    options: OptionsRecord,
    player: int,
    side: int,
    sets: np.ndarray,
    old: np.ndarray,
    has_old: bool,
) -> None:
    """Write the features of a side's Chieftains to their slots.

    If ``has_old``, features are copied from the slots of ``old`` where nothing near has changed.
    """
    seat = 0 if side == player else 1
    enemy, feared = (OTHER, OTHER) if seat == 0 else (ATTACK, GUARD)
    number = wide(state.chieftains[side])
    whose = 2 * seat + (1 if number == 1 else 0)
    hunted, slot = 0, OTHERS + first_slot(side)
    for chief in range(number):
        cell = wide(state.chieftain_cell[side, chief])
        file, rank = file_of(cell), rank_of(cell)
        attacked = wide(sets[enemy + ONCE + MARGIN + rank]) >> file & 1
        hunted += attacked
        if has_old and _window(sets, NEAR_TOUCHED + MARGIN + rank, file, BALANCE_REACH) == 0:
            for each in range(slot, slot + PER_CHIEFTAIN):
                sets[each] = old[each]
            slot += PER_CHIEFTAIN
            continue
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
def first_slot(side: int) -> int:
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
