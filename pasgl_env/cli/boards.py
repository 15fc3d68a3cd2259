"""Positions in the terminal: diagrams in colours, and lists of legal actions."""

from __future__ import annotations

import re
from itertools import groupby
from textwrap import fill
from typing import TYPE_CHECKING

from rich.text import Text

from pasgl_env.cli.output import out, say
from pasgl_env.wording import counted

if TYPE_CHECKING:
    from pasgl_env.engine.position import Position

_FIRST_PLAYER = "bold"
_SECOND_PLAYER = "bold cyan"
_NOBODY = "not bold yellow"
_FRAME = "dim"
_CHANGED = "reverse"
_TRAIN = "X"
_FIXED_SPACE = "\N{NO-BREAK SPACE}"
_LINES_BELOW = 5
"""Lines of a terminal below the board, reserved for messages."""


def print_diagram(position: Position, *, compact: bool = False, before: str = "") -> str:
    """Print the position, with the players' pieces in different colours; return the text printed.

    Squares whose pieces have changed since the text ``before`` was printed are marked.
    """
    from pasgl_env import render

    text = render.compact_diagram(position) if compact else str(position)
    lines = text.splitlines()
    for line, old in zip(lines, [*before.splitlines(), *lines], strict=False):
        say(_drawn(line, old if len(old) == len(line) else line))
    return text


def is_tall(position: Position) -> bool:
    """Whether the diagram of a position is too high for the terminal."""
    return out.is_terminal and len(str(position).splitlines()) + _LINES_BELOW > out.height


def _drawn(line: str, before: str) -> Text:
    text = Text(line)
    if "|" in line:
        text.highlight_regex(re.compile(r"[A-Z]"), _FIRST_PLAYER)
        text.highlight_regex(re.compile(r"[a-z]"), _SECOND_PLAYER)
        text.highlight_regex(re.compile(r"XX"), _NOBODY)  # the Train
        text.highlight_regex(re.compile(r"\|"), _FRAME)
        for column, (new, old) in enumerate(zip(line, before, strict=True)):
            if new != old and (new.isalpha() or old.isalpha()) and _TRAIN not in (new, old):
                text.stylize(_CHANGED, column, column + 1)
    elif "+" in line:
        text.stylize(_FRAME)
    return text


def print_legal(position: Position) -> None:
    """The labels of all legal actions, a line or more for each piece."""
    labels = position.legal_moves()
    what = "outcome" if position.is_chance else "legal action"
    say(f"{counted(len(labels), what)}:")
    separator = ", " if any(" " in label for label in labels) else " "
    for group in _by_piece(position):
        lines = fill(
            # Do not wrap at the spaces in a label.
            separator.join(label.replace(" ", _FIXED_SPACE) for label in group),
            out.width,
            initial_indent="  ",
            subsequent_indent="      ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        say(lines.replace(_FIXED_SPACE, " "))


def _by_piece(position: Position) -> list[list[str]]:
    """The sorted labels of the legal actions, grouped by piece."""
    if position.is_chance:
        return [position.legal_moves()]
    actions = sorted(position.choices, key=lambda action: action.label)
    groups = groupby(actions, lambda action: (action.piece, action.origin))
    return [[action.label for action in group] for _, group in groups]
