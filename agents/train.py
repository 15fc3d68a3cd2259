"""Train a MaskablePPO agent by self-play, from the empty network or from the last checkpoint.

A learner plays in every game of a :class:`pasgl_env.envs.vec.SelfPlayVecEnv`. Its opponents act
inside: half of them are the learner's own current network, the others past ones and the fixed
players. Reward is the growth of the lead in points, so that every point counts when it is made.
"""

from __future__ import annotations

import json
import signal
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import current_thread, main_thread
from time import perf_counter
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

from pasgl_env import variants
from pasgl_env.agents import checkpoint
from pasgl_env.agents.network import WIDTH, NetworkPlayer, new_policy, policy_settings
from pasgl_env.envs.vec import SelfPlayVecEnv

LOG_FILE, SETTINGS_FILE = "log.jsonl", "settings.json"
ROLLOUT = 32
PAST_PLAYERS = 2
SHARE_OF_SELF, SHARE_OF_PAST = 0.5, 0.3
SECONDS_BETWEEN_CHECKPOINTS = 20.0
ROLLOUTS_BETWEEN_SNAPSHOTS = 10
MOST_SNAPSHOTS = 12
RECENT_GAMES = 400


class RunExists(ValueError):
    """The output folder holds a run already, or none to go on from."""


@dataclass(frozen=True)
class TrainSettings:
    """What a run is; kept in its folder and taken from there when it is resumed.

    Attributes:
        variant: a name of :func:`pasgl_env.variants.names`.
        minutes: how long to train in all, earlier parts of a resumed run included; None: no limit.
        steps: decisions of the learner to train for in all; None: no limit.
        seed: of the network, the games and the opponents.
        games: number of games played in step.
        threads: threads for the games and for the network.
        opponents: names of fixed players that are met beside the learner's own networks.
        options: the variant's options that are not the default.
        learning_rate: at the start; it falls to a tenth.
        reward_scale: what points are multiplied with.
    """

    variant: str
    minutes: float | None = 3.0
    steps: int | None = None
    seed: int = 0
    games: int = 256
    threads: int = 2
    opponents: tuple[str, ...] = ("random", "greedy")
    options: dict[str, int] = field(default_factory=dict)
    learning_rate: float = 1e-3
    reward_scale: float = 0.1

    def progress(self, seconds: float, steps: int) -> float:
        """How much of the run is done, from 0 to 1; 0 without any limit."""
        by_time = seconds / (60 * self.minutes) if self.minutes else 0.0
        by_steps = steps / self.steps if self.steps else 0.0
        return min(1.0, max(by_time, by_steps))


@dataclass
class Status:
    """How a run stands, for progress displays.

    Attributes:
        progress: from 0 to 1; 0 if the run has no limit.
        seconds: training time, earlier parts of the run included.
        steps: decisions of the learner.
        win_rates: for each opponent, wins of the learner in its last games against it.
        shares: for each part of the work, its share of the wall time.
    """

    progress: float
    seconds: float
    steps: int
    win_rates: dict[str, float]
    shares: dict[str, float]


def train(
    settings: TrainSettings,
    out: Path,
    *,
    resume: bool = False,
    report: Callable[[Status], None] = lambda status: None,
) -> Status:
    """Train until a limit is reached, or until Ctrl-C; write checkpoints and a log to a folder.

    Args:
        settings: the run.
        out: the folder; made if need be.
        resume: go on from the folder's last checkpoint instead of beginning a run there.
        report: called after every step of the games.

    Raises:
        RunExists: if the folder holds a run and ``resume`` is not set, or holds none and it is.
        BadCheckpoint: if its checkpoint cannot be used with these settings.
        OSError: if files cannot be written or read.
    """
    _check_folder(out, resume)
    torch.manual_seed(settings.seed)
    torch.set_num_threads(settings.threads)
    # It checks at every draw what can be no other: a third of the time of a rollout.
    torch.distributions.Distribution.set_default_validate_args(False)

    # Fixed players and past networks keep the learner from forgetting how to beat them.
    past = [
        NetworkPlayer(new_policy(settings.variant), f"past {index + 1}", seed=settings.seed + index)
        for index in range(PAST_PLAYERS)
    ]
    env = SelfPlayVecEnv(
        settings.variant,
        settings.games,
        opponents=["random", *past, *settings.opponents],  # the first becomes the learner itself
        reward="points" if variants.find(settings.variant).has_points else "outcome",
        reward_scale=settings.reward_scale,
        threads=settings.threads,
        seed=settings.seed,
        **settings.options,
    )
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=ROLLOUT,
        batch_size=2048,
        n_epochs=3,
        gamma=0.99,
        gae_lambda=0.95,
        ent_coef=0.01,
        learning_rate=settings.learning_rate,
        policy_kwargs=policy_settings(),
        seed=settings.seed,
    )
    model.set_logger(configure(str(out / "tensorboard"), ["tensorboard"]))
    env.duel.opponents[0] = NetworkPlayer(model.policy, "itself", seed=settings.seed)
    env.duel.assignment[:] = _assignment(settings)

    run = Run(settings, out, env, past, report)
    if resume:
        run.restore(model)
    else:
        _write_settings(settings, out)
    with _stopped_by_interrupt(run):
        limit = settings.steps or 10**12
        model.learn(limit - model.num_timesteps, callback=run, reset_num_timesteps=False)
    run.save()
    return run.status()


class Run(BaseCallback):
    """What accompanies training: time, opponents, log, checkpoints."""

    def __init__(
        self,
        settings: TrainSettings,
        out: Path,
        env: SelfPlayVecEnv,
        past: list[NetworkPlayer],
        report: Callable[[Status], None],
    ) -> None:
        super().__init__()
        self.stop_asked = False
        self._settings = settings
        self._out = out
        self._env = env
        self._past = past
        self._report = report
        self._snapshots: list[dict[str, torch.Tensor]] = []
        self._random = np.random.default_rng(settings.seed)
        self._results = [deque[float](maxlen=RECENT_GAMES) for _ in env.duel.opponents]
        self._earlier_seconds = 0.0
        self._start = self._saved_at = perf_counter()
        self._rollouts = 0
        self._parts = {"rollout": 0.0, "learning": 0.0, "checkpoints": 0.0}
        self._mark = self._start

    def restore(self, model: MaskablePPO) -> None:
        """Bring the model and this run to where the last checkpoint was made."""
        file = self._out / checkpoint.TRAINING_FILE
        content = checkpoint.read(file, "policy", "optimizer", "steps", "seconds", "snapshots")
        checkpoint.load_weights(model.policy, content["policy"], file)
        try:
            model.policy.optimizer.load_state_dict(content["optimizer"])
        except (ValueError, KeyError, TypeError) as error:
            raise checkpoint.BadCheckpoint(f"{file} holds no state to train on from") from error
        model.num_timesteps = content["steps"]
        self._earlier_seconds = content["seconds"]
        self._snapshots = content["snapshots"]
        self._renew_past()

    def save(self) -> None:
        """Write both checkpoints."""
        start = perf_counter()
        policy = self.model.policy.state_dict()
        common = {"variant": self._settings.variant, "width": WIDTH, "policy": policy}
        agent = {**common, "options": self._settings.options, "steps": self.num_timesteps}
        checkpoint.write(self._out / checkpoint.AGENT_FILE, agent)
        training = {
            **common,
            "optimizer": self.model.policy.optimizer.state_dict(),
            "steps": self.model.num_timesteps,
            "seconds": self._seconds(),
            "snapshots": self._snapshots,
        }
        checkpoint.write(self._out / checkpoint.TRAINING_FILE, training)
        self._saved_at = perf_counter()
        self._parts["checkpoints"] += self._saved_at - start

    def status(self) -> Status:
        """How the run stands."""
        seconds, steps = self._seconds(), self.model.num_timesteps
        names = [opponent.name for opponent in self._env.duel.opponents]
        rates = {
            name: sum(result > 0 for result in results) / len(results)
            for name, results in zip(names, self._results, strict=True)
            if results
        }
        progress = self._settings.progress(seconds, steps)
        return Status(progress, seconds, steps, rates, self._shares())

    def _on_rollout_start(self) -> None:
        self._mark_part("learning")
        if self._rollouts % ROLLOUTS_BETWEEN_SNAPSHOTS == 0:
            weights = {
                name: tensor.clone() for name, tensor in self.model.policy.state_dict().items()
            }
            self._snapshots = [*self._snapshots, weights][-MOST_SNAPSHOTS:]
        self._renew_past()
        self._rollouts += 1
        progress = self._settings.progress(self._seconds(), self.model.num_timesteps)
        rate = self._settings.learning_rate * (1 - 0.9 * progress)
        self.model.lr_schedule = lambda _: rate
        if perf_counter() - self._saved_at > SECONDS_BETWEEN_CHECKPOINTS:
            self.save()
        self._mark = perf_counter()

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            if "outcome" in info:
                self._results[info["opponent"]].append(info["outcome"])
        status = self.status()
        self._report(status)
        return not self.stop_asked and status.progress < 1

    def _on_rollout_end(self) -> None:
        self._mark_part("rollout")
        status = self.status()
        for name, rate in status.win_rates.items():
            self.logger.record(f"win_rate/{name}", rate)
        for name, share in status.shares.items():
            self.logger.record(f"time/{name}", share)
        row = {
            "steps": status.steps,
            "seconds": round(status.seconds, 1),
            "win_rate": {name: round(rate, 3) for name, rate in status.win_rates.items()},
            "time": {name: round(share, 4) for name, share in status.shares.items()},
        }
        with open(self._out / LOG_FILE, "a", encoding="utf-8") as log:
            log.write(json.dumps(row) + "\n")

    def _renew_past(self) -> None:
        """Let the past players have networks of the run, drawn at random."""
        for player in self._past:
            if self._snapshots:
                drawn = self._random.integers(len(self._snapshots))
                player.policy.load_state_dict(self._snapshots[drawn])

    def _mark_part(self, name: str) -> None:
        now = perf_counter()
        self._parts[name] += now - self._mark
        self._mark = now

    def _seconds(self) -> float:
        return self._earlier_seconds + perf_counter() - self._start

    def _shares(self) -> dict[str, float]:
        """Shares of this process's wall time; *network* is the learner's own in the rollouts."""
        opponents = self._env.duel.seconds_in_opponents
        environment = self._env.seconds - opponents
        parts = {
            "environment": environment,
            "opponents": opponents,
            "network": max(0.0, self._parts["rollout"] - self._env.seconds),
            "learning": self._parts["learning"],
            "checkpoints": self._parts["checkpoints"],
        }
        total = perf_counter() - self._start
        return {name: seconds / total for name, seconds in parts.items()}


def _assignment(settings: TrainSettings) -> np.ndarray:
    """Which opponent each game has: the learner itself, its past, the fixed players."""
    shares = [SHARE_OF_SELF, *[SHARE_OF_PAST / PAST_PLAYERS] * PAST_PLAYERS]
    if settings.opponents:
        rest = 1 - SHARE_OF_SELF - SHARE_OF_PAST
        shares += [rest / len(settings.opponents)] * len(settings.opponents)
    bounds = np.cumsum(shares) / sum(shares)
    # Neighbouring games have different opponents: a golden-ratio step spreads them evenly.
    places = np.arange(settings.games) * 0.6180339887498949 % 1
    return np.minimum(np.searchsorted(bounds, places, side="right"), len(shares) - 1)


def _check_folder(out: Path, resume: bool) -> None:
    out.mkdir(parents=True, exist_ok=True)
    exists = (out / checkpoint.TRAINING_FILE).exists()
    if exists and not resume:
        raise RunExists(f"{out} holds a run already: give --resume to go on, or another folder")
    if resume and not exists:
        raise RunExists(f"{out} holds no run to go on from ({checkpoint.TRAINING_FILE} is missing)")


def _write_settings(settings: TrainSettings, out: Path) -> None:
    (out / LOG_FILE).unlink(missing_ok=True)
    (out / SETTINGS_FILE).write_text(json.dumps(settings.__dict__, indent=2) + "\n")


def read_settings(out: Path) -> TrainSettings:
    """The settings of the run in a folder.

    Raises:
        RunExists: if there are none that can be read.
    """
    try:
        values = json.loads((out / SETTINGS_FILE).read_text())
        return TrainSettings(**{**values, "opponents": tuple(values["opponents"])})
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise RunExists(f"{out} holds no run to go on from ({SETTINGS_FILE}: {error})") from error


@contextmanager
def _stopped_by_interrupt(run: Run) -> Iterator[None]:
    """Ctrl-C ends training after the current step; a second one at once."""
    if current_thread() is not main_thread():
        yield
        return

    def ask_to_stop(number: int, frame: Any) -> None:
        run.stop_asked = True
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, ask_to_stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
