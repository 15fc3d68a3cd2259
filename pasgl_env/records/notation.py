"""The inventors' notations of turns.

A game has its own, see :class:`pasgl_env.contract.parts.Notation`, or a turn is written as its
labels, separated by commas.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from pasgl_env.contract import parts
from pasgl_env.contract.game import brief
from pasgl_env.engine.position import Position
from pasgl_env.records.turn import Turn

__all__ = ["NotationError", "columns", "is_remark", "only_reading", "read", "remarks", "write"]

_MOST_SHOWN = 8
# The number of readings may grow without bound.
_MOST_COUNTED = 100


class NotationError(ValueError):
    """A word that matches no turn, or more than one, in its position.

    Attributes:
        column: the column of the error in the word, from 0.
        readings: the words of the turns that it may mean, if there are several; only some of them
            if there are very many.
    """

    def __init__(self, reason: str, column: int = 0, readings: tuple[str, ...] = ()) -> None:
        super().__init__(reason)
        self.column = column
        self.readings = readings


def write(turn: Turn) -> str:
    """A complete turn in the inventor's notation: one word."""
    return _of(turn.before).write(turn)


def read(before: Position, text: str) -> tuple[str, ...]:
    """The labels of the turn that a word means.

    Raises:
        NotationError: if it means no turn or several, or is not text.
    """
    if not isinstance(text, str):
        raise NotationError(f"a turn must be a str, not {brief(text)}")
    if before.is_over:
        raise NotationError(f"{brief(text)} comes after the end of the game")
    return _of(before).read(before, text)


def columns(position: Position) -> tuple[str, ...]:
    """Headings of the additional columns in the inventor's table of moves."""
    return _of(position).COLUMNS


def remarks(turn: Turn) -> tuple[str, ...]:
    """The entries of these columns after a complete turn; ``()`` if there are none.

    One entry per column, of any number of words: ``("Xd4_T", "W:15 B:18")``. In a record's text,
    ``" ".join(remarks(turn)).split()`` follows the turn.
    """
    return _of(turn.before).remarks(turn)


def is_remark(position: Position, word: str) -> bool:
    """Whether a word looks like an entry of these columns and not like a turn."""
    return _of(position).is_remark(word)


def only_reading(text: str, turns: Iterable[Turn]) -> tuple[str, ...]:
    """The labels of the only turn that a word can mean.

    Raises:
        NotationError: if there is none or more than one; lists them.
    """
    found = {turn.labels: turn for turn in islice(turns, _MOST_COUNTED + 1)}
    if not found:
        raise NotationError(f"{brief(text)} is not a legal turn here")
    if len(found) > 1:
        readings = tuple(sorted(map(write, found.values())))
        shown = " or ".join(readings[:_MOST_SHOWN])
        number = "very many" if len(readings) > _MOST_COUNTED else f"{len(readings)} in all"
        more = f" or ... ({number})" if len(readings) > _MOST_SHOWN else ""
        raise NotationError(f"{brief(text)} may mean {shown}{more}", readings=readings)
    return next(iter(found))


def plain(label: str) -> str:
    """A label without spaces, since spaces end words."""
    return label.replace(" ", "_")


def _of(position: Position) -> parts.Notation:
    try:
        return parts.notation(position.ruleset.game)
    except NotImplementedError:
        return _LABELS


class _Labels:
    """The notation of games without their own."""

    COLUMNS = ()

    def write(self, turn: Turn) -> str:
        return plain(",".join(turn.labels))

    def read(self, before: Position, text: str) -> tuple[str, ...]:
        turn = Turn.begin(before)
        for part in text.split(","):
            if turn.labels and turn.is_complete:
                raise NotationError(f"the turn is over before {brief(part)}")
            named = [label for label in turn.after.legal_moves() if plain(label) == part]
            if not named:
                raise NotationError(f"{brief(part)} is not legal here")
            turn = turn.play(named[0])
        return turn.labels

    def remarks(self, turn: Turn) -> tuple[str, ...]:
        return ()

    def is_remark(self, word: str) -> bool:
        return False


_LABELS = _Labels()
