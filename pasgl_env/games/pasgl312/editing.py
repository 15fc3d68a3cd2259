"""Positions of PASGL 312 Chess changed by hand."""

from __future__ import annotations

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.bits import lowest
from pasgl_env.contract.editing import MOVER, NOTHING, TURNS, Field, Ranks, Text
from pasgl_env.games.pasgl312.description import CONDITIONED, first_alike, symbol_of
from pasgl_env.games.pasgl312.position_text import FIELDS
from pasgl_env.games.pasgl312.rules.board import (
    BOARD_SQUARES,
    CAR_AT,
    DEAD,
    HEAD_CAR,
    INDEX,
    PHASES,
    TAIL_CAR,
    TERMINALS,
)
from pasgl_env.games.pasgl312.rules.state import (
    CHIPMUNK,
    CHOOSE_MOVE,
    EVERYBODY,
    LETTERS,
    SHREW,
    SIDE,
    SLOT_KIND,
    assign_slots,
    at,
)
from pasgl_env.games.pasgl312.rules.state import put as put_critter
from pasgl_env.jit.compiled import rule, wide

_KINDS = len(LETTERS)
_CARS = 2  # that have riders


def fields(options: OptionsRecord) -> dict[str, Field]:
    """The player to move, the Train, points, passes and turns."""
    passes = Field("the number of passes in a row", (("pass_count", 0),), high=int(options.passes))
    return {
        "mover": MOVER,
        "phase": Field(f"phase of the Train: 1 to {PHASES}", (("phase", 0),), low=1, high=PHASES),
        "score": Field("points, White:Black", (("score", 0), ("score", 1))),
        "passes": passes,
        "turns": TURNS,
    }


def text(options: OptionsRecord) -> Text:
    """Position texts; the cars follow the squares."""
    ranks = (tuple(range(first, first + 8)) for first in range(BOARD_SQUARES - 8, -1, -8))
    terminals, cars = (INDEX[name] for name in TERMINALS), (HEAD_CAR, TAIL_CAR)
    forms = {
        "board": Ranks(tuple(ranks), are_counted=True),
        "terminals": Ranks(tuple((terminal,) for terminal in terminals)),
        "riders": Ranks(tuple((car,) for car in cars)),
    }
    return Text(FIELDS, forms)


@rule
def symbol_on(state: State, options: OptionsRecord, square: int, number: int) -> int:
    """A critter on a square or in a car, in stack order."""
    critters = at(state, square)
    for _ in range(number):
        if critters:
            alike = first_alike(state, critters)
            critters &= ~(alike & -alike)
    return symbol_of(state, lowest(first_alike(state, critters))) if critters else NOTHING


@rule
def put(state: State, options: OptionsRecord, square: int, piece: int) -> bool:
    """Put a critter beside those on a square, on the Train if that is there."""
    place = _place_at(state, options, square)
    if piece < 0:
        _remove(state, at(state, place))
        return True
    kind, condition = piece // CONDITIONED, piece % CONDITIONED
    critter = _one_more(state, kind // _KINDS, kind % _KINDS)
    if critter < 0:
        return False
    put_critter(state, critter, place)
    state.promoted = wide(state.promoted) | wide(kind % _KINDS == CHIPMUNK) << critter
    state.lunchless = wide(state.lunchless) | (condition & 1) << critter
    state.stinky = wide(state.stinky) | (condition >> 1 & 1) << critter
    state.leaving = wide(state.leaving) | (condition >> 2) << critter
    return True


@rule
def _place_at(state: State, options: OptionsRecord, square: int) -> int:
    """A square, or the car that is there; platforms are beside the rails."""
    for car in range(min(wide(options.train_length), _CARS)):
        if square < BOARD_SQUARES and CAR_AT[state.phase, car] == square:
            return HEAD_CAR + car
    return square


@rule
def _remove(state: State, critters: int) -> None:
    left = critters
    while left:
        put_critter(state, lowest(left), DEAD)
        left &= left - 1
    state.promoted = wide(state.promoted) & ~critters
    state.lunchless = wide(state.lunchless) & ~critters
    state.stinky = wide(state.stinky) & ~critters
    state.leaving = wide(state.leaving) & ~critters


@rule
def _one_more(state: State, side: int, kind: int) -> int:
    """A critter of a kind that is not on the board; -1 for none."""
    group = SHREW if kind == CHIPMUNK else kind
    for slot in range(SIDE):
        critter = SIDE * side + slot
        if SLOT_KIND[slot] == group and state.where[critter] == DEAD:
            return critter
    return -1


@rule
def begin(state: State, options: OptionsRecord) -> None:
    """Begin the turn of the player to move."""
    state.choice = CHOOSE_MOVE
    state.actor = state.target = 0
    state.pushed = 0
    state.push_to[:] = 0
    assign_slots(state, EVERYBODY)
