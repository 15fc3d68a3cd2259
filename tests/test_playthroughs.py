"""Whole games written out action by action, compared with what the engine says today.

`python -m tests.test_playthroughs GAME ...` writes the files of these games (of all, if none is
named) anew, with playthroughs that it finds by playing.
A difference is a change of the rules, of labels, or of what agents see: it must be meant.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pasgl_env import Position
from pasgl_env.contract.variants import find

from .steering import Beginning, Recipe
from .suites import SUITES, Suite, over_all_games

DATA = Path(__file__).parent / "data" / "playthroughs"
HEADER = """\
# {about}
# A game written out: before each action the position, who is to move, the legal labels, the first
# 16 digits of SHA-256 of that player's observation and action mask, and the label that is played.
# Written by `python -m tests.test_playthroughs`, compared by tests/test_playthroughs.py.
variant: {variant}
options: {options}
"""


def found(suite: Suite, recipe: Recipe) -> list[str]:
    """The labels of the recipe's game, to its end or as far as the recipe says."""
    rng = Random(recipe.seed)
    position = recipe.beginning.position()
    labels: list[str] = []
    while not position.is_over and len(labels) < recipe.most_actions:
        action = suite.steering.steered(position, rng.random(), recipe.mood)
        labels.append(position.label(action))
        position.play_action(action)
    return labels


def written(about: str, beginning: Beginning, labels: list[str]) -> str:
    """The whole file of a game."""
    options = " ".join(f"{name}={value}" for name, value in beginning.options.items())
    header = HEADER.format(about=about, variant=beginning.variant, options=options)
    blocks = [header.replace(": \n", ":\n")]
    position = beginning.position()
    for label in labels:
        blocks.append(block(position, f"played: {label}"))
        position.play(label)
    blocks.append(block(position, f"returns: {position.returns}"))
    return "\n".join(blocks)


def block(position: Position, last: str) -> str:
    viewer = 0 if position.is_chance else None
    return (
        f"text: {position.text}\n"
        f"to move: {position.to_move}\n"
        f"legal: {', '.join(position.legal_moves())}\n"
        f"observation: {digest(position.observation(viewer))}\n"
        f"mask: {digest(position.action_mask)}\n"
        f"{last}\n"
    )


def digest(array: Any) -> str:
    return hashlib.sha256(array.tobytes()).hexdigest()[:16]


def values(file: str, key: str) -> Iterator[str]:
    """What the file's lines with this key say."""
    for line in file.splitlines():
        name, _, value = line.partition(":")
        if name == key:
            yield value.strip()


def read(file: str) -> Beginning:
    """Where the game of a file begins."""
    variant = next(values(file, "variant"))
    known = {option.name: option for option in find(variant).options}
    settings = (setting.split("=", 1) for setting in next(values(file, "options")).split())
    options = {name: known[name].parse(value) for name, value in settings}
    return Beginning(variant, next(values(file, "text")), options)


@pytest.mark.parametrize(
    "path",
    sorted(DATA.glob("*/*.txt")),
    ids=lambda path: f"{path.parent.name}-{path.stem}",
)
def test_the_game_is_as_written(path):
    file = path.read_text()
    about = file.splitlines()[0].removeprefix("# ")
    lines = written(about, read(file), list(values(file, "played"))).splitlines()
    # Line by line: pytest shows the first that differs, not a difference of long texts.
    for number, (now, then) in enumerate(zip(lines, file.splitlines(), strict=True), 1):
        assert now == then, f"{path.name}, line {number}"


@over_all_games
def test_there_is_a_file_for_each_recipe(suite: Suite):
    files = {path.stem for path in (DATA / suite.name).glob("*.txt")}
    assert files == set(suite.recipes)


def main(*names: str) -> None:
    for suite in [SUITES[name] for name in names or SUITES]:
        folder = DATA / suite.name
        folder.mkdir(parents=True, exist_ok=True)
        for name, recipe in suite.recipes.items():
            text = written(recipe.about, recipe.beginning, found(suite, recipe))
            (folder / f"{name}.txt").write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
