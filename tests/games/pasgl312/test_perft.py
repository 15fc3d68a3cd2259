"""Move counts: from the start, and from positions in which every rule matters.

The counts come from an implementation of the rules that shares nothing with the engine. A line of
the file is `position text ; d1 count ; d2 count ; d3 count`; one that begins with # says what the
next position is about.
"""

from pathlib import Path

import pytest

from pasgl_env import Position

POSITIONS = Path(__file__).parents[2] / "data" / "perft" / "pasgl312.txt"


def cases():
    about = ""
    for line in POSITIONS.read_text().splitlines():
        if line.startswith("#"):
            about = line.removeprefix("# ")
            continue
        text, *counts = line.split(" ; ")
        depths = {int(depth[1:]): int(count) for depth, count in map(str.split, counts)}
        yield pytest.param(text, depths, id=about)


@pytest.mark.parametrize(("depth", "count"), [(0, 1), (1, 36), (2, 1233), (3, 45359), (4, 1649857)])
def test_perft_of_the_start(depth, count):
    assert Position("pasgl312").perft(depth) == count


@pytest.mark.parametrize(("text", "depths"), [*cases()])
def test_perft(text, depths):
    position = Position.from_text("pasgl312", text)
    assert {depth: position.perft(depth) for depth in depths} == depths
    assert position.text == text
