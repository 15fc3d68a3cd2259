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

options = {"turn_limit": 300, "mask_in_observation": True, "categorical_action_encoding": True}
to_bool = DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])
to_float = DTypeCastTransform(torch.uint8, torch.float32, in_keys=["observation"])
env = GymEnv("pasgl_env/Spalding-v0", **options)
env = TransformedEnv(env, Compose(to_bool, to_float, ActionMask()))
inputs = env.observation_spec["observation"].shape.numel()
nets = [
    nn.Sequential(nn.Flatten(-3), nn.Linear(inputs, 128), nn.ReLU(), nn.Linear(128, outputs))
    for outputs in (env.action_space.n, 1)
]
scores = TensorDictModule(nets[0], ["observation"], ["logits"])
keys = {"logits": "logits", "mask": "action_mask"}
actor = ProbabilisticActor(scores, keys, distribution_class=MaskedCategorical, return_log_prob=True)
loss = ClipPPOLoss(actor, ValueOperator(nets[1], ["observation"]), entropy_coeff=0.01)
loss.make_value_estimator(gamma=0.99)
optimizer, outcomes = torch.optim.Adam(loss.parameters(), 5e-4), []
steps = int(sys.argv[1]) if len(sys.argv) > 1 else 40_000
for played in Collector(env, actor, frames_per_batch=1024, total_frames=steps):
    with torch.no_grad():
        loss.value_estimator(played, params=loss.critic_network_params)
    outcomes += played["next", "reward"][played["next", "done"]].tolist()
    for rows in torch.randperm(1024).repeat(4).split(256):
        losses = loss(played[rows])
        optimizer.zero_grad()
        sum(losses[key] for key in losses.keys() if key.startswith("loss_")).backward()  # noqa: SIM118
        optimizer.step()
print(f"mean outcome {sum(outcomes[-100:]) / max(1, len(outcomes[-100:])):+.2f}")
