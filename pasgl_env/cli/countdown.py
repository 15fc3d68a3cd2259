"""A progress display for work that takes a given time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, Progress, TextColumn

from pasgl_env.cli.output import SparseLines, err
from pasgl_env.duration import time_left


@contextmanager
def countdown() -> Iterator[Callable[[str, float, float, str], None]]:
    """Show the time left: a bar in a terminal, otherwise a line from time to time.

    Yields a function of the name of the work, its total seconds, the seconds passed, and the
    current activity.
    """
    bar = Progress(
        TextColumn("{task.fields[name]}"),
        BarColumn(bar_width=10),
        TextColumn("{task.description}"),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )
    task = bar.add_task("", total=1.0, name="")
    lines = SparseLines()

    def report(name: str, seconds: float, passed: float, doing: str) -> None:
        text = f"{time_left(max(0.0, seconds - passed))} left: {doing}"
        bar.start()
        bar.update(task, completed=passed / seconds, description=text, name=name)
        if not err.is_terminal:
            lines(f"{name}: {text}")

    try:
        yield report
    finally:
        bar.stop()
