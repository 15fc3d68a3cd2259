"""Validation of records from outside: whether the rules can handle them."""

from __future__ import annotations

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.games.pasgl312.rules.board import (
    BOARD_SQUARES,
    DEAD,
    HALF,
    KING_STEP,
    NONE,
    PHASES,
    PLACES,
    SQUARES,
    TAIL_CAR,
)
from pasgl_env.games.pasgl312.rules.legal import victims
from pasgl_env.games.pasgl312.rules.state import (
    BEAR,
    BEARS,
    CARRIERS,
    CHOOSE_DISPLACEMENT,
    CHOOSE_MOVE,
    CHOOSE_VICTIM,
    CRITTERS,
    SIDE,
    SIDE_MASK,
    SKUNKS,
    TINY,
    at,
    displaceable_at,
    first_in_stack,
    is_occupied,
    is_over,
    shrews_at,
    slots_are_assigned,
    under_train,
)
from pasgl_env.jit.compiled import rule, wide


@rule
def is_valid(state: State, options: OptionsRecord) -> bool:
    """Whether every field is in range and consistent with the others and with the rules."""
    return (
        _numbers_are_possible(state, options)
        and _places_are_possible(state, options)
        and _conditions_are_possible(state, options)
        and slots_are_assigned(state)
        and _bears_are_possible(state, options)
        and _choice_is_possible(state, options)
    )


@rule
def _numbers_are_possible(state: State, options: OptionsRecord) -> bool:
    return (
        1 <= state.phase <= PHASES
        and state.mover <= 1
        and state.pass_count <= options.passes
        and state.turn_count >= 0
        and state.score[0] >= 0
        and state.score[1] >= 0
    )


@rule
def _places_are_possible(state: State, options: OptionsRecord) -> bool:
    for critter in range(CRITTERS):
        place = state.where[critter]
        if place >= PLACES or (at(state, place) >> critter) & 1 == 0:
            return False
        if place < BOARD_SQUARES and under_train(state, options, place):
            return False
        if place == TAIL_CAR and options.train_length == 1:
            return False
    seen = 0
    for place in range(PLACES):
        if seen & at(state, place) or is_occupied(state, place) != (at(state, place) != 0):
            return False
        seen |= at(state, place)
    return at(state, NONE) == 0 and wide(state.occupied[1]) >> (PLACES - 64) == 0


@rule
def _conditions_are_possible(state: State, options: OptionsRecord) -> bool:
    on_board = on_terminal = 0
    for square in range(SQUARES):
        if square < BOARD_SQUARES:
            on_board |= at(state, square)
        else:
            on_terminal |= at(state, square)
    alive = ~at(state, DEAD)
    stinky, lunchless = wide(state.stinky), wide(state.lunchless)
    leaving, promoted = wide(state.leaving), wide(state.promoted)
    may_lack_lunch = on_board if options.train_lunch else alive
    return (
        lunchless & ~(may_lack_lunch & CARRIERS) == 0
        and stinky & ~(on_board & ~SKUNKS) == 0
        and leaving & ~on_terminal == 0
        and promoted & ~(alive & TINY) == 0
        and _no_shrew_on_its_last_rank(state)
    )


@rule
def _no_shrew_on_its_last_rank(state: State) -> bool:
    for file in range(8):
        if shrews_at(state, 56 + file) & SIDE_MASK[0] or shrews_at(state, file) & SIDE_MASK[1]:
            return False
    return True


@rule
def _bears_are_possible(state: State, options: OptionsRecord) -> bool:
    for side in range(2):
        place = wide(state.where[side * SIDE + BEAR])
        if place == DEAD:
            if state.score[1 - side] < options.bear_bonus:
                return False
        elif place >= BOARD_SQUARES or HALF[place] != side:
            return False
    return at(state, DEAD) & BEARS != BEARS


@rule
def _choice_is_possible(state: State, options: OptionsRecord) -> bool:
    if state.choice == CHOOSE_MOVE:
        return state.actor == 0 and state.target == 0 and _nobody_is_pushed(state, 0)
    actor, target = wide(state.actor), wide(state.target)
    if is_over(state, options):
        return False
    if actor // SIDE != state.mover or target >= BOARD_SQUARES or state.where[actor] >= SQUARES:
        return False
    if state.choice == CHOOSE_VICTIM:
        candidates = victims(state, actor, target)
        return candidates & (candidates - 1) != 0 and _nobody_is_pushed(state, 0)
    return (
        state.choice == CHOOSE_DISPLACEMENT
        and actor % SIDE == BEAR
        and HALF[target] == state.mover
        and is_next_to(target, wide(state.where[actor]))
        and _displacement_is_possible(state, target)
    )


@rule
def _displacement_is_possible(state: State, target: int) -> bool:
    """Whether the pushed are the first of the stack, each to a neighbour, with some left."""
    pushed, rest = 0, displaceable_at(state, target)
    while rest:
        critter = first_in_stack(state, rest)
        if (wide(state.pushed) >> critter) & 1 == 0:
            break
        square = wide(state.push_to[critter])
        if square >= SQUARES or not is_next_to(target, square):
            return False
        pushed |= 1 << critter
        rest &= ~(1 << critter)
    return rest != 0 and pushed == wide(state.pushed) and _nobody_is_pushed(state, pushed)


@rule
def _nobody_is_pushed(state: State, but: int) -> bool:
    for critter in range(CRITTERS):
        if state.push_to[critter] and (but >> critter) & 1 == 0:
            return False
    return wide(state.pushed) & ~but == 0


@rule
def is_next_to(square: int, other: int) -> bool:
    """Whether two squares touch, terminals included."""
    for direction in range(8):
        if KING_STEP[square, direction] == other:
            return True
    return False
