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
