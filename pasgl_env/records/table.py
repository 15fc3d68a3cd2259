"""Tables of moves for people, like those that the inventors keep."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from pasgl_env.records import notation
from pasgl_env.records.text_writer import round_of, write_turn
from pasgl_env.records.turn import Turn

_GAP = "   "
# For the turns of the first round that are not shown.
_UNKNOWN = "..."


def table(turns: Iterable[Turn]) -> str:
    """The turns of a game in the inventor's notation, one row per round.

    There is one column per seat and one for each of :func:`notation.columns`.

    >>> from pasgl_env import Position
    >>> from pasgl_env.records.game import GameRecord
    >>> game = GameRecord.of(Position("pasgl312"), ["Df1d5", "pa7b6", "Dd5b6", "pb7a6"])
    >>> print(table(game.turns()))
       White     Black   Train   Score
    1. Df1d5     pa7b6   Xh4     W:0 B:0
    2. Dd5b6:p   pb7a6   Xg4     W:0 B:0

    Args:
        turns: consecutive turns; only the last may be incomplete.

    Returns:
        Lines without trailing spaces; "" for no turns.
    """
    played = list(turns)
    if not played:
        return ""
    first = played[0].before
    rows = [["", *first.seats, *notation.columns(first)]]
    numbers = count(round_of(first))
    rows += [[f"{next(numbers)}.", *cells] for cells in _rounds(played)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(_line(row, widths) for row in rows)


def _line(row: list[str], widths: list[int]) -> str:
    number, *cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
    return f"{number} {_GAP.join(cells)}".rstrip()


def _rounds(turns: list[Turn]) -> Iterator[list[str]]:
    """The cells of each round: the seats' turns, then the additional columns."""
    seats = len(turns[0].before.seats)
    beside = len(notation.columns(turns[0].before))
    words, remarks = [_UNKNOWN] * _seat(turns[0]), [""] * beside
    for turn in turns:
        if _seat(turn) < len(words):
            yield [*words, *[""] * (seats - len(words)), *remarks]
            words, remarks = [], [""] * beside
        words.append(write_turn(turn))
        if turn.is_complete:
            remarks = list(notation.remarks(turn)) or remarks
    yield [*words, *[""] * (seats - len(words)), *remarks]


def _seat(turn: Turn) -> int:
    """The seat of the first player to act in a turn, after chance."""
    position, labels = turn.before.copy(), iter(turn.labels)
    while position.is_chance:
        position.play(next(labels))
    seat = position.to_move
    assert seat is not None
    return seat
