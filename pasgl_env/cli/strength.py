"""``pasgl strength``: measure the changes as play gets stronger."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pasgl_env.cli.arguments import (
    GamesSeed,
    Settings,
    Variant,
    number,
    out_option,
    read_ruleset,
    value,
    wrong_input,
)
from pasgl_env.cli.openings import OpeningPlayer, OpeningTurns, read_openings
from pasgl_env.cli.output import out, say
from pasgl_env.cli.questions import run
from pasgl_env.cli.tables import shown
from pasgl_env.storage.files import write_whole

MARKDOWN_FILE, CSV_FILE, PLOT_FILE = "strength.md", "strength.csv", "strength.svg"


def command(
    variant: Variant,
    names: Annotated[
        str, value("A,B,...", "The ladder, the weakest player first.", "--players")
    ] = "td,search:25,search:100",
    games: Annotated[
        int, number("Games of each player; rounded up to whole pairs.", least=2)
    ] = 320,
    opening_turns: OpeningTurns = "2",
    opening_player: OpeningPlayer = "random",
    seed: GamesSeed = 0,
    folder: Annotated[Path | None, out_option("runs/strength-VARIANT")] = None,
    settings: Settings = None,
) -> None:
    r"""Play the same games at a ladder of strengths, and show the changes with strength.

    The table shows the first mover's score, draws, games cut off, length and the values of pieces,
    with their trend. If all players search with a number of simulations, the trend is per doubling,
    and with three such players or more it is extrapolated to stronger play; else it is per player.
    The folder holds strength.md, strength.csv and strength.svg. If the command is interrupted, run
    it again to continue; players and games may be added.

    \b
    Examples:
      pasgl strength pasgl312 --players td:temperature=0.3,td --games 640
      pasgl strength spalding --players search:25,search:100,search:400
    """
    with wrong_input():
        from pasgl_env.playtest.play import Plan
        from pasgl_env.playtest.plot import check_plots
        from pasgl_env.playtest.strength import Ladder

        check_plots()
        players = tuple(names.split(","))
        ruleset = read_ruleset(variant, settings)
        openings = read_openings(ruleset, opening_turns, opening_player)
        plan = Plan.of(ruleset, (players[0], players[0]), seed, openings=openings)
        folder = folder or Path("runs") / f"strength-{variant}"
        curve = run(Ladder(plan, plan.whole_groups(games), players), folder)
        write_whole(folder / MARKDOWN_FILE, curve.to_markdown().encode())
        write_whole(folder / CSV_FILE, curve.to_csv())
        write_whole(folder / PLOT_FILE, curve.to_svg())
        out.print(shown(curve.table, splits=True))
        say(f"The plot is {folder / PLOT_FILE}, the tables are in {folder / MARKDOWN_FILE}.")
        say(f"All numbers are in {folder / CSV_FILE}.")
