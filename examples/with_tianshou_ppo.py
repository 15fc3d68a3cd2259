"""PPO of Tianshou with masks: python examples/with_tianshou_ppo.py [STEPS]."""

import sys
from typing import Any

import gymnasium
import torch
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import ProbabilisticActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OnPolicyTrainerParams
from torch import nn
from torch.distributions import Categorical

import pasgl_env  # noqa: F401 (registers the environments)


def make() -> gymnasium.Env:
    return gymnasium.make("pasgl_env/Spalding-v0", turn_limit=300, mask_in_observation=True)


class Net(nn.Module):
    def __init__(self, outputs: int) -> None:
        super().__init__()
        self.net = nn.Sequential(
            nn.Flatten(), nn.LazyLinear(128), nn.ReLU(), nn.LazyLinear(outputs)
        )
        self.net(torch.zeros(1, *make().observation_space["observation"].shape))

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> Any:
        out = self.net(torch.as_tensor(obs.observation).float())
        if out.shape[1] == 1:  # the critic
            return out
        return out.masked_fill(torch.as_tensor(obs.action_mask) == 0, -1e8), state


def train(steps: int = 50_000) -> float:
    space = make().action_space
    actor = ProbabilisticActorPolicy(
        actor=Net(int(space.n)), dist_fn=lambda logits: Categorical(logits=logits),
        action_space=space, action_scaling=False, action_bound_method=None,
    )  # fmt: skip
    ppo = PPO(policy=actor, critic=Net(1), optim=AdamOptimizerFactory(lr=1e-3))
    envs, buffer = DummyVectorEnv([make] * 16), VectorReplayBuffer(2048, 16)
    params = OnPolicyTrainerParams(
        training_collector=Collector(ppo, envs, buffer), test_collector=Collector(ppo, envs),
        max_epochs=1, epoch_num_steps=steps, collection_step_num_env_steps=2048, batch_size=512,
        update_step_num_repetitions=2, test_step_num_episodes=min(100, max(16, steps // 300)),
    )  # fmt: skip
    return float(ppo.run_training(params).best_reward)


if __name__ == "__main__":
    print(f"mean outcome {train(*map(int, sys.argv[1:])):+.2f}")
