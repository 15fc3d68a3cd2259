"""The observation holds the position: it is decoded back, from what the table of planes says."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from pasgl_env import Batch, Position
from pasgl_env.engine.compiled import JIT
from pasgl_env.engine.loops import loops_of
from pasgl_env.games.contract import options_array
from pasgl_env.games.pasgl312.board import DEAD, HEAD_CAR, INDEX, TAIL_CAR
from pasgl_env.games.pasgl312.state import CHOOSE_DISPLACEMENT, CHOOSE_MOVE, CHOOSE_VICTIM
from pasgl_env.variants import find

from . import steering
from .games.pasgl312.positions import mirrored_phase, mirrored_word, place
from .reference.pasgl312 import RAILWAY

GAME = find("pasgl312")
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
    """What an observation says, in terms of the state's fields."""

    def __init__(self, observation: np.ndarray):
        self.player = int(flag(observation[BLACK]))
        self.mover = self.player if flag(observation[TO_ACT]) else 1 - self.player
        self.phase = number(observation[PHASE]) + 1
        points = number(observation[LEAD])
        self.lead = points if flag(observation[LEADS]) else -points
        (self.head,) = squares(observation[HEAD][0], self.player)
        (self.tail,) = squares(observation[TAIL][0], self.player)
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
        return side * SIDE + plane % SIDE

    def place(self, critter: int) -> int:
        if critter not in self.on:
            return DEAD
        if critter in self.having["head car"]:
            assert self.on[critter] == self.head
            return HEAD_CAR
        if critter in self.having["tail car"]:
            assert self.on[critter] == self.tail
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
    seen, state = Decoded(observation), position.state[0]
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
    check_what_follows(observation, seen)
    return seen


def check_what_follows(observation: np.ndarray, seen: Decoded) -> None:
    """The planes that say nothing new agree with the others."""
    sides = (seen.player, 1 - seen.player)
    for planes, condition in (
        (LUNCHLESS, "lunchless"),
        (STINKY, "stinky"),
        (CHIPMUNKS, "promoted"),
    ):
        told = [squares(plane, seen.player) for plane in observation[planes]]
        assert told == [seen.squares_of(condition, side) for side in sides], condition
    train = [RAILWAY[phase % 20] for phase in (seen.phase - 1, seen.phase - 2, seen.phase)]
    assert [seen.head, seen.tail, seen.next_head] == train
    assert seen.fire == {"d4", "e4", "d5", "e5"}


def test_the_table_has_every_plane_once_in_order():
    firsts = [plane.first for plane in GAME.planes]
    ends = [plane.first + plane.length for plane in GAME.planes]
    assert firsts == [0, *ends[:-1]]
    assert Batch("pasgl312", 1).observation_shape == (ends[-1], 8, 10)
    assert all(plane.meaning for plane in GAME.planes)


@pytest.mark.jitfree
@pytest.mark.parametrize("seed", range(4))
def test_the_position_is_decoded_from_both_players_observations(seed):
    choices = set()
    for position, _ in steering.games(seed, 60 if JIT else 3, most_actions=100):
        choices |= {check(position, player).choice for player in range(2)}
    assert choices >= {CHOOSE_MOVE, CHOOSE_DISPLACEMENT}


@pytest.mark.jitfree
@pytest.mark.parametrize(
    ("text", "options"),
    [
        # A victim, by each that takes one.
        (place("Ha1 ha3 da3") + " Ha1:a3", {}),
        (place("Da1 hb3 db3") + " Da1b3", {}),
        (place("Fa1 tb2 *tb2") + " Fa1b2", {}),
        (place("Wa1 dc3 sc3") + " Wa1^c3", {}),
        (place("ha8 Ha6 Da6", mover="b") + " ha8:a6", {}),
        # Displacements under way: nobody yet, some, to a terminal, under the Train.
        (place("ba8 Ta7 -ha7 sa7", mover="b", score="9:12", passes=3) + " ba8a7", {}),
        (place("ba8 Ta7 -ha7 sa7", mover="b", phase=5) + " ba8a7,Tb8,-ha8", {}),
        (place("Bb3 Wa3 Ta3", phase=9) + " Bb3a3,Wz4", {}),
        (place("Bb3 -Wa3 Ma3", phase=9) + " Bb3a3,-Wa4", {}),
        # The widest lead; in a finished game a lead that no plane can show; a dead Bear.
        (place(score="0:254"), {"win_margin": 255}),
        (place(score="999:0"), {"win_margin": 255}),
        ("8/8/8/8/8/8/8/4B3 ./././. ./. 20 b 20:0 0 0", {}),
    ],
)
def test_the_position_is_decoded_in_rare_states(text, options):
    position = Position.from_text("pasgl312", text, **options)
    for player in range(2):
        assert bool(check(position, player).choice) == position.in_turn


def test_who_acts_is_told_where_two_could():
    """Hunter and Fox on one square: the shot and the move ask the same question."""
    text = "4b3/8/8/8/8/[hd]7/8/[HF]3B3 ./././. ./. 1 w 0:0 0 0"
    shot = Position.from_text("pasgl312", text).play("Ha1:a3")
    move = Position.from_text("pasgl312", text).play("Fa1a3")
    assert shot.legal_moves() == move.legal_moves() == ["d", "h"]
    assert (shot.observation() != move.observation()).any()


def test_every_plane_and_every_condition_is_set_and_clear_over_steered_games():
    ever: Any = np.zeros((60, 8, 10), bool)
    always: Any = np.ones((60, 8, 10), bool)
    for position, _ in steering.games(10, 400, most_actions=60):
        for player in range(2):
            seen = position.observation(player)
            ever |= seen.view(bool)
            always &= seen.view(bool)
    assert ever.any(axis=(1, 2)).all()
    assert not always.all(axis=(1, 2)).any()
    assert (always.any(axis=(1, 2)).nonzero()[0] == [FIRE.start]).all()
    for side in (OWN, ENEMY):
        told = ever[side].any(axis=0)
        assert all(told[cell] for cell in CONDITIONS)
        assert not told[[2, 5, 5], [9, 0, 9]].any()


# A position's mirror image: colours exchanged, ranks mirrored. The Train of the image covers the
# mirrored squares but runs the other way, so its head and tail are exchanged, the cars with them.


def mirror_table() -> np.ndarray:
    table = np.arange(256)
    for name, square in INDEX.items():
        table[square] = INDEX[name[0] + str(9 - int(name[1]))]
    table[[HEAD_CAR, TAIL_CAR]] = TAIL_CAR, HEAD_CAR
    return table


MIRROR = mirror_table()
OTHER_SIDE = np.r_[SIDE : 2 * SIDE, 0:SIDE]


def swapped(critters: np.ndarray) -> np.ndarray:
    return (critters >> 16) | (critters << 16)


def mirror_image(states: np.ndarray) -> np.ndarray:
    image = states.copy()
    image["where"] = MIRROR[states["where"]][:, OTHER_SIDE]
    for field in ("lunchless", "stinky", "leaving", "promoted", "pushed"):
        image[field] = swapped(states[field])
    image["standing"] = 0
    for row, state in enumerate(image):
        for critter, where in enumerate(state["where"]):
            image["standing"][row, where] |= np.uint32(1 << critter)
    image["score"] = states["score"][:, ::-1]
    image["phase"] = [mirrored_phase(phase) for phase in states["phase"].tolist()]
    image["mover"] = 1 - states["mover"]
    is_open = states["choice"] != CHOOSE_MOVE
    image["actor"] = np.where(is_open, states["actor"] ^ SIDE, 0)
    image["target"] = np.where(is_open, MIRROR[states["target"]], 0)
    is_pushed = (states["pushed"][:, None] >> np.arange(2 * SIDE, dtype=np.uint32)) & 1 == 1
    image["push_to"] = np.where(is_pushed, MIRROR[states["push_to"]], 0)[:, OTHER_SIDE]
    return image


def has_mirror_image(position: Position) -> bool:
    """Not so if a Bear pushes both sides' critters: White's are always asked for first."""
    (state,) = position.state
    pushes = state["choice"] == CHOOSE_DISPLACEMENT
    of_both = [state["standing"][state["target"]] >> bits & 0xFFFF for bits in (0, SIDE)]
    return not (position.is_over or (pushes and all(of_both)))


def steered_states(seed: int, number: int) -> np.ndarray:
    games = steering.games(seed, number)
    return np.concatenate([position.state for position, _ in games if has_mirror_image(position)])


def views(states: np.ndarray, options: np.ndarray) -> np.ndarray:
    """What both players see of some states."""
    seen = np.zeros((states.size, 2, 60, 8, 10), np.uint8)
    loops_of(GAME).observe_all(states, options, seen)
    return seen


def train_turned_round(observations: np.ndarray) -> np.ndarray:
    """The observations without what differs in a mirror image, head and tail exchanged."""
    seen = observations.copy()
    seen[:, [HEAD.start, TAIL.start]] = seen[:, [TAIL.start, HEAD.start]]
    riding = seen[:, OWN.start : ENEMY.stop, 0]
    riding[..., [0, 9]] = riding[..., [9, 0]]
    return seen


def test_a_mirror_image_looks_the_same_to_the_other_player():
    states = steered_states(20, 60)
    options = options_array(GAME, {"win_margin": 255})
    seen, image = views(states, options), views(mirror_image(states), options)
    same = np.ones(60, bool)
    for run in (NEXT_HEAD, PHASE, BLACK):
        same[run] = False
    for player in range(2):
        turned = train_turned_round(seen[:, player])[:, same]
        assert (turned == image[:, 1 - player][:, same]).all()
        assert (seen[:, player, BLACK] != image[:, 1 - player, BLACK]).all()


def test_a_mirror_image_has_the_same_actions():
    states = steered_states(21, 60)
    # The Train's next square, which differs, decides whether stink compels.
    states = states[states["stinky"] == 0]
    batch = Batch("pasgl312", states.size, win_margin=255)
    batch.states = states
    mask, mover = batch.action_mask.copy(), batch.to_move.copy()
    batch.states = mirror_image(states)
    assert (mask == batch.action_mask).all()
    assert (mover != batch.to_move).all()


@pytest.mark.parametrize("seed", range(3))
def test_a_mirror_images_actions_have_the_mirrored_labels(seed):
    options = options_array(GAME, {"win_margin": 255})[0]
    for position, _ in steering.games(30 + seed, 12, most_actions=40):
        if not has_mirror_image(position) or position.state["stinky"][0]:
            continue
        (image,) = mirror_image(position.state)
        for action in position.legal_actions():
            label = GAME.label(image, options, action)
            assert label == mirrored_word(position.label(action))
