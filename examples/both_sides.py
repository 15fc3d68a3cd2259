"""PPO that plays both sides of every game and learns from all decisions.

python examples/both_sides.py [STEPS]
"""

import sys

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

from pasgl_env.envs.both_sides import BothSidesVecEnv
from pasgl_env.envs.credit import estimate_advantages
from pasgl_env.evaluation import play_match


def policy_of(scores: torch.Tensor, mask: np.ndarray) -> Categorical:
    return Categorical(logits=scores.masked_fill(torch.tensor(~mask), -1e8))


def train(steps: int = 200_000, games: int = 64, length: int = 32) -> float:
    env = BothSidesVecEnv("spalding", games, shaping=0.5, discount_per="turn", seed=1)
    actions = env.batch.num_actions
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(128), nn.ReLU(), nn.Linear(128, actions + 1))
    seen = env.reset()
    net(torch.tensor(seen).float())
    optimizer = torch.optim.Adam(net.parameters(), 5e-4)
    for _ in range(max(1, steps // (games * length))):
        rows, credits = [], []
        for _ in range(length):
            mask = env.action_masks()  # of the player to act
            with torch.no_grad():
                out = net(torch.tensor(seen).float())
            policy = policy_of(out[:, :-1], mask)
            action = policy.sample()
            rows.append((seen, mask, action, policy.log_prob(action), out[:, -1]))
            seen = env.step(action.numpy())[0]
            credits.append(env.credit)  # each side's rewards for its decisions
        with torch.no_grad():
            last = net(torch.tensor(seen).float())[:, -1].numpy()
        planes, masks, chosen, logs, values = map(np.stack, zip(*rows, strict=True))
        gains, is_known = estimate_advantages(credits, values, last)
        known = np.argwhere(is_known)  # all but the last decisions of sides that are not to act
        for batch in torch.randperm(len(known)).repeat(4).split(256):
            at = tuple(known[batch].T)
            out, gain = net(torch.tensor(planes[at]).float()), torch.tensor(gains[at])
            policy = policy_of(out[:, :-1], masks[at])
            ratio = (policy.log_prob(torch.tensor(chosen[at])) - torch.tensor(logs[at])).exp()
            better = gain / (gains[is_known].std() + 1e-8)
            won = torch.min(ratio * better, ratio.clamp(0.8, 1.2) * better)
            error = (out[:, -1] - torch.tensor(values[at]) - gain).square()
            optimizer.zero_grad()
            (error - won - 0.01 * policy.entropy()).mean().backward()
            optimizer.step()

    def play(observation: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            out = net(torch.tensor(observation).float())
        return policy_of(out[:, :-1], action_mask != 0).sample().numpy()

    match = play_match("spalding", play, "random", 40, seed=1, paired=True, turn_limit=200)
    return match.all.win_rate.value or 0.0


if __name__ == "__main__":
    print(f"won {train(*map(int, sys.argv[1:])):.0%} of its games against the random player")
