"""The value of states of PASGL 312 Chess."""

import numpy as np
import pytest

from pasgl_env import Batch, Position, variants
from pasgl_env.contract.game import options_array

from .positions import place

GAME = variants.find("pasgl312")
OPTIONS = options_array(GAME, {})[0]

pytestmark = pytest.mark.jitfree


def value(critters="", player=0, **rest):
    state = Position.from_text("pasgl312", place(critters, **rest)).state[0]
    return GAME.evaluate(state, OPTIONS, player)


@pytest.mark.parametrize(
    "better, worse",
    [
        ("Ta1", ""),
        ("", "ta8"),
        ("Ha1", "Ta1"),
        ("Fa1", "-Fa1"),
        ("Ta1", "*Ta1"),
        ("-Fa1", "*-Fa1"),
        ("Fa1", "*Fa1"),
        ("Fd4", "Fa1"),
        ("Fd4", "-Fd4"),
        ("Fc3", "Fa1"),
        ("Tz5", "*Ta1"),
        ("Ma1", "Pa1"),
        ("ta8", "td5"),
    ],
)
def test_what_is_better(better, worse):
    assert value(better) > value(worse)
    assert value(better, player=1) < value(worse, player=1)


def test_a_point_is_worth_one():
    assert value(score="5:2") == 3
    assert value(score="5:2", player=1) == -3


@pytest.mark.parametrize("score, wanted", [("30:0", 1000), ("0:30", -1000), ("3:3", 0)])
def test_the_end_is_worth_more_than_anything(score, wanted):
    assert value("Ta1 hd5", score=score, passes=40) == wanted


@pytest.mark.parametrize("critters, lost", [("Te4", 3 + 1.5), ("Be4", 6 + 3.75 + 20)])
def test_white_before_the_train_is_lost_when_black_is_to_move(critters, lost):
    assert value(critters, mover="w", phase=4) - value(critters, mover="b", phase=4) == lost


@pytest.mark.parametrize("mover", "wb")
def test_black_can_still_go_away(mover):
    assert value("te4", mover=mover, phase=4) == value("te4", mover=mover, phase=10)


def test_what_is_good_for_one_is_bad_for_the_other():
    batch = Batch("pasgl312", 4, seed=1)
    for _ in range(40):
        batch.step(batch.sample())
        for state in batch.states:
            value = GAME.evaluate(state, OPTIONS, 0)
            assert value == -GAME.evaluate(state, OPTIONS, 1)
            assert value * 64 == np.round(value * 64)
