"""A potential to shape rewards: the players' standings in many games at once.

Rewards may be shaped by differences of a potential without changing which policies are best (Ng,
Harada and Russell, "Policy invariance under reward transformations", ICML 1999).
"""

# The template's free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from pasgl_env.contract.game import Game
from pasgl_env.contract.variants import find
from pasgl_env.engine.batch import Batch
from pasgl_env.jit.compiled import bind, compile_once


def potential(batch: Batch, seats: np.ndarray) -> np.ndarray:
    """The standing of a player in each game: ``float32[n]``, -1 to 1, see :func:`standings`.

    Args:
        batch: the games.
        seats: integers ``[n]``, the player in each.
    """
    return standings(find(batch.variant), batch.states, batch.options_record, seats)


def standings(game: Game, states: np.ndarray, options: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """The standing of a player in each state: ``float32[k]``, -1 to 1.

    ``tanh(potential / decisive)``, with the game's own :attr:`Game.potential` and
    :attr:`Game.decisive_lead`.

    Args:
        game: the variant.
        states: records ``[k]``.
        options: the variant's options, a record ``[1]``.
        seats: integers ``[k]``, the player in each.
    """
    values = np.empty(states.size, np.float64)
    _loop_of(game)(states, options, seats, values)
    return np.tanh(values / game.decisive_lead).astype(np.float32)


def evaluate_all(
    states: np.ndarray, options: np.ndarray, seats: np.ndarray, values: np.ndarray
) -> None:
    """Write the standing of the player of each state's seat."""
    for row in range(states.size):
        values[row] = evaluate(states[row], options[0], seats[row])


@cache
def _loop_of(game: Game) -> Any:
    """``evaluate_all`` for one game, compiled."""
    loop = bind(evaluate_all, game.cache_name, {"evaluate": game.potential or game.evaluate})
    batch = Batch(game.name, 1)
    arguments = (batch.states, batch.options_record, np.zeros(1, np.int64), np.zeros(1))
    compile_once(f"{game.cache_name}-potential", lambda: loop(*arguments), [loop])
    return loop
