from pathlib import Path

import pytest

from .positions import Side

HERE = Path(__file__).parent
# These play too much for plain Python.
NEED_THE_JIT = ("test_perft.py", "test_long_games.py")


@pytest.fixture(params=["white", "black"])
def side(request):
    return Side(request.param)


def pytest_collection_modifyitems(items):
    """Run the rules without the JIT too."""
    for item in items:
        if item.path.parent == HERE and item.path.name not in NEED_THE_JIT:
            item.add_marker(pytest.mark.jitfree)
