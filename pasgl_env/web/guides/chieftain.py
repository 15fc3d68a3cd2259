"""The pieces of Chieftain, Superchief and Overlord, for people."""

from __future__ import annotations

from pasgl_env.games.chieftain.board import KINDS, LETTERS
from pasgl_env.games.contract import OptionsRecord
from pasgl_env.render.svg.chieftain_pieces import NAMES
from pasgl_env.web.guides import Piece

_MOVES = {
    "C": "One or two steps in any direction, turning as it likes. Orders {orders} within"
    " {command_range} squares to move each turn, itself or another. Who loses the last one loses.",
    "H": "A step or a leap of two along a rank or file, or both in one straight line.",
    "S": "A step or a leap of two diagonally, or both in one straight line.",
    "N": "A knight's leap.",
    "M": "One step in any direction.",
    "B": "Up to four squares diagonally, or a leap of two along a rank or file.",
    "R": "Up to four squares along a rank or file, or a leap of two diagonally.",
}


def pieces(options: OptionsRecord) -> list[Piece]:
    """The pieces that the setup has."""
    activations = int(options.activations)
    orders = "one piece" if activations == 1 else f"{activations} pieces"
    command_range = int(options.command_range)
    return [
        Piece(
            letter,
            NAMES[kind],
            _MOVES[letter].format(orders=orders, command_range=command_range),
            (letter.lower(),),
        )
        for kind, letter in enumerate(LETTERS[:KINDS])
        if options.most[:, kind].any()
    ]
