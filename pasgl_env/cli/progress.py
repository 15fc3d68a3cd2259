"""The progress of long work in the terminal, and its interruption."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import typer
from rich.progress import BarColumn, TaskProgressColumn, TextColumn
from rich.progress import Progress as Bar

from pasgl_env.cli.output import err
from pasgl_env.duration import time_left

if TYPE_CHECKING:  # it needs SciPy
    from pasgl_env.evaluation.progress import Progress

SECONDS_BETWEEN_LINES = 15.0
INTERRUPTED = 130  # the exit code of commands ended by Ctrl-C
NOT_KEPT = "results are not kept without --out"
"""What is said after Ctrl-C of results without a place."""

Report = Callable[[float, str], None]
"""Shows the part of the work that is done, from 0 to 1, and a line of text."""
Passed = Callable[[float, str], None]
"""Shows the seconds that have passed, and a line of text."""
Show = Callable[[float | None, str], None]
"""As :data:`Report`; the part is None if it is not known."""


@contextmanager
def progress_bar(beginning: str = "") -> Iterator[Show]:
    """Show the progress of some work: a bar in a terminal, otherwise a line from time to time.

    In a terminal, the line ``beginning`` is printed first.
    """
    bar = Bar(
        BarColumn(bar_width=10),
        TaskProgressColumn(),
        TextColumn("{task.description}"),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )
    task, next_line = bar.add_task("", total=1.0), 0.0

    def report(done: float | None, text: str) -> None:
        nonlocal next_line
        bar.tasks[task].total = None if done is None else 1.0
        bar.update(task, completed=done or 0.0, description=text)
        if err.is_terminal and not bar.live.is_started:
            # Not before: compiling the rules prints its own lines.
            if beginning:
                err.print(beginning)
            bar.start()
        elif not err.is_terminal and monotonic() >= next_line:
            next_line = monotonic() + SECONDS_BETWEEN_LINES
            err.print(text if done is None else f"{done:4.0%} {text}", soft_wrap=True)

    try:
        yield report
    finally:
        bar.stop()


@contextmanager
def playing(
    folder: Path | None,
    *,
    is_most: bool = False,
    units: str = "games",
    lost: str = NOT_KEPT,
) -> Iterator[Callable[[Progress], None]]:
    """Show the progress of games; after Ctrl-C, as :func:`interruptible`."""
    most = " at most" * is_most
    with interruptible(folder, lost), progress_bar() as show:

        def report(progress: Progress) -> None:
            if progress.games is None:
                show(None, f"{progress.done} {units}")
                return
            left = time_left(progress.seconds_left)
            text = f"{progress.done} of {progress.games} {units}, {left} left{most}"
            if progress.doing:
                text = f"{progress.doing}, {left} left"
            show(progress.done / max(progress.games, 1), text)

        yield report


def named(show: Report, name: str) -> Report:
    """The same function, of some work among others; its lines begin with a name."""
    return lambda done, text: show(done, f"{name}: {text}")


def countdown(show: Report, name: str, seconds: float) -> Passed:
    """A function that shows the seconds that have passed, of work that takes a given time."""

    def report(passed: float, doing: str) -> None:
        left = time_left(max(0.0, seconds - passed))
        show(passed / seconds, f"{name}: {left} left: {doing}")

    return report


@contextmanager
def interruptible(folder: Path | None, lost: str = NOT_KEPT) -> Iterator[None]:
    """After Ctrl-C, print how to continue in the folder, or without one what is lost, and exit."""
    try:
        yield
    except KeyboardInterrupt:
        kept = lost
        if folder is not None:
            kept = f"the results are in {folder}: run the same command again to continue"
        err.print(f"Interrupted; {kept}.", soft_wrap=True)
        raise typer.Exit(INTERRUPTED) from None
