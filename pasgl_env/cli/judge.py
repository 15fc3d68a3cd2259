"""``pasgl judge``: lines of play that the inventors looked at, to a verdict."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pasgl_env.cli.arguments import GamesSeed, Variant, wrong_input
from pasgl_env.cli.balance import OnePlayer, called
from pasgl_env.cli.output import out, say
from pasgl_env.cli.tournaments import display
from pasgl_env.evaluation.tables import plain_table
from pasgl_env.storage.files import write_whole

if TYPE_CHECKING:  # they need SciPy
    from pasgl_env.playtest.judge import Task

MARKDOWN_FILE = "judge.md"


def command(
    variant: Variant,
    player: OnePlayer = "td:temperature=0.1",
    games: Annotated[
        int, typer.Option(min=2, metavar="N", help="From the end of each line, a multiple of 32.")
    ] = 160,
    simulations: Annotated[
        int, typer.Option(min=1, metavar="N", help="Of the search that looks at each turn.")
    ] = 400,
    seed: GamesSeed = 0,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Where games are kept, and from where the same command goes on after a kill;"
            " default: runs/judge-VARIANT.",
        ),
    ] = None,
) -> None:
    r"""Judge the lines of play that a game's inventor has looked at.

    A search says what each turn gives away, and games from the end of each line say whether it
    works. The player must not play the same game again and again: one that draws its moves, such as
    td:temperature=0.1. In the folder is judge.md. Interrupted or killed, the same command goes on.

    \b
    Examples:
      pasgl judge spalding
      pasgl judge spalding --player search:25 --games 64 --simulations 2000
    """
    with wrong_input():
        from pasgl_env.playtest.judge import Task
        from pasgl_env.playtest.trials import Trial

        trial = Trial.of(variant, player, {}, seed=seed, opening_turns=0)
        task = Task.of(trial, games, simulations)
        _judge(task, folder or Path("runs") / f"judge-{variant}")


def _judge(task: Task, folder: Path) -> None:
    """Judge, write down what came of it, and show it."""
    from pasgl_env.playtest.judge import judge

    with display(folder, "left") as report:
        verdicts = judge(task, folder, command=called(), report=report)
    write_whole(folder / MARKDOWN_FILE, verdicts.to_markdown().encode())
    table = plain_table(verdicts.title, "\n".join(verdicts.notes()))
    for heading in verdicts.headings:
        table.add_column(heading, justify="left", overflow="fold")
    for cells in verdicts.rows():
        table.add_row(*cells)
    out.print(table)
    say(f"The table is in {folder / MARKDOWN_FILE}.")
