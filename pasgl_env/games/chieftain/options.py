"""The options of Chieftain, Superchief and Overlord."""

from __future__ import annotations

from pasgl_env.contract.game import MORE_PLANES, Choice, Option, TextOption
from pasgl_env.games.chieftain import position_text


def options(setup: str) -> tuple[TextOption | Option | Choice, ...]:
    """The options of a variant with this setup, a board field."""
    return (
        TextOption(
            "setup",
            setup,
            "a board field, 4 to 24 ranks and files, 1 to 32 Chieftains or Leaders a side",
            "the starting position, which gives the board its size",
            position_text.SETUP_SHAPE,
            position_text.setup_to_record,
            position_text.setup_to_text,
        ),
        Option("activations", 1, 1, 8, "pieces that a Chieftain activates in a turn"),
        Option("command_range", 3, 1, 23, "how far a Chieftain commands, in king's steps"),
        Option("leader_activations", 2, 1, 8, "pieces that a Leader activates in a turn"),
        Option("leader_range", 2, 1, 23, "how far a Leader commands, in king's steps"),
        Option("chieftain_range", 2, 1, 2, "steps of a Chieftain or Leader"),
        Option("hero_range", 3, 1, 3, "most squares of a Hero's move"),
        Option("shaman_range", 3, 1, 3, "most squares of a Shaman's move"),
        Option("man_range", 1, 1, 4, "most steps of a Man in a straight line"),
        Option("bishopy_range", 4, 1, 4, "most squares that a Bishopy slides"),
        Option("rookish_range", 4, 1, 4, "most squares that a Rookish slides"),
        Option(
            "first_turn_orders",
            0,
            0,
            256,
            "most orders in the game's first turn; 0: no extra limit",
        ),
        Option(
            "turn_limit", 400, 0, 10**9 - 1, "turns after which environments truncate; 0: never"
        ),
        MORE_PLANES,
    )
