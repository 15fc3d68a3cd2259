"""The games of Captain Spalding Chess that are written out."""

from __future__ import annotations

from random import Random
from typing import Any

from ...steering import Beginning, Recipe
from .steering import AIMLESS, FEAST, HUNT, SHUFFLE, START, odd_text


def odd(seed: int, **options: Any) -> Beginning:
    return Beginning("spalding", odd_text(Random(seed)), options)


FROM_START = Beginning("spalding", START, {})
POOR = {"great_elephant": False, "box_crumb": False, "pajama_elephant": False}
RECIPES = {
    "random": Recipe("Random moves from the start.", 1, AIMLESS, FROM_START, 150),
    "feast": Recipe("Crumbs, Monsters, Lint and Bunnies.", 2, FEAST, FROM_START, 100),
    "hunt": Recipe("Captures and Bats from the start.", 3, HUNT, FROM_START, 100),
    "shuffle": Recipe("To and fro, from an odd position.", 4, SHUFFLE, odd(4), 80),
    "crowd": Recipe("Captures in an odd position.", 5, HUNT, odd(5), 80),
    "poor": Recipe("With less in the containers.", 6, AIMLESS, odd(6, **POOR), 80),
}
