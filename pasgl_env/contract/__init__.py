"""What a game is: the contract between a game and all that runs it, and the table of variants.

The names of this package are what the rules of a game import.
"""

from __future__ import annotations

from pasgl_env.contract.base import (
    Chance,
    FeatureRun,
    Features,
    Learning,
    Plane,
    PositionKeys,
    Texts,
)
from pasgl_env.contract.description import Asked, Symbol, Verb
from pasgl_env.contract.game import (
    MORE_PLANES,
    TURN_LIMIT,
    Choice,
    Game,
    Option,
    Spaces,
    TextOption,
    flag,
)
from pasgl_env.jit.compiled import clear, inlined_rule, rule, wide

__all__ = [
    "MORE_PLANES",
    "TURN_LIMIT",
    "Asked",
    "Chance",
    "Choice",
    "FeatureRun",
    "Features",
    "Game",
    "Learning",
    "Option",
    "Plane",
    "PositionKeys",
    "Spaces",
    "Symbol",
    "TextOption",
    "Texts",
    "Verb",
    "clear",
    "flag",
    "inlined_rule",
    "rule",
    "wide",
]
