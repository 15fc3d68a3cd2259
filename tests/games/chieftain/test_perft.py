"""Move counts: from the start, and from positions in which every rule matters.

The counts come from an implementation of the rules that shares nothing with the engine. A line of
the file is `variant option=value ... ; position text ; d1 count ; d2 count ; d3 count`; one that
begins with # says what the next position is about.
"""

from pathlib import Path

import pytest

from pasgl_env import Position

POSITIONS = Path(__file__).parents[2] / "data" / "perft" / "chieftain.txt"


def option(text):
    name, value = text.split("=")
    return name, value if name == "setup" else int(value)


def cases():
    about = ""
    for line in POSITIONS.read_text().splitlines():
        if line.startswith("#"):
            about = line.removeprefix("# ")
            continue
        game, text, *counts = line.split(" ; ")
        variant, *options = game.split(" ")
        depths = {int(depth[1:]): int(count) for depth, count in map(str.split, counts)}
        yield pytest.param(variant, dict(map(option, options)), text, depths, id=about)


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


@pytest.mark.parametrize(("variant", "options", "text", "depths"), [*cases()])
def test_perft(variant, options, text, depths):
    position = Position.from_text(variant, text, **options)
    assert {depth: position.perft(depth) for depth in depths} == depths
    assert position.text == text
