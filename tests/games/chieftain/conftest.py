from pathlib import Path

import pytest

from .positions import Side

HERE = Path(__file__).parent


@pytest.fixture(params=["white", "black"])
def side(request):
    return Side(request.param)


def pytest_collection_modifyitems(items):
    """Run the rules without the JIT too, but for perft: it counts too much for plain Python."""
    for item in items:
        if item.path.parent == HERE and item.path.name != "test_perft.py":
            item.add_marker(pytest.mark.jitfree)
