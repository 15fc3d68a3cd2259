"""The counters of PASGL 312 Chess.

Nothing happens on the board before the last choice of a turn, so nearly everything is counted at a
turn's last action, from the change of the board.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.bits import lowest
from pasgl_env.contract.counters import Axis, Counter, first_cells, seats
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
from pasgl_env.games.pasgl312.names import KIND_NAMES
from pasgl_env.games.pasgl312.rules.board import (
    BOARD_SQUARES,
    CAMPFIRE,
    DEAD,
    HEAD_CAR,
    NAMES,
    NONE,
    PHASES,
    SQUARES,
    TAIL_CAR,
    TRAIN_HEAD,
)
from pasgl_env.games.pasgl312.rules.legal import (
    DISPLACEMENTS,
    is_compelled,
)
from pasgl_env.games.pasgl312.rules.play import campfire_points
from pasgl_env.games.pasgl312.rules.state import (
    BEAR,
    CHOOSE_MOVE,
    DEER,
    EVERYBODY,
    FOX,
    HOME,
    HUNTER,
    SIDE,
    SIDE_MASK,
    SKUNK,
    SKUNKS,
    WOODCHUCK,
    at,
    bear_is_dead,
    is_leaving,
    is_over,
    kind_of,
    points,
    under_train,
)
from pasgl_env.jit.compiled import rule, wide

KINDS = len(KIND_NAMES)
CARRIER_KINDS = SKUNK + 1
# Uses of a turn: the kind of critter moved, or
SHOT, CHUCK, PASSED = range(KINDS, KINDS + 3)
DEEDS = KINDS + 3
# Ways to lose lunches, and sources of new ones.
TO_DEER, TO_FOX, TO_CHUCK, TO_SPRAY = range(4)
LOSSES = 4
AT_HOME, AT_TERMINAL = range(2)
SOURCES = 2
# Causes of a Skunk's spray.
WHEN_DEVOURED, WHEN_SHOT, WHEN_ROBBED, WHEN_HIT, WHEN_RUN_OVER, WHEN_PUSHED_UNDER = range(6)
PROVOCATIONS = 6
# Places of critters away from the board.
WAITING, RIDING, PUT_DOWN = range(3)
STAGES = 3
# Effects of the first move after a ride.
ROBS, DEVOURS, REACHES_FIRE, NEITHER = range(4)
LANDINGS = 4
# Targets of a Bear's pushes.
TO_SQUARE, TO_TERMINAL, TO_WHEELS = range(3)
PUSHES = 3

_SEATS = seats(2)
_KIND = Axis("critter", KIND_NAMES)
_CARRIER = Axis("carrier", KIND_NAMES[:CARRIER_KINDS])
_FIRE = Axis("campfire", tuple(NAMES[square] for square in CAMPFIRE))
_SQUARE = Axis("square", NAMES[:BOARD_SQUARES])
_DEED = Axis("deed", (*KIND_NAMES, "shot", "chuck", "pass"))
_CAUSE = Axis(
    "cause",
    (
        "shot",
        "devoured",
        "devoured a Skunk",
        "squashed by a Bear",
        "squashed by a Deer",
        "pushed under the Train",
        "run over",
    ),
)
_LOSS = Axis("loss", ("Deer", "Fox", "chuck", "spray"))
_SOURCE = Axis("source", ("home", "terminal"))
_PROVOCATION = Axis(
    "provocation", ("devoured", "shot", "robbed", "hit", "run over", "pushed under the Train")
)
_STAGE = Axis("stage", ("waiting", "riding", "put down"))
_LANDING = Axis("landing", ("robs", "devours", "reaches the campfire", "none of these"))
_PUSH = Axis("push", ("to a square", "to a terminal", "under the Train"))

COUNTERS = (
    Counter("turns_taken", "Turns that the player completed, passes included.", "turns", (_SEATS,)),
    Counter(
        "deeds",
        "Turns in which the player moved a critter of this kind, shot, chucked or passed.",
        "turns",
        (_SEATS, _DEED),
        per="turns_taken",
        is_share=True,
        title="What turns were used for",
    ),
    Counter(
        "campfire_points",
        "Points that the player's critters of this kind earned on this campfire square.",
        "points",
        (_SEATS, _KIND, _FIRE),
        title="Points at the campfire",
    ),
    Counter(
        "bear_points",
        "Points that the player got for the enemy's Bear.",
        "points",
        (_SEATS,),
        title="Points for the enemy's Bear",
    ),
    Counter(
        "riding_points",
        "Points that the player got for critters that the Train put down.",
        "points",
        (_SEATS,),
        title="Points for rides",
    ),
    Counter(
        "deaths",
        "The player's critters that died, by kind and cause.",
        "critters",
        (_SEATS, _KIND, _CAUSE),
        title="Deaths by cause",
    ),
    Counter(
        "deaths_on",
        "Critters of both sides that died on this square.",
        "critters",
        (_SQUARE,),
        title="Deaths by square",
    ),
    Counter(
        "crowds_run_over", "Turns after which the Train ran over two critters or more.", "turns"
    ),
    Counter(
        "lunches_lost",
        "The player's carriers that had a lunch before a turn and have none after it, the dead not "
        "counted: robbed by Deer or Fox, hit by a chuck, or else sprayed.",
        "lunches",
        (_SEATS, _CARRIER, _LOSS),
    ),
    Counter(
        "lunches_regained",
        "The player's carriers that got a new lunch, at home or at a terminal.",
        "lunches",
        (_SEATS, _CARRIER, _SOURCE),
    ),
    Counter(
        "sprays",
        "Times that the player's Skunk sprayed, by what provoked it.",
        "sprays",
        (_SEATS, _PROVOCATION),
    ),
    Counter(
        "made_stinky",
        "The player's critters that a turn made stinky, also if they had been before they moved in "
        "that turn.",
        "critters",
        (_SEATS, _KIND),
        title="Critters made stinky",
    ),
    Counter(
        "stinky_by_train",
        "The enemy's critters made stinky in turns in which the player's Skunk died under the "
        "Train.",
        "critters",
        (_SEATS,),
        title="Made stinky by a Skunk under the Train",
    ),
    Counter(
        "steps_before_train",
        "Moves of the player's critters onto the square that the Train's head enters next.",
        "moves",
        (_SEATS, _KIND),
        title="Steps before the Train",
    ),
    Counter(
        "stinky_turns",
        "Turns that the player began with a stinky critter.",
        "turns",
        (_SEATS,),
        per="turns_taken",
        is_share=True,
        title="Turns begun stinky",
        plural="turns begun stinky",
    ),
    Counter(
        "compelled_turns",
        "Turns that the player began compelled by stink: nothing but moves of stinky critters was "
        "legal.",
        "turns",
        (_SEATS,),
        per="stinky_turns",
        is_share=True,
        title="Turns compelled by stink",
    ),
    Counter(
        "freed_turns",
        "Turns that the player began with a stinky critter and free to do anything, because of a "
        "danger from Fox, Hunter or Train.",
        "turns",
        (_SEATS,),
        per="stinky_turns",
        is_share=True,
        title="Turns freed from stink by a danger",
    ),
    Counter(
        "boardings",
        "Moves of the player's critters from the board onto a terminal square.",
        "moves",
        (_SEATS, _KIND),
        title="Moves to a terminal",
    ),
    Counter(
        "rides",
        "The player's critters that the Train picked up at a terminal.",
        "rides",
        (_SEATS, _KIND),
    ),
    Counter(
        "turns_away",
        "Critters that the player had at the start of a turn at a terminal, waiting for the Train "
        "or put down by it, or on the Train.",
        "critters' turns",
        (_SEATS, _STAGE),
        title="Turns away from the board",
    ),
    Counter(
        "alightings",
        "First moves of the player's critters after a ride.",
        "moves",
        (_SEATS, _KIND),
        title="First moves after a ride",
        plural="first moves after a ride",
    ),
    Counter(
        "landings",
        "First moves of the player's critters after a ride, by whether they robbed or devoured "
        "somebody, or else ended on a campfire square.",
        "moves",
        (_SEATS, _KIND, _LANDING),
        per="alightings",
        is_share=True,
        title="What first moves after a ride did",
    ),
    Counter(
        "displaced",
        "The player's critters that a Bear of either side pushed, by where to.",
        "critters",
        (_SEATS, _PUSH),
        title="Critters pushed by a Bear",
    ),
    Counter(
        "promotions",
        "The player's Shrews that became Chipmunks.",
        "Shrews",
        (_SEATS,),
        title="Shrews promoted",
    ),
    Counter(
        "bear_ends",
        "Games that ended with the death of the player's Bear.",
        "games",
        (_SEATS,),
        is_share=True,
        title="Ended by the death of the Bear",
    ),
    Counter(
        "margin_ends",
        "Games that ended because the player led by the winning margin, both Bears alive.",
        "games",
        (_SEATS,),
        is_share=True,
        title="Ended by the winning margin",
    ),
    Counter(
        "pass_ends",
        "Games that ended with as many passes in a row as end a game.",
        "games",
        is_share=True,
        title="Ended by passes",
    ),
    Counter(
        "wins_without_bear",
        "Games that the player won although its Bear died.",
        "games",
        (_SEATS,),
        is_share=True,
        title="Won without the Bear",
    ),
)
SECTIONS = {
    "Points and endings": (
        "campfire_points bear_points riding_points bear_ends margin_ends pass_ends"
        " wins_without_bear"
    ),
    "Turns": "turns_taken deeds displaced promotions",
    "Deaths": "deaths deaths_on crowds_run_over",
    "Lunches": "lunches_lost lunches_regained",
    "Stink": "sprays made_stinky stinky_by_train stinky_turns compelled_turns freed_turns",
    "The Train": "boardings rides turns_away alightings landings steps_before_train",
}
_AT = first_cells(COUNTERS)
TURNS_TAKEN, DEEDS_AT = _AT["turns_taken"], _AT["deeds"]
CAMPFIRE_POINTS, BEAR_POINTS = _AT["campfire_points"], _AT["bear_points"]
RIDING_POINTS = _AT["riding_points"]
DEATHS, DEATHS_ON = _AT["deaths"], _AT["deaths_on"]
CROWDS_RUN_OVER = _AT["crowds_run_over"]
LUNCHES_LOST, LUNCHES_REGAINED = _AT["lunches_lost"], _AT["lunches_regained"]
SPRAYS, MADE_STINKY, STINKY_BY_TRAIN = _AT["sprays"], _AT["made_stinky"], _AT["stinky_by_train"]
STEPS_BEFORE_TRAIN = _AT["steps_before_train"]
STINKY_TURNS = _AT["stinky_turns"]
COMPELLED_TURNS, FREED_TURNS = _AT["compelled_turns"], _AT["freed_turns"]
BOARDINGS, RIDES, TURNS_AWAY = _AT["boardings"], _AT["rides"], _AT["turns_away"]
ALIGHTINGS, LANDINGS_AT = _AT["alightings"], _AT["landings"]
DISPLACED, PROMOTIONS = _AT["displaced"], _AT["promotions"]
BEAR_ENDS, MARGIN_ENDS, PASS_ENDS = _AT["bear_ends"], _AT["margin_ends"], _AT["pass_ends"]
WINS_WITHOUT_BEAR = _AT["wins_without_bear"]


@rule
def count(
    before: State, option: OptionsRecord, action: int, after: State, tally: np.ndarray
) -> None:
    """Count the effects of an action; see :class:`pasgl_env.contract.parts.Counters`."""
    if before.choice == CHOOSE_MOVE:
        _count_stink(before, option, action, tally)
    if before.turn_count == after.turn_count:
        return
    mover = wide(before.mover)
    deed = deed_of(before, action)
    _count_deed(before, deed, tally)
    _count_deaths(before, option, action, after, deed, tally)
    _count_lunches(before, after, deed, tally)
    _count_sprayed(before, after, deed, tally)
    _count_pushes(before, option, action, deed, tally)
    _count_travel(before, after, deed, tally)
    _count_points(before, option, after, deed, tally)
    promoted = wide(after.promoted) & ~wide(before.promoted)
    while promoted:
        tally[PROMOTIONS + mover] += 1
        promoted &= promoted - 1
    if is_over(after, option):
        _count_end(option, after, tally)


@rule
def _count_stink(before: State, option: OptionsRecord, action: int, tally: np.ndarray) -> None:
    """Count whether stink compels at the start of a turn.

    A compelled player moves a stinky critter if possible, so the action played shows whether it was
    possible.
    """
    mover = wide(before.mover)
    stinky = wide(before.stinky) & SIDE_MASK[mover]
    if stinky == 0:
        return
    tally[STINKY_TURNS + mover] += 1
    if not is_compelled(before, option):
        tally[FREED_TURNS + mover] += 1
    elif action < DISPLACEMENTS:
        deed = deed_of(before, action)
        if (stinky >> deed.actor) & 1 and not deed.is_harm:
            tally[COMPELLED_TURNS + mover] += 1


@rule
def _count_deed(before: State, deed: Deed, tally: np.ndarray) -> None:
    mover = wide(before.mover)
    tally[TURNS_TAKEN + mover] += 1
    if deed.actor == NOBODY:
        what = PASSED
    elif deed.is_harm:
        what = SHOT if deed.slot == HUNTER else CHUCK
    else:
        what = wide(kind_of(before, deed.actor))
        if deed.target == _entered_next(before):
            tally[STEPS_BEFORE_TRAIN + mover * KINDS + what] += 1
    tally[DEEDS_AT + mover * DEEDS + what] += 1


@rule
def _entered_next(state: State) -> int:
    """The square of the board that the Train's head enters next, or NONE."""
    square = wide(TRAIN_HEAD[state.phase % PHASES + 1])
    return square if square < BOARD_SQUARES else NONE


@rule
def _count_deaths(
    before: State, option: OptionsRecord, action: int, after: State, deed: Deed, tally: np.ndarray
) -> None:
    """Count deaths by kind, cause and square, and the sprays of Skunks under the Train."""
    dead = at(after, DEAD) & ~at(before, DEAD)
    run_over = 0
    while dead:
        critter = lowest(dead)
        dead &= dead - 1
        side, kind = critter // SIDE, wide(kind_of(before, critter))
        cause, place = cause_of_death(before, option, action, after, deed, critter)
        run_over += cause == RUN_OVER
        if kind == SKUNK and cause in (PUSHED_UNDER, RUN_OVER):
            provocation = WHEN_PUSHED_UNDER if cause == PUSHED_UNDER else WHEN_RUN_OVER
            tally[SPRAYS + side * PROVOCATIONS + provocation] += 1
        tally[DEATHS + (side * KINDS + kind) * CAUSES + cause] += 1
        tally[DEATHS_ON + place] += 1
    tally[CROWDS_RUN_OVER] += run_over > 1


@rule
def _count_pushes(
    before: State, option: OptionsRecord, action: int, deed: Deed, tally: np.ndarray
) -> None:
    """Count the targets of a Bear's pushes."""
    pushed = deed.pushed
    while pushed:
        critter = lowest(pushed)
        pushed &= pushed - 1
        place = pushed_to(before, action, deed, critter)
        push = TO_SQUARE
        if place >= BOARD_SQUARES:
            push = TO_TERMINAL
        elif under_train(before, option, place):
            push = TO_WHEELS
        tally[DISPLACED + critter // SIDE * PUSHES + push] += 1


@rule
def _count_lunches(before: State, after: State, deed: Deed, tally: np.ndarray) -> None:
    """Count lunches lost and regained by the living."""
    lost = wide(after.lunchless) & ~wide(before.lunchless)
    while lost:
        carrier = lowest(lost)
        lost &= lost - 1
        how = TO_SPRAY
        if (deed.victim >> carrier) & 1:
            how = TO_DEER if deed.slot == DEER else TO_FOX if deed.slot == FOX else TO_CHUCK
        row = carrier // SIDE * CARRIER_KINDS + carrier % SIDE
        tally[LUNCHES_LOST + row * LOSSES + how] += 1
    regained = wide(before.lunchless) & ~wide(after.lunchless) & ~at(after, DEAD)
    while regained:
        carrier = lowest(regained)
        regained &= regained - 1
        side, slot = carrier // SIDE, carrier % SIDE
        source = AT_HOME if after.where[carrier] == HOME[side, slot] else AT_TERMINAL
        tally[LUNCHES_REGAINED + (side * CARRIER_KINDS + slot) * SOURCES + source] += 1


@rule
def _count_sprayed(before: State, after: State, deed: Deed, tally: np.ndarray) -> None:
    """Count the spray of a harmed Skunk, and all critters that the turn made stinky."""
    mover = wide(before.mover)
    if deed.victim & SKUNKS:
        if deed.slot == HUNTER:
            provocation = WHEN_SHOT
        elif deed.killed:
            provocation = WHEN_DEVOURED
        else:
            provocation = WHEN_HIT if deed.slot == WOODCHUCK else WHEN_ROBBED
        tally[SPRAYS + (1 - mover) * PROVOCATIONS + provocation] += 1
    stank = wide(before.stinky)
    if deed.actor != NOBODY and not deed.is_harm:
        stank &= ~(1 << deed.actor)
    sprayed = wide(after.stinky) & ~stank
    train = at(after, DEAD) & ~at(before, DEAD) & SKUNKS & ~deed.killed
    while sprayed:
        critter = lowest(sprayed)
        sprayed &= sprayed - 1
        side = critter // SIDE
        tally[MADE_STINKY + side * KINDS + wide(kind_of(after, critter))] += 1
        if train & SIDE_MASK[1 - side]:
            tally[STINKY_BY_TRAIN + 1 - side] += 1


@rule
def _count_travel(before: State, after: State, deed: Deed, tally: np.ndarray) -> None:
    """Count travel by terminal and Train, and critters pushed by a Bear."""
    _count_away(before, tally)
    riders = at(before, HEAD_CAR) | at(before, TAIL_CAR)
    boarded = (at(after, HEAD_CAR) | at(after, TAIL_CAR)) & ~riders
    while boarded:
        critter = lowest(boarded)
        boarded &= boarded - 1
        tally[RIDES + critter // SIDE * KINDS + wide(kind_of(after, critter))] += 1
    if deed.actor != NOBODY and not deed.is_harm:
        _count_stations(before, deed, tally)


@rule
def _count_away(before: State, tally: np.ndarray) -> None:
    """Count the mover's critters away from the board."""
    mover = wide(before.mover)
    own, leaving = SIDE_MASK[mover], wide(before.leaving)
    for place in range(BOARD_SQUARES, TAIL_CAR + 1):
        there = at(before, place) & own
        while there:
            stage = (
                RIDING if place >= SQUARES else PUT_DOWN if there & -there & leaving else WAITING
            )
            tally[TURNS_AWAY + mover * STAGES + stage] += 1
            there &= there - 1


@rule
def _count_stations(before: State, deed: Deed, tally: np.ndarray) -> None:
    """Count a move onto a terminal square, or the first move after a ride."""
    row = wide(before.mover) * KINDS + wide(kind_of(before, deed.actor))
    if deed.target >= BOARD_SQUARES:
        tally[BOARDINGS + row] += before.where[deed.actor] < BOARD_SQUARES
    elif is_leaving(before, deed.actor):
        landing = NEITHER
        if deed.victim:
            landing = DEVOURS if deed.killed else ROBS
        elif _is_campfire(deed.target):
            landing = REACHES_FIRE
        tally[ALIGHTINGS + row] += 1
        tally[LANDINGS_AT + row * LANDINGS + landing] += 1


@rule
def _is_campfire(place: int) -> bool:
    for square in CAMPFIRE:
        if place == square:
            return True
    return False


@rule
def _count_points(
    before: State, option: OptionsRecord, after: State, deed: Deed, tally: np.ndarray
) -> None:
    """Count points at the campfire, by the rules' own function, one critter at a time."""
    mover = wide(before.mover)
    if bear_is_dead(after):
        for side in range(2):
            tally[BEAR_POINTS + side] += points(after, side) - points(before, side)
        return
    put_down = (at(before, HEAD_CAR) | at(before, TAIL_CAR)) & wide(after.leaving)
    while put_down:
        tally[RIDING_POINTS + lowest(put_down) // SIDE] += option.ride_points
        put_down &= put_down - 1
    used = deed.pushed | (0 if deed.actor == NOBODY else 1 << deed.actor)
    for number in range(CAMPFIRE.size):
        there = at(after, CAMPFIRE[number]) & SIDE_MASK[mover] & ~used
        while there:
            critter = lowest(there)
            there &= there - 1
            earned = campfire_points(after, option, mover, EVERYBODY & ~(1 << critter))
            row = mover * KINDS + wide(kind_of(after, critter))
            tally[CAMPFIRE_POINTS + row * CAMPFIRE.size + number] += earned


@rule
def _count_end(option: OptionsRecord, after: State, tally: np.ndarray) -> None:
    """Count the reason for the end of the game."""
    lead = points(after, 0) - points(after, 1)
    if bear_is_dead(after):
        loser = 0 if at(after, DEAD) & SIDE_MASK[0] & 1 << BEAR else 1
        tally[BEAR_ENDS + loser] += 1
        tally[WINS_WITHOUT_BEAR + loser] += lead > 0 if loser == 0 else lead < 0
    elif abs(lead) >= option.win_margin:
        tally[MARGIN_ENDS + wide(lead < 0)] += 1
    else:
        tally[PASS_ENDS] += 1
