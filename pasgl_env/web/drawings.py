"""Drawings, squares and legends for pages that show a board."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from pasgl_env import render
from pasgl_env.contract import variants
from pasgl_env.contract.game import (
    MORE_PLANES,
    AnyOption,
    Choice,
    Option,
    OptionValue,
    environment_values,
    options_array,
)
from pasgl_env.engine.position import Position
from pasgl_env.players import names as player_names
from pasgl_env.players.levels import LEVELS
from pasgl_env.render.labels import choices
from pasgl_env.render.words import mover, result
from pasgl_env.web import guides

THEMES = ("light", "dark")


def drawn(position: Position, theme: str) -> str:
    """A position as SVG, with the last turn marked.

    Leaves out the position text, which takes as long to write and is sent separately.
    """
    return render.drawing(position, theme=theme, marks=render.marks_of(position)).to_svg()


def board(variant: str, options: dict[str, OptionValue], theme: str) -> dict[str, Any]:
    """The empty board, the positions of its squares, and the legend.

    Raises:
        ValueError: for an unknown variant or an invalid option.
    """
    full = Position(variant, **options)
    key = tuple(sorted(full.options.items()))
    return _board(variant, key, theme)


@lru_cache(maxsize=64)
def _board(variant: str, key: tuple[tuple[str, OptionValue], ...], theme: str) -> dict[str, Any]:
    record = options_array(variants.find(variant), dict(key))[0]
    bare = render.bare_board(variant, record, theme=theme)
    legend = guides.pieces(variant, record)
    return {
        "width": bare.width,
        "height": bare.height,
        "places": {name: list(box) for name, box in render.places(variant, record).items()},
        "seats": list(Position(variant, **dict(key)).seats),
        **guides.spelling(variant),
        "pieces": [
            {
                "symbol": piece.symbol,
                "name": piece.name,
                "move": piece.move,
                "others": list(piece.others),
                "icons": {
                    symbol: render.icon(variant, symbol, record, theme=theme).to_svg()
                    for symbol in (piece.symbol, *piece.others)
                },
            }
            for piece in legend
        ],
    }


@lru_cache(maxsize=1)
def catalogue() -> dict[str, Any]:
    """The variants, their options and the available players."""
    return {
        "variants": [_variant(name) for name in variants.loadable()],
        "levels": [level._asdict() for level in LEVELS],
        "players": list(player_names()),
    }


def _variant(name: str) -> dict[str, Any]:
    game = variants.find(name)
    values = environment_values(game)
    return {
        "name": name,
        "title": game.title,
        "summary": variants.table()[name].summary,
        "note": game.note,
        "has_dice": game.outcomes > 0,
        "options": [
            {**_option(option), "usual": values[option.name]}
            for option in game.options
            if option != MORE_PLANES
        ],
    }


def _option(option: AnyOption) -> dict[str, Any]:
    told = {"name": option.name, "default": option.default, "meaning": option.meaning}
    if isinstance(option, Option):
        return {**told, "kind": "number", "low": option.low, "high": option.high}
    if isinstance(option, Choice):
        return {**told, "kind": "choice", "values": list(option.values)}
    return {**told, "kind": "text", "allowed": option.allowed}


def seen(position: Position) -> dict[str, Any]:
    """A position as clients see it, apart from any game."""
    return {
        "text": position.text,
        "options": position.options,
        "to_move": position.to_move,
        "turn": position.turns,
        "labels": position.labels,
        "last_turn": position.last_turn,
        "question": position.question,
        "legal": [list(action) for action in choices(position)],
        "points": list(position.points) if variants.find(position.variant).has_points else None,
        "over": position.is_over,
        "ending": result(position) if position.is_over else "",
        "whose": "" if position.is_over else mover(position),
        "returns": position.returns,
    }


def task_of(position: Position) -> dict[str, Any]:
    """A position as a worker's task."""
    return {
        "variant": position.variant,
        "options": position.options,
        "start": position.text,
        "choices": [],
    }
