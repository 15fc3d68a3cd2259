"""PPO with masks, written out as in CleanRL: python examples/with_cleanrl.py [STEPS]."""

import sys

import gymnasium
import torch
from torch import nn
from torch.distributions import Categorical

import pasgl_env  # noqa: F401 (registers the environments)


def train(steps: int = 100_000, games: int = 64, length: int = 32) -> float:
    envs = gymnasium.make_vec("pasgl_env/Spalding-v0", games, turn_limit=300)
    observation, infos = envs.reset(seed=1)
    size, actions = observation[0].size, int(envs.single_action_space.n)
    net = nn.Sequential(nn.Flatten(), nn.Linear(size, 256), nn.ReLU(), nn.Linear(256, actions + 1))
    optimizer = torch.optim.Adam(net.parameters(), 5e-4)
    won: list[float] = []

    def look(seen: torch.Tensor, mask: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        out = net(seen.float())
        return Categorical(logits=out[:, :-1].masked_fill(mask == 0, -1e8)), out[:, -1]

    for _ in range(steps // (games * length)):
        rows = []
        for _ in range(length):
            seen, mask = torch.tensor(observation), torch.tensor(infos["action_mask"])
            with torch.no_grad():
                chances, value = look(seen, mask)
            action = chances.sample()
            observation, reward, ended, cut, infos = envs.step(action.numpy())
            if "final_info" in infos:
                won += infos["final_info"]["is_success"][infos["_final_info"]].tolist()
            done = torch.tensor(ended | cut).float()  # a cut counts as a draw: it is rare
            log = chances.log_prob(action)
            rows.append((seen, mask, action, log, value, torch.tensor(reward).float(), done))
        with torch.no_grad():
            after = look(torch.tensor(observation), torch.tensor(infos["action_mask"]))[1]
        gains, gain = [], torch.zeros(games)
        for *_, value, reward, done in reversed(rows):
            gain = reward + 0.99 * after * (1 - done) - value + 0.94 * gain * (1 - done)
            gains, after = [gain, *gains], value
        gained = torch.cat(gains)
        seen, mask, action, log, value, *_ = map(torch.cat, zip(*rows, strict=True))
        for batch in torch.randperm(len(seen)).repeat(4).split(512):
            chances, predicted = look(seen[batch], mask[batch])
            ratio = (chances.log_prob(action[batch]) - log[batch]).exp()
            better = gained[batch] / (gained.std() + 1e-8)
            policy = torch.min(ratio * better, ratio.clamp(0.8, 1.2) * better).mean()
            error = (predicted - value[batch] - gained[batch]).pow(2).mean()
            optimizer.zero_grad()
            (0.5 * error - policy - 0.01 * chances.entropy().mean()).backward()
            optimizer.step()
    return sum(won[-500:]) / max(len(won[-500:]), 1)


if __name__ == "__main__":
    print(f"won {train(*map(int, sys.argv[1:])):.0%} of the last games")
