"""Tournaments and sequential tests in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pasgl_env.cli.arguments import value
from pasgl_env.cli.output import out, say
from pasgl_env.cli.progress import playing
from pasgl_env.cli.tables import shown
from pasgl_env.storage.files import json_bytes, write_whole

if TYPE_CHECKING:  # they need SciPy
    from pasgl_env.evaluation.tournament import Decision, Standings, Tournament
    from pasgl_env.statistics.sprt import Sprt

TABLE_FILE, STANDINGS_FILE, DECISION_FILE = "table.md", "standings.json", "decision.json"
Anchor = Annotated[str | None, value("PLAYER", "The player whose Elo is 0 in a round robin.")]
Hypotheses = Annotated[
    tuple[float, float] | None,
    value(
        "ELO0 ELO1",
        "Play until a sequential test decides whether the first player is better by ELO0 or"
        " less, or by ELO1 or more.",
        "--sprt",
    ),
]
Alpha = Annotated[float, value("RATE", "With --sprt: rate of wrongly accepting ELO1.")]
Beta = Annotated[float, value("RATE", "With --sprt: rate of wrongly accepting ELO0.")]

ERROR_RATE = 0.05
"""The default of ``--alpha`` and ``--beta``."""


def check_no_rates(alpha: float, beta: float, option: str) -> None:
    """Raise ``ValueError`` if error rates are given without the option that they belong to."""
    if (alpha, beta) != (ERROR_RATE, ERROR_RATE):
        raise ValueError(f"--alpha and --beta are for {option}: give it, too, or leave them out")


def play_round_robin(
    tournament: Tournament, games: int, anchor: str | None, folder: Path | None
) -> Standings:
    """Play a round robin, print its table, and write it to the folder."""
    with playing(folder) as report:
        standings = tournament.play(games, anchor=anchor, report=report)
    out.print(shown(standings.table, wraps=False, padding=0))
    if folder is not None:
        write_whole(folder / TABLE_FILE, standings.table.to_markdown().encode())
        write_whole(folder / STANDINGS_FILE, json_bytes(standings.to_dict()))
        say(f"The table is in {folder / TABLE_FILE}, the numbers are in {folder / STANDINGS_FILE}.")
    return standings


def play_test(tournament: Tournament, test: Sprt, games: int, folder: Path | None) -> Decision:
    """Play until a test decides, print the result, and write it to the folder."""
    with playing(folder, is_most=True) as report:
        decision = tournament.decide(test, games, report=report)
    out.print(shown(decision.table, wraps=False))
    if folder is not None:
        write_whole(folder / DECISION_FILE, json_bytes(decision.to_dict()))
    return decision
