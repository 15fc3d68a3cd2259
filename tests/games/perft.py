"""Move counts of positions in which every rule matters.

The counts come from an implementation of the rules that shares nothing with the engine. A line of a
file is `variant option=value ... ; position text ; d1 count ; d2 count ...`, with as many options
and counts as there are; one that begins with # says what the next position is about.
"""

from pathlib import Path

import pytest

from pasgl_env import Position
from pasgl_env.contract import variants

FOLDER = Path(__file__).parents[1] / "data" / "perft"


def positions(game):
    """Runs a test for every line of a game's file, with its words."""
    lines = (FOLDER / f"{game}.txt").read_text().splitlines()
    cases = [
        pytest.param(line, id=about.removeprefix("# "))
        for about, line in zip(lines[::2], lines[1::2], strict=True)
    ]
    return pytest.mark.parametrize("line", cases)


def check(line):
    """Check the counts of a line."""
    game, text, *counts = line.split(" ; ")
    variant, *settings = game.split(" ")
    depths = {int(depth[1:]): int(count) for depth, count in map(str.split, counts)}
    position = Position.from_text(variant, text, **variants.read_options(variant, settings))
    assert {depth: position.perft(depth) for depth in depths} == depths
    assert position.text == text
