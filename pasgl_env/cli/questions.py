"""Options, running and tables of the commands that put questions to the laboratory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pasgl_env.cli.arguments import PLAYER_HELP, called, value
from pasgl_env.cli.output import err, say
from pasgl_env.cli.progress import playing
from pasgl_env.storage.files import json_bytes, write_whole

if TYPE_CHECKING:  # it needs SciPy
    from pasgl_env.playtest.lab import Question

Answer = TypeVar("Answer")

OnePlayer = Annotated[str, value("PLAYER", f"The player of both sides: {PLAYER_HELP}", "--player")]


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


def keep(folder: Path, name: str, markdown: str, content: object) -> None:
    """Write an answer into the folder, the tables and all numbers, and print where they are."""
    tables, numbers = folder / f"{name}.md", folder / f"{name}.json"
    write_whole(tables, markdown.encode())
    write_whole(numbers, json_bytes(content))
    say(f"The table is in {tables}, all numbers are in {numbers}.")
