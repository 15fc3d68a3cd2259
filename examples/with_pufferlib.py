"""REINFORCE with masks on PufferLib's vectors: python examples/with_pufferlib.py [STEPS]."""

import sys

import gymnasium
import pufferlib.vector
import torch
from pufferlib.emulation import GymnasiumPufferEnv
from torch import nn
from torch.distributions import Categorical

import pasgl_env  # noqa: F401 (registers the environments)


def make(**options):
    env = gymnasium.make("pasgl_env/Spalding-v0", turn_limit=300, mask_in_observation=True)
    return GymnasiumPufferEnv(env=env, **options)


games, steps = 16, int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
envs = pufferlib.vector.make(make, num_envs=games, backend=pufferlib.vector.Serial)
inputs = envs.driver_env.obs_dtype["observation"].itemsize
net = nn.Sequential(nn.Linear(inputs, 128), nn.ReLU(), nn.Linear(128, envs.single_action_space.n))
optimizer = torch.optim.Adam(net.parameters(), 5e-4)
played, outcomes = [[] for _ in range(games)], []
seen, _ = envs.reset(seed=1)
for _ in range(steps // games):
    parts = seen.view(envs.driver_env.obs_dtype).reshape(games)  # PufferLib returns bytes
    planes = torch.tensor(parts["observation"]).flatten(1).float()
    masked = torch.tensor(parts["action_mask"]) == 0
    action = Categorical(logits=net(planes).masked_fill(masked, -1e8)).sample()
    seen, reward, ended, cut, _ = envs.step(action.numpy())
    for game, row in enumerate(zip(planes, masked, action, strict=True)):
        played[game].append(row)
        if ended[game] or cut[game]:
            planes_of, masked_of, actions = map(torch.stack, zip(*played[game], strict=True))
            policy = Categorical(logits=net(planes_of).masked_fill(masked_of, -1e8))
            outcomes.append(float(reward[game]))
            optimizer.zero_grad()
            (-outcomes[-1] * policy.log_prob(actions).mean()).backward()
            optimizer.step()
            played[game].clear()
print(f"mean outcome {sum(outcomes[-100:]) / max(1, len(outcomes[-100:])):+.2f}")
