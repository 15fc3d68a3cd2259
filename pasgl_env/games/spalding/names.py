"""Names of the kinds of pieces."""

from __future__ import annotations

from pasgl_env.games.spalding.rules.state import (
    BAT,
    BOOH,
    BOX,
    BUNNY,
    CRUMB,
    DEMON,
    ELEPHANT,
    GREAT,
    GREAT_ELEPHANT,
    HEADLESS,
    LINT,
    MONSTER,
    PAJAMA,
    RHINO,
)

KIND_NAMES = {
    BOX: "Box",
    PAJAMA: "Pajama",
    GREAT: "Great Pajama",
    RHINO: "Rhino",
    HEADLESS: "Headless Rhino",
    BAT: "Bat",
    BOOH: "Booh",
    CRUMB: "Crumb",
    MONSTER: "Cookie Monster",
    ELEPHANT: "Elephant",
    GREAT_ELEPHANT: "Great Elephant",
    LINT: "Lint",
    BUNNY: "Dust Bunny",
    DEMON: "Dust Demon",
}
