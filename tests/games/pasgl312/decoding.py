"""The observation of PASGL 312 Chess, decoded from what the table of planes says."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from pasgl_env import Position
from pasgl_env.games.pasgl312 import GAME
from pasgl_env.games.pasgl312.rules.board import DEAD, HEAD_CAR, INDEX, TAIL_CAR
from pasgl_env.games.pasgl312.rules.state import CHOOSE_DISPLACEMENT, CHOOSE_MOVE, CHOOSE_VICTIM

from ...reference.pasgl312 import RAILWAY

# The table, in its order.
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
) = (slice(plane.first, plane.first + plane.length) for plane in GAME.planes)

FILES = "zabcdefghx"
CONDITIONS = {
    (7, 0): "lunchless",
    (7, 9): "stinky",
    (6, 0): "promoted",
    (6, 9): "leaving",
    (2, 0): "acts",
    (1, 0): "in question",
    (1, 9): "pushed",
    (0, 0): "head car",
    (0, 9): "tail car",
}
SIDE = 16


def square_name(player: int, row: int, column: int) -> str:
    return f"{FILES[column]}{8 - row if player else row + 1}"


def squares(plane: np.ndarray, player: int) -> set[str]:
    return {square_name(player, row, column) for row, column in np.argwhere(plane).tolist()}


def flag(plane: np.ndarray) -> bool:
    assert plane.min() == plane.max()
    return bool(plane.max())


def number(planes: np.ndarray) -> int:
    return sum(flag(plane) << bit for bit, plane in enumerate(planes))


class Decoded:
    """What an observation says in terms of the state's fields; slots are the state's own."""

    def __init__(self, observation: np.ndarray, in_slot: list[int]):
        self.in_slot = in_slot
        self.player = int(flag(observation[BLACK]))
        self.mover = self.player if flag(observation[TO_ACT]) else 1 - self.player
        self.phase = number(observation[PHASE]) + 1
        points = number(observation[LEAD])
        self.lead = points if flag(observation[LEADS]) else -points
        (self.head,) = squares(observation[HEAD][0], self.player)
        self.tail = squares(observation[TAIL][0], self.player)
        (self.next_head,) = squares(observation[NEXT_HEAD][0], self.player)
        self.fire = squares(observation[FIRE][0], self.player)
        self.acting_on = squares(observation[TARGET][0], self.player)
        self.acting_from = squares(observation[ACTOR][0], self.player)
        self._read_critters(observation)

    def _read_critters(self, observation: np.ndarray) -> None:
        self.having = defaultdict(set)
        on = defaultdict(set)
        for plane, row, column in np.argwhere(observation[: ENEMY.stop]).tolist():
            critter = self.number_of(plane)
            condition = CONDITIONS.get((row, column))
            if condition:
                self.having[condition].add(critter)
            else:
                on[critter].add(square_name(self.player, row, column))
        self.push_to = {
            critter: (on[critter] - self.acting_on).pop() for critter in self.having["pushed"]
        }
        self.on = {critter: (on[critter] - {self.push_to.get(critter)}).pop() for critter in on}

    def number_of(self, plane: int) -> int:
        """The number of the critter that a plane is of."""
        side = self.player if plane < OWN.stop else 1 - self.player
        return self.in_slot[side * SIDE + plane % SIDE]

    def place(self, critter: int) -> int:
        if critter not in self.on:
            return DEAD
        if critter in self.having["head car"]:
            assert self.on[critter] == self.head
            return HEAD_CAR
        if critter in self.having["tail car"]:
            assert self.on[critter] == RAILWAY[self.phase - 2]
            return TAIL_CAR
        return INDEX[self.on[critter]]

    def squares_of(self, condition: str, side: int) -> set[str]:
        return {self.on[c] for c in self.having[condition] if c // SIDE == side}

    @property
    def choice(self) -> int:
        if not self.acting_on:
            return CHOOSE_MOVE
        return CHOOSE_VICTIM if len(self.having["in question"]) > 1 else CHOOSE_DISPLACEMENT

    def may_act(self, critter: int) -> bool:
        """Whether this is the critter that acts: a Bear pushes, others have victims."""
        is_there = self.on.get(critter) in self.acting_from and critter // SIDE == self.mover
        is_kind = (critter % SIDE == 0) == (self.choice == CHOOSE_DISPLACEMENT)
        return is_there and is_kind and self.having["acts"] == {critter}


def as_set(critters: set[int]) -> int:
    return sum(1 << critter for critter in critters)


def check(position: Position, player: int) -> Decoded:
    """Decode what a player sees of a position, and compare it with the state, field by field."""
    observation = position.observation(player)
    state = position.state[0]
    seen = Decoded(observation, state.in_slot.tolist())
    where = [seen.place(critter) for critter in range(2 * SIDE)]
    assert seen.player == player
    assert where == state.where.tolist()
    for condition in ("lunchless", "stinky", "promoted", "leaving", "pushed"):
        assert as_set(seen.having[condition]) == state[condition], condition
    assert seen.phase == state.phase
    assert seen.mover == state.mover
    assert seen.lead == max(-255, min(255, int(state.score[player] - state.score[1 - player])))
    assert seen.choice == state.choice
    push_to = [INDEX[seen.push_to[c]] if c in seen.push_to else 0 for c in range(2 * SIDE)]
    assert push_to == state.push_to.tolist()
    assert {INDEX[square] for square in seen.acting_on} == (
        {state.target} if seen.choice else set()
    )
    assert seen.may_act(int(state.actor)) if seen.choice else not seen.acting_from
    check_what_follows(observation, seen, position.options["train_length"])
    return seen


def check_what_follows(observation: np.ndarray, seen: Decoded, train_length: int) -> None:
    """The planes that say nothing new agree with the others."""
    sides = (seen.player, 1 - seen.player)
    for planes, condition in (
        (LUNCHLESS, "lunchless"),
        (STINKY, "stinky"),
        (CHIPMUNKS, "promoted"),
    ):
        told = [squares(plane, seen.player) for plane in observation[planes]]
        assert told == [seen.squares_of(condition, side) for side in sides], condition
    assert seen.head == RAILWAY[seen.phase - 1]
    assert seen.tail == {RAILWAY[seen.phase - 1 - car] for car in range(1, train_length)}
    assert seen.next_head == RAILWAY[seen.phase % 20]
    assert seen.fire == {"d4", "e4", "d5", "e5"}
