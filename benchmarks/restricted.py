"""The cost of restricted play: an action of a restricted player compared with an unrestricted one.

For both sides, labels with a digit 1 are forbidden, which excludes something in most positions. Run
as ``python -m benchmarks.restricted VARIANT PLAYER...``.
"""

from __future__ import annotations

from time import perf_counter
from typing import Annotated

import numpy as np
import typer

from pasgl_env import Batch, players, variants
from pasgl_env.players import Player
from pasgl_env.playtest.restrict import RestrictedPlayer, Restriction

GAMES, WARM_UP = 8, 20
RESTRICTIONS = (Restriction("first", "*1*"), Restriction("second", "*1*"))


def seconds_an_action(variant: str, player: Player, seed: int, actions: int) -> float:
    """The mean time per action, in several games at once, from positions after random play."""
    batch, every = Batch(variant, GAMES, seed=seed), np.arange(GAMES)
    for _ in range(WARM_UP):
        batch.step(batch.sample())
    players.choose(player, batch, every)  # the first action loads compiled rules
    taken = 0.0
    for _ in range(actions):
        batch.step(batch.sample())
        begun = perf_counter()
        players.choose(player, batch, every)
        taken += perf_counter() - begun
    return taken / (actions * GAMES)


def main(
    variant: Annotated[str, typer.Argument(help="The variant to measure.")] = "pasgl312",
    names: Annotated[list[str] | None, typer.Argument(help="Players to measure.")] = None,
    actions: Annotated[int, typer.Option(help="Number of actions in each game.", min=1)] = 6,
) -> None:
    """Measure restricted play."""
    for name in names or ["greedy", "td", "mcts:100", "search:50"]:
        free = seconds_an_action(variant, players.make(name, variant, seed=1), 1, actions)
        own = players.make(name, variant, seed=1)
        bound = RestrictedPlayer(own, 0, variants.ruleset(variant), RESTRICTIONS)
        restricted = seconds_an_action(variant, bound, 1, actions)
        print(
            f"{variant} {name}: {1000 * free:.2f} ms an action, restricted"
            f" {1000 * restricted:.2f} ms, {restricted / free:.1f} times"
        )


if __name__ == "__main__":
    typer.run(main)
