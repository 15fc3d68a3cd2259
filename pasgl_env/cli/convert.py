"""``pasgl convert``: convert records between formats."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pasgl_env.cli.arguments import Force, wrong_input
from pasgl_env.cli.output import reading, say
from pasgl_env.wording import counted

if TYPE_CHECKING:
    from pasgl_env.records import GameRecord


def command(
    source: Annotated[Path, typer.Argument(metavar="IN", help="The file to read; - is stdin.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write; - is stdout.")],
    force: Force = False,
) -> None:
    r"""Convert a record file; the file names' suffixes determine the formats.

    .pgr is text, .pgr.gz is compressed text, .pgb is binary.

    \b
    Examples:
      pasgl convert games.pgb games.pgr
      pasgl convert games.pgb -
      pasgl convert games.pgr games.pgr.gz --force
    """
    with wrong_input():
        from pasgl_env.records.files import STANDARD

        if target.exists() and source.exists() and target.samefile(source):
            raise ValueError(f"{source} cannot be converted into itself")
        try:
            games = _convert(source, target, force)
        except FileExistsError:
            raise ValueError(f"{target} exists; --force replaces it") from None
    if str(target) != STANDARD:
        say(f"{target}: {counted(games, 'game')}")


def _convert(source: Path, target: Path, force: bool) -> int:
    from pasgl_env.records import read_records
    from pasgl_env.records.files import STANDARD, form_of

    if str(source) == STANDARD:
        return _write(target, read_records(STANDARD), force)
    form_of(source)
    with reading(source, "Converting") as stream:
        return _write(target, read_records(stream), force)


def _write(target: Path, games: Iterable[GameRecord], force: bool) -> int:
    from pasgl_env.records import write_records
    from pasgl_env.records.files import STANDARD, write_whole_records

    if str(target) == STANDARD or target.exists():
        return write_records(target, games, overwrite=force)
    return write_whole_records(target, games, overwrite=force)
