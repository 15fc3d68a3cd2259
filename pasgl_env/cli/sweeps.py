"""Rule sweeps and stopping rules of ``pasgl playtest``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pasgl_env.cli.arguments import value
from pasgl_env.cli.output import out, say
from pasgl_env.cli.questions import keep, run
from pasgl_env.cli.tables import shown
from pasgl_env.cli.tournaments import check_no_rates
from pasgl_env.storage.files import write_whole

if TYPE_CHECKING:  # they need SciPy
    from pasgl_env.playtest.retrain import Retraining
    from pasgl_env.playtest.stopping import StoppingRule
    from pasgl_env.playtest.sweep import Sweep

PARQUET_FILE, PLOT_FILE = "sweep.parquet", "sweep.svg"

Sweeps = Annotated[
    list[str] | None,
    value(
        "NAME=VALUES",
        "Play with each of these values of an option: 1..4, 10..60:10 or 20,30,40. Repeat for"
        " a grid of two options.",
        "--sweep",
    ),
]
Chosen = Annotated[
    list[str] | None,
    value(
        "NAME",
        "With --sweep: a measure to compare, such as turns, score[White] or, added up,"
        " rides[White,all]. Repeat for more.",
        "--measure",
    ),
]
Until = Annotated[
    str | None,
    value(
        "NAME=LOW..HIGH",
        "Stop as soon as this share of games is known to be below LOW, above HIGH or between"
        " them, after --games at the latest.",
        "--until",
    ),
]
Retrain = Annotated[
    str | None,
    value(
        "MINUTES",
        "Let two players learn each rule for this many minutes, or for a number of games"
        " (20000games), and play it.",
        "--retrain",
    ),
]
Alpha = Annotated[float, value("RATE", "With --until: error rate of 'below' and 'above'.")]
Beta = Annotated[float, value("RATE", "With --until: error rate of 'between'.")]


def read_rule(until: str | None, alpha: float, beta: float) -> StoppingRule | None:
    """The stopping rule asked for; ``ValueError`` for a wrong one, or for its error rates alone."""
    from pasgl_env.playtest.stopping import StoppingRule

    if until is not None:
        return StoppingRule.read(until, alpha, beta)
    check_no_rates(alpha, beta, "--until")
    return None


def read_retraining(retrain: str | None) -> Retraining | None:
    """How long players learn each rule; ``ValueError`` for a wrong text."""
    from pasgl_env.playtest.retrain import Retraining

    return None if retrain is None else Retraining.read(retrain)


def play_sweep(sweep: Sweep, folder: Path, how: dict[str, Any]) -> None:
    """Play a sweep, write its results and show them."""
    from pasgl_env.playtest.plot import sweep_to_svg

    results = run(sweep, folder, is_most=sweep.until is not None, **how)
    write_whole(folder / PARQUET_FILE, results.to_parquet())
    write_whole(folder / PLOT_FILE, sweep_to_svg(results))
    out.print(shown(results.table, padding=0, splits=True))
    keep(folder, "sweep", results.table.to_markdown(), results.to_dict())
    say(f"The plot is in {folder / PLOT_FILE}.")
    say(f"Each arm has a report, such as {folder / sweep.arms[0].name / 'report.html'}.")
