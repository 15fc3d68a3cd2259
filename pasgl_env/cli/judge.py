"""``pasgl judge``: judge lines of play that a game's inventor analysed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pasgl_env.cli.arguments import GamesSeed, Variant, number, out_option, wrong_input
from pasgl_env.cli.output import out, say
from pasgl_env.cli.questions import OnePlayer, run
from pasgl_env.cli.tables import shown
from pasgl_env.storage.files import write_whole

MARKDOWN_FILE = "judge.md"


def command(
    variant: Variant,
    player: OnePlayer = "td:temperature=0.1",
    games: Annotated[
        int, number("Games from the end of each line; rounded up to whole pairs.", least=2)
    ] = 160,
    simulations: Annotated[int, number("Simulations of the search that values each turn.")] = 400,
    seed: GamesSeed = 0,
    folder: Annotated[Path | None, out_option("runs/judge-VARIANT")] = None,
) -> None:
    r"""Judge the lines of play that a game's inventor analysed.

    A search values each turn, and games from the end of each line show whether it works. The player
    must vary its games: choose one that draws its moves, such as td:temperature=0.1. The folder
    holds judge.md. If the command is interrupted, run it again to continue.

    \b
    Examples:
      pasgl judge spalding
      pasgl judge spalding --player search:25 --games 64 --simulations 2000
    """
    with wrong_input():
        from pasgl_env.contract import variants
        from pasgl_env.playtest.lines import JudgedLines, lines_of
        from pasgl_env.playtest.play import Plan

        lines = lines_of(variants.find(variant))
        plan = Plan.of(variant, (player, player), seed)
        folder = folder or Path("runs") / f"judge-{variant}"
        question = JudgedLines(plan, plan.whole_groups(games), lines, simulations)
        table = question.table(run(question, folder))
        write_whole(folder / MARKDOWN_FILE, table.to_markdown().encode())
        out.print(shown(table))
        say(f"The table is in {folder / MARKDOWN_FILE}.")
