"""PPO with masks, written out as in CleanRL: python examples/with_cleanrl.py [STEPS]."""

import sys

import gymnasium
import torch
from torch import nn
from torch.distributions import Categorical

import pasgl_env  # noqa: F401 (registers the environments)

games, length, steps = 64, 32, int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
envs = gymnasium.make_vec("pasgl_env/Spalding-v0", games, turn_limit=300)
seen, infos = envs.reset(seed=1)
actions, won = int(envs.single_action_space.n), []
hidden = nn.Flatten(), nn.Linear(seen[0].size, 128), nn.ReLU()
net = nn.Sequential(*hidden, nn.Linear(128, actions + 1))  # scores of the actions, and the value
optimizer = torch.optim.Adam(net.parameters(), 5e-4)
for _ in range(max(1, steps // (games * length))):
    rows, gains = [], []
    for _ in range(length):
        now, masked = torch.tensor(seen).float(), torch.tensor(infos["action_mask"]) == 0
        out = net(now).detach()
        policy = Categorical(logits=out[:, :-1].masked_fill(masked, -1e8))
        seen, reward, ended, cut, infos = envs.step((action := policy.sample()).numpy())
        over = ended | cut  # a truncated game counts as drawn
        won += infos["final_info"]["is_success"][over].tolist() if over.any() else []
        scores = out[:, -1], torch.tensor(reward).float(), torch.tensor(over)
        rows.append((now, masked, action, policy.log_prob(action), *scores))
    value, gain = net(torch.tensor(seen).float())[:, -1].detach(), torch.zeros(games)
    for *_, before, reward, over in reversed(rows):
        gain = reward + ~over * (0.99 * value + 0.95 * gain) - before
        gains, value = [gain, *gains], before
    now, masked, action, log, value, _, _ = map(torch.cat, zip(*rows, strict=True))
    gained = torch.cat(gains)
    for batch in torch.randperm(len(now)).repeat(4).split(256):
        out, better = net(now[batch]), gained[batch] / (gained.std() + 1e-8)
        policy = Categorical(logits=out[:, :-1].masked_fill(masked[batch], -1e8))
        ratio = (policy.log_prob(action[batch]) - log[batch]).exp()
        gain = torch.min(ratio * better, ratio.clamp(0.8, 1.2) * better) + 0.01 * policy.entropy()
        optimizer.zero_grad()
        ((out[:, -1] - value[batch] - gained[batch]).square() - gain).mean().backward()
        optimizer.step()
print(f"won {sum(won[-500:]) / max(1, len(won[-500:])):.0%} of the last games")
