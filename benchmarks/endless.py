"""The share of games of Pachessi that never end or are dead, with players of this package.

The rules do not end a race that nobody finishes. A game counts as *dead* if nobody could move in
its last 200 turns: for example, a Horse cannot leave a corner, and everybody passes. A game that
reached the limit of turns without being dead was *still running*. Rates come with 95% intervals.

Run as ``python -m benchmarks.endless``; it takes some minutes.
"""

from __future__ import annotations

from itertools import product
from typing import Annotated, NamedTuple

import numpy as np
import typer

from pasgl_env import Batch, players
from pasgl_env.statistics.estimates import mean, proportion
from pasgl_env.statistics.texts import estimate_text

VARIANTS = ("pachessi", "grand_pachessi")
DEAD_AFTER = 200


class Ends(NamedTuple):
    """The ends of games, ``[games]`` each."""

    turns: np.ndarray
    finished: np.ndarray
    dead: np.ndarray


def play(variant: str, number: int, name: str, games: int, turn_limit: int, seed: int) -> Ends:
    """Play games of that number of players, all by the player of that name."""
    batch = Batch(variant, games, seed=seed, players=number, turn_limit=turn_limit)
    player = players.make(name, variant, seed=seed)
    ends = Ends(*(np.zeros(games, kind) for kind in (np.int64, np.bool_, np.bool_)))
    last_move = np.zeros(games, np.int64)  # the last turn in which a piece moved
    running = np.arange(games)
    while running.size:
        places, turns = batch.states["place"][running], batch.states["turn_count"][running]
        batch.step_some(running, players.choose(player, batch, running))
        moved = (batch.states["place"][running] != places).any(axis=1)
        moved &= ~np.isin(running, batch.ended)  # these have restarted
        last_move[running[moved]] = turns[moved]
        final = batch.final_states["turn_count"]
        ends.turns[batch.ended] = final
        ends.finished[batch.ended] = batch.terminated[batch.ended]
        ends.dead[batch.ended] = final - last_move[batch.ended] > DEAD_AFTER
        running = np.setdiff1d(running, batch.ended)
    return ends._replace(dead=ends.dead & ~ends.finished)


def main(
    games: Annotated[int, typer.Option(min=1)] = 400,
    turn_limit: Annotated[int, typer.Option(min=DEAD_AFTER + 1)] = 20_000,
    seed: Annotated[int, typer.Option(min=0)] = 0,
) -> None:
    """Print the table, in Markdown."""
    print(f"{games} games each, at most {turn_limit} turns.\n")
    print("| variant | players | played by | finished | dead | still running | turns of finished |")
    print("|---|---|---|---|---|---|---|")
    for variant, number, name in product(VARIANTS, (2, 4), players.names()):
        ends = play(variant, number, name, games, turn_limit, seed)
        still = ~ends.finished & ~ends.dead
        shares = [
            estimate_text(proportion(int(each.sum()), games), True) for each in (*ends[1:], still)
        ]
        turns = estimate_text(mean(ends.turns[ends.finished]), False)
        print(f"| {variant} | {number} | {name} | {' | '.join(shares)} | {turns} |", flush=True)


if __name__ == "__main__":
    typer.run(main)
