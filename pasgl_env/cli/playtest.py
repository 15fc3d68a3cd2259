"""``pasgl playtest``: what happens in very many games of a variant, with intervals."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pasgl_env.cli.arguments import PLAYER_HELP, Settings, Variant, read_options, wrong_input
from pasgl_env.cli.output import err, out, say
from pasgl_env.cli.tournaments import display
from pasgl_env.playtest.files import write_whole
from pasgl_env.playtest.tables import playtest_table, values_table

if TYPE_CHECKING:  # they need SciPy
    from pasgl_env.playtest.lab.play import Plan
    from pasgl_env.playtest.lab.results import Results
    from pasgl_env.playtest.lab.values import PieceValues

JSON_FILE, PARQUET_FILE = "results.json", "results.parquet"


def command(
    variant: Variant,
    names: Annotated[
        str, typer.Option("--players", metavar="A,B", help=f"Two players: {PLAYER_HELP}")
    ] = "random,random",
    games: Annotated[
        int, typer.Option(min=2, metavar="N", help="How many, even: sides are swapped in pairs.")
    ] = 1000,
    seed: Annotated[
        int, typer.Option(min=0, metavar="N", help="The same seed, the same games.")
    ] = 0,
    threads: Annotated[
        int, typer.Option(min=1, metavar="N", help="Results do not depend on it.")
    ] = 1,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Where results go, and from where the same command goes on after a kill;"
            " default: runs/playtest-VARIANT.",
        ),
    ] = None,
    forbidden: Annotated[
        list[str] | None,
        typer.Option(
            "--forbid",
            metavar="WHO:PATTERN",
            help="A seat, or the first or second player, never plays what has a label like that"
            " unless nothing else is legal. Repeat for more.",
        ),
    ] = None,
    keeps_games: Annotated[
        bool | None,
        typer.Option(
            "--record/--no-record",
            help="Whether to keep the games, in games.pgb; default: if they are 10000 or fewer.",
        ),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option("--ray", metavar="ADDRESS", help="Play on a Ray cluster; local: on this one."),
    ] = None,
    settings: Settings = None,
) -> None:
    r"""Play very many games and measure what happens in them.

    Games come in pairs with the same dice and sides swapped. Every measure has a 95% interval;
    docs/playtest.md defines them. If games are kept, they show what pieces are worth. In the
    folder are report.html, results.json, results.parquet, manifest.json and, if they are kept, the
    games. Interrupted or killed, the same command goes on, to the same result; with more games,
    too.

    \b
    Examples:
      pasgl playtest pachessi --games 100000 --threads 2 --out runs/pachessi
      pasgl playtest pasgl312 --players greedy,greedy --set win_margin=20
      pasgl playtest chieftain --players greedy,greedy --forbid 'White:*x*'
    """
    place = folder or Path("runs") / f"playtest-{variant}"
    with wrong_input():
        from pasgl_env.playtest.lab.play import Plan
        from pasgl_env.playtest.lab.report import write_report
        from pasgl_env.playtest.lab.results import Results, check_parquet
        from pasgl_env.playtest.lab.run import PlayShards, play_here, run

        check_parquet()
        options = read_options(variant, settings)
        plan = Plan.of(variant, names.split(","), seed, forbidden or (), **options)
        play_shards: PlayShards = play_here
        if address is not None:
            from pasgl_env.playtest.lab.cluster import play_on

            play_shards = play_on(address)
        with display(place, "left") as report:
            totals = run(
                plan,
                games,
                place,
                keeps_games=keeps_games,
                threads=threads,
                play_shards=play_shards,
                command=[Path(sys.argv[0]).name, *sys.argv[1:]],
                report=report,
            )
        results = Results.of(plan, totals, _values(plan, totals.record_bytes, place))
        write_whole(place / JSON_FILE, results.to_json())
        write_whole(place / PARQUET_FILE, results.to_parquet())
        with err.status("Drawing the report"):
            write_report(results, place)
    _show(results, place)


def _values(plan: Plan, record_bytes: int, folder: Path) -> PieceValues | None:
    """The values of pieces, if games are kept and the game has material."""
    from pasgl_env.playtest.lab.folder import GAMES
    from pasgl_env.playtest.lab.values import PieceValues

    if record_bytes == 0:
        return None
    err.print("Estimating the values of pieces.")
    try:
        return PieceValues.of(plan, folder / GAMES)
    except NotImplementedError:
        return None


def _show(results: Results, folder: Path) -> None:
    from pasgl_env.playtest.lab.report import REPORT_FILE

    out.print(playtest_table(results))
    if results.values is not None:
        out.print(values_table(results.values))
    for warning in results.warnings():
        err.print(warning, soft_wrap=True)
    say(f"All numbers are in {folder / JSON_FILE} and {folder / PARQUET_FILE}.")
    say(f"Open {folder / REPORT_FILE} in a browser for plots, heat maps and games.")
