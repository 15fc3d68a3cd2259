"""Explanations of pieces and squares for the web page, and its position editor.

:class:`pasgl_env.contract.parts.Guide` holds what depends on the game.
"""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from pasgl_env.contract import editing, parts
from pasgl_env.contract.description import Symbol
from pasgl_env.contract.parts import Piece
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.position import Position
from pasgl_env.wording import counted

NOTHING_ELSE = "There is nothing else to do."
"""Why a player can only pass, in games that do not say more."""


def pieces(ruleset: Ruleset) -> list[Piece]:
    """The legend; empty if the game has none."""
    with suppress(NotImplementedError):
        return parts.guide(ruleset.game).pieces(ruleset.record[0])
    return []


def symbols(ruleset: Ruleset) -> list[Symbol]:
    """The pieces that drawings show; in games without descriptions, those of the legend."""
    with suppress(NotImplementedError):
        return list(parts.description(ruleset.game).symbols(ruleset.record[0]))
    return [
        Symbol(symbol, piece.name, seat if piece.others else None)
        for piece in pieces(ruleset)
        for seat, symbol in enumerate((piece.symbol, *piece.others))
    ]


def signs(ruleset: Ruleset, name: str = "SIGNS") -> dict[str, str]:
    """The signs of a game with their meanings: of the editor, or ``BOARD_SIGNS`` of drawings."""
    with suppress(NotImplementedError):
        return dict(getattr(parts.guide(ruleset.game), name, {}))
    return {}


def short_texts(ruleset: Ruleset) -> tuple[str, ...]:
    """The forms of position texts of which examples in a game's rules write only a part."""
    with suppress(NotImplementedError):
        return tuple(getattr(parts.guide(ruleset.game), "SHORT_TEXTS", ()))
    return ()


def explain(position: Position, square: str) -> list[str]:
    """The piece on a square and its legal moves, as sentences."""
    lines = _guide(position).describe(position, square)
    ways = [action for action in position.choices if action.origin == square]
    if ways:
        number = len({action.target for action in ways})
        lines.append(f"It can go to {counted(number, 'square')} now.")
    return lines


def why_not(position: Position, origin: str, target: str | None) -> str:
    """The reason why no piece moves from one square to another, or why a piece cannot move."""
    if position.is_over:
        return "The game is over."
    if position.is_chance:
        return "The dice must be rolled first."
    actions = position.choices
    if position.question and not any(action.origin for action in actions):
        return position.question[:1].upper() + position.question[1:]
    if not any(action.squares for action in actions):
        return "There is nothing to move."
    return _guide(position).why_not(position, origin, target)


def why_pass(position: Position) -> str:
    """The reason why the player to act can only pass; empty if there is more to choose."""
    if [action.kind for action in position.choices] != ["pass"]:
        return ""
    return str(getattr(_guide(position), "WHY_PASS", NOTHING_ELSE))


class Put(NamedTuple):
    """A change of a position: a piece is put on a square; an empty symbol removes what is there."""

    square: str
    symbol: str


class FieldValue(NamedTuple):
    """A change of a position: a field beside the pieces gets a value."""

    name: str
    value: str


def edited(position: Position, *changes: Put | FieldValue) -> Position:
    """A position with changes made in order, of which only the last has to leave a possible one.

    A turn that has begun is forgotten: the player to act begins one with the pieces as they are.

    Raises:
        ValueError: for an unknown field, or if the position is impossible; the message says why.
    """
    ruleset = position.ruleset
    states = position.state
    for change in changes:
        change_one = editing.put if isinstance(change, Put) else editing.set_field
        change_one(ruleset, states, *change)
    text = ruleset.game.texts.write(states[0], ruleset.record[0])
    return Position.from_text(ruleset, text)


def fields(position: Position) -> list[dict[str, str]]:
    """What can be set beside the pieces, with the values now."""
    ruleset = position.ruleset
    known = parts.editing(ruleset.game).fields(ruleset.record[0])
    return [
        {"name": name, "value": field.value(position.state), "meaning": field.meaning}
        for name, field in known.items()
    ]


def _guide(position: Position) -> parts.Guide:
    return parts.guide(position.ruleset.game)
