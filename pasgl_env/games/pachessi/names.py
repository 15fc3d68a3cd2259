"""Names of the kinds of pieces, in the order of their numbers."""

from __future__ import annotations

KIND_NAMES = ("Raja", "Elephant", "Horse", "Ship")
