"""The player that plays at random."""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.game import Game
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.loops import random_bits
from pasgl_env.jit.compiled import rule
from pasgl_env.players.player import SeededPlayer


class RandomPlayer(SeededPlayer):
    """Plays uniformly random legal actions."""

    name = "random"

    def __init__(self, game: Game, seed: int | None = None) -> None:
        super().__init__(seed)

    def generators(self, games: int) -> np.ndarray:
        """The generators of at least this many games, ``uint64``; drawing advances them."""
        self._extend(games)
        return self._generators

    def _decide(
        self, batch: Batch, games: np.ndarray, generators: np.ndarray, actions: np.ndarray
    ) -> None:
        _draw_each(batch.action_mask[games], generators, actions)


@rule
def draw(mask: np.ndarray, generators: np.ndarray, row: int) -> int:
    """A uniformly random action of a mask (up to 2**-32)."""
    count = 0
    for action in range(mask.size):
        count += mask[action]
    rest = (random_bits(generators, row) * count) >> 32
    action = 0
    while mask[action] == 0 or rest > 0:
        rest -= mask[action]
        action += 1
    return action


@rule
def _draw_each(masks: np.ndarray, generators: np.ndarray, actions: np.ndarray) -> None:
    for row in range(actions.size):
        actions[row] = draw(masks[row], generators, row)
