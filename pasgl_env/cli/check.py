"""``pasgl check``: check files of records."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pasgl_env.cli.arguments import WrongInput, wrong_input
from pasgl_env.cli.output import err, printable, reading, say
from pasgl_env.wording import counted

if TYPE_CHECKING:
    from pasgl_env.records import RecordError


def command(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Record files: .pgr, .pgr.gz or .pgb.")
    ],
) -> None:
    r"""Check that record files can be read and that every move is legal.

    Prints each error with file, line and column, and continues with the next game, or with the
    next file if one cannot be read. The exit code is 1 if there are errors.

    \b
    Examples:
      pasgl check games.pgr
      pasgl check runs/*.pgb
    """
    faults = sum(map(_check, files))
    if faults:
        raise typer.Exit(1)


def _check(file: Path) -> int:
    """Read a file to its end; return the number of errors."""
    from pasgl_env.records import read_records

    faults = games = turns = 0

    def tell(error: RecordError | WrongInput) -> None:
        nonlocal faults
        faults += 1
        err.print(printable(str(error)), soft_wrap=True)

    try:
        with wrong_input(), reading(file, "Checking") as stream:
            for game in read_records(stream, on_error=tell):
                games += 1
                turns += game.final.turns - game.begin().turns
    except WrongInput as error:
        tell(error)
    right, length = counted(games, "correct game"), counted(turns, "turn")
    say(f"{file}: {right} ({length}), {counted(faults, 'error')}")
    return faults
