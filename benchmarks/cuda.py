"""Random play on a GPU, compared with the same machine's CPU and with Pgx.

Every line plays uniformly random legal actions, and computes mask and observation for every
decision. ``floor`` is the time that the card takes to write arrays as large as the observations and
masks without computing anything; *time / floor* is the time of a step, including the draw of its
actions, divided by that. *draw*, *look* and *observe* are the shares of that time spent on drawing
actions, writing masks and writing observations, measured by repeating them; the rest is play.

Run as ``python -m benchmarks.cuda``. It needs a GPU and the extra ``cuda``; Pgx is skipped unless
it is installed with JAX for CUDA.
"""

from __future__ import annotations

import json
import os
import statistics
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import numpy as np
import typer
from numba import cuda
from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.peers import pgx_rate
from benchmarks.throughput import batch_rate
from pasgl_env import variants
from pasgl_env.cuda import CudaBatch
from pasgl_env.cuda.kernels import launch

SIZES = tuple(1 << power for power in range(10, 18))
PEERS = {"Pgx chess": "chess", "Pgx backgammon": "backgammon"}
WARM_UP = 300  # steps, so that games are at all stages


@cuda.jit
def write(words: Any) -> None:
    """Write a whole array, one thread per word, in order."""
    word = cuda.grid(1)
    if word < words.size:
        words[word] = word


def seconds_of(work: Callable[[], Any], seconds: float) -> float:
    """The time of work launched on the GPU, repeated for ``seconds``."""
    work()
    cuda.synchronize()
    repeats, elapsed = 1, 0.0
    while elapsed < seconds:
        start = perf_counter()
        for _ in range(repeats):
            work()
        cuda.synchronize()
        elapsed = perf_counter() - start
        repeats = 2 * repeats if elapsed < seconds else repeats
    return elapsed / repeats


def measured(variant: str, games: int, seconds: float, warm_up: int) -> dict[str, float]:
    """Seconds of a step and its draw, of parts of it, and of the floor; gigabytes written."""
    batch = CudaBatch(variant, games, seed=0, checks=False)
    for _ in range(warm_up):
        batch.step(batch.sample())
    everybody = batch._everybody
    written = cuda.device_array(games * bytes_written(batch) // 8, np.int64)
    times = {
        "step": seconds_of(lambda: batch.step(batch.sample()), seconds),
        "draw": seconds_of(batch.sample, seconds),
        "look": seconds_of(partial(batch._look, everybody, concludes=False), seconds),
        "observe": seconds_of(partial(batch._observe, everybody), seconds),
    }
    fill = partial(launch(write, written.size), written)
    return times | {
        "floor": seconds_of(fill, seconds),
        "gigabytes": games * bytes_written(batch) / 1e9,
    }


def bytes_written(batch: CudaBatch) -> int:
    """Bytes of observation and mask per decision."""
    return int(batch._row_words.nbytes + batch._mask_words.nbytes) // len(batch)


def medians(rounds: list[dict[str, float]]) -> dict[str, float]:
    """The median of each time over the rounds."""
    return {name: statistics.median(times[name] for times in rounds) for name in rounds[0]}


def cpu_rates(variant: str, threads: list[int], seconds: float) -> dict[str, float]:
    """Decisions per second of `Batch` on this machine: the best of two sizes for each."""
    return {
        f"{number} CPU thread{'s' * (number > 1)}": max(
            batch_rate(variant, games, number)(seconds) for games in (1024, 8192)
        )
        for number in threads
    }


def peer_rates(sizes: tuple[int, ...], seconds: float) -> dict[str, float]:
    """Decisions per second of Pgx on the same card: the best size for each game."""
    try:
        return {
            name: max(pgx_rate(game, games, seconds, platform="cuda") for games in sizes)
            for name, game in PEERS.items()
        }
    except (ImportError, RuntimeError) as error:  # no Pgx, or JAX without CUDA
        print(f"skipped Pgx: {error}")
        return {}


def show(variant: str, by_size: dict[int, dict[str, float]], rates: dict[str, float]) -> None:
    """Print a variant's table and other lines, with the ratio of the best rate to each of them."""
    table = Table(box=box.SIMPLE_HEAD, title=variant)
    for heading in (
        "games",
        "decisions/s",
        "GB/s written",
        "time / floor",
        "draw",
        "look",
        "observe",
    ):
        table.add_column(heading, justify="right")
    for games, times in by_size.items():
        parts = (f"{times[part] / times['step']:.0%}" for part in ("draw", "look", "observe"))
        table.add_row(
            f"{games:,}",
            f"{games / times['step']:,.0f}",
            f"{times['gigabytes'] / times['step']:,.0f}",
            f"{times['step'] / times['floor']:.1f}",
            *parts,
        )
    console = Console()
    console.print(table)
    best = max(games / times["step"] for games, times in by_size.items())
    for name, rate in rates.items():
        console.print(
            f"{name}: {rate:,.0f} decisions/s; the GPU makes {best / rate:,.1f} times that"
        )


def main(
    names: Annotated[
        list[str] | None, typer.Argument(help="The variants to measure; all if none is named.")
    ] = None,
    seconds: Annotated[float, typer.Option(help="Time for a measurement.", min=0.001)] = 0.5,
    rounds: Annotated[int, typer.Option(help="Number of repetitions.", min=1)] = 3,
    sizes: Annotated[list[int] | None, typer.Option(help="Numbers of games.")] = None,
    warm_up: Annotated[int, typer.Option(help="Steps before measuring.", min=0)] = WARM_UP,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the times to this file, too.")
    ] = None,
) -> None:
    """Measure the batches of a GPU."""
    if not cuda.is_available():
        raise SystemExit("no usable GPU: nothing measured")
    chosen = tuple(sizes or SIZES)
    threads = sorted({1, min(16, os.cpu_count() or 1)})
    peers = peer_rates(chosen, seconds)
    figures: dict[str, Any] = {}
    for variant in names or variants.names():
        by_size = {
            games: medians([measured(variant, games, seconds, warm_up) for _ in range(rounds)])
            for games in chosen
        }
        rates = cpu_rates(variant, threads, seconds) | peers
        show(variant, by_size, rates)
        figures[variant] = {"seconds": by_size, "decisions_per_second": rates}
    if json_file is not None:
        json_file.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    typer.run(main)
