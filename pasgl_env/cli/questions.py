"""Options, running and tables of the commands that put questions to the laboratory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from pasgl_env.cli.arguments import PLAYER_HELP, called
from pasgl_env.cli.output import err
from pasgl_env.cli.progress import playing

if TYPE_CHECKING:  # it needs SciPy
    from pasgl_env.playtest.lab import Question

Answer = TypeVar("Answer")

OnePlayer = Annotated[
    str, typer.Option("--player", metavar="PLAYER", help=f"The player of both sides: {PLAYER_HELP}")
]


def out_option(command: str) -> Any:
    """The option ``--out`` of a command."""
    return typer.Option(
        "--out",
        metavar="FOLDER",
        help="Folder that keeps the games, from which the same command continues if it was"
        f" interrupted; default: runs/{command}-VARIANT.",
    )


def run(question: Question[Answer], folder: Path, *, is_most: bool = False, **how: Any) -> Answer:
    """Put a question to the laboratory, showing the progress.

    Args:
        question: the question.
        folder: for its games.
        is_most: whether fewer games may be enough.
        how: other arguments of :meth:`Question.run`.
    """

    def tell(text: str) -> None:
        err.print(text, soft_wrap=True)

    with playing(folder, is_most=is_most) as report:
        return question.run(folder, command=called(), report=report, tell=tell, **how)
