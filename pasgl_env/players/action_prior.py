"""The greedy player's evaluation of actions, as an input of networks.

A policy that observes the immediate value of each action need not learn to see it from the planes;
it can learn where that value is wrong, and starts as strong as the greedy player. Adding a learned
correction to a given controller is residual policy learning (Silver, Allen, Tenenbaum and
Kaelbling, arXiv:1812.06298, 2018).
"""

# The template's free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.engine.batch import Batch
from pasgl_env.engine.compiled import bind, compile_once
from pasgl_env.games.contract import Game
from pasgl_env.players.greedy import appraise_of
from pasgl_env.variants import find

FAR = 3.0
"""Leads are clipped to this number of units."""


class ActionPrior(NamedTuple):
    """The greedy player's evaluation of states, in units of :attr:`Game.decisive`.

    One unit is a lead that practically decides the game.

    Attributes:
        actions: ``float32[k, A]``, -1 to 0: how much worse than the best each action is, clipped to
            -1; illegal actions are -1.
        standing: ``float32[k, 1]``, -:data:`FAR` to :data:`FAR`: the lead of the player to act.
    """

    actions: np.ndarray
    standing: np.ndarray


def action_priors_in(batch: Batch, games: np.ndarray) -> ActionPrior:
    """The action priors of some games of a batch, indices ``int64[k]``."""
    states, mask = batch.states[games], batch.action_mask[games]
    return action_priors(find(batch.variant), states, batch.options_record, mask)


def action_priors(
    game: Game, states: np.ndarray, options: np.ndarray, action_mask: np.ndarray
) -> ActionPrior:
    """The action priors of states in which a player is to act.

    Args:
        game: the variant.
        states: records ``[k]``.
        options: the variant's options, a record ``[1]``.
        action_mask: ``uint8[k, A]``, the legal actions.
    """
    return _appraised(_loop_of(game), game, states, options, action_mask)


def compare_all(
    states: np.ndarray,
    options: np.ndarray,
    action_mask: np.ndarray,
    trial: np.ndarray,
    trial_masks: np.ndarray,
    values: np.ndarray,
    decisive: float,
    differences: np.ndarray,
    standings: np.ndarray,
) -> None:
    """Write the action priors of every state, using scratch memory from ``trial`` to ``values``."""
    for row in range(states.size):
        appraise(states[row], options, action_mask[row], trial, trial_masks, values)
        highest = values[values.argmax()]
        for action in range(values.size):
            differences[row, action] = -1.0
            if action_mask[row, action]:
                differences[row, action] = max((values[action] - highest) / decisive, -1.0)
        lead = stand(states[row], options[0], to_move(states[row])) / decisive
        standings[row, 0] = min(max(lead, -FAR), FAR)


@cache
def _loop_of(game: Game) -> Any:
    """``compare_all`` for one game, compiled."""
    namespace = {
        "appraise": appraise_of(game),
        "stand": game.potential or game.evaluate,
        "to_move": game.to_move,
    }
    loop = bind(compare_all, game.rules, namespace)
    batch = Batch(game.name, 1)

    def warm_up() -> None:
        _appraised(loop, game, batch.states, batch.options_record, batch.action_mask)

    compile_once(f"{game.rules}-action-prior", warm_up, [loop])
    return loop


def _appraised(
    loop: Any, game: Game, states: np.ndarray, options: np.ndarray, action_mask: np.ndarray
) -> ActionPrior:
    """Call the loop with scratch memory."""
    actions = action_mask.shape[1]
    told = ActionPrior(
        np.empty((states.size, actions), np.float32), np.empty((states.size, 1), np.float32)
    )
    loop(
        states,
        options,
        action_mask,
        np.zeros(2, game.state),
        np.zeros((2, actions), np.uint8),
        np.empty(actions),
        game.decisive,
        *told,
    )
    return told
