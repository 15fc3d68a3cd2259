"""The evaluation of a state of Pachessi for a player.

A player's worth is the sum over its pieces of their way round the board on the last lap that is
needed, from 0 to 1 (below 0 for laps before that; a piece that has passed its starting square with
all its laps runs the next one), plus 1/4 in the second half of a lap if a single move could end
there. A piece borne off is worth 2; one that may be borne off, 1 1/2; a taken one, -1/4, a taken
Raja -1; one on a square that it can never leave, -2.

A piece that an enemy could take loses 1/4 of its lead over a taken piece for each of the enemies'
pieces that could take it, up to 3/4. A capture that has earned a grace die is worth 1/4.

The value is the player's worth and half of its partner's, less the enemies', halved if there are
two. It ignores the dice to come.

The potential for reward shaping leaves out threats and grace dice, and counts team-mates fully.
"""

from __future__ import annotations

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.games.pachessi.rules.board import (
    ALL_DIRECTIONS,
    CIRCLE,
    FIRST_CAMEL,
    FIRST_KNIGHT,
    MAY_GO,
    PIECES,
    STEP,
    STUCK_CAMEL,
    STUCK_KNIGHT,
    STUCK_SHIP,
    holds,
)
from pasgl_env.games.pachessi.rules.legal import SLIDES
from pasgl_env.games.pachessi.rules.state import (
    FIRST_SQUARE,
    GRACE,
    HORSE,
    OFF,
    RAJA,
    SHIP,
    TAKEN,
    has_raja_taken,
    home_of,
    laps_beyond,
    piece_on,
    team,
)
from pasgl_env.jit.compiled import rule, wide

# All as parts of a circle.
WON = 100 * CIRCLE
BORN_OFF = 2 * CIRCLE
AT_THE_GOAL = 3 * CIRCLE // 2
NEAR_THE_GOAL = CIRCLE // 4
TAKEN_PIECE = -CIRCLE // 4
TAKEN_RAJA = -CIRCLE
STUCK = -2 * CIRCLE
GRACE_EARNED = CIRCLE // 4
MOST_DANGER = 3


@rule
def evaluate(state: State, options: OptionsRecord, player: int) -> float:
    """The value of a state for a player."""
    if state.over:
        return (WON if team(wide(state.mover)) == team(player) else -WON) / CIRCLE
    number = wide(options.number)
    value = 0
    for other in range(number):
        worth = worth_of(state, options, other)
        if other == player:
            value += 2 * worth
        elif team(other) == team(player):
            value += worth
        else:
            value -= worth if number > 2 else 2 * worth
    return value / (2.0 * CIRCLE)


@rule
def potential(state: State, options: OptionsRecord, player: int) -> float:
    """The lead of a player's team: the mean worth of its pieces' places, less the enemies'."""
    if state.over:
        return evaluate(state, options, player)
    lead = 0
    for other in range(options.number):
        worth = 0
        for kind in range(options.kinds):
            worth += worth_of_piece(state, options, other, kind)
        lead += worth if team(other) == team(player) else -worth
    return lead / (CIRCLE * (wide(options.number) // 2))


@rule
def worth_of(state: State, options: OptionsRecord, player: int) -> int:
    """The worth of a player's pieces, in parts of a circle."""
    has_grace = state.captured == 1 or state.roll == GRACE
    worth = GRACE_EARNED if has_grace and state.mover == player else 0
    for kind in range(options.kinds):
        place = wide(state.place[PIECES * player + kind])
        worth += worth_of_piece(state, options, player, kind)
        if place >= FIRST_SQUARE:
            lost = worth_of_piece(state, options, player, kind) - taken_worth(options, kind)
            if lost > 0:
                worth -= lost * danger(state, options, player, place) // 4
    return worth


@rule
def taken_worth(options: OptionsRecord, kind: int) -> int:
    """The worth of a taken piece, which has all its laps to go."""
    return (TAKEN_RAJA if kind == RAJA else TAKEN_PIECE) - (wide(options.laps) - 1) * CIRCLE


@rule
def worth_of_piece(state: State, options: OptionsRecord, player: int, kind: int) -> int:
    """The worth of a piece where it is."""
    place = wide(state.place[PIECES * player + kind])
    laps = laps_beyond(state, options, PIECES * player + kind)
    if place == OFF:
        return BORN_OFF
    if place == TAKEN:
        return taken_worth(options, kind)
    home = home_of(options, player, kind)
    if place == home and laps >= 1:
        return AT_THE_GOAL
    if is_stuck(options, kind, place):
        return STUCK
    way = (wide(options.angle[place]) - options.angle[home]) % CIRCLE
    is_near = 2 * way > CIRCLE and could_go(options, kind, place, home)
    return min(laps, 0) * CIRCLE + way + (NEAR_THE_GOAL if is_near else 0)


@rule
def could_go(options: OptionsRecord, kind: int, origin: int, target: int) -> bool:
    """Whether a piece could move from one square to another if no other piece were there."""
    quadrants = wide(options.quadrants[origin])
    if kind == HORSE:
        for direction in range(FIRST_KNIGHT, ALL_DIRECTIONS if options.grand else FIRST_CAMEL):
            if MAY_GO[quadrants, direction] and origin + STEP[direction] == target:
                return True
        return False
    for direction in range(SLIDES[kind, 0], SLIDES[kind, 1]):
        place = origin
        if MAY_GO[quadrants, direction]:
            for _ in range(options.range[kind]):
                place += STEP[direction]
                if place == target or holds(options.walls, place):
                    break
            if place == target:
                return True
    return False


@rule
def is_stuck(options: OptionsRecord, kind: int, place: int) -> bool:
    """Whether a piece can never move from a square."""
    stuck = wide(options.stuck[place])
    if kind == HORSE:
        return stuck & (STUCK_CAMEL if options.grand else STUCK_KNIGHT) != 0
    return kind == SHIP and stuck & STUCK_SHIP != 0


@rule
def danger(state: State, options: OptionsRecord, player: int, place: int) -> int:
    """The number of enemy pieces that could take the piece on a square, at most three."""
    count = 0
    for direction in range(FIRST_KNIGHT):
        count += is_attacked_along(state, options, player, place, direction)
    for direction in range(FIRST_KNIGHT, ALL_DIRECTIONS if options.grand else FIRST_CAMEL):
        origin = place - STEP[direction]
        if holds(state.occupied, origin):
            count += is_attacker(state, options, player, origin, HORSE, direction)
    return min(count, MOST_DANGER)


@rule
def is_attacked_along(
    state: State, options: OptionsRecord, player: int, place: int, direction: int
) -> int:
    """1 if the first piece that stands behind a square, against a direction, slides onto it."""
    origin, steps = place - STEP[direction], 1
    while not holds(options.walls, origin):
        if holds(state.occupied, origin):
            kind = piece_on(state, origin) % PIECES
            reach = wide(options.range[kind])
            if steps > reach or not SLIDES[kind, 0] <= direction < SLIDES[kind, 1]:
                return 0
            return is_attacker(state, options, player, origin, kind, direction)
        origin -= STEP[direction]
        steps += 1
    return 0


@rule
def is_attacker(
    state: State, options: OptionsRecord, player: int, origin: int, kind: int, direction: int
) -> int:
    """1 if an enemy's piece of that kind stands on a square and may go in a direction."""
    piece = piece_on(state, origin)
    owner = piece // PIECES
    return wide(
        piece % PIECES == kind
        and team(owner) != team(player)
        and not has_raja_taken(state, owner)
        and MAY_GO[options.quadrants[origin], direction]
    )
