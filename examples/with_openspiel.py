"""OpenSpiel's DQN against its random agent: python examples/with_openspiel.py [GAMES]."""

import sys

import numpy as np
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import random_agent
from open_spiel.python.pytorch import dqn

from pasgl_env.adapters import openspiel

games = int(sys.argv[1]) if len(sys.argv) > 1 else 200
game = openspiel.load("spalding", turn_limit=300)
env = rl_environment.Environment(game)
actions = game.num_distinct_actions()
learner = dqn.DQN(
    0,
    state_representation_size=int(np.prod(game.observation_tensor_shape())),
    num_actions=actions,
    hidden_layers_sizes=[128],
    replay_buffer_capacity=10_000,
    batch_size=64,
    learn_every=8,
    epsilon_decay_duration=5_000,
)
agents = [learner, random_agent.RandomAgent(1, actions)]
outcomes = []
for _ in range(games):
    step = env.reset()
    while not step.last():
        player = step.observations["current_player"]
        step = env.step([agents[player].step(step).action])
    for agent in agents:
        agent.step(step)
    outcomes.append(step.rewards[0])
print(f"mean outcome {np.mean(outcomes[-100:]):+.2f}")
