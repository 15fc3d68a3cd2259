"""The observation of PASGL 312 Chess: 60 or 75 binary planes, a grid of 8 rows and 10 columns.

Rows are ranks as counted by the observing player (row 0 is its own back rank), columns are the
files z, a-h, x. Cells of files z and x beside the terminals are not squares: in the plane of a
critter they show its condition.

The plane of a critter::

      col 0      1 ... 8                  9
    7 lunchless  .                        stinky
    6 Chipmunk   .                        leaving
    5            .   where it is:         .
    4 terminal   .   1 on its square,     terminal
    3 terminal   .   or on the square     terminal
    2 acts       .   of the car           .
    1 in         .   that it rides        pushed: its displacement is chosen,
      question   .                        both squares are set
    0 rides the  .                        rides the
      head car                            tail car

The planes of a dead critter are empty. *Acts* is set while a choice follows the critter's move,
shot or chuck. *In question* are the candidates when a victim is to be chosen, and the critter whose
displacement is to be chosen next.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import (
    OptionsRecord,
    Plane,
    State,
    show_bits,
    show_turns_left,
    turns_left,
)
from pasgl_env.contract.bits import lowest
from pasgl_env.games.pasgl312.rules.board import (
    CAMPFIRE,
    CAR_AT,
    DEAD,
    FILE,
    HEAD_CAR,
    PHASES,
    PLACES,
    RANK,
    SQUARES,
    TAIL_CAR,
    TRAIN_HEAD,
    TURNED,
)
from pasgl_env.games.pasgl312.rules.legal import victims
from pasgl_env.games.pasgl312.rules.play import displaced_next
from pasgl_env.games.pasgl312.rules.state import (
    CHOOSE_MOVE,
    CHOOSE_VICTIM,
    CRITTERS,
    SIDE,
    points,
    turns,
)
from pasgl_env.jit.compiled import clear, rule, wide

ROWS, COLUMNS = 8, 10
PHASE_BITS, LEAD_BITS = 5, 8
LARGEST_LEAD = (1 << LEAD_BITS) - 1

PLANES = (
    Plane(0, 16, "own critters, one plane a slot: B H D F W S T T P P P P P P P P"),
    Plane(16, 16, "the enemy's critters, likewise"),
    Plane(32, 2, "squares with a lunchless carrier: own, the enemy's"),
    Plane(34, 2, "squares with a stinky critter: own, the enemy's"),
    Plane(36, 2, "squares with a Chipmunk: own, the enemy's"),
    Plane(38, 1, "the Train's head"),
    Plane(39, 1, "the Train's tail: all cars behind the head"),
    Plane(40, 1, "the square that the Train's head enters next"),
    Plane(
        41, 5, "phase of the Train less 1 in binary, lowest bit first, each plane all 0 or all 1"
    ),
    Plane(46, 1, "the four campfire squares"),
    Plane(47, 1, "all 1 if the observing player is Black"),
    Plane(48, 1, "all 1 if the observing player is to act"),
    Plane(49, 1, "all 1 if the observing player has more points"),
    Plane(
        50, 8, "difference of the scores in binary, at most 255, lowest bit first, all 0 or all 1"
    ),
    Plane(58, 1, "the square of the critter that acts, while a choice follows its move"),
    Plane(59, 1, "the square that it acts on"),
)
(
    OWN,
    ENEMY,
    LUNCHLESS,
    STINKY,
    CHIPMUNKS,
    HEAD,
    TAIL,
    NEXT_HEAD,
    PHASE,
    FIRE,
    BLACK,
    TO_ACT,
    LEADS,
    LEAD,
    ACTOR,
    TARGET,
) = (plane.first for plane in PLANES)
PASS_BITS = 6
MOST_PASSES = (1 << PASS_BITS) - 1
MORE_PLANES = (
    turns_left(60),
    Plane(70, PASS_BITS, "passes in a row in binary, lowest bit first, all 0 or all 1"),
)
TURNS_LEFT, PASSES = (plane.first for plane in MORE_PLANES)

# Cells of a critter's plane that show its condition.
CELL_LUNCHLESS, CELL_STINKY = (7, 0), (7, 9)
CELL_CHIPMUNK, CELL_LEAVING = (6, 0), (6, 9)
CELL_ACTS = (2, 0)
CELL_IN_QUESTION, CELL_PUSHED = (1, 0), (1, 9)
CELL_HEAD_CAR, CELL_TAIL_CAR = (0, 0), (0, 9)

# ROW[player, place] and COLUMN[place]; 0 for places that are not squares.
ROW = np.zeros((2, PLACES), np.uint8)
ROW[:, :SQUARES] = RANK[TURNED[:, :SQUARES]]
COLUMN = np.zeros(PLACES, np.uint8)
COLUMN[:SQUARES] = FILE + 1


@rule
def observe(state: State, options: OptionsRecord, player: int, planes: np.ndarray) -> None:
    """Write all planes, ``uint8[60, 8, 10]`` or ``uint8[76, 8, 10]``, as the player sees them."""
    clear(planes.reshape(planes.size))
    conditions = (
        wide(state.lunchless) | wide(state.stinky) | wide(state.promoted) | wide(state.leaving)
    )
    for number in range(CRITTERS):
        critter = wide(state.in_slot[number])
        place = state.where[critter]
        plane = planes[_plane_of(number, player)]
        # Whether a critter is alive is hard to predict, so there is no branch for it.
        plane[ROW[player, place], COLUMN[place]] = place != DEAD
        if (place == HEAD_CAR) | (place == TAIL_CAR):
            plane[ROW[player, place], COLUMN[place]] = 0
            _set(plane, player, _square_of(state, place))
            plane[CELL_HEAD_CAR if place == HEAD_CAR else CELL_TAIL_CAR] = 1
        if (conditions >> critter) & 1:
            _show_conditions(state, player, number, planes)
    _show_train(state, options, player, planes)
    _show_score(state, player, planes)
    if state.choice != CHOOSE_MOVE:
        _show_choice(state, player, planes)
    for square in CAMPFIRE:
        _set(planes[FIRE], player, square)
    if player == 1:
        planes[BLACK, :, :] = 1
    if player == state.mover:
        planes[TO_ACT, :, :] = 1
    if options.more_planes:
        show_turns_left(turns(state), options, TURNS_LEFT, planes)
        show_bits(wide(state.pass_count), PASSES, PASS_BITS, planes)


@rule
def _set(plane: np.ndarray, player: int, square: int) -> None:
    plane[ROW[player, square], COLUMN[square]] = 1


@rule
def _square_of(state: State, place: int) -> int:
    """The square of a place; for a car, its square."""
    if place < SQUARES:
        return place
    return wide(CAR_AT[state.phase, place - HEAD_CAR])


@rule
def _plane_of(number: int, player: int) -> int:
    """The plane of a slot, White's sixteen first, from a player's view."""
    return (OWN if number // SIDE == player else ENEMY) + number % SIDE


@rule
def _show_conditions(state: State, player: int, number: int, planes: np.ndarray) -> None:
    """Show the conditions of the critter in a slot."""
    critter = wide(state.in_slot[number])
    lunchless, stinky = (wide(state.lunchless) >> critter) & 1, (wide(state.stinky) >> critter) & 1
    promoted, leaving = (wide(state.promoted) >> critter) & 1, (wide(state.leaving) >> critter) & 1
    plane = planes[_plane_of(number, player)]
    plane[CELL_LUNCHLESS] = lunchless
    plane[CELL_STINKY] = stinky
    plane[CELL_CHIPMUNK] = promoted
    plane[CELL_LEAVING] = leaving
    enemy = wide(critter // SIDE != player)
    square = _square_of(state, state.where[critter])
    row, column = ROW[player, square], COLUMN[square]
    planes[LUNCHLESS + enemy, row, column] |= lunchless
    planes[STINKY + enemy, row, column] |= stinky
    planes[CHIPMUNKS + enemy, row, column] |= promoted


@rule
def _show_train(state: State, options: OptionsRecord, player: int, planes: np.ndarray) -> None:
    _set(planes[HEAD], player, TRAIN_HEAD[state.phase])
    for car in range(1, options.train_length):
        _set(planes[TAIL], player, CAR_AT[state.phase, car])
    _set(planes[NEXT_HEAD], player, TRAIN_HEAD[state.phase % PHASES + 1])
    _show_number(wide(state.phase) - 1, PHASE, PHASE_BITS, planes)


@rule
def _show_score(state: State, player: int, planes: np.ndarray) -> None:
    lead = points(state, player) - points(state, 1 - player)
    if lead > 0:
        planes[LEADS, :, :] = 1
    _show_number(min(abs(lead), LARGEST_LEAD), LEAD, LEAD_BITS, planes)


@rule
def _show_number(number: int, first: int, bits: int, planes: np.ndarray) -> None:
    rest = number & ((1 << bits) - 1)
    while rest:
        planes[first + lowest(rest), :, :] = 1
        rest &= rest - 1


@rule
def _show_choice(state: State, player: int, planes: np.ndarray) -> None:
    actor, target = wide(state.actor), wide(state.target)
    _set(planes[ACTOR], player, wide(state.where[actor]))
    _set(planes[TARGET], player, target)
    if state.choice == CHOOSE_VICTIM:
        in_question = victims(state, actor, target)
    else:
        in_question = 1 << displaced_next(state)
    for number in range(CRITTERS):
        critter = wide(state.in_slot[number])
        plane = planes[_plane_of(number, player)]
        if critter == actor:
            plane[CELL_ACTS] = 1
        if (in_question >> critter) & 1:
            plane[CELL_IN_QUESTION] = 1
        if (wide(state.pushed) >> critter) & 1:
            plane[CELL_PUSHED] = 1
            _set(plane, player, wide(state.push_to[critter]))
