"""``pasgl dataset``: positions to learn from, of self-play or of records."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

from pasgl_env.cli.arguments import (
    PLAYER_HELP,
    GamesSeed,
    Ray,
    Settings,
    Start,
    Threads,
    Variant,
    called,
    complete_player,
    number,
    out_option,
    read_ruleset,
    value,
    wrong_input,
)
from pasgl_env.cli.openings import OpeningPlayer, OpeningSet, OpeningTurns, read_openings
from pasgl_env.cli.output import say
from pasgl_env.cli.progress import playing
from pasgl_env.wording import counted

_PLAYER, _NO_TURNS, _UNIFORM = "search:50", "0", "random"


def command(
    variant: Variant,
    player: Annotated[
        str, value("PLAYER", f"Plays against itself: {PLAYER_HELP}", autocompletion=complete_player)
    ] = _PLAYER,
    positions: Annotated[
        int | None,
        number(
            "The least number of positions: games are not cut off. Default: 10000, or all of"
            " the records."
        ),
    ] = None,
    folder: Annotated[Path | None, out_option("runs/dataset-VARIANT")] = None,
    records: Annotated[
        Path | None,
        value(
            "FILE",
            "Take the finished games of this record file: .pgr, .pgr.gz or .pgb.",
            "--records",
        ),
    ] = None,
    seed: GamesSeed = 0,
    threads: Threads = 1,
    start: Start = None,
    opening_turns: OpeningTurns = _NO_TURNS,
    opening_player: OpeningPlayer = _UNIFORM,
    opening_set: OpeningSet = None,
    address: Ray = None,
    settings: Settings = None,
) -> None:
    r"""Make a data set of positions: with actions, searches and the outcomes of games.

    The folder holds Parquet files for training, validation and test, a card in the form of Hugging
    Face, and checksums. docs/datasets.md describes the columns and how to load them. An interrupted
    run continues when the command is repeated, and ends with the same files; so does a run with
    more positions.

    \b
    Examples:
      pasgl dataset chieftain --player search:50 --positions 100000 --openings even
      pasgl dataset pasgl312 --player td:temperature=0.1 --opening-turns 2..6
      pasgl dataset pachessi --player greedy --set turn_limit=200 --out runs/pachessi
      pasgl dataset spalding --records games.pgb
    """
    with wrong_input():
        from pasgl_env.datasets.rows import arrow
        from pasgl_env.datasets.run import of_records, of_self_play
        from pasgl_env.playtest.play import Plan

        arrow()
        folder = folder or Path("runs") / f"dataset-{variant}"
        how: dict[str, Any] = {"command": called()}
        with playing(folder, units="positions") as report:
            how["report"] = report
            if records is not None:
                how_played = player, opening_turns, opening_player, threads
                is_changed = how_played != (_PLAYER, _NO_TURNS, _UNIFORM, 1)
                if is_changed or settings or start or opening_set or address:
                    raise ValueError("--records are games already: leave out how to play them")
                rows = of_records(records, variant, folder, seed=seed, positions=positions, **how)
            else:
                ruleset = read_ruleset(variant, settings)
                openings = read_openings(
                    ruleset, opening_turns, opening_player, name=opening_set, start=start
                )
                plan = Plan.of(ruleset, (player, player), seed, openings=openings)
                if address is not None:
                    from pasgl_env.cli.cache import compile_game
                    from pasgl_env.datasets.play import play_positions
                    from pasgl_env.playtest.cluster import play_on

                    compiles = partial(compile_game, variant)
                    how["play_shards"] = play_on(address, play_positions, compiles)
                rows = of_self_play(plan, positions or 10_000, folder, threads=threads, **how)
    say(f"{counted(rows, 'position')} in {folder}; README.md describes them.")
