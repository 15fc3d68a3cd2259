"""DQN of Tianshou with masks: python examples/with_tianshou_dqn.py [STEPS]."""

import sys

import gymnasium
import numpy as np
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

import pasgl_env  # noqa: F401 (registers the environments)

# Tianshou's keys, with which its policies exclude illegal actions.
KEYS = {"mask_in_observation": True, "observation_key": "obs", "mask_key": "mask"}


def make() -> gymnasium.Env:
    return gymnasium.make("pasgl_env/Spalding-v0", turn_limit=300, **KEYS)


steps = int(sys.argv[1]) if len(sys.argv) > 1 else 30_000
envs = DummyVectorEnv([make] * 8)
space, actions = envs.observation_space[0]["obs"], envs.action_space[0]
net = Net(state_shape=space.shape, action_shape=actions.n, hidden_sizes=[128])
policy = DiscreteQLearningPolicy(model=net, action_space=actions, eps_training=0.1)
dqn = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), target_update_freq=500)
params = OffPolicyTrainerParams(
    training_collector=Collector(dqn, envs, VectorReplayBuffer(20_000, 8)),
    test_collector=Collector(dqn, DummyVectorEnv([make] * 8)),
    max_epochs=1,
    epoch_num_steps=steps,
    collection_step_num_env_steps=64,
    update_step_num_gradient_steps_per_sample=0.1,
    test_step_num_episodes=min(100, max(8, steps // 300)),
)
print(f"mean outcome {np.mean(dqn.run_training(params).best_reward):+.2f}")
