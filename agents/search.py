"""A policy network that looks ahead: the batched PUCT search with a network's opinions."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from pasgl_env import variants
from pasgl_env.agents.network import features_of, is_told_opinions, parts_of
from pasgl_env.games.contract import Game
from pasgl_env.players.opinion import opinions
from pasgl_env.players.puct import Evaluator, SearchPlayer


def network_evaluator(policy: MaskableActorCriticPolicy, game: Game) -> Evaluator:
    """What a policy says of positions, in the form that the search asks for it.

    Args:
        policy: of :func:`pasgl_env.agents.network.new_policy`, on any device. What it is worth to
            act in a position is the hyperbolic tangent of what its ``value_net`` says.
        game: the variant that it is for.

    Returns:
        ``f(observation[k, C, H, W], action_mask[k, A])``, which returns logits ``float32[k, A]``,
        those of illegal actions too, and values ``float32[k]`` from -1 to 1. If the policy is told
        opinions it must be informed: ``f(observation, action_mask, states[k], options[1])``.
    """

    def evaluate(
        observation: np.ndarray, action_mask: np.ndarray, *positions: np.ndarray
    ) -> tuple[Any, Any]:
        opinion = None
        if positions:
            states, options = positions
            opinion = opinions(game, states, options, action_mask)
        parts = parts_of(observation, opinion)
        with torch.inference_mode():
            features = features_of(policy, {k: torch.tensor(v) for k, v in parts.items()})
            logits = policy.action_net(features)
            values = torch.tanh(policy.value_net(features)).squeeze(1)
            return logits.cpu().numpy(), values.cpu().numpy()

    return evaluate


class NetworkSearchPlayer(SearchPlayer):
    """A search player that knows its network.

    Attributes:
        policy: the network.
        simulations: for each decision.

    Args:
        policy: as in :func:`network_evaluator`.
        game: the variant that it is for.
        simulations: for each decision.
        seed: of its own generators; None draws one.
        settings: of :class:`pasgl_env.players.SearchPlayer`.
    """

    def __init__(
        self,
        policy: MaskableActorCriticPolicy,
        game: Game,
        simulations: int,
        seed: int | None = None,
        **settings: Any,
    ) -> None:
        evaluator, informed = network_evaluator(policy, game), is_told_opinions(policy)
        super().__init__(game, evaluator, simulations, seed, informed=informed, **settings)
        self.policy = policy
        self.simulations = simulations


def search_player(
    policy: MaskableActorCriticPolicy,
    variant: str,
    simulations: int,
    name: str,
    seed: int | None = None,
    **settings: Any,
) -> NetworkSearchPlayer:
    """The player that searches with a policy.

    Args:
        policy: of :func:`pasgl_env.agents.network.new_policy`, on any device.
        variant: the variant that it is for.
        simulations: for each decision.
        name: for tables and messages.
        seed: of its own generators; None draws one.
        settings: of :class:`pasgl_env.players.SearchPlayer`, such as ``temperature``.

    Raises:
        ValueError: for an unknown variant, or a setting that is out of range.
    """
    policy.set_training_mode(False)
    return NetworkSearchPlayer(
        policy, variants.find(variant), simulations, seed, name=name, **settings
    )
