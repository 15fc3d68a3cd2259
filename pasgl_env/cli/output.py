"""Terminal output: plain text unless the output is a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

# Position texts and labels are full of brackets and colons, which must not be taken as markup.
out = Console(markup=False, emoji=False, highlight=False)
err = Console(markup=False, emoji=False, highlight=False, stderr=True)


def say(text: str | Text = "", style: str = "") -> None:
    """Print a line as it is, without cutting or wrapping."""
    out.print(text, style=style, soft_wrap=True)


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
