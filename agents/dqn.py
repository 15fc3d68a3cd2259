"""A masked double DQN that plays against itself and random moves: a baseline of the benchmark.

`python agents/dqn.py pachessi --steps 500000 --out runs/dqn` writes `agent.pt`, a player for all
commands, and `log.jsonl`, its scores against greedy play during the training. It learns from the
raw planes, with no evaluation of the suite. The network is that of `pasgl train`, whose scores of
actions are Q values here; the agent plays the best.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
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
from pasgl_env.evaluation import play_match
from pasgl_env.players.networks import checkpoint
from pasgl_env.players.networks.chosen import scores_of
from pasgl_env.players.networks.policy import NetworkPlayer, new_policy
from pasgl_env.players.trained import AGENT_FILE
from pasgl_env.storage.files import write_whole
from pasgl_env.storage.runs import alone_in, line_of
from pasgl_env.training.runs import DIVERGED, LOG_FILE, check_is_free

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
        evaluations: number of matches against greedy play, at even distances; the last at the end.
        evaluation_games: games of each.
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
    evaluations: int = 10
    evaluation_games: int = 100

    @property
    def command(self) -> str:
        """The command of such a run."""
        return f"python agents/dqn.py {self.ruleset.name} --steps {self.steps} --seed {self.seed}"


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


class Learner:
    """The network that learns, what it learns from, and the network that estimates the future."""

    def __init__(self, settings: Settings) -> None:
        torch.manual_seed(settings.seed)
        torch.set_num_threads(1)
        self._settings, self._spaces = settings, settings.ruleset.spaces
        self.network = new_policy(settings.ruleset, layers=settings.layers)
        self.later = copy.deepcopy(self.network)
        self._adam = torch.optim.Adam(self.network.parameters(), settings.learning_rate, fused=True)
        self._random = np.random.default_rng(settings.seed)
        planes = int(np.prod(self._spaces.observation))
        self.replay = Replay(settings.replay, planes, self._spaces.actions)
        self._updates = self._due = 0

    def player(self, name: str, temperature: float) -> NetworkPlayer:
        """The network as a player; it plays what was learned so far."""
        return NetworkPlayer(self.network, name, temperature=temperature, seed=self._settings.seed)

    def features(self, network: Any, planes: Tensor) -> Tensor:
        """What the Q values of a network are made of, ``float32[k, F]``."""
        shaped = planes.float().reshape(-1, *self._spaces.observation)
        features: Tensor = network.features_extractor(shaped)
        return features

    def choose(self, planes: np.ndarray, env: SelfPlayVecEnv, step: int) -> np.ndarray:
        """An action in each game: the best one, or a random one while exploring."""
        settings = self._settings
        share = max(settings.exploration, 1 - 10 * step / settings.steps)
        mask = torch.from_numpy(env.action_masks())
        with torch.no_grad():
            features = self.features(self.network, torch.from_numpy(planes))
            best = best_legal(self.network, features, mask).numpy()
        return np.where(self._random.random(settings.games) < share, env.sample(), best)

    def learn(self, step: int) -> None:
        """Update the network as often as it is due after a step."""
        settings = self._settings
        self._due += settings.games
        while self._due >= settings.decisions and step >= settings.replay // 20:
            self._due -= settings.decisions
            self.update(self.replay.sample(settings.batch, self._random))
            self._updates += 1
            if self._updates % settings.target == 0:
                self.later.load_state_dict(self.network.state_dict())

    def update(self, rows: dict[str, Tensor]) -> None:
        """Update the network from some decisions."""
        every = torch.arange(len(rows["action"]))
        with torch.no_grad():
            ahead = self.features(self.network, rows["then"])
            best = best_legal(self.network, ahead, rows["mask"] != 0)
            ahead = self.features(self.later, rows["then"])
            future = scores_of(self.later.action_net, ahead, every, best)
            wanted = rows["reward"] + self._settings.discount * future * ~rows["ended"]
        seen = self.features(self.network, rows["seen"])
        own = scores_of(self.network.action_net, seen, every, rows["action"])
        self._adam.zero_grad()
        torch.autograd.backward(nn.functional.smooth_l1_loss(own, wanted))
        nn.utils.clip_grad_norm_(self.network.parameters(), 10.0)
        self._adam.step()


def best_legal(network: Any, features: Tensor, mask: Tensor) -> Tensor:
    """The legal action with the highest Q value in each row, ``int64[k]``."""
    rows, actions = mask.nonzero(as_tuple=True)
    values = torch.full(mask.shape, -torch.inf)
    values[rows, actions] = scores_of(network.action_net, features, rows, actions)
    return values.argmax(1)


def train(settings: Settings, out: Path, report: Report) -> None:
    """Learn, tell how far it is, and write the agent and its learning curve to a folder."""
    out.mkdir(parents=True, exist_ok=True)
    learner, begun = Learner(settings), perf_counter()
    itself = learner.player("itself", settings.temperature)
    env = SelfPlayVecEnv(
        settings.ruleset, settings.games, opponents=["random", itself], seed=settings.seed
    )
    env.duel.assignment[:] = np.arange(settings.games) % 8 > 0
    seen, curve = env.reset(), list[dict[str, Any]]()
    for step in range(0, settings.steps, settings.games):
        chosen = learner.choose(seen, env, step)
        then, reward, ended, _ = env.step(chosen)
        assert isinstance(then, np.ndarray)
        learner.replay.add(
            seen=seen.reshape(len(seen), -1),
            then=then.reshape(len(then), -1),
            mask=env.action_masks(),
            action=chosen,
            reward=reward,
            ended=ended,
        )
        seen = then
        learner.learn(step)
        done = step + settings.games
        report(step / settings.steps, f"{step:,} decisions")
        if done * settings.evaluations >= (len(curve) + 1) * settings.steps:
            seconds = perf_counter() - begun
            curve.append({"steps": done, **_measured(learner, settings, seconds)})
    _write(learner, settings, out)
    write_whole(out / LOG_FILE, b"".join(map(line_of, curve)))


def _measured(learner: Learner, settings: Settings, seconds: float) -> dict[str, Any]:
    """What a row of the log says of the agent, as that of `pasgl train` does."""
    agent, games = learner.player("agent", 0.0), settings.evaluation_games
    match = play_match(settings.ruleset, agent, "greedy", games, seed=settings.seed, paired=True)
    scores = {"greedy": match.all.score_rate.value}
    return {"seconds": round(seconds, 1), "games": games, "evaluation": scores}


def _write(learner: Learner, settings: Settings, out: Path) -> None:
    if not checkpoint.are_sound(learner.network.state_dict()):
        raise ValueError(DIVERGED)
    rules = {"variant": settings.ruleset.name, "options": settings.ruleset.unusual}
    network = checkpoint.network_in(learner.network)
    checkpoint.write(out / AGENT_FILE, {**rules, "kind": "ppo", "temperature": 0.0, **network})


def main(
    variant: str,
    steps: Annotated[int, typer.Option(min=LEAST_STEPS)] = Settings.steps,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1)] = Settings.seed,
    out: Path = Path("runs/dqn"),
) -> None:
    """Train an agent; it is kept at the end, so an interrupted run begins anew."""
    with wrong_input(), interruptible(None, "the agent is not kept"), progress_bar() as report:
        settings = Settings(variants.ruleset(variant), steps, seed)
        with alone_in(out, lambda: check_is_free(out)):
            train(settings, out, report)


app = program(main)

if __name__ == "__main__":
    app()
