"""The policy network of the baselines, and a trained network as a player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from pasgl_env import Batch, variants
from pasgl_env.engine.loops import random_bits
from pasgl_env.games.contract import OptionValue, options_array
from pasgl_env.players.player import SeededPlayer

WIDTH = 256


class DensePlanes(BaseFeaturesExtractor):
    """Two dense layers over all planes, shared by policy and value; on a CPU it learns fastest."""

    def __init__(self, observation_space: gymnasium.Space[Any], width: int = WIDTH) -> None:
        super().__init__(observation_space, width)
        inputs = int(np.prod(observation_space.shape or ()))
        self.layers = nn.Sequential(
            nn.Flatten(), nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """Features ``float32[k, width]`` of planes ``float32[k, C, H, W]``."""
        features: torch.Tensor = self.layers(planes)
        return features


def policy_settings(width: int = WIDTH) -> dict[str, Any]:
    """``policy_kwargs`` for MaskablePPO: actions and value are linear in the features."""
    return {
        "features_extractor_class": DensePlanes,
        "features_extractor_kwargs": {"width": width},
        "net_arch": {"pi": [], "vf": []},
    }


def new_policy(
    variant: str, options: Mapping[str, OptionValue], width: int = WIDTH
) -> MaskableActorCriticPolicy:
    """A policy for a variant, of the shape that MaskablePPO gives it; load weights into it.

    Raises:
        ValueError: for an unknown variant or option, or an impossible value.
    """
    game = variants.find(variant)
    size = game.spaces(options_array(game, options)[0])
    return MaskableActorCriticPolicy(
        spaces.Box(0, 1, size.observation, np.uint8),
        spaces.Discrete(size.actions),
        lambda _: 0.0,
        ortho_init=False,  # takes a second, for weights that are replaced anyway
        **policy_settings(width),
    )


class NetworkPlayer(SeededPlayer):
    """A policy network as a player; it draws its actions, or plays the likeliest.

    Args:
        policy: a policy of the variant that will be played.
        name: for tables and messages.
        greedy: whether to play the likeliest action.
        seed: of the draws; None draws one.
    """

    def __init__(
        self,
        policy: MaskableActorCriticPolicy,
        name: str,
        *,
        greedy: bool = False,
        seed: int | None = None,
    ) -> None:
        super().__init__(seed)
        self.name = name
        self.policy = policy
        self._greedy = greedy

    def _decide(
        self, batch: Batch, games: np.ndarray, generators: np.ndarray, actions: np.ndarray
    ) -> None:
        with torch.no_grad():
            planes = torch.from_numpy(batch.observation[games]).to(self.policy.device).float()
            scores = self.policy.action_net(self.policy.features_extractor(planes)).cpu().numpy()
        scores = np.where(batch.action_mask[games], scores, -np.inf)
        if self._greedy:
            actions[:] = scores.argmax(axis=1)
            return
        chances = np.exp(scores - scores.max(axis=1, keepdims=True)).cumsum(axis=1)
        draws = [random_bits(generators, row) / 2**32 for row in range(games.size)]
        actions[:] = (chances > np.multiply(draws, chances[:, -1])[:, None]).argmax(axis=1)
