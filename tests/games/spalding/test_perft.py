"""Move counts: from the start, and from positions in which every rule matters.

The counts come from an implementation of the rules that shares nothing with the engine. A line of
the file is `variant option=value ... ; position text ; d1 count ; d2 count ...`, with as many
options and counts as there are; one that begins with # says what the next position is about.
"""

from pathlib import Path

import pytest

from pasgl_env import Position

POSITIONS = Path(__file__).parents[2] / "data" / "perft" / "spalding.txt"


def cases():
    about = ""
    for line in POSITIONS.read_text().splitlines():
        if line.startswith("#"):
            about = line.removeprefix("# ")
            continue
        game, text, *counts = line.split(" ; ")
        variant, *settings = game.split(" ")
        options = {name: int(value) for name, value in (each.split("=") for each in settings)}
        depths = {int(depth[1:]): int(count) for depth, count in map(str.split, counts)}
        yield pytest.param(variant, options, text, depths, id=about)


@pytest.mark.parametrize(
    ("depth", "count"), [(0, 1), (1, 11), (2, 214), (3, 2438), (4, 47226), (5, 791538)]
)
def test_perft_of_the_start(depth, count):
    assert Position("spalding").perft(depth) == count


@pytest.mark.parametrize(("variant", "options", "text", "depths"), [*cases()])
def test_perft(variant, options, text, depths):
    position = Position.from_text(variant, text, **options)
    assert {depth: position.perft(depth) for depth in depths} == depths
    assert position.text == text
