"""The pieces of Pachessi and Grand Pachessi, for people."""

from __future__ import annotations

from pasgl_env.games.contract import OptionsRecord
from pasgl_env.games.pachessi.state import COLOURS, LETTERS, PLAYERS
from pasgl_env.render.svg.pachessi_tokens import NAMES
from pasgl_env.web.guides import Piece

_DICE = ("a 4 or 5", "a 3", "a 2", "a 1")


def pieces(options: OptionsRecord) -> list[Piece]:
    """The pieces of all players."""
    colours = COLOURS[:: PLAYERS // int(options.number)]
    moves = (
        "One square in any direction"
        if options.range[0] == 1
        else f"Up to {int(options.range[0])} squares in a straight line",
        f"Up to {int(options.range[1])} squares along a rank or file",
        "A knight's leap" + (", or a leap of (1,3)" if options.grand else ""),
        "Any distance diagonally",
    )
    return [
        Piece(
            f"{colours[0]}-{LETTERS[kind]}",
            NAMES[kind],
            f"{moves[kind]}. Moves by {_DICE[kind]}, or by a 6, which any piece may use."
            + (" While it is taken, nothing else of its colour moves." if kind == 0 else ""),
            tuple(f"{colour}-{LETTERS[kind]}" for colour in colours[1:]),
        )
        for kind in range(int(options.kinds))
    ]
