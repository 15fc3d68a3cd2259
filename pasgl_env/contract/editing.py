"""Positions changed by hand: pieces put on squares, and fields of the state set.

The part ``editing`` of a game (:class:`pasgl_env.contract.parts.Editing`) has a compiled rule that
puts a piece, and says which fields there are. A position may be impossible in between:
:attr:`Game.is_valid` judges the last one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.contract import parts
from pasgl_env.contract.fields import LARGEST, read_number, wrong
from pasgl_env.contract.game import Game, brief
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.jit.compiled import bind

NOTHING = -1
"""Stands for a piece, to empty a square; and for a square, to put nothing."""


class Field(NamedTuple):
    """What people set by a word, or by numbers joined by ``:``.

    Attributes:
        meaning: what it is, in words.
        places: where the state has its numbers: a field, and the index in it.
        words: its words with their numbers; empty if it is set by the numbers themselves.
        low: the smallest number.
        high: the largest number.
    """

    meaning: str
    places: tuple[tuple[str, int], ...]
    words: Mapping[str, tuple[int, ...]] = MappingProxyType({})
    low: int = 0
    high: int = LARGEST

    def value(self, states: np.ndarray) -> str:
        """Its value in an array of one state; empty if no word means that."""
        numbers = tuple(int(_place(states, *place)[0]) for place in self.places)
        if not self.words:
            return ":".join(map(str, numbers))
        return next((word for word, known in self.words.items() if known == numbers), "")

    def numbers(self, value: str) -> tuple[int, ...] | None:
        """The numbers that a value means; None for none."""
        if self.words:
            return self.words.get(value)
        try:
            numbers = tuple(read_number("", part, self.high) for part in value.split(":"))
        except ValueError:
            return None
        is_allowed = len(numbers) == len(self.places) and min(numbers) >= self.low
        return numbers if is_allowed else None


class Ranks(NamedTuple):
    """A field of position texts with the pieces on squares, rows separated by ``/``.

    A piece is written as the text of its symbol, which ends with its only letter; in brackets if it
    is longer, as are several pieces of a square. An empty square is a dot.

    Attributes:
        squares: the squares of each row, numbers as in records of actions.
        are_counted: whether empty squares in a row are written as their number.
    """

    squares: tuple[tuple[int, ...], ...]
    are_counted: bool = False


class Pieces(NamedTuple):
    """A field of position texts that says where each piece is, groups separated by ``/``.

    A piece is written as the letter of its symbol and a word, or its square and a number.

    Attributes:
        symbols: the symbols in each group.
        where: the field of the state with the square of each symbol.
        number: the field of the state with the number of each symbol.
        words: the values of ``where`` that are no squares, by their words.
    """

    symbols: tuple[tuple[int, ...], ...]
    where: str
    number: str
    words: Mapping[str, int]


class Text(NamedTuple):
    """What position texts consist of.

    Attributes:
        names: the names of the fields of a text, in order.
        forms: fields that the editor does not set, or not in this way, by name; those that go
            together by their names, separated by spaces.
    """

    names: tuple[str, ...]
    forms: Mapping[str, Field | Ranks | Pieces]


MOVER = Field("the player to move: w or b", (("mover", 0),), {"w": (0,), "b": (1,)})
TURNS = Field("the number of turns played", (("turn_count", 0),))


def set_field(ruleset: Ruleset, states: np.ndarray, name: str, value: str) -> None:
    """Set a field in an array of one state.

    Raises:
        ValueError: if there is no such field, or it cannot have this value.
    """
    fields = parts.editing(ruleset.game).fields(ruleset.record[0])
    if name not in fields:
        raise ValueError(f"no field {brief(name)}; the fields are {', '.join(fields)}")
    numbers = fields[name].numbers(value)
    if numbers is None:
        raise wrong(name, f"{brief(value)} is not {fields[name].meaning}")
    for place, number in zip(fields[name].places, numbers, strict=True):
        _place(states, *place)[0] = number
    editor(ruleset.game)(states, ruleset.record, NOTHING, NOTHING)


def put(ruleset: Ruleset, states: np.ndarray, square: str, symbol: str) -> None:
    """Put a piece on a square of an array of one state; an empty symbol empties the square.

    Raises:
        ValueError: if there is no such square or piece, or no other one that could be put.
    """
    part = parts.description(ruleset.game)
    symbols = [each.text for each in part.symbols(ruleset.record[0])]
    if square not in part.SQUARES:
        raise ValueError(f"no square {brief(square)}")
    if symbol and symbol not in symbols:
        raise ValueError(f"no piece {brief(symbol)}")
    piece = symbols.index(symbol) if symbol else NOTHING
    if not editor(ruleset.game)(states, ruleset.record, part.SQUARES.index(square), piece):
        what = f"no further {symbol}" if symbol else "no such square"
        raise ValueError(f"{square}: there is {what}")


def _place(states: np.ndarray, name: str, index: int) -> np.ndarray:
    """A number of an array of one state, as an array of one that shares its memory."""
    return states[name].reshape(-1)[index : index + 1]


@cache
def editor(game: Game) -> Callable[..., bool]:
    """The rules of a game's part, for arrays of one record: Numba takes records slowly."""
    part = parts.editing(game)
    rules = {"put_rule": part.put, "begin_rule": part.begin}
    edit: Callable[..., bool] = bind(_edit, game.cache_name, rules)
    return edit


@cache
def finder(game: Game) -> Callable[..., int]:
    """The rule ``symbol_on`` of a game's part, for arrays of one record."""
    rules = {"symbol_on_rule": parts.editing(game).symbol_on}  # type: ignore[attr-defined]
    find: Callable[..., int] = bind(_find, game.cache_name, rules)
    return find


put_rule: Any = None  # the game's, in the templates below
begin_rule: Any = None
symbol_on_rule: Any = None


def _edit(states: np.ndarray, options: np.ndarray, square: int, piece: int) -> bool:
    """Put a piece, unless the square is ``NOTHING``, and write what follows; whether it was put."""
    is_put = square < 0 or put_rule(states[0], options[0], square, piece)
    begin_rule(states[0], options[0])
    return is_put


def _find(states: np.ndarray, options: np.ndarray, square: int, number: int) -> int:
    """The symbol of a piece on a square; ``NOTHING`` after the last one."""
    symbol: int = symbol_on_rule(states[0], options[0], square, number)
    return symbol
