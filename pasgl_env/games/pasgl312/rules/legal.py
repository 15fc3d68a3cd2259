"""The legal actions of PASGL 312 Chess.

The action space, ``Discrete(1165)``, from the view of the player to move (ranks mirrored for
Black)::

    0 ... 1087      slot * 68 + square   a move, shot or chuck by the critter of that slot
    1088 ... 1155   1088 + square        the critter to be displaced next goes to that square
    1156 ... 1163   1156 + slot          the enemy critter of that slot is the victim
    1164            pass

A Hunter or Woodchuck never moves onto an occupied square, so its action on an occupied square is a
shot or a chuck. Of indistinguishable critters (two equal Turkeys on one square) only the first may
be named, so that every legal action has its own label.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.bits import lowest
from pasgl_env.games.pasgl312.rules.board import (
    ACROSS,
    BACKWARD,
    BEAR_STEP,
    BISHOP_STEP,
    BOARD_SQUARES,
    CHIPMUNK_STEPS,
    CHUCK_TARGET,
    DABBABA_LEAP,
    DEAD,
    FILE,
    HEAD_CAR,
    KING_STEP,
    KNIGHT_LEAP,
    KNIGHT_OVER,
    LEFT,
    LINE,
    NONE,
    PHASES,
    RANK,
    REACHED,
    RIGHT,
    ROOK_STEP,
    SHOT_STEP,
    SQUARES,
    TAIL_CAR,
    TINY_STEP,
    TRAIN_HEAD,
    TURNED,
)
from pasgl_env.games.pasgl312.rules.state import (
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
    SIDE,
    SIDE_MASK,
    SKUNK,
    SKUNKS,
    TINY,
    TURKEYS,
    TWINS_BEFORE,
    VICTIM_SLOTS,
    WOODCHUCK,
    at,
    critter_in,
    has_lunch,
    is_leaving,
    is_over,
    kind_of,
    lunches_at,
    under_train,
)
from pasgl_env.jit.compiled import clear, inlined_rule, rule, wide

ALL_TERMINALS = (1 << (SQUARES - BOARD_SQUARES)) - 1

DISPLACEMENTS = SIDE * SQUARES
VICTIMS = DISPLACEMENTS + SQUARES
PASS = VICTIMS + VICTIM_SLOTS
ACTIONS = PASS + 1


@rule
def legal_actions(state: State, options: OptionsRecord, mask: np.ndarray) -> int:
    """Write the mask of legal actions; return their number."""
    clear(mask)
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
    enemy = 1 - wide(state.mover)
    candidates = victims(state, wide(state.actor), wide(state.target))
    count = 0
    for slot in range(VICTIM_SLOTS):
        critter = critter_in(state, enemy, slot)
        if (candidates >> critter) & 1 and not _is_second_turkey(state, candidates, enemy, slot):
            mask[VICTIMS + slot] = 1
            count += 1
    return count


@rule
def _is_second_turkey(state: State, candidates: int, side: int, slot: int) -> bool:
    """Whether the other Turkey is a candidate before this one and looks the same."""
    if slot != FIRST_TURKEY + 1:
        return False
    first, second = critter_in(state, side, slot - 1), critter_in(state, side, slot)
    stinky = wide(state.stinky)
    return (candidates >> first) & 1 == 1 and (stinky >> first) & 1 == (stinky >> second) & 1


@rule
def _displacement_choices(state: State, mask: np.ndarray) -> int:
    """Mark the squares next to the Bear's new square, occupied or not (Ruling 21)."""
    count = 0
    for direction in range(8):
        square = KING_STEP[state.target, direction]
        if square != NONE:
            mask[DISPLACEMENTS + TURNED[state.mover, square]] = 1
            count += 1
    return count


@rule
def _opening_choices(state: State, options: OptionsRecord, mask: np.ndarray) -> int:
    """Mark the first actions of a turn; a compelled player moves a stinky critter if possible."""
    own = SIDE_MASK[state.mover]
    stinky = wide(state.stinky) & own
    if stinky and is_compelled(state, options):
        count = _mark_moves(state, options, stinky, False, mask)
        if count:
            return count
    return _mark_moves(state, options, own, True, mask)


@rule
def is_compelled(state: State, options: OptionsRecord) -> bool:
    """Whether stink compels a player with a stinky critter: no death threatens (Ruling 4)."""
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
    """Whether the enemy Fox, with lunch, could now devour one of the mover's critters (Ruling 4).

    A theft is no threat.
    """
    enemy = 1 - wide(state.mover)
    fox = enemy * SIDE + FOX
    place = state.where[fox]
    if not has_lunch(state, fox) or place >= SQUARES:
        return False
    if place >= BOARD_SQUARES and not is_leaving(state, fox):
        return False
    back = ROOK_STEP[place, BACKWARD[enemy]]
    if not under_train(state, options, back) and devourable(state, enemy, back):
        return True
    for direction in range(4):
        for turn in (direction ^ 1, direction ^ 3):
            end = _zigzag_end(state, options, place, direction, turn)
            if devourable(state, enemy, end):
                return True
    return False


@rule
def _zigzag_end(
    state: State, options: OptionsRecord, square: int, direction: int, turn: int
) -> int:
    """The occupied square of the board where a zigzag stops, or NONE."""
    for step in range(options.fox_range):
        square = BISHOP_STEP[square, turn if step % 2 else direction]
        if square >= BOARD_SQUARES or under_train(state, options, square):
            return NONE
        if at(state, square):
            return square
    return NONE


@rule
def _hunter_threatens(state: State, options: OptionsRecord) -> bool:
    """Whether the enemy Hunter, with lunch, could shoot one of the mover's critters (Ruling 4)."""
    hunter = (1 - wide(state.mover)) * SIDE + HUNTER
    place = state.where[hunter]
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
        if square >= BOARD_SQUARES or under_train(state, options, square):
            return NONE
        if at(state, square):
            return square
    return NONE


@rule
def victims(state: State, actor: int, square: int) -> int:
    """The critters that an actor can harm on a square: enemies only (Ruling 10).

    If there are any, exactly one must be taken (Ruling 5).
    """
    if square >= BOARD_SQUARES or not has_lunch(state, actor):
        return 0
    enemy = 1 - actor // SIDE
    kind = actor % SIDE
    if kind == HUNTER:
        return at(state, square) & _shot_prey(enemy)
    if kind == DEER:
        return lunches_at(state, square) & SIDE_MASK[enemy]
    if kind == FOX:
        own = 1 - enemy
        return lunches_at(state, square) & SIDE_MASK[enemy] | devourable(state, own, square)
    if kind == WOODCHUCK:
        return at(state, square) & _chuck_prey(state, enemy)
    return 0


@rule
def _shot_prey(side: int) -> int:
    """The critters of a side that the enemy Hunter can shoot (Ruling 10): all that are not tiny."""
    return SIDE_MASK[side] & ~TINY


@rule
def _chuck_prey(state: State, side: int) -> int:
    """The critters that the enemy Woodchuck can hit (Ruling 10): those with lunch, and Skunks.

    Wood has an effect on no others (Ruling 20).
    """
    return SIDE_MASK[side] & (CARRIERS & ~wide(state.lunchless) | SKUNKS)


@rule
def devourable(state: State, player: int, square: int) -> int:
    """The set of critters on a square of the board that this player's Fox can devour."""
    if square >= BOARD_SQUARES:
        return 0
    food = TURKEYS | DEVOURABLE_LUNCHLESS & wide(state.lunchless)
    return at(state, square) & SIDE_MASK[1 - player] & food


class Places(NamedTuple):
    """A set of squares: bits of those of the board, and of those after it, terminals first."""

    board: int
    beyond: int


class Party(NamedTuple):
    """The common properties of a side's movers, looked up once."""

    side: int
    turned: np.ndarray
    train: Places  # occupied by the Train
    clear: Places  # not occupied by it
    empty: Places  # nor by critters


class Mover(NamedTuple):
    """The properties that determine a critter's moves, looked up once for all of them."""

    critter: int
    side: int
    place: int
    first_action: np.uint16
    turned: np.ndarray
    ends: Places  # possible targets of its moves
    free: int  # squares of the board where a slide, ride or zigzag may continue
    is_boarding: bool
    train: Places


@rule
def _is_in(places: Places, square: int) -> int:
    """1 if a set contains a square; 0 if not, or for NONE.

    Without a branch: processors cannot predict whether a square is free.
    """
    part = places.board if square < BOARD_SQUARES else places.beyond
    return (part >> (square & 63)) & 1


@rule
def _clear_of(train: Places) -> Places:
    """The squares not occupied by the Train."""
    return Places(~train.board, ALL_TERMINALS & ~train.beyond)


@rule
def _empty_squares(state: State, clear: Places) -> Places:
    """The squares of a set where no critter stands."""
    board, beyond = wide(state.occupied[0]), wide(state.occupied[1])
    return Places(clear.board & ~board, clear.beyond & ~beyond)


@rule
def _mark_moves(
    state: State, options: OptionsRecord, movers: int, with_harm: bool, mask: np.ndarray
) -> int:
    """Mark moves (and shots and chucks) of a set of own critters; return their number.

    Written out slot by slot, so that a processor can learn each kind's branches.
    """
    side = wide(state.mover)
    train = Places(options.train[state.phase, 0], options.train[state.phase, 1])
    clear = _clear_of(train)
    party = Party(side, TURNED[side], train, clear, _empty_squares(state, clear))
    elsewhere = at(state, DEAD) | at(state, HEAD_CAR) | at(state, TAIL_CAR)
    slots = (movers & ~elsewhere) >> (side * SIDE)
    count = 0
    if (slots >> BEAR) & 1:
        mover = _mover(state, party, BEAR)
        count += _mark_bear_moves(mover, mask)
    if (slots >> HUNTER) & 1:
        mover = _mover(state, party, HUNTER)
        count += _mark_hunter_moves(state, options, mover, with_harm, mask)
    if (slots >> DEER) & 1:
        mover = _mover(state, party, DEER)
        count += _mark_rides(mover, mask)
    if (slots >> FOX) & 1:
        mover = _mover(state, party, FOX)
        count += _mark_fox_moves(options, mover, mask)
    if (slots >> WOODCHUCK) & 1:
        mover = _mover(state, party, WOODCHUCK)
        count += _mark_woodchuck_moves(state, options, mover, with_harm, mask)
    if (slots >> SKUNK) & 1:
        mover = _mover(state, party, SKUNK)
        count += _mark_slides(state, options, mover, mask)
    for slot in range(FIRST_TURKEY, FIRST_SHREW):
        if _may_be_named(state, party, slots, slot):
            mover = _mover(state, party, slot)
            count += _mark_slides(state, options, mover, mask)
    for slot in range(FIRST_SHREW, SIDE):
        if state.where[critter_in(state, side, slot)] >= SQUARES:
            break  # no critter after it is on a square either: slots are in the order of places
        if _may_be_named(state, party, slots, slot):
            mover = _mover(state, party, slot)
            count += _mark_tiny_moves(state, mover, mask)
    return count


@rule
def _may_be_named(state: State, party: Party, movers: int, slot: int) -> bool:
    """Whether the critter in a slot is one of a set and the first of those that look like it."""
    critter = critter_in(state, party.side, slot) - party.side * SIDE
    return (movers >> critter) & 1 == 1 and not _has_twin_before(state, party, critter)


@rule
def _mover(state: State, party: Party, slot: int) -> Mover:
    critter = critter_in(state, party.side, slot)
    place = state.where[critter]
    in_terminal = place >= BOARD_SQUARES
    leaves = in_terminal and is_leaving(state, critter)
    return Mover(
        critter,
        party.side,
        place,
        np.uint16(slot * SQUARES),
        party.turned,
        _ends(state, party, critter, leaves),
        party.empty.board,
        in_terminal and not leaves,
        party.train,
    )


@rule
def _ends(state: State, party: Party, critter: int, leaves: bool) -> Places:
    """The possible targets of a critter's move; a leaving critter never goes to a terminal."""
    places = party.clear if may_enter_occupied(state, critter) else party.empty
    return Places(places.board, 0 if leaves else places.beyond)


@rule
def _has_twin_before(state: State, party: Party, number: int) -> bool:
    """Whether an own critter of a lower number on the same square is identical in every respect.

    Among such twins the lower number also has the lower slot.
    """
    critter = party.side * SIDE + number
    others = at(state, state.where[critter]) & (TWINS_BEFORE[number] << (party.side * SIDE))
    if others == 0:
        return False
    for condition in (
        wide(state.stinky),
        wide(state.leaving),
        wide(state.promoted),
    ):
        others &= condition if (condition >> critter) & 1 else ~condition
    return others != 0


@rule
def may_enter_occupied(state: State, critter: int) -> bool:
    """Whether a critter may enter an occupied square; a lunchless Skunk may not (Ruling 6)."""
    slot = critter % SIDE
    return slot != HUNTER and slot != WOODCHUCK and has_lunch(state, critter)


@rule
def _can_go_on(mover: Mover, square: int) -> int:
    """1 if a slide, ride or zigzag may continue from a square."""
    return (mover.free >> (square & 63)) & wide(square < BOARD_SQUARES)


@rule
def _mark_end(mover: Mover, square: int, mask: np.ndarray) -> int:
    """Mark a move to a square, if the mover may end there; return the number of moves marked."""
    can_end = _is_in(mover.ends, square)
    mask[mover.first_action + mover.turned[square]] |= can_end
    return can_end


@rule
def _mark_boarding_move(mover: Mover, mask: np.ndarray) -> int:
    """Mark the only move of a boarding critter of any kind: to the other square.

    Those that may not enter occupied squares may not enter this one either (Ruling 18).
    """
    return _mark_end(mover, ACROSS[mover.place], mask)


@rule
def _mark_steps(mover: Mover, steps: np.ndarray, mask: np.ndarray) -> int:
    count = 0
    for direction in range(4):
        count += _mark_end(mover, steps[mover.place, direction], mask)
    return count


@rule
def _mark_tiny_moves(state: State, mover: Mover, mask: np.ndarray) -> int:
    """Chipmunk F, Shrew fF: one square diagonally, the Shrew forward."""
    if mover.is_boarding:
        return _mark_boarding_move(mover, mask)
    is_chipmunk = kind_of(state, mover.critter) == CHIPMUNK
    steps = CHIPMUNK_STEPS if is_chipmunk else mover.side
    count = 0
    for direction in range(4):
        count += _mark_end(mover, TINY_STEP[steps, mover.place, direction], mask)
    return count


@rule
def _mark_bear_moves(mover: Mover, mask: np.ndarray) -> int:
    """K, in the own half only, never to a terminal."""
    count = 0
    for direction in range(8):
        count += _mark_end(mover, BEAR_STEP[mover.side, mover.place, direction], mask)
    return count


@inlined_rule
def _mark_slides(state: State, options: OptionsRecord, mover: Mover, mask: np.ndarray) -> int:
    """R, the Turkey's up to a number of squares, stopping at the first occupied square."""
    if mover.is_boarding:
        return _mark_boarding_move(mover, mask)
    reach = LINE if mover.critter % SIDE == SKUNK else min(options.turkey_range, LINE)
    count = _mark_slides_in_rank(mover, reach, mask)
    if mover.place < BOARD_SQUARES:
        count += _mark_slides_in_file(mover, reach, mask)
    return count


@rule
def _mark_slides_in_rank(mover: Mover, reach: int, mask: np.ndarray) -> int:
    """Mark all squares of the rank, as possible targets or not: without a branch."""
    first = 8 * wide(RANK[mover.place])
    free, ends = (mover.free >> first) & 0xFF, (mover.ends.board >> first) & 0xFF
    reached = _reached(FILE[mover.place] + 1, free, reach)
    first_action = mover.first_action + mover.turned[first]
    count = 0
    for file in range(8):
        can_end = ((reached >> 1 & ends) >> file) & 1
        mask[first_action + file] = can_end
        count += can_end
    if reached & 1:
        count += _mark_end(mover, ROOK_STEP[first, LEFT], mask)
    if reached >> (LINE - 1):
        count += _mark_end(mover, ROOK_STEP[first + 7, RIGHT], mask)
    return count


@rule
def _mark_slides_in_file(mover: Mover, reach: int, mask: np.ndarray) -> int:
    """Mark all squares of the file, as possible targets or not: without a branch."""
    file = wide(FILE[mover.place])
    free, ends = _in_file(mover.free, file), _in_file(mover.ends.board, file)
    targets = _reached(RANK[mover.place] + 1, free, reach) >> 1 & ends
    count = 0
    for rank in range(8):
        can_end = (targets >> rank) & 1
        mask[mover.first_action + mover.turned[8 * rank + file]] = can_end
        count += can_end
    return count


@rule
def _in_file(board: int, file: int) -> int:
    """The squares of a file that are in a set: bits 0 to 7 for its ranks."""
    squares = (board >> file) & 0x0101010101010101
    squares |= squares >> 7
    squares |= squares >> 14
    return (squares | squares >> 28) & 0xFF


@rule
def _reached(place: int, free: int, reach: int) -> int:
    """The places of a line within reach of a slide from one of them."""
    within_reach = ((wide(1) << (2 * reach + 1)) - 1) << place >> reach
    return wide(REACHED[place, free]) & within_reach


@inlined_rule
def _mark_rides(mover: Mover, mask: np.ndarray) -> int:
    """NN. First all directions' first leaps, without a branch, then the rides that go on."""
    if mover.is_boarding:
        return _mark_boarding_move(mover, mask)
    count = going_on = 0
    for direction in range(8):
        square = _leap(mover, mover.place, direction)
        ends = _mark_end(mover, square, mask)
        count += ends
        going_on |= (ends & _can_go_on(mover, square)) << direction
    while going_on:
        direction = lowest(going_on)
        going_on &= going_on - 1
        count += _mark_ride(mover, KNIGHT_LEAP[mover.place, direction], direction, mask)
    return count


@rule
def _mark_ride(mover: Mover, square: int, direction: int, mask: np.ndarray) -> int:
    """Mark the further leaps of a ride from a square in one direction."""
    count, goes_on = 0, 1
    while goes_on:
        square = _leap(mover, square, direction)
        ends = _mark_end(mover, square, mask)
        count += ends
        goes_on = ends & _can_go_on(mover, square)
    return count


@rule
def _leap(mover: Mover, square: int, direction: int) -> int:
    """The target of a knight's leap; NONE if the Train, one step ahead, blocks it (Ruling 7)."""
    if _is_in(mover.train, KNIGHT_OVER[square, direction]):
        return NONE
    return KNIGHT_LEAP[square, direction]


@inlined_rule
def _mark_fox_moves(options: OptionsRecord, mover: Mover, mask: np.ndarray) -> int:
    """bW, or zF up to a number of steps. Several ways may lead to the same square.

    As with rides, the first steps come first.
    """
    if mover.is_boarding:
        return _mark_boarding_move(mover, mask)
    count = _mark_end(mover, ROOK_STEP[mover.place, BACKWARD[mover.side]], mask)
    if options.fox_range == 0:
        return count
    going_on = 0
    for direction in range(4):
        square = BISHOP_STEP[mover.place, direction]
        ends = _mark_end(mover, square, mask)
        count += ends
        going_on |= (ends & _can_go_on(mover, square)) << direction
    while going_on:
        direction = lowest(going_on)
        going_on &= going_on - 1
        # The two diagonals at right angles to this one.
        count += _mark_zigzag(options, mover, direction, direction ^ 1, mask)
        count += _mark_zigzag(options, mover, direction, direction ^ 3, mask)
    return count


@inlined_rule
def _mark_zigzag(
    options: OptionsRecord, mover: Mover, direction: int, turn: int, mask: np.ndarray
) -> int:
    """Mark a zigzag after its first step, to its full length even if blocked: without a branch."""
    square, goes_on, count = BISHOP_STEP[mover.place, direction], 1, 0
    for step in range(1, options.fox_range):
        square = BISHOP_STEP[square, turn if step % 2 else direction]
        ends = goes_on & _is_in(mover.ends, square)
        count += _mark_once(mover, square, ends, mask)
        goes_on = ends & _can_go_on(mover, square)
    return count


@rule
def _mark_once(mover: Mover, square: int, can_end: int, mask: np.ndarray) -> int:
    """Mark a move that may be marked already, if it can end there; return 1 if it is new."""
    action = mover.first_action + mover.turned[square]
    before = wide(mask[action])
    mask[action] = before | can_end
    return can_end & ~before


@inlined_rule
def _mark_hunter_moves(
    state: State, options: OptionsRecord, mover: Mover, with_harm: bool, mask: np.ndarray
) -> int:
    """W; with lunch, on the board, shots at the first occupied square of each rank and file."""
    if mover.is_boarding:
        return _mark_boarding_move(mover, mask)
    count = _mark_steps(mover, ROOK_STEP, mask)
    if with_harm and mover.place < BOARD_SQUARES and has_lunch(state, mover.critter):
        count += _mark_shots(state, options, mover, mask)
    return count


@inlined_rule
def _mark_shots(state: State, options: OptionsRecord, mover: Mover, mask: np.ndarray) -> int:
    """Mark the shots, to their full range even if blocked: without a branch."""
    prey = _shot_prey(1 - mover.side)
    count = 0
    for direction in range(4):
        square, goes_on = mover.place, 1
        for _ in range(options.hunter_range):
            square = SHOT_STEP[square, direction]
            count += _mark_harm(state, mover, square, prey * goes_on, mask)
            goes_on &= _can_go_on(mover, square)
    return count


@inlined_rule
def _mark_woodchuck_moves(
    state: State, options: OptionsRecord, mover: Mover, with_harm: bool, mask: np.ndarray
) -> int:
    """W or D; with lunch, on the board, chucks 2 or 3 squares diagonally, over anything.

    The Woodchuck does not leap over the Train, but its wood passes (Ruling 8).
    """
    if mover.is_boarding:
        return _mark_boarding_move(mover, mask)
    count = _mark_steps(mover, ROOK_STEP, mask)
    for direction in range(4):
        # Only the Train blocks the leap.
        if not _is_in(mover.train, ROOK_STEP[mover.place, direction]):
            count += _mark_end(mover, DABBABA_LEAP[mover.place, direction], mask)
    if with_harm and mover.place < BOARD_SQUARES and has_lunch(state, mover.critter):
        prey = _chuck_prey(state, 1 - mover.side)
        for farther in range(options.chuck_reach - 1):
            for direction in range(4):
                square = CHUCK_TARGET[mover.place, farther, direction]
                count += _mark_harm(state, mover, square, prey, mask)
    return count


@rule
def _mark_harm(state: State, mover: Mover, square: int, prey: int, mask: np.ndarray) -> int:
    """Mark a shot or chuck at a square, or NONE, if there is prey."""
    hit = at(state, square) & prey != 0
    mask[mover.first_action + mover.turned[square]] |= hit
    return wide(hit)
