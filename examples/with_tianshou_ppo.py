"""PPO of Tianshou with masks: python examples/with_tianshou_ppo.py [STEPS]."""

import sys

import gymnasium
import torch
from gymnasium.spaces import flatdim
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import ProbabilisticActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OnPolicyTrainerParams
from torch import nn
from torch.distributions import Categorical

import pasgl_env  # noqa: F401 (registers the environments)


class Net(nn.Sequential):
    def forward(self, obs, state=None, info=None):
        out = super().forward(torch.as_tensor(obs.observation).float())
        mask = torch.as_tensor(obs.action_mask)
        return out if out.shape[1] == 1 else (out.masked_fill(mask == 0, -1e8), state)


steps = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
options = {"turn_limit": 300, "mask_in_observation": True}
envs = DummyVectorEnv([lambda: gymnasium.make("pasgl_env/Spalding-v0", **options)] * 16)
actions, inputs = envs.action_space[0], flatdim(envs.observation_space[0]["observation"])
nets = [
    Net(nn.Flatten(), nn.Linear(inputs, 128), nn.ReLU(), nn.Linear(128, outputs))
    for outputs in (actions.n, 1)
]
actor = ProbabilisticActorPolicy(
    actor=nets[0], dist_fn=lambda logits: Categorical(logits=logits),
    action_space=actions, action_scaling=False, action_bound_method=None,
)  # fmt: skip
ppo = PPO(policy=actor, critic=nets[1], optim=AdamOptimizerFactory(lr=1e-3))
training, test = Collector(ppo, envs, VectorReplayBuffer(2048, 16)), Collector(ppo, envs)
params = OnPolicyTrainerParams(
    training_collector=training, test_collector=test,
    max_epochs=1, epoch_num_steps=steps, collection_step_num_env_steps=2048, batch_size=512,
    update_step_num_repetitions=2, test_step_num_episodes=min(100, max(16, steps // 300)),
)  # fmt: skip
print(f"mean outcome {ppo.run_training(params).best_reward:+.2f}")
