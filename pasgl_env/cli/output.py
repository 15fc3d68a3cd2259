"""Terminal output: plain text unless the output is a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from textwrap import fill
from typing import BinaryIO

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

from pasgl_env import render
from pasgl_env.engine.position import Position

# Position texts and labels are full of brackets and colons, which must not be taken as markup.
out = Console(markup=False, emoji=False, highlight=False)
err = Console(markup=False, emoji=False, highlight=False, stderr=True)

_FIRST_PLAYER = "bold"
_SECOND_PLAYER = "bold cyan"
_NOBODY = "not bold yellow"
_FRAME = "dim"
_CHANGED = "reverse"
_TRAIN = "X"
_FIXED_SPACE = "\N{NO-BREAK SPACE}"
_LINES_BELOW = 5
"""Lines of a terminal below the board, reserved for messages."""


def say(text: str | Text = "", style: str = "") -> None:
    """Print a line as it is, without cutting or wrapping."""
    out.print(text, style=style, soft_wrap=True)


def counted(number: int, noun: str) -> str:
    """A number with its noun, such as ``1 game`` and ``2 games``."""
    return f"{number} {noun}{'s' * (number != 1)}"


def say_wrapped(text: str) -> None:
    """Print text, wrapped to the terminal's width."""
    out.print(text, markup=False, highlight=False)


def show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """Print a warning on stderr, without the place in the source."""
    err.print(f"pasgl: warning: {message}", soft_wrap=True)


def complain(error: typer.TyperException) -> None:
    """Report wrong input in one line on stderr."""
    message = printable(" ".join(error.format_message().split()))
    context = getattr(error, "ctx", None)  # set for errors that typer itself finds
    if context is None:
        line = f"pasgl: {message}"
    else:
        line = f"{context.command_path}: {message.rstrip('.')} (see {context.command_path} --help)"
    err.print(Text(line, "bold"), soft_wrap=True)


def printable(text: str) -> str:
    """Text without control characters."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def print_diagram(position: Position, *, compact: bool = False, before: str = "") -> str:
    """Print the position, with the players' pieces in different colours; return the text printed.

    Args:
        position: the position.
        compact: whether to use few lines.
        before: text printed earlier: squares whose pieces have changed since are marked.
    """
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


@contextmanager
def reading(file: Path, doing: str) -> Iterator[BinaryIO]:
    """A file open for reading, with a progress bar on a terminal."""
    columns = (
        TextColumn(doing),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    bar = Progress(*columns, console=err, transient=True, disable=not err.is_terminal)
    with bar as progress, progress.open(file, "rb") as stream:
        yield stream
