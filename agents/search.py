"""A policy network that looks ahead: the batched PUCT search with a network's opinions."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from pasgl_env import variants
from pasgl_env.games.contract import Game
from pasgl_env.players.puct import Evaluator, SearchPlayer


def network_evaluator(policy: MaskableActorCriticPolicy) -> Evaluator:
    """What a policy says of positions, in the form that the search asks for it.

    Args:
        policy: of :func:`pasgl_env.agents.network.new_policy`, on any device. What it is worth to
            act in a position is the hyperbolic tangent of what its ``value_net`` says.

    Returns:
        ``f(observation[k, C, H, W], action_mask[k, A])``, which returns logits ``float32[k, A]``,
        those of illegal actions too, and values ``float32[k]`` from -1 to 1.
    """

    def evaluate(observation: np.ndarray, action_mask: np.ndarray) -> tuple[Any, Any]:
        with torch.inference_mode():
            # As bytes to the device: there they are a quarter of the size.
            planes = torch.tensor(observation).to(policy.device).float()
            features = policy.features_extractor(planes)
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
        super().__init__(game, network_evaluator(policy), simulations, seed, **settings)
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
