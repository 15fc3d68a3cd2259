"""PPO of RLlib with its own masking module: python examples/with_rllib.py [ITERATIONS]."""

import sys

import gymnasium
import numpy as np
import ray
from gymnasium.spaces import Box, Dict
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

import pasgl_env  # noqa: F401 (registers the environments)


def make(config: dict) -> gymnasium.Env:
    # The keys that RLlib's masking module looks for; its default networks want rows of numbers.
    keys = {"mask_in_observation": True, "observation_key": "observations"}
    env = gymnasium.make("pasgl_env/Spalding-v0", **keys, **config)
    sizes = {key: (int(np.prod(each.shape)),) for key, each in env.observation_space.items()}
    return gymnasium.wrappers.TransformObservation(
        env,
        lambda each: {key: value.ravel().astype(np.float32) for key, value in each.items()},
        Dict({key: Box(0, 1, size, np.float32) for key, size in sizes.items()}),
    )


ray.tune.register_env("spalding", make)
config = (
    PPOConfig()
    .environment("spalding", env_config={"turn_limit": 300}, disable_env_checking=True)
    .env_runners(num_env_runners=0, num_envs_per_env_runner=8)
    .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule))
    .training(train_batch_size_per_learner=2048, minibatch_size=256, num_epochs=4, lr=5e-4)
)
algorithm = config.build_algo()
for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 20):
    result = algorithm.train()
algorithm.stop()
print(f"mean outcome {result['env_runners']['episode_return_mean']:+.2f}")
