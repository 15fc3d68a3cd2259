"""The options of Captain Spalding Chess."""

from __future__ import annotations

from pasgl_env.contract.base import OptionsRecord
from pasgl_env.contract.game import MORE_PLANES, Choice, Option, flag
from pasgl_env.games.spalding.rules.legal import (
    FIND_BAT,
    FIND_BUNNY,
    FIND_CRUMB,
    FIND_ELEPHANT,
    FIND_GREAT,
    FIND_HEADLESS,
    FIND_LINT,
    FIND_RHINO,
    FOUND,
)
from pasgl_env.games.spalding.rules.state import (
    BOX_MOVES,
    FIND_CHOICES,
    FINDS,
    LEFT_BITS,
    REPETITIONS,
)

OPTIONS = (
    flag("box_rhino", True, "a Rhino is in the Box"),
    flag("box_headless", True, "a Headless Rhino is in the Box"),
    flag("box_bat", True, "Bats are in the Box"),
    flag("box_crumb", True, "Crumbs are in the Box"),
    flag("pajama_elephant", True, "an Elephant is in the Pajama"),
    flag("pajama_lint", True, "Lint is in the Pajama"),
    flag("great_elephant", True, "a Great Elephant is in the Great Pajama"),
    flag("great_bunny", True, "Dust Bunnies are in the Great Pajama"),
    Choice("white_finds", FIND_CHOICES[0], FIND_CHOICES, "what White may find once a game"),
    Choice("black_finds", FIND_CHOICES[0], FIND_CHOICES, "what Black may find once a game"),
    Choice("white_box", BOX_MOVES[0], BOX_MOVES, "how White's Box moves, in Betza's letters"),
    Choice("black_box", BOX_MOVES[0], BOX_MOVES, "how Black's Box moves, in Betza's letters"),
    Choice("repetition", REPETITIONS[0], REPETITIONS, "what must be new after each turn"),
    Option("turn_limit", 1000, 0, 10**9 - 1, "turns after which environments truncate; 0: never"),
    MORE_PLANES,
)

# The option that states whether each find is in the game.
_HOLDS = {
    FIND_RHINO: "box_rhino",
    FIND_HEADLESS: "box_headless",
    FIND_BAT: "box_bat",
    FIND_CRUMB: "box_crumb",
    FIND_ELEPHANT: "pajama_elephant",
    FIND_LINT: "pajama_lint",
    FIND_GREAT: "great_elephant",
    FIND_BUNNY: "great_bunny",
}


def finders(options: OptionsRecord, find: int) -> list[int]:
    """The players whose containers hold a find, 0 for White, when the game begins."""
    if not options[_HOLDS[find]]:
        return []
    kind = int(FOUND[find])
    if kind not in FINDS:
        return [0, 1]
    bit = 1 << FINDS.index(kind)
    return [player for player in (0, 1) if int(options.found) >> LEFT_BITS * player & bit]


def box_moves(options: OptionsRecord) -> tuple[str, str]:
    """The moves of White's and Black's Box, in Betza's letters."""
    return BOX_MOVES[options.white_box], BOX_MOVES[options.black_box]
