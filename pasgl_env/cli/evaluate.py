"""``pasgl evaluate``: measure two players against each other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from pasgl_env.cli.arguments import (
    PLAYER_HELP,
    RecordFile,
    Settings,
    Variant,
    read_options,
    wrong_input,
)
from pasgl_env.cli.output import err, out
from pasgl_env.games.contract import OptionValue
from pasgl_env.playtest.match import MatchResult, make_pair, play_match
from pasgl_env.playtest.tables import match_table


def command(
    variant: Variant,
    first: Annotated[
        str, typer.Argument(metavar="FIRST", help=f"Whose results are told: {PLAYER_HELP}")
    ],
    second: Annotated[str, typer.Argument(metavar="SECOND", help="The opponent, likewise.")],
    games: Annotated[
        int, typer.Option(min=1, metavar="N", help="How many, sides alternating.")
    ] = 400,
    seed: Annotated[
        int, typer.Option(min=0, metavar="N", help="The same seed, the same games.")
    ] = 0,
    threads: Annotated[
        int, typer.Option(min=1, metavar="N", help="Results do not depend on it.")
    ] = 1,
    file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the results there too.")
    ] = None,
    record: RecordFile = None,
    settings: Settings = None,
) -> None:
    r"""Measure two players in a match.

    They alternate at moving first. Win rate and means come with 95% intervals.

    \b
    Examples:
      pasgl evaluate pasgl312 greedy random
      pasgl evaluate pasgl312 greedy greedy --set bear_bonus=10 --games 2000
      pasgl evaluate pasgl312 runs/mine/agent.pt greedy --json result.json
      pasgl evaluate spalding greedy random --record games.pgb
    """
    with wrong_input():
        options = read_options(variant, settings)
        if file is not None:
            _check_writable(file)
        result = measure(variant, first, second, games, seed, threads, record, **options)
    out.print(match_table(result))
    if file is not None:
        with wrong_input():
            file.write_text(json.dumps(result.to_dict(), indent=2) + "\n", encoding="utf-8")


def measure(
    variant: str,
    first: str,
    second: str,
    games: int,
    seed: int,
    threads: int = 1,
    record: Path | None = None,
    **options: OptionValue,
) -> MatchResult:
    """Play a match with a progress bar."""
    one, other = make_pair(variant, first, second, seed)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games, left:"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task("Playing", total=games)
        return play_match(
            variant,
            one,
            other,
            games,
            seed=seed,
            threads=threads,
            progress=lambda finished: progress.update(task, completed=finished),
            record=record,
            **options,
        )


def _check_writable(file: Path) -> None:
    """Refuse a file that cannot be written before the match, not after."""
    is_new = not file.exists()
    with file.open("a"):
        pass
    if is_new:
        file.unlink()
