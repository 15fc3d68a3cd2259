"""The features of Chieftain that an order changes: those of a few pieces, out of hundreds."""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.bits import lowest
from pasgl_env.games.chieftain.rules.board import STRIDE
from pasgl_env.games.chieftain.rules.feature_groups import (
    BALANCE_REACH,
    COMMON,
    FOLLOWERS,
    OTHERS,
    PER_CHIEFTAIN,
    PER_PIECE,
    SETS_AT,
    first_slot,
    guards_and_attackers,
    write_chieftains,
    write_common,
    write_piece,
)
from pasgl_env.games.chieftain.rules.reach import MARGIN, ONCE, TWICE
from pasgl_env.games.chieftain.rules.sets import (
    END,
    SQUARES,
    STEPS,
    write_sets,
    write_steps,
    write_touched,
)
from pasgl_env.jit.compiled import inlined_rule, rule, wide


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
    write_touched(options, old, sets, BALANCE_REACH)
    write_common(state, options, player, sets)
    has_moved = _has_moved(start, state)
    if has_moved:
        write_steps(state, options, sets)
    else:
        for word in range(STEPS, END):
            sets[word] = old[word]
    less = more = 0
    for side in range(2):
        write_chieftains(state, options, player, side, sets, old, not has_moved)
        sets[FOLLOWERS + side] = old[FOLLOWERS + side]
        for rank in range(wide(options.ranks)):
            files = _changed(start, state, player, side, rank, old, sets)
            if has_moved:
                files |= _with_other_steps(state, side, rank, old, sets)
            while files:
                file = lowest(files)
                files &= files - 1
                less, more = _change_piece(
                    start,
                    state,
                    options,
                    player,
                    side,
                    file,
                    rank,
                    old,
                    sets,
                    indices,
                    gone,
                    less,
                    more,
                )
    less, more = _change_slots(0, COMMON, COMMON, old, sets, indices, gone, less, more)
    for side in range(2):
        were = PER_CHIEFTAIN * wide(start.chieftains[side])
        are = PER_CHIEFTAIN * wide(state.chieftains[side])
        first = first_slot(side)
        less, more = _change_slots(first, were, are, old, sets, indices, gone, less, more)
    return less, more


@inlined_rule
def _change_piece(
    start: State,
    state: State,
    options: OptionsRecord,
    player: int,
    side: int,
    file: int,
    rank: int,
    old: np.ndarray,
    sets: np.ndarray,
    indices: np.ndarray,
    gone: np.ndarray,
    less: int,
    more: int,
) -> tuple[int, int]:
    """Write the changed features of a side's piece on a square; return the new numbers."""
    had = wide(start.occupants[side, rank]) >> file & 1
    has = wide(state.occupants[side, rank]) >> file & 1
    penalty = 0
    if had:
        penalty -= write_piece(start, options, player, side, file, rank, old, gone, less)
    if has:
        penalty += write_piece(state, options, player, side, file, rank, sets, indices, more)
    sets[FOLLOWERS + side] = wide(sets[FOLLOWERS + side]) + penalty
    kept = _drop_kept(gone[less:], indices[more:]) if had and has else 0
    return less + had * PER_PIECE - kept, more + has * PER_PIECE - kept


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
    own, enemy = guards_and_attackers(side, player)
    row = MARGIN + rank
    guarded = wide(old[own + ONCE + row] ^ sets[own + ONCE + row])
    once = wide(old[enemy + ONCE + row] ^ sets[enemy + ONCE + row])
    twice = wide(old[enemy + TWICE + row] ^ sets[enemy + TWICE + row])
    return (were ^ are) | are & (guarded | once | twice)


@rule
def _with_other_steps(state: State, side: int, rank: int, old: np.ndarray, sets: np.ndarray) -> int:
    """The files of a side's pieces on a rank whose steps to a nearest Chieftain have changed."""
    former, steps = old[STEPS:END].view(np.uint8), sets[STEPS:END].view(np.uint8)
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
