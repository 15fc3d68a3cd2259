"""The games of Pachessi that are written out."""

from __future__ import annotations

from random import Random
from typing import Any

from pasgl_env import Position

from ...steering import Beginning, Recipe
from .steering import AIMLESS, BACK, HUNT, RACE, odd_text


def start(variant: str, **options: Any) -> Beginning:
    return Beginning(variant, Position(variant, **options).text, options)


def odd(seed: int, variant: str, **options: Any) -> Beginning:
    return Beginning(variant, odd_text(Random(seed), variant, options), options)


LATE = "Ra6:0,Ec7:0,Hd6:0,S*/Rg2:0,Ee1:1,H*,Sd2:0 yellow - i 60"

RECIPES = {
    "random": Recipe("Random moves from the start.", 1, AIMLESS, start("pachessi"), 120),
    "race": Recipe("To the end of a race.", 14, RACE, Beginning("pachessi", LATE, {}), 200),
    "hunt_of_four": Recipe("Captures, four players.", 3, HUNT, start("pachessi", players=4), 120),
    "grand": Recipe("Grand Pachessi.", 4, HUNT, start("grand_pachessi", first="yellow"), 100),
    "grand_four": Recipe(
        "Grand Pachessi, four players.", 5, RACE, odd(5, "grand_pachessi", players=4), 100
    ),
    "ten": Recipe(
        "An even board, backwards where possible.", 6, BACK, odd(6, "pachessi", size=10, hole=4), 80
    ),
}
