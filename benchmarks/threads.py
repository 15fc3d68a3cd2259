"""The gain of two threads of a batch, beside that of two processes in the same minutes.

Two steps of 1,024 games, with the drawing of their actions, are played by turns by one thread, by
two, and by two processes with half of the games each, which begin together. Printed is the tenth
percentile of all these times: most of what is longer was interrupted by something else.

Run as ``python -m benchmarks.threads``, or with the names of variants; it needs ``fork``.
"""

from __future__ import annotations

import mmap
import os
from collections import defaultdict
from collections.abc import Callable
from time import perf_counter, sleep
from typing import Annotated

import numpy as np
import typer

from pasgl_env import Batch, variants

GAMES, STEPS = 1024, 2
WARM_UP = 200  # steps, so that games are of all stages
TOGETHER = 10  # of a kind, before the next kind
# What the two processes tell each other: how often both began, the other was done, and whether the
# other is to watch closely for the next beginning, or to end.
BEGUN, DONE, WATCHES, ENDS = range(4)


def batch_of(variant: str, games: int, threads: int = 1) -> Batch:
    """A batch whose games are of all stages."""
    batch = Batch(variant, games, threads=threads, seed=0)
    play(batch, WARM_UP)
    return batch


def play(batch: Batch, steps: int = STEPS) -> None:
    """Draw and play."""
    for _ in range(steps):
        batch.step(batch.sample())


def be_the_other(batch: Batch, board: np.ndarray) -> None:
    """Play whenever the first process does."""
    done = 0
    board[DONE] = 0
    while not board[ENDS]:
        if board[BEGUN] > done:
            play(batch)
            done += 1
            board[DONE] = done
        elif not board[WATCHES]:
            sleep(0.0005)


def play_beside(batch: Batch, board: np.ndarray) -> None:
    """Play while the other process does, too."""
    board[BEGUN] += 1
    play(batch)
    while board[DONE] < board[BEGUN]:
        pass


def measure(variant: str, seconds: float) -> dict[str, float]:
    """Microseconds a step: by one thread, by two, and by two processes."""
    board = np.frombuffer(mmap.mmap(-1, mmap.PAGESIZE), np.int64)
    board[DONE] = -1
    other = os.fork()
    if other == 0:
        be_the_other(batch_of(variant, GAMES // 2), board)
        os._exit(0)
    one, two = batch_of(variant, GAMES), batch_of(variant, GAMES, threads=2)
    half = batch_of(variant, GAMES // 2)
    kinds: dict[str, Callable[[], None]] = {
        "one": lambda: play(one),
        "two": lambda: play(two),
        "processes": lambda: play_beside(half, board),
    }
    while board[DONE] < 0:
        sleep(0.01)
    times = defaultdict(list)
    end = perf_counter() + seconds
    while perf_counter() < end:
        for name, run in kinds.items():
            board[WATCHES] = name == "processes"
            sleep(0.002)
            for _ in range(TOGETHER):
                start = perf_counter()
                run()
                times[name].append(perf_counter() - start)
    board[ENDS] = 1
    os.waitpid(other, 0)
    return {name: float(np.quantile(each, 0.1)) / STEPS * 1e6 for name, each in times.items()}


def main(
    names: Annotated[list[str] | None, typer.Argument(help="Variants; all if none.")] = None,
    seconds: Annotated[float, typer.Option(help="Time for a variant.")] = 4.0,
) -> None:
    """Measure one thread, two threads and two processes by turns."""
    print(f"{'':16}{'1 thread, µs':>14}{'2 threads':>12}{'gain':>8}{'2 processes':>14}{'gain':>8}")
    for variant in names or variants.names():
        found = measure(variant, seconds)
        one, two, processes = found["one"], found["two"], found["processes"]
        print(
            f"{variant:16}{one:14.0f}{two:12.0f}{one / two:8.2f}"
            f"{processes:14.0f}{one / processes:8.2f}",
            flush=True,
        )


if __name__ == "__main__":
    typer.run(main)
