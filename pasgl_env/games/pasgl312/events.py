"""What happens in PASGL 312 Chess besides moves. Everything happens at the end of a turn."""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.bits import lowest
from pasgl_env.contract.events import EventKind, tell
from pasgl_env.games.pasgl312.deeds import (
    CAUSES,
    NOBODY,
    PUSHED_UNDER,
    RUN_OVER,
    Deed,
    cause_of_death,
    deed_of,
    pushed_to,
)
from pasgl_env.games.pasgl312.description import symbol_of
from pasgl_env.games.pasgl312.rules.board import CAMPFIRE, DEAD, HEAD_CAR, TAIL_CAR
from pasgl_env.games.pasgl312.rules.play import campfire_points
from pasgl_env.games.pasgl312.rules.state import (
    BEARS,
    CRITTERS,
    DEER,
    EVERYBODY,
    FOX,
    SIDE,
    SIDE_MASK,
    SKUNK,
    at,
    bear_is_dead,
    points,
)
from pasgl_env.jit.compiled import rule, wide

KINDS = (
    EventKind(
        "shot",
        "{by} shot {pieces} on {square}.",
        "{by} {would} shoot {pieces} on {square}.",
        loses=True,
    ),
    EventKind(
        "devoured",
        "{by} devoured {pieces} on {square}.",
        "{by} {would} devour {pieces} on {square}.",
        loses=True,
    ),
    EventKind(
        "ate a Skunk",
        "{pieces} died of the meal on {square}.",
        "{pieces} {would} die of the meal on {square}.",
        loses=True,
    ),
    EventKind(
        "squashed by a Bear",
        "{by} squashed {pieces} on {square}.",
        "{by} {would} squash {pieces} on {square}.",
        loses=True,
    ),
    EventKind(
        "squashed by a Deer",
        "{by} squashed {pieces} on {square}.",
        "{by} {would} squash {pieces} on {square}.",
        loses=True,
    ),
    EventKind(
        "pushed under",
        "{by} pushed {pieces} under the Train on {square}.",
        "{by} {would} push {pieces} under the Train on {square}.",
        loses=True,
    ),
    EventKind(
        "run over",
        "The Train ran over {pieces} on {square}.",
        "The Train {would} run over {pieces} on {square}.",
        loses=True,
    ),
    EventKind(
        "robbed", "{by} stole the lunch of {pieces}.", "{by} {would} steal the lunch of {pieces}."
    ),
    EventKind(
        "hit",
        "{by} hit {pieces} with wood: no lunch any more.",
        "{by} {would} hit {pieces} with wood: no lunch any more.",
    ),
    EventKind(
        "sprayed",
        "{by} sprayed {pieces}: no lunch any more, and stinky.",
        "{by} {would} spray {pieces}: no lunch any more, and stinky.",
    ),
    EventKind(
        "made stinky", "{by} sprayed {pieces}: stinky.", "{by} {would} spray {pieces}: stinky."
    ),
    EventKind(
        "sprayed again",
        "{by} sprayed {pieces}: no lunch any more.",
        "{by} {would} spray {pieces}: no lunch any more.",
    ),
    EventKind("aired", "{pieces} got rid of the stink."),
    EventKind("fed", "{pieces} got a new lunch on {square}."),
    EventKind("pushed", "{by} pushed {pieces} to {square}."),
    EventKind("promoted", "{pieces} on {square} became a {new}."),
    EventKind("boarded", "{pieces} boarded the Train."),
    EventKind("put down", "The Train put down {pieces} on {square}."),
    EventKind("campfire", "+{number} for {pieces} at the campfire.", scores=True),
    EventKind("ride", "+{number} for {pieces} after the ride.", scores=True),
    EventKind("bear", "+{number} for {side}: the enemy's Bear is dead.", scores=True),
)
# The first are the causes of death.
ROBBED, HIT, SPRAYED, MADE_STINKY, SPRAYED_AGAIN, AIRED, FED = range(CAUSES, CAUSES + 7)
PUSHED, PROMOTED, BOARDED, PUT_DOWN, AT_CAMPFIRE, RODE, BEAR_KILLED = range(FED + 1, len(KINDS))
MOST = 8 * CRITTERS


@rule
def events(
    before: State, options: OptionsRecord, action: int, after: State, out: np.ndarray
) -> int:
    """Write what the turn did that an action ends, in the order in which it happened."""
    if before.turn_count == after.turn_count:
        return 0
    deed = deed_of(before, action)
    dead = at(after, DEAD) & ~at(before, DEAD)
    late = _run_over(before, options, action, after, deed, dead)
    count = _deaths(before, options, action, after, deed, dead & ~late, out, 0)
    count = _hits(before, after, deed, out, count)
    count = _sprays(before, after, deed, out, count, ~late)
    count = _pushes(before, action, after, deed, out, count)
    count = _deaths(before, options, action, after, deed, late, out, count)
    count = _sprays(before, after, deed, out, count, late)
    count = _recoveries(before, action, after, deed, out, count)
    count = _travels(before, options, after, out, count)
    return _points(before, options, after, deed, out, count)


@rule
def _deaths(
    before: State,
    options: OptionsRecord,
    action: int,
    after: State,
    deed: Deed,
    dead: int,
    out: np.ndarray,
    count: int,
) -> int:
    """The deaths of a set of critters."""
    while dead:
        critter = lowest(dead)
        dead &= dead - 1
        cause, place = cause_of_death(before, options, action, after, deed, critter)
        count = tell(out, count, cause, symbol_of(before, critter), place)
        if cause != RUN_OVER and critter != deed.actor:
            out[count - 1].by = symbol_of(before, deed.actor)
    return count


@rule
def _run_over(
    before: State, options: OptionsRecord, action: int, after: State, deed: Deed, dead: int
) -> int:
    """Those of the dead that died under the Train, also those that were pushed there."""
    left = dead
    while left:
        critter = lowest(left)
        left &= left - 1
        if cause_of_death(before, options, action, after, deed, critter)[0] < PUSHED_UNDER:
            dead &= ~wide(1 << critter)
    return dead


@rule
def _hits(before: State, after: State, deed: Deed, out: np.ndarray, count: int) -> int:
    """The lunch that the actor stole or hit."""
    victim = wide(after.lunchless) & ~wide(before.lunchless) & deed.victim
    if victim:
        kind = ROBBED if deed.slot in (DEER, FOX) else HIT
        count = tell(out, count, kind, symbol_of(before, lowest(victim)), -1)
        out[count - 1].by = symbol_of(before, deed.actor)
    return count


@rule
def _sprays(
    before: State, after: State, deed: Deed, out: np.ndarray, count: int, skunks: int
) -> int:
    """What these Skunks sprayed: the living that lost their lunch or stink since."""
    lost = wide(after.lunchless) & ~wide(before.lunchless) & ~deed.victim
    stinky = wide(after.stinky) & ~wide(before.stinky)
    touched = lost | stinky
    while touched:
        critter = lowest(touched)
        touched &= touched - 1
        bit, skunk = wide(1 << critter), SIDE * (1 - critter // SIDE) + SKUNK
        if (skunks >> skunk) & 1:
            kind = MADE_STINKY
            if lost & bit:
                kind = SPRAYED if stinky & bit else SPRAYED_AGAIN
            count = tell(out, count, kind, symbol_of(before, critter), -1)
            out[count - 1].by = symbol_of(before, skunk)
    return count


@rule
def _pushes(
    before: State, action: int, after: State, deed: Deed, out: np.ndarray, count: int
) -> int:
    pushed = deed.pushed & ~at(after, DEAD)
    while pushed:
        critter = lowest(pushed)
        pushed &= pushed - 1
        square = pushed_to(before, action, deed, critter)
        count = tell(out, count, PUSHED, symbol_of(before, critter), square)
        out[count - 1].by = symbol_of(before, deed.actor)
    return count


@rule
def _recoveries(
    before: State, action: int, after: State, deed: Deed, out: np.ndarray, count: int
) -> int:
    """Stink lost, new lunches and promotions, of the living."""
    alive = ~at(after, DEAD)
    for critter in range(CRITTERS):
        bit = wide(1 << critter)
        symbol, place = symbol_of(before, critter), wide(after.where[critter])
        if bit & alive & wide(before.stinky) & ~wide(after.stinky):
            count = tell(out, count, AIRED, symbol, -1)
        if bit & alive & wide(before.lunchless) & ~wide(after.lunchless):
            # Where it arrived: the Train may have taken it from there.
            is_own = critter == deed.actor
            square = deed.target if is_own else pushed_to(before, action, deed, critter)
            count = tell(out, count, FED, symbol, square)
        if bit & wide(after.promoted) & ~wide(before.promoted):
            count = tell(out, count, PROMOTED, symbol, place)
            out[count - 1].becomes = symbol_of(after, critter)
    return count


@rule
def _travels(
    before: State, options: OptionsRecord, after: State, out: np.ndarray, count: int
) -> int:
    """Who got on and off the Train, and the points for it."""
    rode, rides = _riders(before), _riders(after)
    for critter in range(CRITTERS):
        bit, place = wide(1 << critter), wide(after.where[critter])
        symbol = symbol_of(before, critter)
        if bit & rides & ~rode:
            count = tell(out, count, BOARDED, symbol, -1)
        if bit & rode & ~rides:
            count = tell(out, count, PUT_DOWN, symbol, place)
            if options.ride_points:
                count = tell(out, count, RODE, symbol, -1)
                out[count - 1].number = options.ride_points
                out[count - 1].seat = critter // SIDE
    return count


@rule
def _riders(state: State) -> int:
    return at(state, HEAD_CAR) | at(state, TAIL_CAR)


@rule
def _points(
    before: State, options: OptionsRecord, after: State, deed: Deed, out: np.ndarray, count: int
) -> int:
    """Points at the campfire, one critter at a time, or for the enemy's Bear."""
    mover = wide(before.mover)
    if bear_is_dead(after):
        winner = 1 if at(after, DEAD) & BEARS & SIDE_MASK[0] else 0
        count = tell(out, count, BEAR_KILLED, -1, -1)
        out[count - 1].number = points(after, winner) - points(before, winner)
        out[count - 1].seat = winner
        return count
    used = deed.pushed | (0 if deed.actor == NOBODY else 1 << deed.actor)
    for square in CAMPFIRE:
        there = at(after, wide(square)) & SIDE_MASK[mover] & ~used
        while there:
            critter = lowest(there)
            there &= there - 1
            earned = campfire_points(after, options, mover, EVERYBODY & ~(1 << critter))
            if earned:
                count = tell(out, count, AT_CAMPFIRE, symbol_of(after, critter), wide(square))
                out[count - 1].number = earned
                out[count - 1].seat = mover
    return count
