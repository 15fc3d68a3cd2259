"""DQN of AgileRL with masks: python examples/with_agilerl.py [STEPS]."""

import sys

import gymnasium
import numpy as np
from agilerl.algorithms import DQN
from agilerl.components.replay_buffer import ReplayBuffer
from agilerl.training.train_off_policy import train_off_policy

import pasgl_env  # noqa: F401 (registers the environments)

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
envs = gymnasium.make_vec("pasgl_env/Spalding-v0", 16, turn_limit=300)
space, actions = envs.single_observation_space, envs.single_action_space
# Small kernels: the default network is for pictures of games.
convolutions = {"channel_size": [32, 32], "kernel_size": [3, 3], "stride_size": [1, 1]}
agent = DQN(space, actions, net_config={"encoder_config": convolutions}, lr=5e-4)
train_off_policy(
    envs,
    "Spalding",
    "DQN",
    [agent],
    ReplayBuffer(10_000),
    max_steps=steps,
    evo_steps=steps,
    eval_steps=64,
    eps_decay=0.999,
    verbose=False,
)
# AgileRL's loop passes the masks in infos to its agents.
observation, infos = envs.reset(seed=2)
outcomes: list[float] = []
for _ in range(100 if steps > 2000 else 5):
    action = agent.get_action(observation, action_mask=infos["action_mask"])
    observation, _, ended, cut, infos = envs.step(action)
    if (ended | cut).any():
        outcomes += infos["final_info"]["outcome"][ended | cut].tolist()
print(f"mean outcome {np.mean(outcomes) if outcomes else 0:+.2f}")
