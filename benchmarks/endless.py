"""How many games of Pachessi never end, and how many are dead, between players of this package.

Nothing in the rules ends a race that nobody finishes. A game counts as *dead* if in its last 200
turns nobody could move: a Horse on a corner cannot leave it, for one, and everybody passes. What
reached the limit of turns without being dead was *still running*. Rates come with 95% intervals.

Run as ``python -m benchmarks.endless``; it takes some minutes.
"""

from __future__ import annotations

from itertools import product
from typing import Annotated, NamedTuple

import numpy as np
import typer
from rich import box
from rich.console import Console
from rich.table import Table

from pasgl_env import Batch, players
from pasgl_env.playtest.match import Estimate, mean, rate

VARIANTS = ("pachessi", "grand_pachessi")
DEAD_AFTER = 200


class Ends(NamedTuple):
    """How games ended, ``[games]`` each."""

    turns: np.ndarray
    finished: np.ndarray
    dead: np.ndarray


def play(variant: str, number: int, name: str, games: int, turn_limit: int, seed: int) -> Ends:
    """Play games of that number of players, all of them played by the player of that name."""
    batch = Batch(variant, games, seed=seed, players=number, turn_limit=turn_limit)
    player = players.make(name, variant, seed=seed)
    ends = Ends(*(np.zeros(games, kind) for kind in (np.int64, np.bool_, np.bool_)))
    last_move = np.zeros(games, np.int64)  # the turn in which a piece was last moved
    running = np.arange(games)
    while running.size:
        places, turns = batch.states["place"][running], batch.states["turn_count"][running]
        batch.step_some(running, players.choose(player, batch, running))
        moved = (batch.states["place"][running] != places).any(axis=1)
        last_move[running[moved]] = turns[moved]
        final = batch.final_states["turn_count"]
        ends.turns[batch.ended] = final
        ends.finished[batch.ended] = batch.terminated[batch.ended]
        ends.dead[batch.ended] = final - last_move[batch.ended] > DEAD_AFTER
        running = np.setdiff1d(running, batch.ended)
    return ends._replace(dead=ends.dead & ~ends.finished)


def main(
    games: Annotated[int, typer.Option(min=1)] = 400,
    turn_limit: Annotated[int, typer.Option(min=DEAD_AFTER + 1)] = 10_000,
    seed: Annotated[int, typer.Option(min=0)] = 0,
) -> None:
    """Print the table."""
    table = Table(title=f"{games} games each, at most {turn_limit} turns", box=box.MARKDOWN)
    headings = "variant players played_by finished dead still_running turns_if_finished".split()
    for heading in headings:
        table.add_column(heading.replace("_", " "), no_wrap=True)
    for variant, number, name in product(VARIANTS, (2, 4), players.names()):
        ends = play(variant, number, name, games, turn_limit, seed)
        still = ~ends.finished & ~ends.dead
        shares = [_percent(rate(int(each.sum()), games)) for each in (*ends[1:], still)]
        turns = _mean(mean(ends.turns[ends.finished]))
        table.add_row(variant, str(number), name, *shares, turns)
    Console(width=120).print(table)


def _percent(share: Estimate) -> str:
    return f"{share.value:.1%} ({100 * (share.low or 0):.1f} to {100 * (share.high or 0):.1f})"


def _mean(turns: Estimate) -> str:
    if turns.value is None or turns.high is None:
        return "-"
    return f"{turns.value:.0f} ± {turns.high - turns.value:.0f}"


if __name__ == "__main__":
    typer.run(main)
