import pytest

from .positions import Seat

TWO = [(2, "black"), (2, "yellow")]
FOUR = [(4, colour) for colour in ("black", "green", "yellow", "red")]


def seats(params):
    return pytest.fixture(params=params, ids=lambda param: f"{param[1]}-of-{param[0]}")


@seats(TWO + FOUR)
def seat(request):
    return Seat(*request.param)


@seats(TWO)
def seat_of_two(request):
    return Seat(*request.param)


@seats(FOUR)
def seat_of_four(request):
    return Seat(*request.param)
