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


def chuck_distances(reach: int) -> str:
    """The distances, in squares, at which a Woodchuck with this reach hits, in words."""
    return {2: "two", 3: "two or three"}.get(int(reach), f"two to {reach}")
