"""A masked double DQN that plays against itself and random moves: a baseline of the benchmark.

`python agents/dqn.py pachessi --steps 500000 --out runs/dqn` writes `agent.pt`, a player for all
commands. It learns from the raw planes, with no evaluation of the suite. The network is that of
`pasgl train`, whose scores of actions are Q values here; the agent plays the best.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import typer
from torch import Tensor, nn

from pasgl_env import variants
from pasgl_env.cli.arguments import wrong_input
from pasgl_env.cli.complaints import program
from pasgl_env.cli.progress import Report, interruptible, progress_bar
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.envs.vec import SelfPlayVecEnv
from pasgl_env.players.networks import checkpoint
from pasgl_env.players.networks.policy import NetworkPlayer, new_policy
from pasgl_env.players.trained import AGENT_FILE
from pasgl_env.storage.runs import alone_in
from pasgl_env.training.runs import DIVERGED

LEAST_STEPS = 10_000
"""Fewer decisions of the learner are hardly learned from: updates begin after some thousands."""


@dataclass(frozen=True)
class Settings:
    """Settings of a run.

    Attributes:
        ruleset: the rules.
        steps: number of decisions of the learner.
        seed: seed of games and network.
        games: number of games at once.
        layers: kind of network.
        learning_rate: Adam's learning rate.
        discount: discount factor per decision of the learner.
        exploration: share of random actions, at the end of the first tenth and later.
        replay: number of decisions kept.
        batch: number of decisions per update.
        decisions: number of decisions between two updates.
        target: number of updates between two copies of the network that estimates the future.
        temperature: temperature of the opponent that is the learner itself.
    """

    ruleset: Ruleset
    steps: int = 500_000
    seed: int = 0
    games: int = 64
    layers: Any = "dense"
    learning_rate: float = 3e-4
    discount: float = 0.99
    exploration: float = 0.05
    replay: int = 100_000
    batch: int = 256
    decisions: int = 64
    target: int = 250
    temperature: float = 0.05


class Replay:
    """Decisions in a ring, as bits."""

    def __init__(self, size: int, planes: int, actions: int) -> None:
        bits = {"seen": planes, "then": planes, "mask": actions}
        fields = [(name, np.uint8, -(-count // 8)) for name, count in bits.items()]
        plain = [("action", np.int64), ("reward", np.float32), ("ended", np.bool_)]
        self._bits, self._count = bits, 0
        self._rows = np.zeros(size, np.dtype([*fields, *plain]))

    def add(self, **decisions: np.ndarray) -> None:
        """Keep one decision of each game."""
        games = len(decisions["action"])
        where = (self._count + np.arange(games)) % len(self._rows)
        for name, values in decisions.items():
            packed = np.packbits(values, axis=1) if name in self._bits else values
            self._rows[name][where] = packed
        self._count += games

    def sample(self, count: int, random: np.random.Generator) -> dict[str, Tensor]:
        """Some decisions, drawn at random."""
        rows = self._rows[random.integers(min(self._count, len(self._rows)), size=count)]
        return {
            name: torch.from_numpy(
                np.unpackbits(rows[name], axis=1, count=self._bits[name])
                if name in self._bits
                else rows[name].copy()
            )
            for name in rows.dtype.names or ()
        }


def values(network: Any, planes: Tensor, shape: tuple[int, ...]) -> Tensor:
    """The Q values of all actions, ``float32[k, A]``."""
    scores: Tensor = network.action_net(
        network.features_extractor(planes.float().reshape(-1, *shape))
    )
    return scores


def train(settings: Settings, out: Path, report: Report) -> None:
    """Learn, tell how far it is, and write the agent to a folder."""
    torch.manual_seed(settings.seed)
    torch.set_num_threads(1)
    random = np.random.default_rng(settings.seed)
    ruleset, shape = settings.ruleset, settings.ruleset.spaces.observation
    network = new_policy(ruleset, layers=settings.layers)
    itself = NetworkPlayer(network, "itself", temperature=settings.temperature, seed=settings.seed)
    env = SelfPlayVecEnv(
        ruleset, settings.games, opponents=["random", *[itself] * 7], seed=settings.seed
    )
    later, adam = (
        copy.deepcopy(network),
        torch.optim.Adam(network.parameters(), settings.learning_rate),
    )
    planes, actions = int(np.prod(shape)), ruleset.spaces.actions
    replay, updates, due = Replay(settings.replay, planes, actions), 0, 0
    seen = env.reset()
    for step in range(0, settings.steps, settings.games):
        share = max(settings.exploration, 1 - 10 * step / settings.steps)
        mask = env.action_masks()
        with torch.no_grad():
            found = values(network, torch.from_numpy(seen), shape).numpy()
        best = np.where(mask, found, -np.inf).argmax(axis=1)
        chosen = np.where(random.random(settings.games) < share, env.sample(), best)
        then, reward, ended, _ = env.step(chosen)
        assert isinstance(then, np.ndarray)
        replay.add(
            seen=seen.reshape(len(seen), -1),
            then=then.reshape(len(then), -1),
            mask=env.action_masks(),
            action=chosen,
            reward=reward,
            ended=ended,
        )
        seen, due = then, due + settings.games
        while due >= settings.decisions and step >= settings.replay // 20:
            due -= settings.decisions
            learn(network, later, adam, replay.sample(settings.batch, random), shape, settings)
            updates += 1
            if updates % settings.target == 0:
                later.load_state_dict(network.state_dict())
                report(step / settings.steps, f"{step:,} decisions")
    if not checkpoint.are_sound(network.state_dict()):
        raise ValueError(DIVERGED)
    about = {"variant": ruleset.name, "options": ruleset.unusual, "kind": "ppo", "temperature": 0.0}
    out.mkdir(parents=True, exist_ok=True)
    checkpoint.write(out / AGENT_FILE, {**about, **checkpoint.network_in(network)})


def learn(
    network: Any,
    later: Any,
    adam: torch.optim.Adam,
    rows: dict[str, Tensor],
    shape: tuple[int, ...],
    settings: Settings,
) -> None:
    """Update the network from some decisions."""
    with torch.no_grad():
        legal = rows["mask"] != 0
        ahead = values(network, rows["then"], shape).masked_fill(~legal, -torch.inf)
        best = ahead.argmax(1, keepdim=True)
        future = values(later, rows["then"], shape).gather(1, best).squeeze(1)
        wanted = rows["reward"] + settings.discount * future * ~rows["ended"]
    own = values(network, rows["seen"], shape).gather(1, rows["action"][:, None]).squeeze(1)
    adam.zero_grad()
    torch.autograd.backward(nn.functional.smooth_l1_loss(own, wanted))
    nn.utils.clip_grad_norm_(network.parameters(), 10.0)
    adam.step()


def main(
    variant: str,
    steps: Annotated[int, typer.Option(min=LEAST_STEPS)] = Settings.steps,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1)] = Settings.seed,
    out: Path = Path("runs/dqn"),
) -> None:
    """Train an agent; it is kept at the end, so an interrupted run begins anew."""
    with wrong_input(), interruptible(None, "the agent is not kept"), progress_bar() as report:
        settings = Settings(variants.ruleset(variant), steps, seed)
        with alone_in(out, lambda: _check_new(out)):
            train(settings, out, report)


def _check_new(out: Path) -> None:
    if (out / AGENT_FILE).exists():
        raise ValueError(f"{out} holds an agent already: give another folder")


app = program(main)

if __name__ == "__main__":
    app()
