"""Names of the kinds of critters, in the order of their numbers."""

from __future__ import annotations

KIND_NAMES = (
    "Bear",
    "Hunter",
    "Deer",
    "Fox",
    "Woodchuck",
    "Skunk",
    "Turkey",
    "Shrew",
    "Chipmunk",
)
CARS = ("head", "tail", "third car")


def passes(number: int) -> str:
    """A number of passes in words."""
    return f"{number} pass{'' if number == 1 else 'es'}"
