"""The pieces of Captain Spalding Chess, for people."""

from __future__ import annotations

from pasgl_env.games.contract import OptionsRecord
from pasgl_env.games.spalding.state import (
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
    LETTERS,
    LINT,
    MONSTER,
    PAJAMA,
    RHINO,
)
from pasgl_env.render.svg.spalding_pieces import NAMES
from pasgl_env.web.guides import Piece

_SYMBOLS = {
    **dict(
        zip(
            (
                *(BOX, PAJAMA, GREAT, RHINO, HEADLESS, BAT, BOOH),
                *(CRUMB, MONSTER, ELEPHANT, GREAT_ELEPHANT),
            ),
            "XPJRHVWCMLE",
            strict=True,
        )
    ),
    LINT: "N",
    BUNNY: "B",
    DEMON: "D",
}
_MOVES = {
    BOX: "One step in any direction, without capturing; then a new piece comes out beside it. Who"
    " loses the Box loses the game.",
    PAJAMA: "One step diagonally or straight forward, without capturing; then an Elephant or Lint"
    " comes out beside it.",
    GREAT: "One step or leap of two, diagonally or straight forward, without capturing; then a"
    " Great Elephant or a Dust Bunny comes out beside it.",
    RHINO: "One step along a rank or file, or such a step to an empty square and then one"
    " diagonally. Captures both ways.",
    HEADLESS: "Moves as the Rhino, but captures only by the single step along a rank or file.",
    BAT: "One step straight forward, capturing too. On its last rank it turns into a Booh.",
    BOOH: "Any distance up or down its file, without capturing; captures one step along a rank or"
    " file.",
    CRUMB: "Does not move. A Crumb put on one's own Crumb makes a Cookie Monster.",
    MONSTER: "Does not move. Eats whatever ends its move beside it, and vanishes with it.",
    ELEPHANT: "One step diagonally or straight forward, capturing too. One at a time.",
    GREAT_ELEPHANT: "One step or leap of two, diagonally or straight forward, capturing too.",
    LINT: "Nobody's; does not move, may be captured by both. Lint put on Lint makes a Dust Bunny.",
    BUNNY: "Nobody's: either player moves it one step diagonally or straight forward. It never"
    " captures and is never captured.",
    DEMON: "Nobody's: either player moves it, as the Great Pajama; it captures the other player's"
    " pieces one step diagonally or straight forward.",
}


def pieces(options: OptionsRecord) -> list[Piece]:
    """The pieces that stand on the board at the start or may come out."""
    return [
        Piece(
            _SYMBOLS[kind],
            NAMES[kind],
            move,
            (_SYMBOLS[kind].lower(),) if _SYMBOLS[kind] in LETTERS else (),
        )
        for kind, move in _MOVES.items()
    ]
