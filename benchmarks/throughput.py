"""Decisions per second of this suite and of others, in one run and one table.

Every line plays uniformly random legal actions and has the action mask and the observation of the
agent to act made for every decision. The *floor* is the time merely to clear and then to write
output buffers of the same size: no environment that fills them can be faster.

Machines differ and are noisy, so cite ratios, not rates: every line is measured once in each of
several rounds, and a ratio is the median over the rounds of the ratio within a round.

Run as ``python -m benchmarks.throughput``; the other suites are the extra ``peers``.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table

import pasgl_env
from benchmarks.peers import PEERS, PeerMissing, aec_rate, rate
from pasgl_env import Batch

BATCH_SIZES = (1, 64, 1024, 8192)
MAIN_BATCH = 1024
CHESS, SLOW_CHESS = "OpenSpiel chess", "PettingZoo chess_v6"

Measure = Callable[[float], float]
Rates = dict[str, list[float]]


def batch_rate(variant: str, games: int, threads: int) -> Measure:
    """A batch, played on from game to game, so that all stages of the game occur."""
    batch = Batch(variant, games, threads=threads, seed=0)

    def play() -> int:
        for _ in range(max(1, MAIN_BATCH // games)):
            batch.step(batch.sample())
        return max(1, MAIN_BATCH // games) * games

    for _ in range(300):
        batch.step(batch.sample())
    return lambda seconds: rate(play, seconds)


def floor_rate(variant: str, games: int) -> Measure:
    """Clearing and writing arrays as large as the outputs of a batch; nothing is computed."""
    batch = Batch(variant, games, seed=0)
    outputs = [
        batch.observation,
        batch.action_mask,
        batch.legal_count,
        batch.to_move,
        batch.reward,
        batch.terminated,
        batch.truncated,
    ]
    written = [array.copy() for array in outputs]
    buffers = [np.empty_like(array) for array in outputs]

    def play() -> int:
        for _ in range(max(1, MAIN_BATCH // games)):
            for buffer, content in zip(buffers, written, strict=True):
                buffer.fill(0)
                buffer[:] = content
        return max(1, MAIN_BATCH // games) * games

    return lambda seconds: rate(play, seconds)


def own_aec_rate(variant: str) -> Measure:
    """The PettingZoo environment with its wrappers."""
    return partial(aec_rate, pasgl_env.make(variant))


def vec_env_rate(variant: str, games: int) -> Measure:
    """The VecEnv against a random opponent; only the learner's decisions count."""
    from pasgl_env.envs.vec import SelfPlayVecEnv

    env = SelfPlayVecEnv(variant, games, opponents=["random"], seed=0)
    env.reset()

    def play() -> int:
        for _ in range(10):
            env.step(env.sample())
        return 10 * games

    return lambda seconds: rate(play, seconds)


def lines(variant: str) -> dict[str, Callable[[], Measure]]:
    """All lines of the table, in order; each is set up when it is first measured."""
    own: dict[str, Callable[[], Measure]] = {}
    for games in BATCH_SIZES:
        for threads in (1, 2):
            name = f"Batch of {games}, {threads} thread{'s' * (threads > 1)}"
            own[name] = partial(batch_rate, variant, games, threads)
        own[_floor_name(games)] = partial(floor_rate, variant, games)
    own["PettingZoo environment"] = partial(own_aec_rate, variant)
    own[f"VecEnv of {MAIN_BATCH}"] = partial(vec_env_rate, variant, MAIN_BATCH)
    return own | {name: partial(_same, measure) for name, measure in PEERS.items()}


def _same(measure: Measure) -> Measure:
    """A peer sets itself up whenever it is called."""
    return measure


def _floor_name(games: int) -> str:
    return f"floor of {games}"


def measure_all(variant: str, seconds: float, rounds: int) -> tuple[Rates, dict[str, str]]:
    """Rates of every line in every round, and the lines that could not be measured with why."""
    measures: dict[str, Measure] = {}
    rates: Rates = {}
    missing: dict[str, str] = {}
    todo = lines(variant)
    jobs = [(number, name) for number in range(rounds) for name in todo]
    for _, name in track(jobs, "Measuring", console=Console(stderr=True)):
        if name in missing:
            continue
        try:
            if name not in measures:
                measures[name] = todo[name]()
            measured = measures[name](seconds)
        except (PeerMissing, ImportError) as error:
            missing[name] = f"not installed: {error}"
        else:
            rates.setdefault(name, []).append(measured)
    return rates, missing


def ratio(rates: Rates, name: str, other: str) -> float | None:
    """Median over the rounds of one line's rate over another's."""
    if name not in rates or other not in rates:
        return None
    return statistics.median(a / b for a, b in zip(rates[name], rates[other], strict=True))


def show(rates: Rates, missing: dict[str, str]) -> None:
    """Print the table: rates, ratios to two chess peers, time in terms of the floor's."""
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("line", no_wrap=True)
    for heading in ("decisions/s", "× OpenSpiel", "× chess_v6", "time / floor"):
        table.add_column(heading, justify="right")
    for name, values in rates.items():
        games = next((n for n in BATCH_SIZES if f"Batch of {n}," in name), None)
        floor = ratio(rates, _floor_name(games), name) if games else None
        table.add_row(
            name,
            f"{statistics.median(values):,.0f}",
            *(
                _shown(r)
                for r in (ratio(rates, name, CHESS), ratio(rates, name, SLOW_CHESS), floor)
            ),
        )
    console = Console()
    console.print(table)
    for name, reason in missing.items():
        console.print(f"skipped {name}: {reason}", soft_wrap=True)


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:,.2f}" if value < 100 else f"{value:,.0f}"


def report(
    variant: str, rates: Rates, missing: dict[str, str], seconds: float
) -> dict[str, object]:
    """The same figures for programs."""
    packages = ("numpy", "numba", "pettingzoo", "gymnasium")
    return {
        "variant": variant,
        "seconds_a_line": seconds,
        "machine": {"processor": _processor(), "cores": os.cpu_count()},
        "python": platform.python_version(),
        "versions": {name: version(name) for name in packages},
        "rates": rates,
        "ratio_to_openspiel_chess": {name: ratio(rates, name, CHESS) for name in rates},
        "ratio_to_chess_v6": {name: ratio(rates, name, SLOW_CHESS) for name in rates},
        "skipped": missing,
    }


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
        return next(
            x.split(":")[1].strip() for x in text.splitlines() if x.startswith("model name")
        )
    except (OSError, StopIteration):
        return platform.processor()


def main(
    variant: Annotated[str, typer.Argument(help="The variant to measure.")] = "pasgl312",
    seconds: Annotated[float, typer.Option(help="Time for a line in a round.", min=0.05)] = 1.0,
    rounds: Annotated[int, typer.Option(help="How often every line is measured.", min=1)] = 3,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the figures to this file, too.")
    ] = None,
) -> None:
    """Measure this suite beside others, in one run."""
    rates, missing = measure_all(variant, seconds, rounds)
    show(rates, missing)
    if json_file is not None:
        figures = report(variant, rates, missing, seconds)
        json_file.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    typer.run(main)
