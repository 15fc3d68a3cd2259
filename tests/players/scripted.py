"""Players and positions that tests choose in advance."""

from __future__ import annotations

import numpy as np

from pasgl_env import Batch, variants
from pasgl_env.contract import description
from pasgl_env.contract.game import options_array


class Scripted:
    """Plays these labels one after another, whatever the game; remembers when it was asked."""

    name = "scripted"

    def __init__(self, *labels: str):
        self.labels = list(labels)
        self.asked: list[list[int]] = []

    def choose(self, batch: Batch, games: np.ndarray) -> np.ndarray:
        self.asked.append(games.tolist())
        return np.array([action_of(batch, game, self.labels.pop(0)) for game in games])


def action_of(batch: Batch, game: int, label: str) -> int:
    rules = variants.find(batch.variant)
    options = options_array(rules, batch.options)[0]
    for action in np.flatnonzero(batch.action_mask[game]).tolist():
        if description.label(rules, batch.states[game], options, action) == label:
            return action
    raise AssertionError(f"{label} is not legal")
