"""What holds in every game of PASGL 312 Chess."""

from __future__ import annotations

from collections import Counter

import numpy as np

from pasgl_env import Position
from pasgl_env.games.pasgl312 import GAME
from pasgl_env.games.pasgl312.rules.board import CAMPFIRE, DEAD, HEAD_CAR, TAIL_CAR
from pasgl_env.games.pasgl312.rules.state import BEARS, SIDE_MASK, is_occupied


def check_state(position: Position) -> None:
    state = position.state[0]
    for place, standing in enumerate(state.standing.tolist()):
        assert standing == sum(1 << c for c in np.flatnonzero(state.where == place).tolist())
        assert is_occupied(state, place) == (standing != 0)
    if position.is_over:
        white, black = position.points
        assert position.returns == (np.sign(white - black), np.sign(black - white))


def check_action(before: Position, after: Position, label: str) -> None:
    assert all(np.array(critters(after)) <= critters(before))
    assert after.turns - before.turns == (not after.in_turn)
    if after.in_turn:
        check_middle_of_turn(before, after)
    else:
        check_end_of_turn(before, after, label)
        check_events(before, after, label)


def critters(position: Position) -> list[int]:
    """Number of living critters by slot kind: a Chipmunk counts as the Shrew that it was."""
    alive = (position.state["where"][0] != DEAD).reshape(2, 16)
    return [*alive[:, :6].astype(int).ravel(), *alive[:, 6:8].sum(1), *alive[:, 8:].sum(1)]


def on_board(position: Position) -> Counter[str]:
    """The letters of the living, those on the Train included."""
    state = position.state[0]
    return letters(position, int(~state.standing[DEAD] & 0xFFFFFFFF))


def letters(position: Position, critters: np.integer | int) -> Counter[str]:
    """The letters of a set of critters."""
    promoted, found = int(position.state[0].promoted), Counter[str]()
    for critter in range(32):
        letter = "M" if promoted >> critter & 1 else "BHDFWSTTPPPPPPPP"[critter % 16]
        found[letter.lower() if critter >= 16 else letter] += int(critters) >> critter & 1
    return +found


def check_events(before: Position, after: Position, label: str) -> None:
    """Every lunch and all stink, lost and got by the living, is told."""
    then, now, told = before.state[0], after.state[0], before.effects(before.action(label))
    alive = ~now.standing[DEAD]
    for changed, kinds in (
        (now.lunchless & ~then.lunchless, ("robbed", "hit", "sprayed", "sprayed again")),
        (then.lunchless & ~now.lunchless & alive, ("fed",)),
        (now.stinky & ~then.stinky, ("sprayed", "made stinky")),
        (then.stinky & ~now.stinky & alive, ("aired",)),
    ):
        pieces = [each.piece.icon for each in told if each.piece and each.kind.name in kinds]
        assert Counter(pieces) == letters(before, changed), kinds


def check_middle_of_turn(before: Position, after: Position) -> None:
    """Until the last choice of a turn nothing happens but choices."""
    then, now = before.state[0], after.state[0]
    choices = ("choice", "actor", "target", "pushed", "push_to")
    for field in GAME.state.fields or ():
        assert field in choices or (now[field] == then[field]).all(), field


def check_end_of_turn(before: Position, after: Position, label: str) -> None:
    then, now = before.state[0], after.state[0]
    assert now.mover == 1 - then.mover
    assert now.pass_count == (then.pass_count + 1 if label == "pass" else 0)
    check_train(then, now)
    check_score(before, after)


def check_train(then: np.record, now: np.record) -> None:
    """The Train advances after Black's turn, unless that killed a Bear."""
    ahead = then.phase % 20 + 1
    died_now = int(now.standing[DEAD]) & BEARS
    if then.mover == 0:
        assert now.phase == then.phase
    elif died_now:
        assert now.phase in (then.phase, ahead)
    else:
        assert now.phase == ahead


def check_score(before: Position, after: Position) -> None:
    """Only the mover scores, for its own by the fire; a dead Bear pays its enemy alone.

    An option pays both for those that the Train puts down.
    """
    gains = np.subtract(after.points, before.points)
    then, mover = before.state[0], before.state[0].mover
    dead = int(after.state[0].standing[DEAD]) & BEARS
    if dead:
        winner = 1 if dead & int(SIDE_MASK[0]) else 0
        assert gains[winner] == after.options["bear_bonus"]
        assert gains[1 - winner] == 0
        assert after.is_over
        return
    rode = int(np.bitwise_or.reduce(then.standing[[HEAD_CAR, TAIL_CAR]]))
    put_down = rode & int(after.state[0].leaving)
    for side in range(2):
        rides = (put_down & int(SIDE_MASK[side])).bit_count()
        gains[side] -= rides * after.options["ride_points"]
    by_the_fire = np.bitwise_or.reduce(then.standing[CAMPFIRE])
    assert gains[1 - mover] == 0
    assert 0 <= gains[mover] <= 99 * (int(by_the_fire) & int(SIDE_MASK[mover])).bit_count()
