"""Move counts: from the start, and from positions in which every rule matters."""

import pytest

from pasgl_env import Position

from ..perft import check, positions


@pytest.mark.parametrize(("depth", "count"), [(0, 1), (1, 36), (2, 1233), (3, 45359), (4, 1649857)])
def test_perft_of_the_start(depth, count):
    assert Position("pasgl312").perft(depth) == count


@positions("pasgl312")
def test_perft(line):
    check(line)
