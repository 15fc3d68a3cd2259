"""PPO of RLlib with its own masking module: python examples/with_rllib.py [ITERATIONS]."""

import sys
from typing import Any

import gymnasium
import numpy as np
import ray
from gymnasium.spaces import Box, Dict
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

import pasgl_env  # noqa: F401 (registers the environments)


def make(config: dict[str, Any]) -> gymnasium.Env:
    # The keys that RLlib's masking module looks for; its default networks want rows of numbers.
    keys = {"mask_in_observation": True, "observation_key": "observations"}
    env = gymnasium.make("pasgl_env/Spalding-v0", **keys, **config)
    seen, mask = env.observation_space["observations"], env.observation_space["action_mask"]
    rows = Box(0, 1, (int(np.prod(seen.shape)),), np.float32)
    masks = Box(0, 1, mask.shape, np.float32)
    return gymnasium.wrappers.TransformObservation(
        env,
        lambda each: {key: value.ravel().astype(np.float32) for key, value in each.items()},
        Dict({"observations": rows, "action_mask": masks}),
    )


def train(iterations: int = 20) -> float:
    ray.tune.register_env("spalding", make)
    config = (
        PPOConfig()
        .environment("spalding", env_config={"turn_limit": 300}, disable_env_checking=True)
        .env_runners(num_env_runners=0, num_envs_per_env_runner=8)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule))
        .training(train_batch_size_per_learner=2048, minibatch_size=256, num_epochs=4, lr=5e-4)
    )
    algorithm = config.build_algo()
    for _ in range(iterations):
        result = algorithm.train()
    algorithm.stop()
    return float(result["env_runners"]["episode_return_mean"])


if __name__ == "__main__":
    print(f"mean outcome {train(*map(int, sys.argv[1:])):+.2f}")
