"""Names of the kinds of pieces."""

from __future__ import annotations

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

KIND_NAMES = {
    CHIEFTAIN: "Chieftain",
    HERO: "Hero",
    SHAMAN: "Shaman",
    KNIGHT: "Knight",
    MAN: "Man",
    BISHOPY: "Bishopy",
    ROOKISH: "Rookish",
}
ALL_NAMES = {**KIND_NAMES, LEADER: "Leader"}
