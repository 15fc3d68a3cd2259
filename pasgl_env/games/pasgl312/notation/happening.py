"""The events of a turn of PASGL 312 Chess.

The states before and after a turn do not show everything: a critter sprayed in Black's turn may be
run over in the same turn. So the effects are computed here once more, for people; tests compare
them with the rules.
"""

from __future__ import annotations

from typing import NamedTuple

from pasgl_env.contract.base import State
from pasgl_env.engine.position import Position
from pasgl_env.games.pasgl312.position_text import members, symbol
from pasgl_env.games.pasgl312.rules.board import (
    BOARD_SQUARES,
    DEAD,
    INDEX,
    KING_STEP,
    SQUARES,
    TURNED,
)
from pasgl_env.games.pasgl312.rules.legal import PASS, devourable, victims
from pasgl_env.games.pasgl312.rules.state import (
    BEAR,
    DEER,
    FOX,
    HUNTER,
    SIDE,
    SKUNK,
    WOODCHUCK,
    critter_in,
    displaceable_at,
    first_in_stack,
    shrews_at,
    under_train,
)
from pasgl_env.records.turn import Turn


class Happening(NamedTuple):
    """The events of a turn before the Train moves; critters and places by number.

    Attributes:
        actor: the critter that moves, shoots or chucks.
        target: its target.
        victim: the critter that is shot, robbed, devoured or hit; None if there is none.
        squashed: the Shrews squashed on the target.
        pushed: the new squares of those displaced by a Bear, in stack order.
        run_over: those of them pushed under the Train.
        sprayed: the survivors that are sprayed.
        places: everybody's place afterwards, without the dead.
    """

    actor: int
    target: int
    victim: int | None
    squashed: tuple[int, ...]
    pushed: dict[int, int]
    run_over: frozenset[int]
    sprayed: frozenset[int]
    places: dict[int, int]


def whole(turn: Turn) -> tuple[Position, tuple[str, ...]]:
    """The start of a turn and all its labels, including those already played."""
    before = turn.before
    if not before.in_turn:
        return before, turn.labels
    text = before.text.rpartition(" ")[0]
    start = Position.from_text(before.variant, text, **before.options)
    return start, (*before.labels, *turn.labels)


def displaced_by_bear(state: State, square: int) -> list[int]:
    """The critters that a Bear displaces from a square, in the order of the choices."""
    waiting = int(displaceable_at(state, square))
    order = []
    while waiting:
        order.append(int(first_in_stack(state, waiting)))
        waiting &= ~(1 << order[-1])
    return order


def happening(start: Position, labels: tuple[str, ...]) -> Happening | None:
    """The events of a whole turn, from its labels; None for a pass."""
    state, action = start.state[0], start.action(labels[0])
    if action == PASS:
        return None
    actor = int(critter_in(state, int(state.mover), action // SQUARES))
    target = int(TURNED[state.mover, action % SQUARES])
    victim = _victim(state, actor, target, labels[1:])
    squashed = _squashed(state, actor, target)
    pushed = _pushed(state, actor, target, labels[1:])
    run_over = frozenset(each for each, square in pushed.items() if _is_deadly(start, square))
    places = places_in(state) | pushed
    if victim is None or actor % SIDE not in (HUNTER, WOODCHUCK):
        places[actor] = target
    for critter in {*squashed, *run_over, *_dead_with(state, actor, target, victim)}:
        del places[critter]
    harmed = {each: pushed[each] for each in run_over}
    if victim is not None:
        harmed[victim] = target
    sprayed = sprayed_by(harmed, places)
    return Happening(actor, target, victim, squashed, pushed, run_over, sprayed, places)


def _victim(state: State, actor: int, target: int, chosen: tuple[str, ...]) -> int | None:
    """The critter with the chosen symbol; without a choice, the only possible victim."""
    candidates = members(int(victims(state, actor, target)))
    return next(
        (each for each in candidates if not chosen or symbol(state, each) == chosen[0]), None
    )


def places_in(state: State) -> dict[int, int]:
    """The places of all living critters."""
    places = enumerate(state.where.tolist())
    return {critter: place for critter, place in places if place != DEAD}


def _squashed(state: State, actor: int, target: int) -> tuple[int, ...]:
    steps_on = actor % SIDE in (BEAR, DEER) and target < BOARD_SQUARES
    return tuple(members(int(shrews_at(state, target)))) if steps_on else ()


def _pushed(state: State, actor: int, target: int, choices: tuple[str, ...]) -> dict[int, int]:
    if actor % SIDE != BEAR:
        return {}
    order = displaced_by_bear(state, target)
    return {each: INDEX[label[-2:]] for each, label in zip(order, choices, strict=True)}


def _is_deadly(start: Position, square: int) -> bool:
    return square < BOARD_SQUARES and bool(
        under_train(start.state[0], start.options_record[0], square)
    )


def _dead_with(state: State, actor: int, target: int, victim: int | None) -> set[int]:
    """The critters that die by the actor's effect on its victim."""
    if victim is None:
        return set()
    if actor % SIDE == HUNTER:
        return {victim}
    if actor % SIDE == FOX and int(devourable(state, actor // SIDE, target)) >> victim & 1:
        return {victim, actor} if victim % SIDE == SKUNK else {victim}
    return set()


def sprayed_by(harmed: dict[int, int], places: dict[int, int]) -> frozenset[int]:
    """The critters in places that the Skunks among the harmed spray, each from its square."""
    return frozenset(
        critter
        for skunk, square in harmed.items()
        if skunk % SIDE == SKUNK
        for critter, place in places.items()
        if place < BOARD_SQUARES
        and (place == square or place in KING_STEP[square])
        and critter // SIDE != skunk // SIDE
        and critter % SIDE != SKUNK
    )
