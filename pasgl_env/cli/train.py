"""``pasgl train``: train an agent by self-play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

from pasgl_env.cli.arguments import Settings, Variant, read_options, wrong_input
from pasgl_env.cli.output import err, out, say

if TYPE_CHECKING:
    from pasgl_env.agents.train import Status, TrainSettings

Folder = Annotated[
    Path | None,
    typer.Option("--out", metavar="FOLDER", help="Where the agent goes; default: runs/VARIANT."),
]


def command(
    variant: Variant,
    minutes: Annotated[
        float | None,
        typer.Option(min=0.01, metavar="N", help="Train so long in all; 3 without --steps."),
    ] = None,
    steps: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Train for so many decisions of the learner in all."),
    ] = None,
    folder: Folder = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the folder's last checkpoint.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Of network and games.")] = 0,
    games: Annotated[int, typer.Option(min=2, metavar="N", help="Games played in step.")] = 256,
    threads: Annotated[int, typer.Option(min=1, metavar="N", help="Processor threads.")] = 2,
    opponents: Annotated[
        str,
        typer.Option(metavar="NAMES", help="Fixed players met beside the agent's own networks."),
    ] = "random,greedy",
    settings: Settings = None,
) -> None:
    r"""Train an agent by self-play with MaskablePPO.

    It meets itself, its past and the fixed players. Checkpoints are written every 20 seconds:
    after Ctrl-C or a kill, --resume goes on from the last one. In the folder are agent.pt (a
    player for the other commands), training.pt, log.jsonl and tensorboard/.

    \b
    Examples:
      pasgl train pasgl312 --minutes 30
      pasgl train pasgl312 --resume --minutes 60
      pasgl train pasgl312 --steps 100000 --out runs/mine --set win_margin=20
      pasgl evaluate pasgl312 runs/mine greedy
    """
    with wrong_input():
        from pasgl_env.agents import train as trainer

        read_options(variant, settings)
        place = folder or Path("runs") / variant
        limit = 3.0 if minutes is None and steps is None else minutes
        if resume:
            kept = trainer.read_settings(place)
            if kept.variant != variant:
                raise ValueError(f"{place} holds a run of {kept.variant}, not of {variant}")
            wanted = replace(kept, minutes=limit, steps=steps, threads=threads)
        else:
            wanted = trainer.TrainSettings(
                variant,
                limit,
                steps,
                seed,
                games,
                threads,
                tuple(name for name in opponents.split(",") if name),
                read_options(variant, settings),
            )
    run_training(wanted, place, resume)


def run_training(settings: TrainSettings, folder: Path, resume: bool) -> None:
    """Train with a progress bar; print where the time went and how to go on."""
    with wrong_input():
        from pasgl_env.agents import train as trainer

        with _progress(settings) as report:
            status = trainer.train(settings, folder, resume=resume, report=report)
    out.print(time_table(status))
    if status.progress < 1:
        say(f"Stopped after {status.steps:,} decisions. To go on:")
        say(f"  pasgl train {settings.variant} --out {folder} --resume{_limits(settings)}")


def _limits(settings: TrainSettings) -> str:
    minutes = f" --minutes {settings.minutes:g}" if settings.minutes else ""
    return minutes + (f" --steps {settings.steps}" if settings.steps else "")


@contextmanager
def _progress(settings: TrainSettings) -> Iterator[Callable[[Status], None]]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        TaskProgressColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err) as progress:
        task = progress.add_task("Training", total=1.0)

        def report(status: Status) -> None:
            rates = [
                f"{name} {status.win_rates[name]:.0%}"
                for name in settings.opponents
                if name in status.win_rates
            ]
            beats = f", wins against {', '.join(rates)}" if rates else ""
            progress.update(
                task,
                completed=status.progress,
                description=f"Training: {status.steps:,} decisions{beats}",
            )

        yield report


def time_table(status: Status) -> Table:
    """Where the wall time of a run went."""
    table = Table(
        title=f"Where {status.seconds:.0f} s of training went ({status.steps:,} decisions)",
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
    )
    table.add_column("")
    table.add_column("share of the time", justify="right")
    meanings = {
        "environment": "environment (games, masks, observations)",
        "opponents": "opponents' choices",
        "network": "the learner's choices",
        "learning": "learning",
        "checkpoints": "writing checkpoints",
    }
    for name, share in status.shares.items():
        table.add_row(meanings[name], f"{share:.1%}")
    return table
