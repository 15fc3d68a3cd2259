"""PPO of TorchRL with masks: python examples/with_torchrl.py [STEPS]."""

import sys

import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import ActionMask, Compose, DTypeCastTransform, GymEnv, TransformedEnv
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss

import pasgl_env  # noqa: F401 (registers the environments)


def make() -> TransformedEnv:
    options = {"turn_limit": 300, "mask_in_observation": True}
    env = GymEnv("pasgl_env/Spalding-v0", categorical_action_encoding=True, **options)
    to_bool = DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])
    to_float = DTypeCastTransform(torch.uint8, torch.float32, in_keys=["observation"])
    return TransformedEnv(env, Compose(to_bool, to_float, ActionMask()))


def network(outputs: int) -> nn.Module:
    net = nn.Sequential(nn.Flatten(-3), nn.LazyLinear(128), nn.ReLU(), nn.Linear(128, outputs))
    net(make().reset()["observation"])
    return net


def train(steps: int = 40_000) -> float:
    net = TensorDictModule(network(make().action_space.n), ["observation"], ["logits"])
    keys = {"logits": "logits", "mask": "action_mask"}
    actor = ProbabilisticActor(
        net, in_keys=keys, distribution_class=MaskedCategorical, return_log_prob=True
    )
    loss = ClipPPOLoss(actor, ValueOperator(network(1), ["observation"]), entropy_coeff=0.01)
    loss.make_value_estimator(gamma=0.99)
    optimizer, outcomes = torch.optim.Adam(loss.parameters(), 5e-4), []
    for played in Collector(make, actor, frames_per_batch=1024, total_frames=steps):
        with torch.no_grad():
            loss.value_estimator(played, params=loss.critic_network_params)
        after = played["next"]
        outcomes += after["reward"][after["done"]].tolist()
        for rows in torch.randperm(1024).repeat(4).split(256):
            losses = loss(played[rows])
            optimizer.zero_grad()
            sum(losses[key] for key in losses.keys() if key.startswith("loss_")).backward()  # noqa: SIM118
            optimizer.step()
    return sum(outcomes[-100:]) / max(1, len(outcomes[-100:]))


if __name__ == "__main__":
    print(f"mean outcome {train(*map(int, sys.argv[1:])):+.2f}")
