"""The cost of measuring: random games of playtests compared with those of a batch.

A batch makes observations and measures nothing; a playtest measures everything and makes no
observations. Run as ``python -m benchmarks.playtest VARIANT``.
"""

from __future__ import annotations

import statistics
from itertools import count
from typing import Annotated

import typer

from benchmarks.peers import rate
from benchmarks.throughput import MAIN_BATCH, batch_rate
from pasgl_env.playtest.counting import Counts, table_of
from pasgl_env.playtest.generic import ACTIONS
from pasgl_env.playtest.play import Plan, Shard, play_shard


def lab_rates(plan: Plan, threads: int, seconds: float) -> tuple[float, float]:
    """Actions and games per second, of whole shards."""
    numbers = count()
    total = Counts.none(table_of(plan.ruleset.game).cells)

    def play() -> int:
        nonlocal total
        counts = play_shard(Shard(plan, next(numbers), plan.shard, False, threads)).counts
        total = total.plus(counts)
        return int(counts.sums[0, ACTIONS])

    actions = rate(play, seconds)
    return actions, actions * total.games / total.sums[0, ACTIONS]


def main(
    variant: Annotated[str, typer.Argument(help="The variant to measure.")] = "pasgl312",
    threads: Annotated[int, typer.Option(help="For both.", min=1)] = 1,
    seconds: Annotated[float, typer.Option(help="Time for a line in a round.", min=0.05)] = 1.0,
    rounds: Annotated[int, typer.Option(help="Number of rounds.", min=1)] = 5,
) -> None:
    """Measure measuring."""
    plan = Plan.of(variant, ("random", "random"))
    plain = batch_rate(variant, MAIN_BATCH, threads)
    lab_rates(plan, threads, seconds)
    rates = [(plain(seconds), *lab_rates(plan, threads, seconds)) for _ in range(rounds)]
    batch, lab, games = (statistics.median(column) for column in zip(*rates, strict=True))
    ratio = statistics.median(row[1] / row[0] for row in rates)
    print(f"{variant}, random play, threads: {threads}; medians of {rounds} rounds")
    print(f"  batch of {MAIN_BATCH}: {batch:,.0f} actions a second")
    print(f"  laboratory: {lab:,.0f} actions, {games:,.0f} games a second: {ratio:.2f} of it")


if __name__ == "__main__":
    typer.run(main)
