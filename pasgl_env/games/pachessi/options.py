"""The options of Pachessi and Grand Pachessi."""

from __future__ import annotations

from pasgl_env.contract.game import MORE_PLANES, Choice, Option, flag
from pasgl_env.games.pachessi.rules.board import GREATEST_SIZE
from pasgl_env.games.pachessi.rules.state import BEGINNERS

FORCED, FREE = MUST = ("forced", "free")
DICE = ("each", "all")


def options(size: int, hole: int, grand: bool) -> tuple[Choice | Option, ...]:
    """The options of a variant with these defaults."""
    return (
        Choice("players", 2, (2, 4), "number of players; four play in two teams"),
        Choice("first", "black", BEGINNERS, "the colour that begins, by lot, or of the team drawn"),
        flag("grand", grand, "Raja, Horse and Ships for four as in Grand Pachessi"),
        Option("size", size, 5, GREATEST_SIZE, "squares along an edge of the board"),
        Option("hole", hole, 1, GREATEST_SIZE - 4, "squares along an edge of the hole"),
        Option("elephant_range", 0, 0, GREATEST_SIZE - 1, "Elephant's range; 0: (size - 1) // 2"),
        Option("raja_range", 0, 0, GREATEST_SIZE - 1, "Raja's range; 0: 2 if grand, else 1"),
        Choice("dice", "each", DICE, "whether each die must be used if it can, or both"),
        Choice("bear_off", FORCED, MUST, "whether a die with no other use must bear a piece off"),
        flag("grace", True, "a roll that takes earns a grace die"),
        Choice("grace_move", FORCED, MUST, "whether a grace die must be used if it can"),
        Option("laps", 1, 1, 3, "laps after which a piece may be borne off"),
        Option("first_dice", 2, 1, 2, "dice of the game's first roll"),
        Option("turn_limit", 1000, 0, 10**9 - 1, "turns until environments truncate; 0: never"),
        MORE_PLANES,
    )
