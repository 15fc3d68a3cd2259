"""Measure agents: a round robin with Elo ratings, or a sequential test between two.

``python -m pasgl_env.agents.evaluate VARIANT PLAYER PLAYER ...`` is what ``pasgl evaluate`` does
with several players, step by step: read it to see how the parts are put together.
"""

from __future__ import annotations

from typing import Annotated

import typer

from pasgl_env.cli.arguments import (
    PLAYER_HELP,
    GamesSeed,
    Settings,
    Threads,
    Variant,
    read_options,
    wrong_input,
)
from pasgl_env.cli.complaints import Command
from pasgl_env.cli.tournaments import (
    Alpha,
    Anchor,
    Beta,
    Folder,
    Hypotheses,
    play_round_robin,
    play_test,
)
from pasgl_env.evaluation.tournament import Tournament
from pasgl_env.statistics.sprt import Sprt


def main(
    variant: Variant,
    players: Annotated[list[str], typer.Argument(metavar="PLAYER...", help=PLAYER_HELP)],
    games: Annotated[
        int, typer.Option(min=2, metavar="N", help="Of each pairing, even; with --sprt at most.")
    ] = 400,
    seed: GamesSeed = 0,
    threads: Threads = 1,
    folder: Folder = None,
    anchor: Anchor = None,
    hypotheses: Hypotheses = None,
    alpha: Alpha = 0.05,
    beta: Beta = 0.05,
    settings: Settings = None,
) -> None:
    """Rate players by a round robin, or decide between two by a sequential test."""
    with wrong_input():
        # Who plays what. A name that nobody has, or a damaged agent, is told before any game.
        options = read_options(variant, settings)
        tournament = Tournament(
            variant, players, seed=seed, threads=threads, folder=folder, **options
        )

        # Is the first player better, and by how much? As few games as it takes.
        if hypotheses:
            play_test(tournament, Sprt(*hypotheses, alpha, beta), games, folder)
            return

        # All against all; in a folder, a tournament that was killed goes on.
        play_round_robin(tournament, games, anchor, folder)


app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
app.command(cls=Command)(main)

if __name__ == "__main__":
    app()
