"""A potential to shape rewards, in many games at once.

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
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.batch import Batch, read_only
from pasgl_env.jit.compiled import bind, compile_once


def potential(batch: Batch, players: np.ndarray) -> np.ndarray:
    """The potential of a player in each game, ``float32[n]``, see :func:`potentials`."""
    return potentials(batch.ruleset, batch.states, players)


def potentials(ruleset: Ruleset, states: np.ndarray, players: np.ndarray) -> np.ndarray:
    """The potential of a player in each state: ``float32[k]``, -1 to 1.

    ``tanh(potential / decisive_lead)``, with the game's own :attr:`Game.potential` and
    :attr:`Game.decisive_lead`.

    Args:
        ruleset: the variant with its options.
        states: records ``[k]``.
        players: integers ``[k]``, the player in each.
    """
    values = np.empty(states.size, np.float64)
    # The loop is compiled for these types of arrays and no others.
    seats = np.array(players, np.int64)
    _loop_of(ruleset.game)(read_only(states), ruleset.record, seats, values)
    return np.tanh(values / ruleset.game.decisive_lead).astype(np.float32)


def evaluate_all(
    states: np.ndarray, options: np.ndarray, players: np.ndarray, values: np.ndarray
) -> None:
    """Write the potential of a player in each state."""
    for row in range(states.size):
        values[row] = evaluate(states[row], options[0], players[row])


@cache
def _loop_of(game: Game) -> Any:
    """``evaluate_all`` for one game, compiled."""
    loop = bind(evaluate_all, game.cache_name, {"evaluate": game.potential or game.evaluate})
    batch = Batch(Ruleset.of(game, {}), 1)
    arguments = (batch.states, batch.options_record, np.zeros(1, np.int64), np.zeros(1))
    compile_once(f"{game.cache_name}-potential", lambda: loop(*arguments), [loop])
    return loop
