"""The games of Chieftain, Superchief and Overlord that are written out."""

from __future__ import annotations

from random import Random
from typing import Any

from pasgl_env import Position

from ...steering import Beginning, Recipe
from .steering import AIMLESS, ALL_KINDS, COUNCIL, CROWD, FIGHT, SMALL, STUCK, odd_text


def start(variant: str, **options: Any) -> Beginning:
    return Beginning(variant, Position(variant, **options).text, options)


def odd(seed: int, variant: str, **options: Any) -> Beginning:
    text = odd_text(Random(seed), Position(variant, **options))
    return Beginning(variant, text, options)


RECIPES = {
    "chieftain": Recipe("Random moves from the start.", 1, AIMLESS, start("chieftain"), 40),
    "superchief": Recipe("Chieftains in council.", 2, COUNCIL, start("superchief"), 30),
    "overlord": Recipe("A fight from an odd position.", 3, FIGHT, odd(3, "overlord"), 60),
    "leader2": Recipe(
        "The experimental Leader2.",
        4,
        FIGHT,
        start("chieftain", activations=2, command_range=2),
        40,
    ),
    "small": Recipe(
        "To the end on a small board.", 10, AIMLESS, start("chieftain", setup=SMALL), 300
    ),
    "stuck": Recipe(
        "A draw by two passes.", 6, AIMLESS, start("superchief", setup=STUCK, command_range=1)
    ),
    "crowd": Recipe(
        "Many Chieftains to choose from.", 7, COUNCIL, start("overlord", setup=CROWD), 60
    ),
    "kinds": Recipe(
        "All kinds, many activations.",
        8,
        FIGHT,
        odd(8, "chieftain", setup=ALL_KINDS, activations=3),
        120,
    ),
}
