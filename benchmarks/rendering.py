"""The speed of drawing positions: as SVG, as pixels, and as frames of an environment.

For each variant, the positions of random games are drawn in sequence. Times are processor times,
because drawing takes one thread and machines are shared; medians over the positions. A frame is all
that ``render()`` does in mode ``rgb_array``: finding the marks, writing the SVG and rasterising it.

Run as ``python -m benchmarks.rendering``; it needs the extra ``render``.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from itertools import islice
from time import process_time
from typing import Annotated, NamedTuple

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from pasgl_env import Position, render
from pasgl_env.contract.variants import names
from pasgl_env.engine.dice import Dice
from pasgl_env.render import raster


class Times(NamedTuple):
    """Seconds for the parts of a frame."""

    svg: float
    pixels: float


def positions(variant: str, seed: int) -> Iterator[Position]:
    """Positions of random games, one game after another, forever."""
    random, dice = np.random.default_rng(seed), Dice(seed)
    while True:
        position = Position(variant)
        while not position.is_over and not position.is_truncated:
            if position.is_chance:
                position.roll(dice)
            else:
                position.play_action(random.choice(position.legal_actions()))
            yield position


def measure(position: Position, size: int) -> Times:
    """Draw a position once."""
    start = process_time()
    canvas = render.drawing(position, marks=render.marks_of(position))
    canvas.to_svg()
    drawn = process_time()
    raster.pixels(canvas, size)
    return Times(drawn - start, process_time() - drawn)


def main(
    frames: Annotated[int, typer.Option(help="Number of positions of each variant.", min=1)] = 300,
    size: Annotated[int, typer.Option(help="Longer side in pixels.")] = 512,
    seed: Annotated[int, typer.Option(help="Seed of the games.")] = 1,
) -> None:
    """Print a table of drawing times for each variant."""
    table = Table(title=f"{frames} positions of each variant, {size} pixels")
    for column in ("variant", "SVG, ms", "pixels, ms", "frames/s", "slowest frame, ms"):
        table.add_column(column, justify="left" if column == "variant" else "right")
    for variant in names():
        measure(Position(variant), size)  # creates what is cached
        times = [measure(p, size) for p in islice(positions(variant, seed), frames)]
        svg, pixels = (statistics.median(part) for part in zip(*times, strict=True))
        slowest = max(map(sum, times))
        table.add_row(
            variant,
            f"{1000 * svg:.1f}",
            f"{1000 * pixels:.1f}",
            f"{1 / (svg + pixels):.0f}",
            f"{1000 * slowest:.1f}",
        )
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
