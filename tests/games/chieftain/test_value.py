"""The value of states of Chieftain: what is better than what, for both sides."""

import numpy as np
import pytest

from pasgl_env import Batch, Position, variants
from pasgl_env.engine.compiled import JIT
from pasgl_env.games.contract import options_array

from .positions import place

GAME = variants.find("chieftain")
SIZE = "12x12"
# All that the positions below are made of; the values of positions of one setup can be compared.
SETUP = place("Ca1 Cb1 Mc1 Nd1 He1 Sf1 Bg1 Rh1 ca12 cb12 mc12 nd12 he12 sf12 bg12 rh12", SIZE)
OPTIONS = options_array(GAME, {"setup": SETUP})[0]


def value(pieces, player=0, rest="w 0 0"):
    text = f"{place(pieces, SIZE)} {rest}"
    state = Position.from_text("chieftain", text, setup=SETUP).state[0]
    return GAME.evaluate(state, OPTIONS, player)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Ca1 Ma2 cl12", "Ca1 cl12"),
        ("Ca1 cl12", "Ca1 cl12 ml11"),
        ("Ca1 Na2 cl12", "Ca1 Ma2 cl12"),
        ("Ca1 Ha2 cl12", "Ca1 Na2 cl12"),
        ("Ca1 Ra2 cl12", "Ca1 Sa2 cl12"),
        ("Ca1 Cb1 cl12", "Ca1 Bb1 cl12"),
        # Nearer to the enemy's Chieftain; and not too far away from the own one.
        ("Ca1 Nl8 Mb4 cl12", "Ca1 Nl8 Ma2 cl12"),
        ("Ca1 Ha6 cl12", "Ca1 Ha7 cl12"),
        # A Chieftain goes where the enemy is.
        ("Cb6 Ml9 cl12", "Ca1 Ml9 cl12"),
    ],
)
def test_what_is_better(better, worse):
    assert value(better) > value(worse)
    assert value(better, player=1) < value(worse, player=1)


@pytest.mark.parametrize(("rest", "best"), [("w 0 0", "Ca1 cc3"), ("b 0 0", "Ca1 ce1")])
def test_a_threat_weighs_more_on_who_is_not_to_move(rest, best):
    pieces = ["Ca1 cc3", "Ca1 ce1"]
    assert max(pieces, key=lambda each: value(each, rest=rest)) == best


def test_a_piece_without_command_threatens_nobody():
    assert value("Ca1 na3 cl12") > value("Ca1 nb3 cd6")


@pytest.mark.parametrize(
    ("pieces", "rest", "wanted"),
    [
        ("Ca1 Ma2", "b 0 9", 1000),
        ("ca1 Ma2", "w 0 9", -1000),
        ("Ca1 Ra2 cl12", "w 2 9", 0),
    ],
)
def test_the_end_is_worth_more_than_anything(pieces, rest, wanted):
    assert value(pieces, rest=rest) == wanted


def test_what_is_good_for_one_is_bad_for_the_other():
    batch = Batch("chieftain", 4, seed=1)
    options = batch.options_record[0]
    for _ in range(100 if JIT else 10):
        batch.step(batch.sample())
        for state in batch.states:
            value = GAME.evaluate(state, options, 0)
            assert value == -GAME.evaluate(state, options, 1)
            assert value * 128 == np.round(value * 128)
