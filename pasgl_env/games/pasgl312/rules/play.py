"""The effects of an action of PASGL 312 Chess, and the end of a turn.

Nothing on the board changes before the last choice of a turn: until then the state holds the turn's
start and the choices so far.
"""

from __future__ import annotations

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.bits import lowest
from pasgl_env.games.pasgl312.rules.board import (
    BOARD_SQUARES,
    CAMPFIRE,
    CAR_AT,
    DEAD,
    HEAD_CAR,
    KING_STEP,
    LAST_RANK,
    NONE,
    PHASES,
    PICK_UP_PHASES,
    RANK,
    SQUARES,
    TAIL_CAR,
    TURNED,
)
from pasgl_env.games.pasgl312.rules.legal import DISPLACEMENTS, PASS, VICTIMS, victims
from pasgl_env.games.pasgl312.rules.state import (
    BEAR,
    BEARS,
    CARRIERS,
    CHIPMUNK,
    CHOOSE_DISPLACEMENT,
    CHOOSE_MOVE,
    CHOOSE_VICTIM,
    CRITTERS,
    DEER,
    DEVOURABLE_LUNCHLESS,
    EVERYBODY,
    FOX,
    HOME,
    HUNTER,
    SHREW,
    SIDE,
    SIDE_MASK,
    SKUNK,
    SKUNKS,
    TURKEY,
    TURKEYS,
    WOODCHUCK,
    assign_slots,
    at,
    bear_is_dead,
    critter_in,
    displaceable_at,
    first_in_stack,
    has_lunch,
    kind_of,
    put,
    shrews_at,
)
from pasgl_env.jit.compiled import rule, wide


@rule
def play(state: State, options: OptionsRecord, action: int) -> None:
    """Carry out a legal action and, if it completes the turn, everything that follows."""
    turn, actor = state.turn_count, _actor_of(state, action)
    dead, stinky = at(state, DEAD), wide(state.stinky)
    leaving, riding = wide(state.leaving), _riders(state)
    _carry_out(state, options, action)
    if state.turn_count != turn:
        changed = actor | dead ^ at(state, DEAD) | stinky ^ wide(state.stinky)
        changed |= leaving ^ wide(state.leaving) | riding ^ _riders(state)
        assign_slots(state, changed)


@rule
def _actor_of(state: State, action: int) -> int:
    """The set of actors; all critters if a Bear pushes."""
    if action < DISPLACEMENTS:
        return 1 << critter_in(state, wide(state.mover), action // SQUARES)
    return EVERYBODY if action < VICTIMS else 1 << wide(state.actor)


@rule
def _riders(state: State) -> int:
    """The set of critters that ride the Train."""
    return at(state, HEAD_CAR) | at(state, TAIL_CAR)


@rule
def _carry_out(state: State, options: OptionsRecord, action: int) -> None:
    if action == PASS:
        _end_turn(state, options, 0, True)
    elif action >= VICTIMS:
        _act(state, options, 1 << critter_in(state, 1 - wide(state.mover), action - VICTIMS))
    elif action >= DISPLACEMENTS:
        _choose_displacement(state, options, TURNED[state.mover, action - DISPLACEMENTS])
    else:
        _open_turn(state, options, action)


@rule
def _open_turn(state: State, options: OptionsRecord, action: int) -> None:
    """Carry out a move, shot or chuck at once, unless there is something left to choose."""
    actor = critter_in(state, wide(state.mover), action // SQUARES)
    target = wide(TURNED[state.mover, action % SQUARES])
    state.actor = actor
    state.target = target
    candidates = victims(state, actor, target)
    if actor % SIDE == BEAR and displaceable_at(state, target):
        state.choice = CHOOSE_DISPLACEMENT
    elif candidates & (candidates - 1):
        state.choice = CHOOSE_VICTIM
    else:
        _act(state, options, candidates)


@rule
def _choose_displacement(state: State, options: OptionsRecord, square: int) -> None:
    critter = displaced_next(state)
    state.push_to[critter] = square
    state.pushed = wide(state.pushed) | 1 << critter
    if displaced_next(state) == NONE:
        _displace(state, options)


@rule
def displaced_next(state: State) -> int:
    """The critter whose new square is to be chosen, or NONE."""
    waiting = displaceable_at(state, wide(state.target)) & ~wide(state.pushed)
    return first_in_stack(state, waiting)


@rule
def _act(state: State, options: OptionsRecord, victim: int) -> None:
    """Carry out the actor's action on the target; ``victim`` is a set of at most one critter."""
    actor, target = wide(state.actor), wide(state.target)
    kind = actor % SIDE
    if kind == HUNTER and victim:
        _kill(state, victim)
        if victim & SKUNKS:
            _spray(state, lowest(victim) // SIDE, target)
    elif kind == WOODCHUCK and victim:
        _take_lunch(state, victim, target)
    else:
        _move(state, options, actor, target)
        if kind == BEAR:
            _kill(state, shrews_at(state, target))
        elif kind == DEER and target < BOARD_SQUARES:
            if has_lunch(state, actor):
                _kill(state, shrews_at(state, target))
            _take_lunch(state, victim, target)
        elif kind == FOX:
            _take_by_fox(state, actor, victim, target)
    _end_turn(state, options, 1 << actor, False)


@rule
def _move(state: State, options: OptionsRecord, critter: int, square: int) -> None:
    """Remove the critter's stink, put it on the square, and apply the effects of arrival."""
    state.stinky = wide(state.stinky) & ~(1 << critter)
    put(state, critter, square)
    _arrive(state, options, critter, square)


@rule
def _arrive(state: State, options: OptionsRecord, critter: int, square: int) -> None:
    """Apply the effects of arrival on a square, by a critter's own move or by a push.

    Entering a terminal clears stink (Ruling 1). A push home or into a terminal gives a lunch, too
    (Ruling 17).
    """
    bit = 1 << critter
    state.leaving = wide(state.leaving) & ~bit
    side, slot = critter // SIDE, critter % SIDE
    if square >= BOARD_SQUARES:
        state.stinky = wide(state.stinky) & ~bit
        if options.train_lunch:
            state.lunchless = wide(state.lunchless) & ~bit
    elif bit & CARRIERS:
        if square == HOME[side, slot]:
            state.lunchless = wide(state.lunchless) & ~bit
    elif kind_of(state, critter) == SHREW and RANK[square] == LAST_RANK[side]:
        state.promoted = wide(state.promoted) | bit


@rule
def _take_lunch(state: State, victim: int, square: int) -> None:
    """Take the victim's lunch, by a theft or a chuck; a Skunk sprays."""
    state.lunchless = wide(state.lunchless) | victim
    if victim & SKUNKS:
        _spray(state, lowest(victim) // SIDE, square)


@rule
def _take_by_fox(state: State, fox: int, victim: int, square: int) -> None:
    """Steal the victim's lunch or devour it (Ruling 5); devouring a Skunk also kills the Fox."""
    devoured = victim & (TURKEYS | DEVOURABLE_LUNCHLESS & wide(state.lunchless))
    if devoured == 0:
        _take_lunch(state, victim, square)
        return
    _kill(state, devoured)
    if devoured & SKUNKS:
        _kill(state, 1 << fox)
        _spray(state, lowest(devoured) // SIDE, square)


@rule
def _displace(state: State, options: OptionsRecord) -> None:
    """The Bear arrives; Shrews are squashed; all the displaced arrive at once; the Train kills."""
    bear, target = wide(state.actor), wide(state.target)
    pushed = wide(state.pushed)
    _kill(state, shrews_at(state, target))
    for critter in range(CRITTERS):
        if (pushed >> critter) & 1:
            square = wide(state.push_to[critter])
            put(state, critter, square)
            _arrive(state, options, critter, square)
            state.push_to[critter] = 0
    state.pushed = 0
    _move(state, options, bear, target)
    for car in range(options.train_length):
        _run_over(state, wide(CAR_AT[state.phase, car]))
    _end_turn(state, options, pushed | 1 << bear, False)


@rule
def _run_over(state: State, square: int) -> None:
    """The Train squashes all on a square of the board; then each Skunk among them sprays.

    Also a Skunk that was pushed there (Ruling 16). On a terminal square all are safe (Ruling 19).
    """
    if square >= BOARD_SQUARES:
        return
    squashed = at(state, square)
    _kill(state, squashed)
    for side in range(2):
        if squashed & SKUNKS & SIDE_MASK[side]:
            _spray(state, side, square)


@rule
def _spray(state: State, side: int, square: int) -> None:
    """A Skunk of ``side`` on ``square`` sprays its enemies there and next to it."""
    hit = at(state, square)
    for direction in range(8):
        neighbour = KING_STEP[square, direction]
        if 0 <= neighbour < BOARD_SQUARES:
            hit |= at(state, neighbour)
    hit &= SIDE_MASK[1 - side] & ~SKUNKS
    state.stinky = wide(state.stinky) | hit
    state.lunchless = wide(state.lunchless) | hit & CARRIERS


@rule
def _kill(state: State, critters: int) -> None:
    """Remove a set of critters from the game, with all their conditions."""
    if critters == 0:
        return
    for critter in range(CRITTERS):
        if (critters >> critter) & 1:
            put(state, critter, DEAD)
    state.lunchless = wide(state.lunchless) & ~critters
    state.stinky = wide(state.stinky) & ~critters
    state.leaving = wide(state.leaving) & ~critters
    state.promoted = wide(state.promoted) & ~critters


@rule
def _end_turn(state: State, options: OptionsRecord, used: int, passed: bool) -> None:
    """The end of a turn, in the rules' order; ``used`` is the set of those that moved or acted.

    The Train moves before Black scores (Ruling 3), and only the player who has just moved scores
    (Ruling 2). Displaced critters are in ``used``, so they do not score (Ruling 9). A Bear's death
    ends the game before anybody scores (Ruling 14).
    """
    player = wide(state.mover)
    state.choice = CHOOSE_MOVE
    state.actor = 0
    state.target = 0
    state.pass_count = state.pass_count + 1 if passed else 0
    state.turn_count += 1
    state.mover = 1 - player
    if player == 1 and not bear_is_dead(state):
        _advance_train(state, options)
    if bear_is_dead(state):
        dead_side = 0 if at(state, DEAD) & BEARS & SIDE_MASK[0] else 1
        state.score[1 - dead_side] += options.bear_bonus
    else:
        state.score[player] += campfire_points(state, options, player, used)


@rule
def _advance_train(state: State, options: OptionsRecord) -> None:
    """Advance one phase; riders get on and off where it is wholly in a terminal (Ruling 15).

    A Train of one car takes the critters of both squares, and a third car has no riders.
    """
    state.phase = state.phase % PHASES + 1
    head, tail = wide(CAR_AT[state.phase, 0]), wide(CAR_AT[state.phase, 1])
    _run_over(state, head)
    for phase in PICK_UP_PHASES:
        if state.phase == phase:
            _put_down(state, options, HEAD_CAR, head)
            _put_down(state, options, TAIL_CAR, tail)
            _pick_up(state, head, HEAD_CAR)
            _pick_up(state, tail, HEAD_CAR if options.train_length == 1 else TAIL_CAR)


@rule
def _put_down(state: State, options: OptionsRecord, car: int, square: int) -> None:
    """Put the riders of a car on its square, as leaving; their sides may get points for it."""
    riders = at(state, car)
    for critter in range(CRITTERS):
        if (riders >> critter) & 1:
            put(state, critter, square)
            state.score[critter // SIDE] += options.ride_points
    state.leaving = wide(state.leaving) | riders


@rule
def _pick_up(state: State, square: int, car: int) -> None:
    """Put the critters that are boarding on a square into a car."""
    boarding = at(state, square) & ~wide(state.leaving)
    for critter in range(CRITTERS):
        if (boarding >> critter) & 1:
            put(state, critter, car)


@rule
def campfire_points(state: State, options: OptionsRecord, player: int, used: int) -> int:
    """The campfire points of a player's critters that stayed there this turn (Rulings 2 and 9)."""
    by_the_fire = 0
    for square in CAMPFIRE:
        by_the_fire |= at(state, square)
    earning = by_the_fire & SIDE_MASK[player] & ~(used | wide(state.stinky))
    earning &= ~wide(state.lunchless)
    earned = 0
    for critter in range(player * SIDE, player * SIDE + SIDE):
        if (earning >> critter) & 1:
            earned += points_of(options, kind_of(state, critter))
    return earned


@rule
def points_of(options: OptionsRecord, kind: int) -> int:
    """The campfire points of a kind of critter."""
    if kind == BEAR:
        return options.bear_points
    if kind == HUNTER:
        return options.hunter_points
    if kind == DEER:
        return options.deer_points
    if kind == FOX:
        return options.fox_points
    if kind == WOODCHUCK:
        return options.woodchuck_points
    if kind == SKUNK:
        return options.skunk_points
    if kind == TURKEY:
        return options.turkey_points
    if kind == CHIPMUNK:
        return options.chipmunk_points
    return options.shrew_points
