"""Tournaments and sequential tests in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bar

from pasgl_env.cli.output import SparseLines, err, out, say
from pasgl_env.cli.tables import shown
from pasgl_env.duration import time_left
from pasgl_env.storage.files import json_bytes, write_whole

if TYPE_CHECKING:  # they need SciPy
    from pasgl_env.evaluation.progress import Progress
    from pasgl_env.evaluation.tournament import Decision, Standings, Tournament
    from pasgl_env.statistics.sprt import Sprt

TABLE_FILE, STANDINGS_FILE, DECISION_FILE = "table.md", "standings.json", "decision.json"
Folder = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FOLDER",
        help="Folder for the results, from which an interrupted run continues.",
    ),
]
Anchor = Annotated[
    str | None, typer.Option(metavar="PLAYER", help="The player whose Elo is 0 in a round robin.")
]
Hypotheses = Annotated[
    tuple[float, float] | None,
    typer.Option(
        "--sprt",
        metavar="ELO0 ELO1",
        help="Play until a sequential test decides whether the first player is better by ELO0 or"
        " less, or by ELO1 or more.",
    ),
]
Alpha = Annotated[
    float, typer.Option(metavar="RATE", help="With --sprt: rate of wrongly accepting ELO1.")
]
Beta = Annotated[
    float, typer.Option(metavar="RATE", help="With --sprt: rate of wrongly accepting ELO0.")
]

ERROR_RATE = 0.05
"""The default of ``--alpha`` and ``--beta``."""
INTERRUPTED = 130  # the exit code of commands ended by Ctrl-C


def check_no_rates(alpha: float, beta: float, option: str) -> None:
    """Raise ``ValueError`` if error rates are given without the option that they belong to."""
    if (alpha, beta) != (ERROR_RATE, ERROR_RATE):
        raise ValueError(f"--alpha and --beta are for {option}: give it, too, or leave them out")


def play_round_robin(
    tournament: Tournament, games: int, anchor: str | None, folder: Path | None
) -> Standings:
    """Play a round robin, print its table, and write it to the folder."""
    with display(folder, "left") as report:
        standings = tournament.play(games, anchor=anchor, report=report)
    out.print(shown(standings.table, wraps=False, padding=0))
    if folder is not None:
        write_whole(folder / TABLE_FILE, standings.table.to_markdown().encode())
        write_whole(folder / STANDINGS_FILE, json_bytes(standings.to_dict()))
        say(f"The table is in {folder / TABLE_FILE}, the numbers are in {folder / STANDINGS_FILE}.")
    return standings


def play_test(tournament: Tournament, test: Sprt, games: int, folder: Path | None) -> Decision:
    """Play until a test decides, print the result, and write it to the folder."""
    with display(folder, "left at most") as report:
        decision = tournament.decide(test, games, report=report)
    out.print(shown(decision.table, wraps=False))
    if folder is not None:
        write_whole(folder / DECISION_FILE, json_bytes(decision.to_dict()))
    return decision


@contextmanager
def display(folder: Path | None, what_is_left: str) -> Iterator[Callable[[Progress], None]]:
    """Show a tournament's progress: a bar in a terminal, otherwise a line from time to time."""
    columns = (
        TextColumn("Playing"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
    )
    bar = Bar(*columns, console=err, transient=True, disable=not err.is_terminal)
    task = bar.add_task("games", total=None)
    lines = SparseLines()

    def report(progress: Progress) -> None:
        bar.start()  # not before: compiling the rules prints its own lines
        text = f"games, {time_left(progress.seconds_left)} {what_is_left}"
        bar.update(task, completed=progress.done, total=progress.games, description=text)
        if not err.is_terminal:
            lines(f"{progress.done} of {progress.games} {text}")

    try:
        yield report
    except KeyboardInterrupt:
        bar.stop()
        kept = (
            "results are not kept without --out"
            if folder is None
            else f"the results are in {folder}"
        )
        again = "" if folder is None else ": run the same command again to continue"
        err.print(f"Interrupted; {kept}{again}.", soft_wrap=True)
        raise typer.Exit(INTERRUPTED) from None
    finally:
        bar.stop()
