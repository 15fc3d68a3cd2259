"""Move counts: from the start, and from positions in which every rule matters."""

import pytest

from pasgl_env import Position

from ..perft import check, positions


@pytest.mark.parametrize(
    ("variant", "options", "counts"),
    [
        ("chieftain", {}, [1, 130, 4186, 234712]),
        ("superchief", {}, [1, 204, 10536, 800304]),
        ("overlord", {}, [1, 222, 470, 102914]),
        ("chieftain", {"activations": 2, "command_range": 2}, [1, 82, 6126, 409582]),
    ],
    ids=["chieftain", "superchief", "overlord", "experimental leader"],
)
def test_perft_of_the_start(variant, options, counts):
    position = Position(variant, **options)
    assert [position.perft(depth) for depth in range(len(counts))] == counts


@positions("chieftain")
def test_perft(line):
    check(line)
