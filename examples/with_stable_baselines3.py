"""MaskablePPO with a CNN for small boards: python examples/with_stable_baselines3.py [STEPS]."""

import sys

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from pasgl_env.envs.vec import SelfPlayVecEnv


class BoardFeatures(BaseFeaturesExtractor):
    """Three convolutions that keep the board's size; SB3's own CNN is for larger pictures."""

    def __init__(self, space: gymnasium.spaces.Box, width: int = 64, features: int = 256) -> None:
        super().__init__(space, features)
        layers: list[nn.Module] = []
        for planes in (space.shape[0], width, width):
            layers += [nn.Conv2d(planes, width, 3, padding=1), nn.ReLU()]
        cells = space.shape[1] * space.shape[2]
        self.net = nn.Sequential(
            *layers, nn.Flatten(), nn.Linear(width * cells, features), nn.ReLU()
        )

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        return self.net(observation.float())


def train(steps: int = 100_000) -> float:
    env = SelfPlayVecEnv("spalding", 32, opponents=["random"], turn_limit=300, seed=1)
    # Planes are 0 and 1 already: normalize_images would divide them by 255.
    policy = {
        "features_extractor_class": BoardFeatures,
        "normalize_images": False,
        "net_arch": [64],
    }
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=64, batch_size=256, n_epochs=4, policy_kwargs=policy, seed=1
    )
    model.learn(steps)
    return float(np.mean(model.ep_success_buffer)) if model.ep_success_buffer else 0.0


if __name__ == "__main__":
    print(f"won {train(*map(int, sys.argv[1:])):.0%} of the last games")
