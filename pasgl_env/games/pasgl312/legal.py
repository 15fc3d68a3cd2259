"""Which actions of PASGL 312 Chess are legal.

The action space, ``Discrete(1165)``, as the player to move sees the board (ranks mirrored for Black)::

    0 ... 1087      slot * 68 + square   a move, shot or chuck by the critter of that slot
    1088 ... 1155   1088 + square        the critter to be displaced next goes to that square
    1156 ... 1163   1156 + slot          the enemy critter of that slot is the victim
    1164            pass

A Hunter or Woodchuck never moves onto an occupied square, so its action on an occupied square is a shot
or a chuck. Of critters that nobody can tell apart (two equal Turkeys on one square) only the first may be
named: every legal action has a label of its own.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.engine.compiled import rule
from pasgl_env.games.contract import OptionsRecord, State
from pasgl_env.games.pasgl312.board import (
    ACROSS,
    BACKWARD,
    BISHOP_STEP,
    BOARD_SQUARES,
    CHUCK_TARGET,
    DABBABA_LEAP,
    FORWARD_DIAGONALS,
    HALF,
    KING_STEP,
    KNIGHT_LEAP,
    KNIGHT_OVER,
    NONE,
    PHASES,
    ROOK_STEP,
    SQUARES,
    TRAIN_HEAD,
    TURNED,
    ZIGZAGS,
)
from pasgl_env.games.pasgl312.state import (
    BEAR,
    CARRIERS,
    CHIPMUNK,
    CHOOSE_DISPLACEMENT,
    CHOOSE_VICTIM,
    DEER,
    DEVOURABLE_LUNCHLESS,
    FIRST_SHREW,
    FIRST_TURKEY,
    FOX,
    HUNTER,
    SHREW,
    SIDE,
    SIDE_MASK,
    SKUNK,
    SKUNKS,
    TINY,
    TURKEY,
    TURKEYS,
    VICTIM_SLOTS,
    WOODCHUCK,
    at,
    has_lunch,
    is_leaving,
    is_over,
    kind_of,
    lunches_at,
    under_train,
)

DISPLACEMENTS = SIDE * SQUARES
VICTIMS = DISPLACEMENTS + SQUARES
PASS = VICTIMS + VICTIM_SLOTS
ACTIONS = PASS + 1


@rule
def legal_actions(state: State, options: OptionsRecord, mask: np.ndarray) -> int:
    """Write the mask of legal actions, return their number."""
    mask[:] = 0
    if is_over(state, options):
        return 0
    if state.choice == CHOOSE_VICTIM:
        return _victim_choices(state, mask)
    if state.choice == CHOOSE_DISPLACEMENT:
        return _displacement_choices(state, mask)
    count = _opening_choices(state, options, mask)
    if count == 0:
        mask[PASS] = 1
        return 1
    return count


@rule
def _victim_choices(state: State, mask: np.ndarray) -> int:
    candidates = victims(state, np.int64(state.actor), np.int64(state.target))
    candidates >>= (1 - np.int64(state.mover)) * SIDE
    stinky = np.int64(state.stinky) >> (1 - np.int64(state.mover)) * SIDE
    count = 0
    for slot in range(VICTIM_SLOTS):
        if (candidates >> slot) & 1 and not _is_second_turkey(candidates, stinky, slot):
            mask[VICTIMS + slot] = 1
            count += 1
    return count


@rule
def _is_second_turkey(candidates: int, stinky: int, slot: int) -> bool:
    """Whether the other Turkey is a candidate before this one and looks the same."""
    first = slot - 1
    return (
        first == FIRST_TURKEY
        and (candidates >> first) & 1 == 1
        and (stinky >> first) & 1 == (stinky >> slot) & 1
    )


@rule
def _displacement_choices(state: State, mask: np.ndarray) -> int:
    """Any square next to the Bear's new square."""
    count = 0
    for direction in range(8):
        square = KING_STEP[state.target, direction]
        if square != NONE:
            mask[DISPLACEMENTS + TURNED[state.mover, square]] = 1
            count += 1
    return count


@rule
def _opening_choices(state: State, options: OptionsRecord, mask: np.ndarray) -> int:
    """What may open a turn; a compelled player moves a stinky critter if there is such a move."""
    own = SIDE_MASK[state.mover]
    stinky = np.int64(state.stinky) & own
    if stinky and is_compelled(state, options):
        count = _mark_moves(state, options, stinky, False, mask)
        if count:
            return count
    return _mark_moves(state, options, own, True, mask)


@rule
def is_compelled(state: State, options: OptionsRecord) -> bool:
    """Whether stink compels a player who has a stinky critter: nothing worse threatens."""
    return not (
        _fox_threatens(state, options)
        or _hunter_threatens(state, options)
        or _train_threatens(state)
    )


@rule
def _train_threatens(state: State) -> bool:
    entered = TRAIN_HEAD[state.phase % PHASES + 1]
    return entered < BOARD_SQUARES and at(state, entered) & SIDE_MASK[state.mover] != 0


@rule
def _fox_threatens(state: State, options: OptionsRecord) -> bool:
    """Whether the enemy Fox, with lunch, could now devour one of the mover's critters."""
    enemy = 1 - np.int64(state.mover)
    fox = enemy * SIDE + FOX
    place = np.int64(state.where[fox])
    if not has_lunch(state, fox) or place >= SQUARES:
        return False
    if place >= BOARD_SQUARES and not is_leaving(state, fox):
        return False
    back = ROOK_STEP[place, BACKWARD[enemy]]
    if back != NONE and not under_train(state, back) and devourable(state, enemy, back):
        return True
    for zigzag in range(8):
        if devourable(state, enemy, _zigzag_end(state, options, place, zigzag)):
            return True
    return False


@rule
def _zigzag_end(state: State, options: OptionsRecord, square: int, zigzag: int) -> int:
    """The occupied square of the board where a zigzag stops, or NONE."""
    for step in range(options.fox_range):
        square = BISHOP_STEP[square, ZIGZAGS[zigzag, step % 2]]
        if square == NONE or square >= BOARD_SQUARES or under_train(state, square):
            return NONE
        if at(state, square):
            return square
    return NONE


@rule
def _hunter_threatens(state: State, options: OptionsRecord) -> bool:
    """Whether the enemy Hunter, with lunch, could now shoot one of the mover's critters."""
    hunter = (1 - np.int64(state.mover)) * SIDE + HUNTER
    place = np.int64(state.where[hunter])
    if place >= BOARD_SQUARES or not has_lunch(state, hunter):
        return False
    for direction in range(4):
        square = _shot_end(state, options, place, direction)
        if square != NONE and victims(state, hunter, square):
            return True
    return False


@rule
def _shot_end(state: State, options: OptionsRecord, square: int, direction: int) -> int:
    """The first occupied square within the Hunter's range, or NONE."""
    for _ in range(options.hunter_range):
        square = ROOK_STEP[square, direction]
        if square == NONE or square >= BOARD_SQUARES or under_train(state, square):
            return NONE
        if at(state, square):
            return square
    return NONE


@rule
def victims(state: State, actor: int, square: int) -> int:
    """The set of those whom a critter can harm by its action on a square; one of them must be taken."""
    if square >= BOARD_SQUARES or not has_lunch(state, actor):
        return 0
    enemy = 1 - actor // SIDE
    kind = actor % SIDE
    if kind == HUNTER:
        return at(state, square) & SIDE_MASK[enemy] & ~TINY
    if kind == DEER:
        return lunches_at(state, square) & SIDE_MASK[enemy]
    if kind == FOX:
        own = 1 - enemy
        return lunches_at(state, square) & SIDE_MASK[enemy] | devourable(state, own, square)
    if kind == WOODCHUCK:
        return (lunches_at(state, square) | at(state, square) & SKUNKS) & SIDE_MASK[enemy]
    return 0


@rule
def devourable(state: State, player: int, square: int) -> int:
    """The set of those on a square of the board that this player's Fox can devour."""
    if square == NONE or square >= BOARD_SQUARES:
        return 0
    food = TURKEYS | DEVOURABLE_LUNCHLESS & np.int64(state.lunchless)
    return at(state, square) & SIDE_MASK[1 - player] & food


@rule
def _mark_moves(
    state: State, options: OptionsRecord, movers: int, with_shots: bool, mask: np.ndarray
) -> int:
    """Mark the moves (and shots and chucks) of a set of the mover's critters, return their number."""
    first = np.int64(state.mover) * SIDE
    count = 0
    for slot in range(SIDE):
        critter = first + slot
        place = np.int64(state.where[critter])
        if place >= SQUARES or (movers >> critter) & 1 == 0 or _has_twin_before(state, critter):
            continue
        if place < BOARD_SQUARES:
            count += _mark_normal_moves(state, options, critter, place, mask)
            if with_shots and has_lunch(state, critter):
                count += _mark_harm_at_a_distance(state, options, critter, place, mask)
        elif is_leaving(state, critter):
            count += _mark_normal_moves(state, options, critter, place, mask)
        else:
            count += _mark_boarding_move(state, critter, place, mask)
    return count


@rule
def _has_twin_before(state: State, critter: int) -> bool:
    """Whether a critter of a lower number on the same square is the same in every respect."""
    slot = critter % SIDE
    if slot <= FIRST_TURKEY or slot == FIRST_SHREW:
        return False
    group = FIRST_TURKEY if slot < FIRST_SHREW else FIRST_SHREW
    before = ((1 << slot) - (1 << group)) << (critter - slot)
    others = at(state, state.where[critter]) & before
    if others == 0:
        return False
    for condition in (
        np.int64(state.stinky),
        np.int64(state.leaving),
        np.int64(state.promoted),
    ):
        others &= condition if (condition >> critter) & 1 else ~condition
    return others != 0


@rule
def may_stack(state: State, critter: int) -> bool:
    """Whether a critter may enter an occupied square."""
    kind = kind_of(state, critter)
    if kind == HUNTER or kind == WOODCHUCK:
        return False
    return has_lunch(state, critter)


@rule
def _mark(state: State, critter: int, square: int, mask: np.ndarray) -> int:
    """Mark an action of the mover's critter on a square; 1 if it was not marked before."""
    action = (critter % SIDE) * SQUARES + TURNED[state.mover, square]
    if mask[action]:
        return 0
    mask[action] = 1
    return 1


@rule
def _can_end(state: State, critter: int, square: int) -> bool:
    """Whether a move of this critter from where it stands may end on a square that it reaches."""
    if under_train(state, square):
        return False
    if square >= BOARD_SQUARES and is_leaving(state, critter):
        return False
    return at(state, square) == 0 or may_stack(state, critter)


@rule
def _can_pass(state: State, square: int) -> bool:
    """Whether a slide, ride or zigzag may go on from a square."""
    return square < BOARD_SQUARES and at(state, square) == 0 and not under_train(state, square)


@rule
def _mark_boarding_move(state: State, critter: int, place: int, mask: np.ndarray) -> int:
    """The only move of a boarding critter: to the other square of the terminal."""
    other = ACROSS[place]
    if _can_end(state, critter, other):
        return _mark(state, critter, other, mask)
    return 0


@rule
def _mark_normal_moves(
    state: State, options: OptionsRecord, critter: int, place: int, mask: np.ndarray
) -> int:
    kind = kind_of(state, critter)
    if kind == SHREW:
        return _mark_shrew_moves(state, critter, place, mask)
    if kind == TURKEY:
        return _mark_slides(state, critter, place, options.turkey_range, mask)
    if kind == SKUNK:
        return _mark_slides(state, critter, place, SQUARES, mask)
    if kind == CHIPMUNK:
        return _mark_steps(state, critter, place, BISHOP_STEP, mask)
    if kind == BEAR:
        return _mark_bear_moves(state, critter, place, mask)
    if kind == HUNTER:
        return _mark_steps(state, critter, place, ROOK_STEP, mask)
    if kind == DEER:
        return _mark_rides(state, critter, place, mask)
    if kind == FOX:
        return _mark_fox_moves(state, options, critter, place, mask)
    return _mark_woodchuck_moves(state, critter, place, mask)


@rule
def _mark_end(state: State, critter: int, square: int, mask: np.ndarray) -> int:
    if square != NONE and _can_end(state, critter, square):
        return _mark(state, critter, square, mask)
    return 0


@rule
def _mark_steps(
    state: State, critter: int, place: int, steps: np.ndarray, mask: np.ndarray
) -> int:
    count = 0
    for direction in range(4):
        count += _mark_end(state, critter, steps[place, direction], mask)
    return count


@rule
def _mark_shrew_moves(state: State, critter: int, place: int, mask: np.ndarray) -> int:
    """fF: one square diagonally forward."""
    count = 0
    for side in range(2):
        direction = FORWARD_DIAGONALS[state.mover, side]
        count += _mark_end(state, critter, BISHOP_STEP[place, direction], mask)
    return count


@rule
def _mark_bear_moves(state: State, critter: int, place: int, mask: np.ndarray) -> int:
    """K, in the own half only, never to a terminal."""
    count = 0
    for direction in range(8):
        square = KING_STEP[place, direction]
        if 0 <= square < BOARD_SQUARES and HALF[square] == state.mover:
            count += _mark_end(state, critter, square, mask)
    return count


@rule
def _mark_slides(state: State, critter: int, place: int, reach: int, mask: np.ndarray) -> int:
    """R up to a number of squares, stopping at the first occupied square."""
    count = 0
    for direction in range(4):
        square = np.int64(place)
        for _ in range(reach):
            square = np.int64(ROOK_STEP[square, direction])
            count += _mark_end(state, critter, square, mask)
            if square == NONE or not _can_pass(state, square):
                break
    return count


@rule
def _mark_rides(state: State, critter: int, place: int, mask: np.ndarray) -> int:
    """NN; a leap is blocked if the Train is on the square that it passes over."""
    count = 0
    for direction in range(8):
        square = np.int64(place)
        while True:
            over = KNIGHT_OVER[square, direction]
            if over != NONE and under_train(state, over):
                break
            square = np.int64(KNIGHT_LEAP[square, direction])
            count += _mark_end(state, critter, square, mask)
            if square == NONE or not _can_pass(state, square):
                break
    return count


@rule
def _mark_fox_moves(
    state: State, options: OptionsRecord, critter: int, place: int, mask: np.ndarray
) -> int:
    """bW, or zF up to a number of steps."""
    count = _mark_end(state, critter, ROOK_STEP[place, BACKWARD[state.mover]], mask)
    for zigzag in range(8):
        square = np.int64(place)
        for step in range(options.fox_range):
            square = np.int64(BISHOP_STEP[square, ZIGZAGS[zigzag, step % 2]])
            count += _mark_end(state, critter, square, mask)
            if square == NONE or not _can_pass(state, square):
                break
    return count


@rule
def _mark_woodchuck_moves(state: State, critter: int, place: int, mask: np.ndarray) -> int:
    """W or D; only the Train on the square between blocks the leap."""
    count = _mark_steps(state, critter, place, ROOK_STEP, mask)
    for direction in range(4):
        between = ROOK_STEP[place, direction]
        if between == NONE or not under_train(state, between):
            count += _mark_end(state, critter, DABBABA_LEAP[place, direction], mask)
    return count


@rule
def _mark_harm_at_a_distance(
    state: State, options: OptionsRecord, critter: int, place: int, mask: np.ndarray
) -> int:
    """Shots of a Hunter, chucks of a Woodchuck."""
    kind = critter % SIDE
    count = 0
    if kind == HUNTER:
        for direction in range(4):
            square = _shot_end(state, options, place, direction)
            if square != NONE and victims(state, critter, square):
                count += _mark(state, critter, square, mask)
    elif kind == WOODCHUCK:
        for direction in range(8):
            square = CHUCK_TARGET[place, direction]
            if square != NONE and victims(state, critter, square):
                count += _mark(state, critter, square, mask)
    return count
