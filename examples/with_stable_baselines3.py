"""MaskablePPO with a CNN for small boards: python examples/with_stable_baselines3.py [STEPS]."""

import sys

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from pasgl_env.envs.vec import SelfPlayVecEnv
from pasgl_env.players.networks.policy import LegalPolicy


class BoardFeatures(BaseFeaturesExtractor):
    """Three convolutions that keep the board's size; SB3's own CNN is for larger pictures."""

    def __init__(self, space: gymnasium.spaces.Box, width: int = 64, features: int = 256) -> None:
        super().__init__(space, features)
        (planes, height, columns), layers = space.shape, list[nn.Module]()
        for before in (planes, width, width):
            layers += [nn.Conv2d(before, width, 3, padding=1), nn.ReLU()]
        dense = nn.Linear(width * height * columns, features)
        self.net = nn.Sequential(*layers, nn.Flatten(), dense, nn.ReLU())

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        return self.net(observation.float())


env = SelfPlayVecEnv("spalding", 32, opponents=["random"], turn_limit=300, seed=1)
# Planes are 0 and 1 already: normalize_images would divide them by 255.
policy = {
    "features_extractor_class": BoardFeatures,
    "normalize_images": False,
    "net_arch": [64],
}
sizes = {"n_steps": 64, "batch_size": 256, "n_epochs": 4}
model = MaskablePPO(LegalPolicy, env, **sizes, policy_kwargs=policy, seed=1)
model.learn(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
print(f"won {np.mean(model.ep_success_buffer or [0]):.0%} of the last games")
