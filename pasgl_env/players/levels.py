"""The table of levels for human opponents, weakest first.

>>> find("beginner").player
'td:temperature=0.3'
"""

from __future__ import annotations

from typing import NamedTuple

from pasgl_env.games.contract import brief


class Level(NamedTuple):
    """A line of the table.

    Attributes:
        name: the name shown to people.
        player: the name of the player for :func:`pasgl_env.players.make`.
        summary: what to expect, in a few words.
    """

    name: str
    player: str
    summary: str


LEVELS = (
    Level("first steps", "random", "plays anything that is legal"),
    Level("beginner", "td:temperature=0.3", "has an idea, and often forgets it"),
    Level("easy", "td:temperature=0.12", "plays reasonable turns, with mistakes"),
    Level("casual", "td:temperature=0.06", "makes a mistake now and then"),
    Level("experienced", "td:temperature=0.03", "judges where a turn leads, most of the time"),
    Level("strong", "td", "judges where each turn leads"),
    Level("very strong", "search:20", "looks some turns ahead"),
    Level("strongest", "search:100ms", "thinks for a tenth of a second on each choice"),
)


def find(name: str) -> Level:
    """A level by its name.

    Raises:
        ValueError: for an unknown name.
    """
    for level in LEVELS:
        if level.name == name:
            return level
    known = ", ".join(level.name for level in LEVELS)
    raise ValueError(f"no level {brief(name)} (levels: {known})")
