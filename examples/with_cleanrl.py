"""PPO with masks, written out as in CleanRL: python examples/with_cleanrl.py [STEPS]."""

import sys

import gymnasium
import torch
from torch import nn
from torch.distributions import Categorical

import pasgl_env  # noqa: F401 (registers the environments)


def train(steps: int = 200_000, games: int = 64, length: int = 32) -> float:
    envs = gymnasium.make_vec("pasgl_env/Spalding-v0", games, turn_limit=300)
    seen, infos = envs.reset(seed=1)
    actions, won = int(envs.single_action_space.n), []
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(128), nn.ReLU(), nn.Linear(128, actions + 1))
    net(torch.zeros(seen.shape))
    optimizer = torch.optim.Adam(net.parameters(), 5e-4)
    for _ in range(max(1, steps // (games * length))):
        rows = []
        for _ in range(length):
            now, mask = torch.tensor(seen).float(), torch.tensor(infos["action_mask"]) == 0
            with torch.no_grad():
                out = net(now)
            policy = Categorical(logits=out[:, :-1].masked_fill(mask, -1e8))
            action = policy.sample()
            seen, reward, ended, cut, infos = envs.step(action.numpy())
            if "final_info" in infos:
                won += infos["final_info"]["is_success"][infos["_final_info"]].tolist()
            over = torch.tensor(ended | cut)  # a game that is cut off counts as drawn
            scores = out[:, -1], torch.tensor(reward).float(), over
            rows.append((now, mask, action, policy.log_prob(action), *scores))
        value, gain, gains = net(torch.tensor(seen).float())[:, -1].detach(), torch.zeros(games), []
        for *_, before, reward, over in reversed(rows):
            gain = reward + ~over * (0.99 * value + 0.95 * gain) - before
            gains, value = [gain, *gains], before
        now, mask, action, log, value, *_ = map(torch.cat, zip(*rows, strict=True))
        gained = torch.cat(gains)
        for batch in torch.randperm(len(now)).repeat(4).split(256):
            out, better = net(now[batch]), gained[batch] / (gained.std() + 1e-8)
            policy = Categorical(logits=out[:, :-1].masked_fill(mask[batch], -1e8))
            ratio = (policy.log_prob(action[batch]) - log[batch]).exp()
            gain = (
                torch.min(ratio * better, ratio.clamp(0.8, 1.2) * better) + 0.01 * policy.entropy()
            )
            error = (out[:, -1] - value[batch] - gained[batch]).square()
            optimizer.zero_grad()
            (error - gain).mean().backward()
            optimizer.step()
    return sum(won[-500:]) / max(1, len(won[-500:]))


if __name__ == "__main__":
    print(f"won {train(*map(int, sys.argv[1:])):.0%} of the last games")
