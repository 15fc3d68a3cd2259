"""What a turn of PASGL 312 Chess did, as far as its states before and after tell."""

from __future__ import annotations

from typing import NamedTuple

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.games.pasgl312.rules.board import NONE, SQUARES, TRAIN_HEAD, TURNED
from pasgl_env.games.pasgl312.rules.legal import DISPLACEMENTS, PASS, VICTIMS, devourable, victims
from pasgl_env.games.pasgl312.rules.play import displaced_next
from pasgl_env.games.pasgl312.rules.state import (
    BEAR,
    CHOOSE_MOVE,
    DEER,
    FOX,
    HUNTER,
    SIDE,
    SKUNKS,
    WOODCHUCK,
    at,
    critter_in,
    displaceable_at,
    shrews_at,
    under_train,
)
from pasgl_env.jit.compiled import rule, wide

NOBODY = -1
# Causes of death.
SHOT_DEAD, DEVOURED, ATE_SKUNK, BY_BEAR, BY_DEER, PUSHED_UNDER, RUN_OVER = range(7)
CAUSES = 7


class Deed(NamedTuple):
    """The action of a complete turn.

    Attributes:
        actor: the critter that moved, shot or chucked; NOBODY for a pass.
        slot: its slot, for carriers of lunch their kind; or NOBODY.
        target: the square on which it acted; or NONE.
        is_harm: whether it shot or chucked, and stayed where it was.
        victim: the set of the critter that was shot, robbed, devoured or hit; may be empty.
        killed: the victim if it was shot or devoured; otherwise empty.
        pushed: the set of critters displaced by the Bear.
    """

    actor: int
    slot: int
    target: int
    is_harm: bool
    victim: int
    killed: int
    pushed: int


@rule
def deed_of(before: State, action: int) -> Deed:
    """The turn that ends with this action; for a first action, only its actor and kind."""
    mover = wide(before.mover)
    if action == PASS:
        return Deed(NOBODY, NOBODY, NONE, False, 0, 0, 0)
    if before.choice == CHOOSE_MOVE:
        actor = critter_in(before, mover, action // SQUARES)
        target = wide(TURNED[mover, action % SQUARES])
    else:
        actor, target = wide(before.actor), wide(before.target)
    slot = actor % SIDE
    if action >= VICTIMS:
        victim = wide(1 << critter_in(before, 1 - mover, action - VICTIMS))
    else:
        victim = wide(victims(before, actor, target))
    killed = wide(0)
    if slot == HUNTER:
        killed = victim
    elif slot == FOX:
        killed = victim & devourable(before, mover, target)
    is_harm = slot in (HUNTER, WOODCHUCK) and at(before, target) != 0
    pushed = displaceable_at(before, target) if slot == BEAR else wide(0)
    return Deed(actor, slot, target, is_harm, victim, killed, pushed)


@rule
def cause_of_death(
    before: State, option: OptionsRecord, action: int, after: State, deed: Deed, critter: int
) -> tuple[int, int]:
    """The cause of a critter's death in the turn that this action ends, and its square."""
    cause = _cause_by_actor(before, deed, critter)
    if cause != RUN_OVER:
        return cause, deed.target
    place = pushed_to(before, action, deed, critter)
    if place != NONE and under_train(before, option, place):
        return PUSHED_UNDER, place
    return RUN_OVER, wide(TRAIN_HEAD[after.phase])


@rule
def _cause_by_actor(before: State, deed: Deed, critter: int) -> int:
    """The cause of a critter's death in the turn; RUN_OVER if the actor did not cause it."""
    bit = 1 << critter
    if bit & deed.killed:
        return SHOT_DEAD if deed.slot == HUNTER else DEVOURED
    if deed.slot == FOX and critter == deed.actor and deed.killed & SKUNKS:
        return ATE_SKUNK
    if deed.slot == BEAR and bit & shrews_at(before, deed.target):
        return BY_BEAR
    if deed.slot == DEER and bit & shrews_at(before, deed.target):
        return BY_DEER
    return RUN_OVER


@rule
def pushed_to(before: State, action: int, deed: Deed, critter: int) -> int:
    """The square to which the Bear pushed a critter in the turn that this action ends; or NONE."""
    if (deed.pushed >> critter) & 1 == 0:
        return NONE
    if critter == displaced_next(before):
        return wide(TURNED[before.mover, action - DISPLACEMENTS])
    return wide(before.push_to[critter])
