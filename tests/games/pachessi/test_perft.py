"""Move counts: from the start, and from positions in which every rule matters.

The counts come from an implementation of the rules that shares nothing with the engine. A line of
the file is `variant option=value ... ; position text ; d1 count ; d2 count`; one that begins with #
says what the next position is about.
"""

from pathlib import Path

import pytest

from pasgl_env import Position

POSITIONS = Path(__file__).parents[2] / "data" / "perft" / "pachessi.txt"
TRUTH_VALUES = {"True": True, "False": False}


def option_value(text):
    if text.isdecimal():
        return int(text)
    return TRUTH_VALUES.get(text, text)


def cases():
    about = ""
    for line in POSITIONS.read_text().splitlines():
        if line.startswith("#"):
            about = line.removeprefix("# ")
            continue
        game, text, *counts = line.split(" ; ")
        variant, *words = game.split()
        options = {name: option_value(value) for name, value in (word.split("=") for word in words)}
        depths = {int(depth[1:]): int(count) for depth, count in map(str.split, counts)}
        yield pytest.param(variant, options, text, depths, id=about)


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


@pytest.mark.parametrize(("variant", "options", "text", "depths"), [*cases()])
def test_perft(variant, options, text, depths):
    position = Position.from_text(variant, text, **options)
    assert {depth: position.perft(depth) for depth in depths} == depths
    assert position.text == text
