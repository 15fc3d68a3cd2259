import pytest

from ..sides import Sides, sides
from .positions import COLOURS, Seat


def seats_of(players):
    return sides(*(Seat(players, colour) for colour in COLOURS[players]))


@pytest.fixture
def seat():
    return Sides(seats_of(2) + seats_of(4))


@pytest.fixture
def seat_of_two():
    return seats_of(2)


@pytest.fixture
def seat_of_four():
    return seats_of(4)
