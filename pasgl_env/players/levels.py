"""The levels for human opponents, weakest first, and the player of each level in each variant.

``python -m studies.levels`` measured the players: from level to level their strength grows by about
even steps of Elo.

>>> player_at("first steps", "pasgl312"), player_at("strongest", "pasgl312")
('random', 'search:100ms')
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from pasgl_env.contract import variants
from pasgl_env.contract.game import brief

FILE = "levels.json"


class Level(NamedTuple):
    """A level.

    Attributes:
        name: the name shown to people.
        summary: a description of the play, in a few words.
    """

    name: str
    summary: str


LEVELS = (
    Level("first steps", "plays anything that is legal"),
    Level("beginner", "has an idea, and often forgets it"),
    Level("easy", "plays reasonable turns, with many mistakes"),
    Level("casual", "makes a mistake now and then"),
    Level("experienced", "judges most turns well"),
    Level("strong", "seldom makes a mistake"),
    Level("very strong", "hard to beat"),
    Level("strongest", "plays the best that it finds in a tenth of a second"),
)
LIKE_PEOPLE = "casual"
"""The level whose play is taken for that of people who know a game; nobody has measured it."""
UNMEASURED = (
    "random",
    "td:temperature=0.3",
    "td:temperature=0.12",
    "td:temperature=0.06",
    "td:temperature=0.03",
    "td",
    "search:20",
    "search:100ms",
)
"""The players of the levels in variants from other packages."""
WITHOUT_VALUES = (
    "random",
    *(f"mcts:{simulations}" for simulations in (2, 5, 12, 30, 80, 250)),
    "mcts:100ms",
)
"""The same in variants without features for learned values."""


def player_at(name: str, variant: str) -> str:
    """The player of a level in a variant, for :func:`pasgl_env.players.make`.

    Args:
        name: the level's name.
        variant: a name of :func:`pasgl_env.contract.variants.names`.

    Raises:
        ValueError: for an unknown level.
    """
    known = [level.name for level in LEVELS]
    if name not in known:
        raise ValueError(f"no level {brief(name)} (levels: {', '.join(known)})")
    number = known.index(name)
    if rows := _measured().get(variant):
        return str(rows[number]["player"])
    return (UNMEASURED if variants.find(variant).features else WITHOUT_VALUES)[number]


@cache
def _measured() -> dict[str, list[dict[str, Any]]]:
    found: Any = json.loads(resources.files("pasgl_env.players").joinpath(FILE).read_bytes())
    return dict(found)
