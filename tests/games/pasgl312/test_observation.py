"""The observation in rare states, and of mirror images; its decoder is in `decoding`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pasgl_env import Batch, Position
from pasgl_env.contract.description import label
from pasgl_env.contract.game import options_array
from pasgl_env.engine.loops import loops_of
from pasgl_env.games.pasgl312 import GAME
from pasgl_env.games.pasgl312.rules.board import HEAD_CAR, INDEX, TAIL_CAR
from pasgl_env.games.pasgl312.rules.state import CHOOSE_DISPLACEMENT, CHOOSE_MOVE
from pasgl_env.jit.compiled import JIT

from ... import steering
from ...suites import SUITES
from .decoding import (
    BLACK,
    CONDITIONS,
    ENEMY,
    FIRE,
    HEAD,
    NEXT_HEAD,
    OWN,
    PHASE,
    SIDE,
    TAIL,
    check,
)
from .positions import mirrored_phase, mirrored_word, place

SUITE = SUITES["pasgl312"]

compiled_only = pytest.mark.skipif(not JIT, reason="slow as plain Python")


@compiled_only
def test_steered_games_come_to_open_choices():
    games = steering.games(SUITE, 0, 60, most_actions=100)
    choices = {int(position.state[0].choice) for position, _ in games}
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


@compiled_only
@pytest.mark.slow
def test_every_plane_and_every_condition_is_set_and_clear_over_steered_games():
    ever: Any = np.zeros((60, 8, 10), bool)
    always: Any = np.ones((60, 8, 10), bool)
    for position, _ in steering.games(SUITE, 10, 400, most_actions=60):
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
    image["in_slot"] = states["in_slot"][:, OTHER_SIDE] ^ SIDE
    image["standing"] = image["occupied"] = 0
    for row, state in enumerate(image):
        for critter, where in enumerate(state["where"]):
            image["standing"][row, where] |= np.uint32(1 << critter)
            image["occupied"][row, where >> 6] |= np.int64(1) << (where & 63)
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
    """Not so if a Bear pushes both sides' critters: White's are always asked for first.

    Nor under options of the Train: the image of a longer one is no Train.
    """
    if position.options["train_length"] != 2 or not position.options["train_lunch"]:
        return False
    (state,) = position.state
    pushes = state["choice"] == CHOOSE_DISPLACEMENT
    of_both = [state["standing"][state["target"]] >> bits & 0xFFFF for bits in (0, SIDE)]
    return not (position.is_over or (pushes and all(of_both)))


def steered_states(seed: int, number: int) -> np.ndarray:
    games = steering.games(SUITE, seed, number)
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


@compiled_only
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


@compiled_only
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


@compiled_only
@pytest.mark.parametrize("seed", range(3))
def test_a_mirror_images_actions_have_the_mirrored_labels(seed):
    options = options_array(GAME, {"win_margin": 255})[0]
    for position, _ in steering.games(SUITE, 30 + seed, 12, most_actions=40):
        if not has_mirror_image(position) or position.state["stinky"][0]:
            continue
        (image,) = mirror_image(position.state)
        for action in position.legal_actions():
            mirrored = label(GAME, image, options, action)
            assert mirrored == mirrored_word(position.label(action))
