"""Move counts: from the start, and from positions in which every rule matters."""

import pytest

from pasgl_env import Position

from ..perft import check, positions


@pytest.mark.parametrize(
    ("depth", "count"), [(0, 1), (1, 11), (2, 214), (3, 2438), (4, 47226), (5, 791538)]
)
def test_perft_of_the_start(depth, count):
    assert Position("spalding").perft(depth) == count


@positions("spalding")
def test_perft(line):
    check(line)
