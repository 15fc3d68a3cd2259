"""Whole games written out action by action, compared with what the engine says today.

`python -m tests.test_playthroughs` writes the files anew, with games that it finds by playing.
A difference is a change of the rules, of labels, or of what agents see: it must be meant.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from pasgl_env import Position

from .steering import AIMLESS, HARM, JOURNEY, START, Beginning, odd_text, steered

FOLDER = Path(__file__).parent / "data" / "playthroughs" / "pasgl312"
HEADER = """\
# {about}
# A game written out: before each action the position, who is to move, the legal labels, the first
# 16 digits of SHA-256 of that player's observation and action mask, and the label that is played.
# Written by `python -m tests.test_playthroughs`, compared by tests/test_playthroughs.py.
options: {options}
"""


class Recipe(NamedTuple):
    """How a game is found: what it is about, its start, and what its players are after."""

    about: str
    seed: int
    mood: int
    beginning: Beginning


def odd(seed: int, **options: int) -> Beginning:
    return Beginning(odd_text(Random(seed)), options)


FROM_START = Beginning(START, {})
OPTIONS = {
    "win_margin": 80,
    "fox_range": 5,
    "hunter_range": 7,
    "turkey_range": 1,
    "shrew_points": 2,
}
RECIPES = {
    "random": Recipe("Random moves from the start; a shot ends it.", 17, AIMLESS, FROM_START),
    "harm": Recipe("Shots, thefts and pushes from the start.", 29, HARM, FROM_START),
    "journey": Recipe("To terminals and the far ranks.", 18, JOURNEY, FROM_START),
    "crowds": Recipe("From a crowded position.", 36, HARM, odd(36)),
    "riders": Recipe("By train from an odd position.", 39, JOURNEY, odd(39)),
    "options": Recipe("Other ranges, points and margin.", 18, HARM, odd(18, **OPTIONS)),
}


def found(recipe: Recipe) -> list[str]:
    """The labels of the recipe's game, to its end."""
    rng = Random(recipe.seed)
    position = recipe.beginning.position()
    labels = []
    while not position.is_over:
        action = steered(position, rng.random(), recipe.mood)
        labels.append(position.label(action))
        position.play_action(action)
    return labels


def written(about: str, beginning: Beginning, labels: list[str]) -> str:
    """The whole file of a game."""
    options = " ".join(f"{name}={value}" for name, value in beginning.options.items())
    blocks = [HEADER.format(about=about, options=options).replace(": \n", ":\n")]
    position = beginning.position()
    for label in labels:
        blocks.append(block(position, f"played: {label}"))
        position.play(label)
    blocks.append(block(position, f"returns: {position.returns}"))
    return "\n".join(blocks)


def block(position: Position, last: str) -> str:
    return (
        f"text: {position.text}\n"
        f"to move: {position.to_move}\n"
        f"legal: {' '.join(position.legal_moves())}\n"
        f"observation: {digest(position.observation())}\n"
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


@pytest.mark.jitfree
@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_the_game_is_as_written(path):
    file = path.read_text()
    options = dict(setting.split("=") for setting in next(values(file, "options")).split())
    beginning = Beginning(
        next(values(file, "text")), {name: int(value) for name, value in options.items()}
    )
    about = file.splitlines()[0].removeprefix("# ")
    lines = written(about, beginning, list(values(file, "played"))).splitlines()
    # Line by line: pytest shows the first that differs, not a difference of long texts.
    for number, (now, then) in enumerate(zip(lines, file.splitlines(), strict=True), 1):
        assert now == then, f"{path.name}, line {number}"


def test_there_is_a_file_for_each_recipe():
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(RECIPES)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, recipe in RECIPES.items():
        text = written(recipe.about, recipe.beginning, found(recipe))
        (FOLDER / f"{name}.txt").write_text(text)


if __name__ == "__main__":
    main()
