"""``pasgl strength``: the same questions at a ladder of strengths."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pasgl_env.cli.arguments import GamesSeed, Settings, Variant, read_options, wrong_input
from pasgl_env.cli.balance import OpeningPlayer, OpeningTurns, called
from pasgl_env.cli.output import err, out, say
from pasgl_env.cli.tournaments import display
from pasgl_env.evaluation.tables import plain_table
from pasgl_env.storage.files import write_whole

if TYPE_CHECKING:  # they need SciPy
    from pasgl_env.playtest.strength import Curve, Ladder, Rung

MARKDOWN_FILE, CSV_FILE, PLOT_FILE = "strength.md", "strength.csv", "strength.svg"


def command(
    variant: Variant,
    names: Annotated[
        str,
        typer.Option("--players", metavar="A,B,...", help="The ladder, from the weakest player."),
    ] = "td,search:25,search:100",
    games: Annotated[
        int, typer.Option(min=2, metavar="N", help="Of each player, a multiple of 32.")
    ] = 320,
    opening_turns: OpeningTurns = 2,
    opening_player: OpeningPlayer = "random",
    seed: GamesSeed = 0,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Where games are kept, and from where the same command goes on after a kill;"
            " default: runs/strength-VARIANT.",
        ),
    ] = None,
    settings: Settings = None,
) -> None:
    r"""Play the same games at a ladder of strengths, and show what changes with it.

    The first mover's score, draws, games cut off, length and the values of pieces, with the trend
    and what it says of stronger play. If all players search with so many simulations, the trend is
    by doubling, else by rung. In the folder are strength.md, strength.csv and strength.svg.
    Interrupted or killed, the same command goes on; with more players or more games, too.

    \b
    Examples:
      pasgl strength pasgl312 --players td:temperature=0.3,td --games 640
      pasgl strength spalding --players search:25,search:100,search:400
    """
    with wrong_input():
        from pasgl_env.playtest.strength import Ladder
        from pasgl_env.playtest.sweep.plot import check_plots
        from pasgl_env.playtest.trials import Trial

        check_plots()
        players = names.split(",")
        trial = Trial.of(
            variant,
            players[0],
            read_options(variant, settings),
            seed=seed,
            opening_turns=opening_turns,
            opening_player=opening_player,
        )
        ladder = Ladder.of(trial, players, games)
        _climb(ladder, folder or Path("runs") / f"strength-{variant}")


def _climb(ladder: Ladder, folder: Path) -> None:
    """Play, write down what came of it, and show it."""
    from pasgl_env.playtest.strength import play_ladder

    with display(folder, "left") as report:
        curve = play_ladder(ladder, folder, command=called(), report=report, tell=_tell)
    write_whole(folder / MARKDOWN_FILE, curve.to_markdown().encode())
    write_whole(folder / CSV_FILE, curve.to_csv())
    write_whole(folder / PLOT_FILE, curve.to_svg())
    _show(curve)
    say(f"The plot is {folder / PLOT_FILE}, the tables are in {folder / MARKDOWN_FILE}.")
    say(f"All numbers are in {folder / CSV_FILE}.")


def _tell(rung: Rung) -> None:
    err.print(f"{rung.player}: {rung.played.games} games", soft_wrap=True)


def _show(curve: Curve) -> None:
    table = plain_table(curve.title, "\n".join(curve.notes()))
    for heading in curve.headings:
        table.add_column(heading, justify="right", overflow="fold")
    for cells in curve.rows():
        table.add_row(*(cell.replace(" (", "\n(") for cell in cells))
    out.print(table)
