"""The games of PASGL 312 Chess that are written out."""

from __future__ import annotations

from random import Random

from ...steering import Beginning, Recipe
from .steering import AIMLESS, HARM, JOURNEY, START, odd_text


def odd(seed: int, **options: int) -> Beginning:
    return Beginning("pasgl312", odd_text(Random(seed)), options)


FROM_START = Beginning("pasgl312", START, {})
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
