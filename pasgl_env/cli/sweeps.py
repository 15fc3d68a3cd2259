"""Rule sweeps and stopping rules of ``pasgl playtest``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pasgl_env.cli.output import err, out, say
from pasgl_env.cli.tournaments import check_no_rates, display
from pasgl_env.playtest.tables import sweep_table
from pasgl_env.storage.files import write_whole

if TYPE_CHECKING:  # they need SciPy
    from pasgl_env.playtest.results import Results
    from pasgl_env.playtest.stopping import StoppingRule
    from pasgl_env.playtest.sweep.grid import Arm, Sweep

MARKDOWN_FILE, JSON_FILE = "sweep.md", "sweep.json"
PARQUET_FILE, PLOT_FILE = "sweep.parquet", "sweep.svg"

Sweeps = Annotated[
    list[str] | None,
    typer.Option(
        "--sweep",
        metavar="NAME=VALUES",
        help="Play with each of these values of an option: 1..4, or 20,30,40. Repeat for a grid of"
        " two options.",
    ),
]
Chosen = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        metavar="NAME",
        help="With --sweep: a measure to compare, such as turns or score[White]. Repeat for more.",
    ),
]
Until = Annotated[
    str | None,
    typer.Option(
        "--until",
        metavar="NAME=LOW..HIGH",
        help="Stop as soon as this share of games is known to be below LOW, above HIGH or between"
        " them, after --games at the latest.",
    ),
]
Alpha = Annotated[
    float, typer.Option(metavar="RATE", help="With --until: error rate of 'below' and 'above'.")
]
Beta = Annotated[float, typer.Option(metavar="RATE", help="With --until: error rate of 'between'.")]


def read_rule(until: str | None, alpha: float, beta: float) -> StoppingRule | None:
    """The stopping rule asked for; ``ValueError`` for a wrong one, or for its error rates alone."""
    from pasgl_env.playtest.stopping import StoppingRule

    if until is not None:
        return StoppingRule.read(until, alpha, beta)
    check_no_rates(alpha, beta, "--until")
    return None


def what_is_left(until: StoppingRule | None) -> str:
    """The words for the estimated time in the progress display."""
    return "left at most" if until else "left"


def play_sweep(
    sweep: Sweep, chosen: Sequence[str], games: int, folder: Path, how: dict[str, Any]
) -> None:
    """Play a sweep, write its results and show them.

    Args:
        sweep: the sweep.
        chosen: names of measures; none: the default ones.
        games: of each arm.
        folder: for the results.
        how: other arguments of :func:`pasgl_env.playtest.sweep.run.run_sweep`.
    """
    from pasgl_env.playtest.sweep.plot import plot
    from pasgl_env.playtest.sweep.results import Selection, SweepResults
    from pasgl_env.playtest.sweep.run import run_sweep

    until = how["until"]
    selection = Selection.of(sweep, chosen, until)
    with display(folder, what_is_left(until)) as report:
        arms = run_sweep(sweep, games, folder, report=report, on_arm=_show_arm, **how)
    results = SweepResults(sweep, games, tuple(arms), selection, until)
    write_whole(folder / MARKDOWN_FILE, results.table().to_markdown().encode())
    write_whole(folder / JSON_FILE, results.to_json())
    write_whole(folder / PARQUET_FILE, results.to_parquet())
    write_whole(folder / PLOT_FILE, plot(results))
    out.print(sweep_table(results))
    say(f"The plot is in {folder / PLOT_FILE}, the table in {folder / MARKDOWN_FILE}.")
    say(f"Each arm has a report, such as {folder / sweep.arms[0].name / 'report.html'}.")


def _show_arm(arm: Arm, results: Results) -> None:
    decision = f" {results.decision.sentence}" if results.decision else ""
    err.print(f"{arm.name}: {results.games} games.{decision}", soft_wrap=True)
