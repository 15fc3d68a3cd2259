"""The games under test: the tests at the top of `tests/` run over each of them.

A line of `SUITES` names the folder of a game in `tests/games/` and the variants that share its
rules. The game's modules are found by that name:

`tests/reference/GAME.py`: `ReferencePosition(variant, **options)` and its
`from_text(variant, text, **options)`, with the interface of `Position`. It knows no `turn_limit`.

`tests/games/GAME/steering.py`: games that come to rare states.
    `MOODS`: what a steered game may be after, a sequence; the first is nothing at all.
    `beginning(rng) -> Beginning`: any of the variants, at its start or in an odd position, at a
        chance node or in the middle of a turn, under the default options or odd ones, which come
        again in other beginnings; never a finished game.
    `steered(position, luck, mood) -> int`: a legal action, or an outcome at a chance node, chosen
        by a number from 0 up to 1.

`tests/games/GAME/invariants.py`: what holds in this game beyond what holds in all.
    `check_state(position)`, `check_action(before, after, label)`.
    `on_board(position)`: the number of pieces of each symbol, to compare with events.

`tests/games/GAME/decoding.py`: what an observation says.
    `check(position, player)`: decode what a player sees, and compare it with the position.

`tests/games/GAME/playthroughs.py`: whole games to be written out.
    `RECIPES: dict[str, Recipe]`, the keys are the names of the files in
    `tests/data/playthroughs/GAME/`; `python -m tests.test_playthroughs GAME` writes these.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from .steering import Recipe


class Suite(NamedTuple):
    """A game under test; `ReferencePosition` and the modules are those of the docstring above."""

    name: str
    variants: tuple[str, ...]
    steering: Any
    invariants: Any
    decoding: Any
    recipes: dict[str, Recipe]
    reference: Any


def suite(name: str, *variants: str) -> Suite:
    def module(part: str) -> ModuleType:
        return import_module(f"{__package__}.games.{name}.{part}")

    return Suite(
        name,
        variants,
        module("steering"),
        module("invariants"),
        module("decoding"),
        module("playthroughs").RECIPES,
        import_module(f"{__package__}.reference.{name}").ReferencePosition,
    )


SUITES = {
    each.name: each
    for each in [
        suite("pasgl312", "pasgl312"),
        suite("spalding", "spalding"),
        suite("chieftain", "chieftain", "superchief", "overlord"),
        suite("pachessi", "pachessi", "grand_pachessi"),
    ]
}

over_all_games = pytest.mark.parametrize("suite", SUITES.values(), ids=SUITES)
