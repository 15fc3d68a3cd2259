"""Move counts: from the start, and from positions in which every rule matters."""

import pytest

from pasgl_env import Position

from ..perft import check, positions


@pytest.mark.parametrize(
    ("variant", "players", "counts"),
    [
        ("pachessi", 2, [1, 21, 114, 329, 6849, 37126]),
        ("pachessi", 4, [1, 15, 65, 177, 2615, 11137]),
        ("grand_pachessi", 2, [1, 21, 168, 834, 17514, 140112]),
        ("grand_pachessi", 4, [1, 21, 168, 834, 17514, 139368]),
    ],
)
def test_perft_of_the_start(variant, players, counts):
    start = Position(variant, players=players)
    assert [start.perft(depth) for depth in range(6)] == counts


@positions("pachessi")
def test_perft(line):
    check(line)
