"""Look-alikes have their slots in the order of their squares, however they came there."""

import numpy as np

from pasgl_env import Position
from pasgl_env.games.pasgl312 import GAME

from .positions import place

FIRST_TURKEY, FIRST_SHREW = 6, 8


def squares_in_slots(position, first, end):
    """Where the mover's critters of some slots stand, by its own observation."""
    planes = position.observation(position.to_move)[first:end, :, 1:9]
    return [np.argwhere(plane).tolist() for plane in planes]


def test_slots_follow_squares_and_not_the_order_of_moves():
    one, other = Position("pasgl312"), Position("pasgl312")
    one.play("Pb2c3").play("pb7c6").play("Pd2e3").play("pd7e6")
    other.play("Pd2e3").play("pd7e6").play("Pb2c3").play("pb7c6")
    for player in (0, 1):
        assert (one.observation(player) == other.observation(player)).all()
    assert one.legal_actions() == other.legal_actions()


def test_a_shrew_that_passes_another_changes_slots_with_it():
    position = Position.from_text("pasgl312", place("Ba1 ba8 Pc3 Pe2"))
    assert squares_in_slots(position, FIRST_SHREW, FIRST_SHREW + 2) == [[[1, 4]], [[2, 2]]]
    position.play("Pe2d3").play("ba8b8").play("Pd3c4").play("bb8a8")
    assert squares_in_slots(position, FIRST_SHREW, FIRST_SHREW + 2) == [[[2, 2]], [[3, 2]]]


def test_black_numbers_its_critters_from_its_own_side():
    position = Position.from_text("pasgl312", place("Ba1 ba8 pc6 pe7", mover="b"))
    assert squares_in_slots(position, FIRST_SHREW, FIRST_SHREW + 2) == [[[1, 4]], [[2, 2]]]


def test_the_dead_come_last():
    position = Position.from_text("pasgl312", place("Bb1 ba8 Pa2 Pc3"))
    position.play("Bb1a2")
    assert position.text.startswith("b7/8/8/8/8/2P5/B7/8")
    position.play("ba8b8")
    assert squares_in_slots(position, FIRST_SHREW, FIRST_SHREW + 2) == [[[2, 2]], []]


def test_on_one_square_chipmunks_come_before_shrews_and_the_stinky_last():
    position = Position.from_text("pasgl312", place("Ba1 ba8 Mc3 *Mc3 Pc3"))
    assert position.action("*Mc3b4") // 68 == FIRST_SHREW + 1  # stink compels it
    position = Position.from_text("pasgl312", place("Ba1 ba8 Mc3 Pc3"))
    assert position.action("Mc3b4") // 68 == FIRST_SHREW
    assert position.action("Pc3b4") // 68 == FIRST_SHREW + 1


def test_a_record_whose_slots_are_in_another_order_is_refused():
    position = Position("pasgl312")
    state, options = position.state, position.options_record
    assert GAME.accepts(state[0], options[0])
    state["in_slot"][0, [FIRST_SHREW, FIRST_SHREW + 1]] = FIRST_SHREW + 1, FIRST_SHREW
    assert not GAME.accepts(state[0], options[0])
