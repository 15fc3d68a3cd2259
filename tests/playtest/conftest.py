"""What tests of the laboratory have in common."""

import pytest

from pasgl_env import Dice, Position

START_TURN = 5


@pytest.fixture
def start():
    """The text of a position of Pachessi after some turns."""
    position, dice = Position("pachessi"), Dice(3)
    while position.turns < START_TURN:
        if position.is_chance:
            position.roll(dice)
        else:
            position.play_action(position.legal_actions()[0])
    return position.text
