from pathlib import Path

import pytest

from .positions import Seat

HERE = Path(__file__).parent
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


def pytest_collection_modifyitems(items):
    """Run the rules without the JIT too, but for perft: it counts too much for plain Python."""
    for item in items:
        if item.path.parent == HERE and item.path.name != "test_perft.py":
            item.add_marker(pytest.mark.jitfree)
