"""The status, stopwatch and logs of a run with PyTorch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import torch
from stable_baselines3.common.logger import Logger, configure

from pasgl_env.duration import time_left
from pasgl_env.players.player import pytorch_threads
from pasgl_env.training.ppo.league import is_own


@dataclass
class Status:
    """Progress of a run, for displays.

    Attributes:
        progress: from 0 to 1; 0 if the run has no limit.
        seconds: training time, including earlier parts of the run.
        seconds_left: estimated remaining time; None if unknown.
        steps: number of the learner's decisions.
        win_rates: the learner's share of wins in its last games against each opponent.
        shares: the share of the training time spent on each part of the work. *network* is the
            learner's own share in the rollouts.
        imitation: progress of the imitation of a teacher, from 0 to 1; None after it.
    """

    progress: float
    seconds: float
    seconds_left: float | None
    steps: int
    win_rates: dict[str, float]
    shares: dict[str, float]
    imitation: float | None = None

    @property
    def text(self) -> str:
        """One line for people. The rates come last, where a longer text is cut."""
        left = time_left(self.seconds_left)
        if self.imitation is not None:
            return f"{left} left, {self.imitation:.0%} imitated"
        rates = ", ".join(
            f"{name} {rate:.0%}" for name, rate in self.win_rates.items() if not is_own(name)
        )
        return f"{left} left, {self.steps:,} steps" + (f", wins: {rates}" if rates else "")


class Stopwatch:
    """Divides the time since its creation among parts of the work."""

    def __init__(self, part: str) -> None:
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._part, self._since = part, perf_counter()

    def switch(self, part: str) -> None:
        """Count the time from now on towards another part."""
        now = perf_counter()
        self._seconds[self._part] += now - self._since
        self._part, self._since = part, now

    @contextmanager
    def part(self, part: str) -> Iterator[None]:
        """Count the time in the block towards another part."""
        before = self._part
        self.switch(part)
        try:
            yield
        finally:
            self.switch(before)

    def seconds(self) -> defaultdict[str, float]:
        """The time spent on each part so far."""
        self.switch(self._part)
        return self._seconds


def check_shapes(optimizer: torch.optim.Optimizer) -> None:
    """Raise ValueError if the optimizer's state has a different shape from its weights."""
    for weight, kept in optimizer.state.items():
        for name, value in kept.items():
            if name != "step" and value.shape != weight.shape:
                raise ValueError(f"{name} has shape {value.shape}, not {weight.shape}")


@contextmanager
def tensorboard_in(out: Path) -> Iterator[Logger]:
    """A log in the folder's tensorboard/, closed on exit."""
    logger = configure(str(out / "tensorboard"), ["tensorboard"])
    try:
        yield logger
    finally:
        logger.close()


@contextmanager
def pytorch_settings(threads: int) -> Iterator[None]:
    """Change global settings of PyTorch, and restore them on exit."""
    distribution = torch.distributions.Distribution
    before = distribution._validate_args
    # Its checks of every draw are not needed here and take a third of the time of a rollout.
    distribution.set_default_validate_args(False)
    try:
        with pytorch_threads(threads):
            yield
    finally:
        distribution.set_default_validate_args(before)
