"""What the page tells people about the pieces of each game, a module for each game.

Each module has

- ``pieces(options) -> list[Piece]``: the legend, under an options record.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pasgl_env import variants
from pasgl_env.games.contract import OptionsRecord


class Piece(NamedTuple):
    """A line of the legend.

    Attributes:
        symbol: as :func:`pasgl_env.render.icon` takes it, in the colours of the first player.
        name: what people call it.
        move: how it moves and what it does, in a sentence or two.
        others: its symbols in the colours of the other players, in their order.
    """

    symbol: str
    name: str
    move: str
    others: tuple[str, ...] = ()


def pieces(variant: str, options: OptionsRecord) -> list[Piece]:
    """The legend of a variant."""
    told: Any = variants.part("pasgl_env.web.guides", variant).pieces
    legend: list[Piece] = told(options)
    return legend
