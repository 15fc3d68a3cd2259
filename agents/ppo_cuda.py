"""PPO by self-play, entirely on a GPU: games, opponents, rollouts and learning. Experimental.

`python agents/ppo_cuda.py` learns PASGL 312 until it beats the greedy player, or for 30 minutes;
`--help` shows the settings. The games are those of :class:`pasgl_env.cuda.CudaBatch`, and none of
their data is copied to the CPU. With `--device cpu` the same script runs on
:class:`pasgl_env.Batch`. docs/cuda.md says which parts have run on a GPU.

In some of the games the learner plays against itself and learns from both sides. In the others it
has one side, against an earlier copy of itself or against random moves.
"""

from __future__ import annotations

import copy
import io
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
import typer
from torch import Tensor, nn

from pasgl_env import Batch
from pasgl_env.evaluation import play_match
from pasgl_env.storage.files import write_whole

ILLEGAL = -1e9
GREEDY_IS_BEATEN = 0.9


@dataclass(frozen=True)
class Settings:
    """Settings of a run.

    Attributes:
        variant: a game of two teams.
        device: device of games and network.
        games: number of games at once.
        random_games: number of these played against random moves.
        copy_games: number of these played against an earlier copy of the learner.
        steps: number of actions per game between two updates.
        minutes: minutes of training, matches included.
        updates: number of updates after which to stop; 0 for no limit.
        width: number of channels of the network.
        learning_rate: Adam's learning rate.
        epochs: number of passes over a rollout per update.
        minibatch: number of decisions per step of Adam.
        discount: discount factor per step.
        trace: the λ of generalised advantage estimation.
        clip: how far the ratio of the policies may deviate from 1.
        entropy: weight of the policy's entropy.
        copy_every: number of updates between two copies of the learner.
        match_every: number of updates between two matches with the greedy player.
        match_games: number of games in such a match.
        seed: seed of games and network.
    """

    variant: str = "pasgl312"
    device: Literal["cuda", "cpu"] = "cuda"
    games: int = 8192
    random_games: int = 512
    copy_games: int = 2048
    steps: int = 32
    minutes: float = 30
    updates: int = 0
    width: int = 64
    learning_rate: float = 3e-4
    epochs: int = 2
    minibatch: int = 16384
    discount: float = 0.999
    trace: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01
    copy_every: int = 20
    match_every: int = 100
    match_games: int = 400
    seed: int = 1


class Games:
    """The games, and their outputs as tensors in the same memory."""

    def __init__(self, settings: Settings) -> None:
        self.batch: Any
        if settings.device == "cuda":
            from pasgl_env.cuda import CudaBatch

            self.batch = CudaBatch(
                settings.variant, settings.games, seed=settings.seed, checks=False
            )
        else:
            self.batch = Batch(settings.variant, settings.games, seed=settings.seed)
        self.observation = shared(self.batch.observation)
        self.action_mask = shared(self.batch.action_mask)
        self.to_move = shared(self.batch.to_move)
        self.reward = shared(self.batch.reward)
        self.terminated = shared(self.batch.terminated)
        self.truncated = shared(self.batch.truncated)
        self.device = self.observation.device
        self.team_of = torch.tensor(self.batch.teams, device=self.device)

    def random_actions(self) -> Tensor:
        """A legal action for every game, ``int64[n]``."""
        return shared(self.batch.sample())


def shared(array: Any) -> Tensor:
    """A tensor that shares the memory of an array, on the GPU or not."""
    if not isinstance(array, np.ndarray):
        return torch.utils.dlpack.from_dlpack(array)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a batch's arrays are read-only
        return torch.from_numpy(array)


class Network(nn.Module):
    """Three convolutions, followed by the scores of the actions and a value."""

    def __init__(self, planes: tuple[int, int, int], actions: int, width: int) -> None:
        super().__init__()
        channels, height, columns = planes
        self.trunk = nn.Sequential(
            nn.Conv2d(channels, width, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(width * height * columns, 256),
            nn.ReLU(),
        )
        self.policy = nn.Linear(256, actions)
        self.value = nn.Linear(256, 1)
        nn.init.zeros_(self.policy.weight)
        nn.init.zeros_(self.policy.bias)

    def forward(self, observation: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Log-probabilities ``float32[k, A]``, and values ``float32[k]``."""
        features = self.trunk(observation.float())
        scores = self.policy(features).masked_fill(mask == 0, ILLEGAL)
        return scores.log_softmax(1), self.value(features).squeeze(1)


class Rollout(NamedTuple):
    """The data of a rollout, ``[steps, games, ...]``; one more value than steps.

    ``learns`` marks the learner's decisions. ``side`` is +1 or -1 if the next decision of the game
    is by the same or the other team, 0 if the game has ended.
    """

    observation: Tensor
    mask: Tensor
    action: Tensor
    log_probability: Tensor
    value: Tensor
    reward: Tensor
    side: Tensor
    learns: Tensor

    @classmethod
    def empty(cls, games: Games, steps: int) -> Rollout:
        """An empty rollout."""
        n, device = len(games.batch), games.device
        return cls(
            torch.empty((steps, *games.observation.shape), dtype=torch.uint8, device=device),
            torch.empty((steps, *games.action_mask.shape), dtype=torch.uint8, device=device),
            torch.empty((steps, n), dtype=torch.int64, device=device),
            torch.empty((steps, n), device=device),
            torch.empty((steps + 1, n), device=device),
            torch.empty((steps, n), device=device),
            torch.empty((steps, n), device=device),
            torch.empty((steps, n), dtype=torch.bool, device=device),
        )


class Opponents:
    """The opponents: random moves in the first games, a copy in the next, then the learner."""

    def __init__(self, settings: Settings, network: Network, device: torch.device) -> None:
        self.random = slice(0, settings.random_games)
        self.copies = slice(settings.random_games, settings.random_games + settings.copy_games)
        game = torch.arange(settings.games, device=device)
        self.is_self_play = game >= self.copies.stop
        self.learner_team = game % 2
        self.network = copy.deepcopy(network)

    def replace(self, network: Network) -> None:
        """Make the current learner the copy to play against."""
        self.network.load_state_dict(network.state_dict())

    def answer(self, games: Games, actions: Tensor, learns: Tensor) -> None:
        """Write the opponents' actions where the learner is not to act."""
        answers = actions.clone()
        answers[self.random] = games.random_actions()[self.random]
        if self.copies.stop > self.copies.start:
            seen, mask = games.observation[self.copies], games.action_mask[self.copies]
            answers[self.copies] = drawn(self.network(seen, mask)[0])
        actions.copy_(torch.where(learns, actions, answers))


def drawn(log_probability: Tensor) -> Tensor:
    """An action for each row, drawn with Gumbel noise."""
    noise = torch.empty_like(log_probability).exponential_().log()
    return (log_probability - noise).argmax(1)


@torch.no_grad()
def play(games: Games, network: Network, opponents: Opponents, rollout: Rollout) -> Tensor:
    """Play a rollout; return the learner's wins and losses against random moves, ``int64[2]``."""
    score = torch.zeros(2, dtype=torch.int64, device=games.device)
    for step in range(len(rollout.action)):
        mover = games.to_move.long()
        team = games.team_of[mover]
        learns = opponents.is_self_play | (team == opponents.learner_team)
        log_probabilities, value = network(games.observation, games.action_mask)
        action = drawn(log_probabilities)
        opponents.answer(games, action, learns)
        rollout.observation[step] = games.observation
        rollout.mask[step] = games.action_mask
        rollout.action[step] = action
        rollout.log_probability[step] = log_probabilities.gather(1, action[:, None]).squeeze(1)
        rollout.value[step] = value
        rollout.learns[step] = learns

        games.batch.step(action if games.device.type == "cuda" else action.numpy())

        reward = games.reward.gather(1, mover[:, None]).squeeze(1)
        # A truncated game counts as drawn.
        goes_on = ~(games.terminated | games.truncated)
        same = games.team_of[games.to_move.long()] == team
        rollout.reward[step] = reward
        rollout.side[step] = torch.where(same, 1.0, -1.0) * goes_on
        learned = torch.where(learns, reward, -reward)[opponents.random]
        score += torch.stack([(learned > 0).sum(), (learned < 0).sum()])
    rollout.value[-1] = network(games.observation, games.action_mask)[1]
    return score


def advantages(rollout: Rollout, discount: float, trace: float) -> Tensor:
    """The advantage of each action, ``float32[steps, games]``.

    Generalised advantage estimation for two teams: one team's gain is the other's loss.
    """
    result = torch.zeros_like(rollout.reward)
    following = torch.zeros_like(rollout.reward[0])
    for step in reversed(range(len(result))):
        side = discount * rollout.side[step]
        error = rollout.reward[step] + side * rollout.value[step + 1] - rollout.value[step]
        following = error + side * trace * following
        result[step] = following
    return result


def learn(network: Network, adam: torch.optim.Adam, rollout: Rollout, settings: Settings) -> int:
    """Update the network from the learner's decisions; return their number."""
    gained = advantages(rollout, settings.discount, settings.trace)
    wanted = gained + rollout.value[:-1]
    decisions = rollout.learns.flatten().nonzero().squeeze(1)
    gained = (gained - gained[rollout.learns].mean()) / (gained[rollout.learns].std() + 1e-8)
    observation, mask = rollout.observation.flatten(0, 1), rollout.mask.flatten(0, 1)
    action, before = rollout.action.flatten(), rollout.log_probability.flatten()
    for _ in range(settings.epochs):
        order = decisions[torch.randperm(len(decisions), device=decisions.device)]
        for rows in torch.split(order, settings.minibatch):
            log_probabilities, value = network(observation[rows], mask[rows])
            now = log_probabilities.gather(1, action[rows, None]).squeeze(1)
            ratio = (now - before[rows]).exp()
            better = gained.flatten()[rows]
            clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            surrogate = torch.min(ratio * better, clipped * better).mean()
            entropy = -(log_probabilities.exp() * log_probabilities).sum(1).mean()
            error = (value - wanted.flatten()[rows]).square().mean()
            adam.zero_grad()
            (0.5 * error - surrogate - settings.entropy * entropy).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            adam.step()
    return len(decisions)


def match(network: Network, settings: Settings, device: torch.device) -> Any:
    """The result of a match with the greedy player, which plays on the CPU."""

    @torch.no_grad()
    def learner(observation: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        seen, mask = (torch.tensor(array, device=device) for array in (observation, action_mask))
        return drawn(network(seen, mask)[0]).cpu().numpy()

    return play_match(
        settings.variant, learner, "greedy", settings.match_games, seed=settings.seed, paired=True
    ).all


def train(settings: Settings) -> Network:
    """Learn until the greedy player is beaten, or the time or the updates are used up."""
    torch.manual_seed(settings.seed)
    games = Games(settings)
    network = Network(games.batch.observation_shape, games.batch.num_actions, settings.width)
    network.to(games.device)
    opponents = Opponents(settings, network, games.device)
    adam = torch.optim.Adam(network.parameters(), settings.learning_rate)
    rollout = Rollout.empty(games, settings.steps)
    start, played, update = time.perf_counter(), 0, 0
    while not settings.updates or update < settings.updates:
        won, lost = play(games, network, opponents, rollout).tolist()
        learned = learn(network, adam, rollout, settings)
        update += 1
        played += settings.games * settings.steps
        seconds = time.perf_counter() - start
        print(
            f"update {update}: {played:,} decisions, {learned:,} learned from,"
            f" {played / seconds:,.0f} a second; {won}:{lost} against random"
        )
        if update % settings.copy_every == 0:
            opponents.replace(network)
        if update % settings.match_every == 0:
            won = match(network, settings, games.device).win_rate
            print(f"after {seconds / 60:.1f} minutes against greedy: {won}")
            if (won.low or 0) >= GREEDY_IS_BEATEN:
                break
        if seconds > 60 * settings.minutes:
            break
    return network


def main(
    variant: str = Settings.variant,
    device: str = Settings.device,
    games: int = Settings.games,
    steps: int = Settings.steps,
    minutes: float = Settings.minutes,
    updates: int = Settings.updates,
    seed: int = Settings.seed,
    out: Path = Path("runs/ppo_cuda.pt"),
) -> None:
    """Train an agent and save its weights."""
    settings = Settings(
        variant=variant,
        device="cpu" if device == "cpu" else "cuda",
        games=games,
        random_games=games // 16,
        copy_games=games // 4,
        steps=steps,
        minutes=minutes,
        updates=updates,
        seed=seed,
    )
    network = train(settings)
    out.parent.mkdir(parents=True, exist_ok=True)
    weights = io.BytesIO()
    torch.save(network.state_dict(), weights)
    write_whole(out, weights.getbuffer())
    print(f"weights in {out}")


if __name__ == "__main__":
    typer.run(main)
