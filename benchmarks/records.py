"""The cost of recording: random play with and without it, and the speed of both file formats.

Run as ``python -m benchmarks.records VARIANT``.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from numpy.typing import ArrayLike

from benchmarks.peers import rate
from pasgl_env import Batch
from pasgl_env.records import BatchRecorder, read_records, write_records


def play_rates(
    variant: str, file: Path, games: int, seconds: float, rounds: int
) -> list[tuple[float, float]]:
    """Actions per second without and with a recorder, a pair for each round."""
    plain, recorded = (Batch(variant, games, seed=1) for _ in range(2))

    def play(batch: Batch, step: Callable[[ArrayLike], None]) -> float:
        def once() -> int:
            step(batch.sample())
            return games

        return rate(once, seconds)

    # Games start in lockstep, so the first games are left out.
    for _ in range(300):
        plain.step(plain.sample())
    with BatchRecorder(recorded, file) as recorder:
        for _ in range(300):
            recorder.step(recorded.sample())
        return [(play(plain, plain.step), play(recorded, recorder.step)) for _ in range(rounds)]


def file_times(file: Path, most: int) -> tuple[int, int, dict[str, float]]:
    """The numbers of games and turns measured, and the seconds that they took."""
    start = time.perf_counter()
    games = list(islice(read_records(file), most))
    times = {"read binary": time.perf_counter() - start}
    for form in ("binary", "text"):
        copy = file.with_name(f"copy.{'pgb' if form == 'binary' else 'pgr'}")
        start = time.perf_counter()
        write_records(copy, games)
        times[f"write {form}"] = time.perf_counter() - start
    start = time.perf_counter()
    assert list(read_records(copy)) == games
    times["read text"] = time.perf_counter() - start
    return len(games), sum(game.final.turns for game in games), times


def main(
    variant: Annotated[str, typer.Argument(help="The variant to measure.")] = "pasgl312",
    batch: Annotated[int, typer.Option(help="Number of games at once.", min=1)] = 1024,
    files: Annotated[int, typer.Option(help="Number of games read and written.", min=1)] = 50,
    seconds: Annotated[float, typer.Option(help="Time for a line in a round.", min=0.05)] = 0.3,
    rounds: Annotated[int, typer.Option(help="Number of rounds.", min=1)] = 21,
) -> None:
    """Measure recording."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "play.pgb"
        rates = play_rates(variant, file, batch, seconds, rounds)
        plain, recorded = (statistics.median(column) for column in zip(*rates, strict=True))
        share = statistics.median(b / a for a, b in rates)
        print(f"{variant}, random play of {batch} games, actions a second:")
        print(f"  without {plain:,.0f}, with a recorder {recorded:,.0f}: {share:.2f} of it")
        games, turns, times = file_times(file, files)
        print(f"{games} games of {turns} turns together, a second:")
        for what, elapsed in times.items():
            print(f"  {what}: {games / elapsed:,.0f} games, {turns / elapsed:,.0f} turns")


if __name__ == "__main__":
    typer.run(main)
