"""The one table of variants. The name is also that of the game, :attr:`Game.name`.

>>> from pasgl_env import variants
>>> variants.names()
('pasgl312', 'spalding', 'chieftain', 'superchief', 'overlord', 'pachessi', 'grand_pachessi')
>>> variants.find("pasgl312").title
'PASGL 312 Chess'
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from pasgl_env.games.contract import Game, brief


class Variant(NamedTuple):
    """A line of the table.

    Attributes:
        game: where its :class:`Game` is, ``module:NAME``.
        environment: version of the environments, the ``0`` of ``pasgl312_v0``.
        summary: one line for people.
    """

    game: str
    environment: int
    summary: str


VARIANTS = {
    "pasgl312": Variant(
        "pasgl_env.games.pasgl312:GAME",
        0,
        "Ralph Betza's game of critters, stolen lunches, skunks and a train",
    ),
    "spalding": Variant(
        "pasgl_env.games.spalding:GAME",
        0,
        "Ralph Betza's game of boxes and pajamas, and of what comes out of them",
    ),
    "chieftain": Variant(
        "pasgl_env.games.chieftain:CHIEFTAIN",
        0,
        "Joe Joyce's game of four Chieftains a side, each of whom orders a move in every turn",
    ),
    "superchief": Variant(
        "pasgl_env.games.chieftain:SUPERCHIEF",
        0,
        "Chieftain with six Chieftains and 48 pieces a side",
    ),
    "overlord": Variant(
        "pasgl_env.games.chieftain:OVERLORD",
        0,
        "Chieftain with eight Chieftains and 64 pieces a side, Bishopies and Rookishes among them",
    ),
    "pachessi": Variant(
        "pasgl_env.games.pachessi:PACHESSI",
        0,
        "Peter Aronson's race game of chess pieces and dice, for two or four players",
    ),
    "grand_pachessi": Variant(
        "pasgl_env.games.pachessi:GRAND_PACHESSI",
        0,
        "Pachessi on a larger board, with stronger Rajas and Horses",
    ),
}


def names() -> tuple[str, ...]:
    """The names of all variants."""
    return tuple(VARIANTS)


def find(name: Any) -> Game:
    """The rules of a variant.

    Raises:
        ValueError: for an unknown name.
    """
    if not isinstance(name, str) or name not in VARIANTS:
        near = get_close_matches(str(name)[:60], VARIANTS, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"no variant {brief(name)}{hint} (variants: {', '.join(VARIANTS)})")
    return _load(name)


@cache
def _load(name: str) -> Game:
    module, _, attribute = VARIANTS[name].game.partition(":")
    game: Game = getattr(import_module(module), attribute)
    return game
