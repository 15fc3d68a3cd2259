"""The evaluation of actions by another player, as an input of networks.

A policy that observes the value of each action need not learn to see it from the planes; it can
learn where that value is wrong, and starts as strong as the player who plays by it. Adding a
learned correction to a given controller is residual policy learning (Silver, Allen, Tenenbaum and
Kaelbling, arXiv:1812.06298, 2018).

The player is ``greedy``, whose values are the game's hand-written evaluation, or ``td``, whose
values are learned.
"""

# The templates' free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from functools import cache
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from pasgl_env.contract.game import Game
from pasgl_env.engine.batch import Batch
from pasgl_env.jit.compiled import bind, compile_once
from pasgl_env.jit.slices import slices
from pasgl_env.players.greedy import appraise_of
from pasgl_env.players.values.network import Network, ValueScratch, list_actions, value_rules
from pasgl_env.players.values.weights import shipped_or_unlearned, unlearned

Prior = Literal["none", "greedy", "td"]
"""The player whose evaluation a network observes."""

PRIORS: tuple[Prior, ...] = get_args(Prior)

FAR = 3.0
"""Leads are clipped to this number of units."""


class ActionPrior(NamedTuple):
    """A player's evaluation of states.

    One unit is a lead that practically decides the game: :attr:`Game.decisive_lead` for
    ``greedy``, the difference between an even and a won game for ``td``.

    Attributes:
        actions: ``float32[k, A]``, -1 to 0: how much worse than the best each action is, clipped to
            -1; illegal actions are -1.
        standing: ``float32[k, 1]``, -:data:`FAR` to :data:`FAR`: the lead of the player to act; for
            ``td`` the value of its best action, -1 to 1.
    """

    actions: np.ndarray
    standing: np.ndarray


def action_priors_in(batch: Batch, games: np.ndarray, prior: Prior) -> ActionPrior:
    """The action priors of some games of a batch, indices ``int64[k]``."""
    return action_priors(batch, batch.states[games], batch.action_mask[games], prior)


def action_priors(
    batch: Batch, states: np.ndarray, action_mask: np.ndarray, prior: Prior
) -> ActionPrior:
    """The action priors of states in which a player is to act.

    With ``td`` and options with which no values were learned, the hand-written evaluation takes
    their place, as it does for the player ``td``.

    Args:
        batch: games of the same variant and options.
        states: records ``[k]``.
        action_mask: ``uint8[k, A]``, the legal actions.
        prior: the player, ``greedy`` or ``td``.
    """
    game, options = batch.ruleset.game, batch.options_record
    actions = action_mask.shape[1]
    if prior == "greedy":
        loop, scratch = _lead_loop_of(game), _lead_scratch(game, actions)
    else:
        loop, scratch = _value_loop_of(game), _value_scratch(_network_of(batch.ruleset), batch)
    return _written_by(loop, states, options, action_mask, scratch)


def compare_leads(
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
    """Write the greedy player's priors, using scratch memory from ``trial`` to ``values``."""
    for row in range(states.size):
        appraise(states[row], options, action_mask[row], trial, trial_masks, values)
        highest = values[values.argmax()]
        for action in range(values.size):
            differences[row, action] = -1.0
            if action_mask[row, action]:
                differences[row, action] = max((values[action] - highest) / decisive, -1.0)
        lead = stand(states[row], options[0], to_move(states[row])) / decisive
        standings[row, 0] = min(max(lead, -FAR), FAR)


def compare_values(
    states: np.ndarray,
    options: np.ndarray,
    action_mask: np.ndarray,
    network: Network,
    scratch: ValueScratch,
    differences: np.ndarray,
    standings: np.ndarray,
) -> None:
    """Write the priors by a network's values."""
    for row in range(states.size):
        scratch.states[0] = states[row]
        for action in range(action_mask.shape[1]):
            scratch.masks[0, action] = action_mask[row, action]
            differences[row, action] = -1.0
        count = list_actions(scratch.masks, scratch.words, 0, scratch.choices)
        appraise(options[0], count, network, scratch)
        highest = scratch.values[scratch.values[:count].argmax()]
        for number in range(count):
            difference = scratch.values[number] - highest
            differences[row, scratch.choices[number]] = max(difference, -1.0)
        standings[row, 0] = highest


_network_of = cache(shipped_or_unlearned)


@cache
def _lead_loop_of(game: Game) -> Any:
    """``compare_leads`` for one game, compiled."""
    namespace = {
        "appraise": appraise_of(game),
        "stand": game.potential or game.evaluate,
        "to_move": game.to_move,
    }
    loop, batch = bind(compare_leads, game.cache_name, namespace), Batch(game.name, 1)
    scratch = _lead_scratch(game, batch.num_actions)
    _compile(f"{game.cache_name}-action-prior", loop, batch, scratch)
    return loop


@cache
def _value_loop_of(game: Game) -> Any:
    """``compare_values`` for one game, compiled."""
    loop, batch = bind(compare_values, game.cache_name, value_rules(game)), Batch(game.name, 1)
    scratch = _value_scratch(unlearned(batch.ruleset), batch)
    _compile(f"{game.cache_name}-action-prior-of-values", loop, batch, scratch)
    return loop


def _lead_scratch(game: Game, actions: int) -> tuple[Any, ...]:
    trial, masks = np.zeros(2, game.state), np.zeros((2, actions), np.uint8)
    return trial, masks, np.empty(actions), game.decisive_lead


def _value_scratch(network: Network, batch: Batch) -> tuple[Any, ...]:
    return network, ValueScratch.of(batch.ruleset.game, batch.ruleset.spaces)


def _compile(name: str, loop: Any, batch: Batch, scratch: tuple[Any, ...]) -> None:
    arguments = batch.states, batch.options_record, batch.action_mask, scratch
    compile_once(name, lambda: _written_by(loop, *arguments), [loop])


def _written_by(
    loop: Any,
    states: np.ndarray,
    options: np.ndarray,
    action_mask: np.ndarray,
    scratch: tuple[Any, ...],
) -> ActionPrior:
    """The priors that a loop writes."""
    shapes = (states.size, action_mask.shape[1]), (states.size, 1)
    priors = ActionPrior(*(np.empty(shape, np.float32) for shape in shapes))
    for part in slices(states.size):
        # Copies are writable and contiguous: the loop is compiled for no other arrays.
        rows = states[part].copy(), options, action_mask[part].copy()
        loop(*rows, *scratch, *(each[part] for each in priors))
    return priors
