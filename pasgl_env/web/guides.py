"""What the page tells people about the pieces of each game, a module for each game.

Each module has

- ``pieces(options) -> list[Piece]``: the legend, under an options record.
- ``describe(position, square) -> list[str]``: what is on a square and what holds of it, sentence by
  sentence.
- ``why_not(position, origin, target) -> str``: why nothing goes from a square to another. Asked
  where no legal action does so and the player to act has a move to choose; ``target`` is None where
  it is asked why nothing on ``origin`` can move at all.
- ``put(text, square, symbol) -> str``: a position text with a piece put on a square, beside those
  there where several may stand; the square is emptied for an empty symbol.
- ``FIELDS``: the other fields of position texts, ``{name: (number, meaning)}`` by their place.
"""

from __future__ import annotations

import re
from string import ascii_lowercase
from typing import Any, NamedTuple

from pasgl_env import Position, variants
from pasgl_env.games.base import OptionsRecord
from pasgl_env.games.contract import brief
from pasgl_env.games.fields import write_runs
from pasgl_env.render.labels import choices


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


def explain(position: Position, square: str) -> list[str]:
    """What is on a square and what it may do now, sentence by sentence."""
    told: Any = variants.part("pasgl_env.web.guides", position.variant).describe
    lines: list[str] = told(position, square)
    ways = [action for action in choices(position) if action.origin == square]
    if ways:
        number = len({action.target for action in ways})
        lines.append(f"It can go to {number} square{'s' * (number > 1)} now.")
    return lines


def why_not(position: Position, origin: str, target: str | None) -> str:
    """Why nothing goes from a square to another, or why nothing on it can move."""
    if position.is_over:
        return "The game is over."
    if position.is_chance:
        return "Dice are rolled first."
    actions = choices(position)
    if not any(action.origin for action in actions):
        return position.question[:1].upper() + position.question[1:] or "There is nothing to move."
    told: Any = variants.part("pasgl_env.web.guides", position.variant).why_not
    return str(told(position, origin, target))


def put(position: Position, square: str, symbol: str) -> Position:
    """A position with a piece put on a square, or with nothing there for an empty symbol.

    Raises:
        ValueError: if there can be no such position; the text says why.
    """
    placed: Any = variants.part("pasgl_env.web.guides", position.variant).put
    text = placed(_whole(position), square, symbol)
    return Position.from_text(position.variant, text, **position.options)


def set_field(position: Position, name: str, value: str) -> Position:
    """A position with another field of its text changed.

    Raises:
        ValueError: for an unknown field or a value that is not possible.
    """
    fields: Any = variants.part("pasgl_env.web.guides", position.variant).FIELDS
    if name not in fields:
        raise ValueError(f"no field {brief(name)}; the fields are {', '.join(fields)}")
    if " " in value or not value:
        raise ValueError(f"{name}: {brief(value)} is not one word")
    words = _whole(position).split(" ")
    words[fields[name][0]] = value
    return Position.from_text(position.variant, " ".join(words), **position.options)


def fields(position: Position) -> list[dict[str, str]]:
    """The fields of a position's text beside the board, with their values."""
    known: Any = variants.part("pasgl_env.web.guides", position.variant).FIELDS
    words = _whole(position).split(" ")
    return [
        {"name": name, "value": words[number], "meaning": meaning}
        for name, (number, meaning) in known.items()
    ]


def _whole(position: Position) -> str:
    """The text of the turn's start: labels of a turn under way do not survive a change."""
    count = variants.find(position.variant).text_fields
    return " ".join(position.text.split(" ", count)[:count])


def ranks(board: str) -> list[list[str]]:
    """A board field of single letters as rows from the highest rank, "" for empty squares."""
    rows = []
    for rank in board.split("/"):
        row: list[str] = []
        for number, letter in re.findall(r"(\d+)|(.)", rank):
            row += [""] * int(number) if number else [letter]
        rows.append(row)
    return rows


def put_on_board(board: str, square: str, symbol: str) -> str:
    """A board field of single letters with a piece put on a square.

    Raises:
        ValueError: if there is no such square.
    """
    rows = ranks(board)
    file, rank = ascii_lowercase.find(square[:1]), int(square[1:] or 0)
    if not (1 <= rank <= len(rows) and 0 <= file < len(rows[0])):
        raise ValueError(f"no square {brief(square)}")
    rows[-rank][file] = symbol
    return "/".join(write_runs("".join(letter or "." for letter in row)) for row in rows)
