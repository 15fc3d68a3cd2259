"""Silhouettes of Chieftain: bold, because squares of boards with 24 files are a few pixels wide."""

from __future__ import annotations

from functools import cache

from pasgl_env.games.chieftain.names import ALL_NAMES
from pasgl_env.games.chieftain.rules.board import (
    BISHOPY,
    CHIEFTAIN,
    HERO,
    KNIGHT,
    LEADER,
    MAN,
    ROOKISH,
    SHAMAN,
)
from pasgl_env.render.svg.silhouette import Silhouette, dot
from pasgl_env.render.svg.theme import Theme

# A Chieftain that can still activate has gold in its crown.
ACTIVE_CHIEFTAIN = LEADER + 1
ACTIVE_LEADER = LEADER + 2
_CROWN = "M13 91L5 26L31 47L50 9L69 47L95 26L87 91z"

SILHOUETTES = {
    CHIEFTAIN: Silhouette(
        (_CROWN,),
        lines="M16 73H84",
    ),
    ACTIVE_CHIEFTAIN: Silhouette(
        (_CROWN,),
        bright="M16 64H84L81 91H19z",
    ),
    LEADER: Silhouette(
        (_CROWN,),
        lines="M16 73H84M38 55V85M62 55V85",
    ),
    ACTIVE_LEADER: Silhouette(
        (_CROWN,),
        lines="M38 55V85M62 55V85",
        bright="M16 64H84L81 91H19z",
    ),
    # A shield with an upright cross, for straight moves.
    HERO: Silhouette(
        ("M50 6L87 17V48C87 70 70 86 50 95C30 86 13 70 13 48V17z",),
        lines="M50 24V76M30 44H70",
    ),
    # A horned mask.
    SHAMAN: Silhouette(
        (
            "M34 44C12 42 2 24 9 5C18 22 32 24 45 30zM66 44C88 42 98 24 91 5C82 22 68 24 55 30z",
            "M50 26C69 26 78 38 76 54C74 74 63 95 50 95C37 95 26 74 24 54C22 38 31 26 50 26z",
        ),
        spots="M30 48L47 57C45 69 31 66 30 48zM70 48L53 57C55 69 69 66 70 48z",
    ),
    KNIGHT: Silhouette(
        (
            "M28 93C26 70 46 62 46 49C40 54 35 53 31 59C26 67 14 65 12 56C11 49 23 38 27 29"
            "C31 19 40 15 46 13L48 4L58 13C80 19 88 46 84 93z",
        ),
        spots=dot(41, 32, 6),
    ),
    MAN: Silhouette(
        ("M17 93C17 66 32 54 50 54C68 54 83 66 83 93z", dot(50, 28, 19)),
    ),
    BISHOPY: Silhouette(
        ("M21 78H79V93H21z", "M50 4C76 28 83 50 72 76H28C17 50 24 28 50 4z"),
        lines="M49 58L67 34",
    ),
    ROOKISH: Silhouette(
        ("M14 8H29V22H43V8H57V22H71V8H86V36L72 45V68L86 79V93H14V79L28 68V45L14 36z",),
    ),
}

NAMES = {
    **ALL_NAMES,
    ACTIVE_CHIEFTAIN: "Chieftain, can activate",
    ACTIVE_LEADER: "Leader, can activate",
}


@cache
def piece(player: int, kind: int, theme: Theme) -> str:
    """A player's piece of a kind as SVG, in a box of 100 × 100 units."""
    return SILHOUETTES[kind].of_player(theme, player, NAMES[kind], bold=True)
