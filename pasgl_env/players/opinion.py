"""What the greedy player thinks of actions, for networks that look on.

A policy that is told what each action is worth at once need not learn to see that from planes; it
can learn where that opinion is wrong, and begins no weaker than the greedy player. Adding what is
learned to a given controller is residual policy learning (Silver, Allen, Tenenbaum and Kaelbling,
arXiv:1812.06298, 2018).
"""

# The template's free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from pasgl_env.engine.batch import Batch
from pasgl_env.engine.compiled import bind, compile_once
from pasgl_env.games.contract import Game
from pasgl_env.players.greedy import appraise_of
from pasgl_env.variants import find


def opinions(batch: Batch, games: np.ndarray) -> np.ndarray:
    """How much worse than the best each action of some games is: ``float32[k, A]``, -1 to 0.

    The unit is :attr:`Game.decisive`, a lead that as good as decides the game; what is worse by
    more is -1, and so are illegal actions.

    Args:
        batch: the games.
        games: indices ``int64[k]``.
    """
    game = find(batch.variant)
    values = np.empty((games.size, batch.num_actions), np.float32)
    _loop_of(game)(
        batch.states[games],
        batch.options_record,
        batch.action_mask[games],
        np.zeros(2, game.state),
        np.zeros((2, batch.num_actions), np.uint8),
        np.empty(batch.num_actions),
        game.decisive,
        values,
    )
    return values


def compare_all(
    states: np.ndarray,
    options: np.ndarray,
    action_mask: np.ndarray,
    trial: np.ndarray,
    trial_masks: np.ndarray,
    values: np.ndarray,
    decisive: float,
    differences: np.ndarray,
) -> None:
    """Write the opinions of every state; what is between mask and scale is room to work in."""
    for row in range(states.size):
        appraise(states[row], options, action_mask[row], trial, trial_masks, values)
        highest = values[values.argmax()]
        for action in range(values.size):
            differences[row, action] = -1.0
            if action_mask[row, action]:
                differences[row, action] = max((values[action] - highest) / decisive, -1.0)


@cache
def _loop_of(game: Game) -> Any:
    """``compare_all`` for one game, compiled."""
    loop = bind(compare_all, game.rules, {"appraise": appraise_of(game)})
    batch = Batch(game.name, 1)
    room = np.zeros((2, batch.num_actions), np.uint8)
    arguments = (
        batch.states,
        batch.options_record,
        batch.action_mask,
        np.zeros(2, game.state),
        room,
        np.empty(batch.num_actions),
        game.decisive,
        np.empty((1, batch.num_actions), np.float32),
    )
    compile_once(f"{game.rules}-opinion", lambda: loop(*arguments))
    return loop
