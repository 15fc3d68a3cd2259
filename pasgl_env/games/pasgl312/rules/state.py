"""The state of PASGL 312 Chess: critters, the STATE record, options, the starting position.

The 32 critters are numbered: 0-15 White's B H D F W S T T P P P P P P P P, 16-31 Black's, and keep
their numbers for the whole game. A set of critters is a bit mask (bit c is critter c).

Observations and actions identify them by *slot*, an index among their side's sixteen. A side's two
Turkeys share two slots, and its eight Shrews and Chipmunks share eight. At the end of every turn
these are assigned in the order of their squares, so that the same position always has the same
observation and the same actions, however it was reached.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.bits import lowest
from pasgl_env.games.pasgl312.rules.board import (
    DEAD,
    INDEX,
    NONE,
    PHASES,
    PLACE_ORDER,
    PLACES,
    train_squares,
)
from pasgl_env.jit.compiled import inlined_rule, rule, wide

SIDE = 16
CRITTERS = 2 * SIDE
BEAR, HUNTER, DEER, FOX, WOODCHUCK, SKUNK, TURKEY, SHREW, CHIPMUNK = range(9)
LETTERS = "BHDFWSTPM"
SLOT_KIND = np.array(
    [BEAR, HUNTER, DEER, FOX, WOODCHUCK, SKUNK, TURKEY, TURKEY] + [SHREW] * 8, np.int8
)
FIRST_TURKEY, FIRST_SHREW = 6, 8
# For each slot, the slots of lower number with the same kind.
TWINS_BEFORE = np.array(
    [
        sum(1 << other for other in range(slot) if SLOT_KIND[other] == SLOT_KIND[slot])
        for slot in range(SIDE)
    ],
    np.int64,
)
VICTIM_SLOTS = 8

SIDE_MASK = np.array([0xFFFF, 0xFFFF0000], np.int64)
EVERYBODY = 0xFFFFFFFF
BEARS = 0x00010001
SKUNKS = 0x00200020
TURKEYS = 0x00C000C0
TINY = 0xFF00FF00
CARRIERS = 0x003F003F
# The critters that a Fox may devour without their lunch (the Turkey never has one).
DEVOURABLE_LUNCHLESS = 0x00300030

HOME = np.array(
    [INDEX[name] for name in "e1 d1 f1 c1 g1 b1".split()]
    + [INDEX[name] for name in "e8 d8 f8 c8 g8 b8".split()],
    np.int8,
).reshape(2, 6)
_START_FILES = ("e", "d", "f", "c", "g", "b", "a", "h", *"abcdefgh")
START = np.array(
    [INDEX[f"{file}{2 if slot >= FIRST_SHREW else 1}"] for slot, file in enumerate(_START_FILES)]
    + [INDEX[f"{file}{7 if slot >= FIRST_SHREW else 8}"] for slot, file in enumerate(_START_FILES)],
    np.int8,
)

# The pending choice of the player to move. A turn has all its effects after its last choice.
CHOOSE_MOVE, CHOOSE_VICTIM, CHOOSE_DISPLACEMENT = range(3)

STATE = np.dtype(
    (
        np.record,
        [
            ("occupied", np.int64, (2,)),  # sets of the places where critters are: 0-63, 64-70
            ("standing", np.uint32, (PLACES + 1,)),  # critters at each place; nobody at NONE
            ("lunchless", np.uint32),  # set of carriers without lunch
            ("stinky", np.uint32),  # set of stinky critters
            ("leaving", np.uint32),  # set of critters on terminals that the Train put there
            ("promoted", np.uint32),  # set of Shrews that have become Chipmunks
            ("pushed", np.uint32),  # set of critters whose displacement is already chosen
            ("score", np.int32, (2,)),
            ("turn_count", np.int32),  # turns completed, both players'
            ("where", np.uint8, (CRITTERS,)),  # place of each critter
            ("push_to", np.uint8, (CRITTERS,)),  # destination of each pushed critter, else 0
            ("in_slot", np.uint8, (CRITTERS,)),  # the critter of each slot, White's sixteen first
            ("phase", np.uint16),  # 1-20
            ("pass_count", np.uint16),  # passes in a row
            ("mover", np.uint8),
            ("choice", np.uint8),  # CHOOSE_MOVE, CHOOSE_VICTIM, CHOOSE_DISPLACEMENT
            ("actor", np.uint8),  # the critter that acts, while a choice follows its move; else 0
            ("target", np.uint8),  # the square it moves, shoots or chucks to; else 0
        ],
    )
)

# [phase, part]: the set of squares under the Train; part 0 is a-h, part 1 the terminals.
DERIVED = (("train", np.int64, (PHASES + 1, 2)),)


def derive(options: OptionsRecord) -> None:
    """Write the derived fields."""
    options.train = train_squares(options.train_length)


@rule
def start(state: State, options: OptionsRecord) -> None:
    """Write the starting position."""
    clear(state)
    state.phase = 1
    state.mover = options.first
    ahead = 1 - options.first if options.score_handicap > 0 else options.first
    state.score[ahead] = abs(options.score_handicap)
    for critter in range(CRITTERS):
        put(state, critter, START[critter])


@rule
def clear(state: State) -> None:
    """Write a board with every critter dead, White to move, phase 0."""
    for place in range(PLACES):
        state.standing[place] = 0
    state.occupied[0] = state.occupied[1] = 0
    _set_at(state, DEAD, EVERYBODY)
    for critter in range(CRITTERS):
        state.where[critter] = DEAD
        state.push_to[critter] = 0
        state.in_slot[critter] = critter
    state.lunchless = state.stinky = state.leaving = state.promoted = state.pushed = 0
    state.score[0] = state.score[1] = 0
    state.turn_count = state.phase = state.pass_count = 0
    state.mover = state.choice = state.actor = state.target = 0


@rule
def put(state: State, critter: int, place: int) -> None:
    """Move a critter to a place, without other effects."""
    bit = 1 << critter
    before = wide(state.where[critter])
    _set_at(state, before, at(state, before) & ~bit)
    _set_at(state, place, at(state, place) | bit)
    state.where[critter] = place


@rule
def _set_at(state: State, place: int, critters: int) -> None:
    """Write the set of critters at a place."""
    state.standing[place] = critters
    part, bit = place >> 6, wide(1) << (place & 63)
    others = wide(state.occupied[part]) & ~bit
    state.occupied[part] = others | bit if critters else others


@rule
def critter_in(state: State, side: int, slot: int) -> int:
    """The critter that observations and actions show in a slot."""
    return wide(state.in_slot[side * SIDE + slot])


@rule
def assign_slots(state: State, changed: int) -> None:
    """Assign slots to look-alikes in the order of their squares, from their side's view.

    ``changed`` is the set of critters whose place or condition has changed since the last
    assignment.
    """
    for side in range(2):
        own = changed & SIDE_MASK[side]
        if own & TURKEYS:
            _sort_slots(state, side, FIRST_TURKEY, FIRST_SHREW)
        if own & TINY:
            _sort_slots(state, side, FIRST_SHREW, SIDE)


@inlined_rule
def _sort_slots(state: State, side: int, first: int, end: int) -> None:
    """Sort a range of slots by insertion, because little has changed since the last turn."""
    base = side * SIDE
    for number in range(base + first + 1, base + end):
        critter = wide(state.in_slot[number])
        while number > base + first and _precedes(
            state, side, critter, wide(state.in_slot[number - 1])
        ):
            state.in_slot[number] = state.in_slot[number - 1]
            number -= 1
        state.in_slot[number] = critter


@rule
def _precedes(state: State, side: int, critter: int, other: int) -> bool:
    """Whether a critter has a slot before another of its kind."""
    place, other_place = state.where[critter], state.where[other]
    if place != other_place:
        return PLACE_ORDER[side, place] < PLACE_ORDER[side, other_place]
    condition, others = _condition(state, critter), _condition(state, other)
    return condition < others if condition != others else critter < other


@rule
def _condition(state: State, critter: int) -> int:
    """A number for the possible differences between two of a kind on one square, in stack order."""
    is_shrew = 1 - ((wide(state.promoted) >> critter) & 1)
    stinky, leaving = (wide(state.stinky) >> critter) & 1, (wide(state.leaving) >> critter) & 1
    return is_shrew << 2 | stinky << 1 | leaving


@rule
def slots_are_assigned(state: State) -> bool:
    """Whether every slot has the critter that :func:`assign_slots` gives it."""
    for number in range(CRITTERS):
        side, slot = number // SIDE, number % SIDE
        critter = wide(state.in_slot[number])
        if slot < FIRST_TURKEY:
            if critter != number:
                return False
            continue
        first, end = (FIRST_TURKEY, FIRST_SHREW) if slot < FIRST_SHREW else (FIRST_SHREW, SIDE)
        if not side * SIDE + first <= critter < side * SIDE + end:
            return False
        if slot > first and not _precedes(state, side, wide(state.in_slot[number - 1]), critter):
            return False
    return True


@rule
def at(state: State, place: int) -> int:
    """The set of critters at a place."""
    return wide(state.standing[place])


@rule
def is_occupied(state: State, place: int) -> bool:
    """Whether a critter is at a place."""
    return (wide(state.occupied[place >> 6]) >> (place & 63)) & 1 == 1


@rule
def kind_of(state: State, critter: int) -> int:
    """A critter's kind; a promoted Shrew is a CHIPMUNK."""
    if (wide(state.promoted) >> critter) & 1:
        return CHIPMUNK
    return SLOT_KIND[critter % SIDE]


@rule
def has_lunch(state: State, critter: int) -> bool:
    """Whether a carrier has its lunch; True of critters that carry none."""
    return (wide(state.lunchless) >> critter) & 1 == 0


@rule
def is_leaving(state: State, critter: int) -> bool:
    """Whether the Train put the critter on the terminal square where it stands."""
    return (wide(state.leaving) >> critter) & 1 == 1


@rule
def shrews_at(state: State, square: int) -> int:
    """The set of Shrews, not Chipmunks, on a square."""
    return at(state, square) & TINY & ~wide(state.promoted)


@rule
def lunches_at(state: State, square: int) -> int:
    """The set of critters on a square that have their lunch."""
    return at(state, square) & CARRIERS & ~wide(state.lunchless)


@rule
def under_train(state: State, options: OptionsRecord, square: int) -> bool:
    """Whether the Train occupies a square, terminals included."""
    return (options.train[state.phase, square >> 6] >> (square & 63)) & 1 == 1


@rule
def to_move(state: State) -> int:
    """The player who acts."""
    return wide(state.mover)


@rule
def in_turn(state: State) -> bool:
    """Whether a choice of the turn is still open."""
    return state.choice != CHOOSE_MOVE


@rule
def is_quiescent(state: State) -> bool:
    """Whether the turn's choices have taken effect: they all do with the last one."""
    return not in_turn(state)


@rule
def turns(state: State) -> int:
    """Turns completed, both players'."""
    return wide(state.turn_count)


@rule
def forget(state: State, options: OptionsRecord) -> None:
    """Forget the number of turns and the points that both have: only the lead matters."""
    state.turn_count = 0
    both = min(points(state, 0), points(state, 1))
    for player in range(2):
        state.score[player] = points(state, player) - both


@rule
def points(state: State, player: int) -> int:
    """A player's score."""
    return wide(state.score[player])


@rule
def bear_is_dead(state: State) -> bool:
    """Whether either Bear has died."""
    return at(state, DEAD) & BEARS != 0


@rule
def is_over(state: State, options: OptionsRecord) -> bool:
    """A Bear dead, the winning margin reached, or a whole circuit of passes."""
    lead = points(state, 0) - points(state, 1)
    return (
        bear_is_dead(state) or abs(lead) >= options.win_margin or state.pass_count >= options.passes
    )


@rule
def winner(state: State, options: OptionsRecord) -> int:
    """The player with more points; -1 for a draw."""
    lead = points(state, 0) - points(state, 1)
    return 0 if lead > 0 else 1 if lead < 0 else -1


@rule
def displaceable_at(state: State, square: int) -> int:
    """The critters that a Bear displaces when it moves there: all but Shrews, of both sides."""
    return at(state, square) & ~shrews_at(state, square)


@rule
def first_in_stack(state: State, critters: int) -> int:
    """The first critter of a set in stack order (Shrews sort as their slots, after Chipmunks)."""
    stinky = wide(state.stinky)
    chipmunks = wide(state.promoted)
    for side in range(2):
        own = critters & SIDE_MASK[side]
        for group in (
            own & CARRIERS,
            own & TURKEYS & ~stinky,
            own & TURKEYS,
            own & chipmunks & ~stinky,
            own & chipmunks,
            own,
        ):
            if group:
                return lowest(group)
    return NONE
