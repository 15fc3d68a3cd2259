"""What every training run has: a folder of its own, limits, a clock, a log, an orderly end."""

from __future__ import annotations

import json
import math
import signal
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import current_thread, main_thread
from time import perf_counter
from typing import Any, Protocol, TypeVar

import numpy as np
import torch
from stable_baselines3.common.logger import Logger, configure

from pasgl_env.games.contract import OptionValue
from pasgl_env.storage.files import InUse, held, write_whole
from pasgl_env.training.ppo import checkpoint

LOG_FILE, SETTINGS_FILE, LOCK_FILE = "log.jsonl", "settings.json", ".lock"

Settings = TypeVar("Settings")


class RunExists(ValueError):
    """The output folder holds a run already, or is in use, or has no run to go on from."""


class Limited:
    """Settings of a run that has limits.

    Attributes:
        minutes: how long to train in all, earlier parts of a resumed run included; None: no limit.
        steps: decisions to train for in all; None: no limit.
        options: the variant's options that are not the default.
        horizon: after how many turns games are cut off that it learns from; None: at the variant's
            turn limit.
    """

    minutes: float | None
    steps: int | None
    options: dict[str, OptionValue]
    horizon: int | None

    @property
    def training_options(self) -> dict[str, OptionValue]:
        """The variant's options in the games that it learns from."""
        cut = {} if self.horizon is None else {"turn_limit": self.horizon}
        return {**self.options, **cut}

    @property
    def decisions(self) -> int | None:
        """How many decisions the run learns from in all; None: no limit."""
        return self.steps

    def progress(self, seconds: float, steps: int) -> float:
        """How much of the run is done, from 0 to 1; 0 without any limit."""
        by_time = seconds / (60 * self.minutes) if self.minutes else 0.0
        by_steps = steps / self.decisions if self.decisions else 0.0
        return min(1.0, max(by_time, by_steps))

    def seconds_left(self, seconds: float, steps: int, pace: float | None) -> float | None:
        """About how long the run still takes; None if that is not known.

        Args:
            seconds: that it has taken.
            steps: that it has made.
            pace: seconds for a step; None if that is not known.
        """
        left = []
        if self.minutes:
            left.append(60 * self.minutes - seconds)
        if self.decisions and pace is not None:
            left.append((self.decisions - steps) * pace)
        return max(0.0, min(left)) if left else None


@dataclass
class Status:
    """How a run stands, for progress displays.

    Attributes:
        progress: from 0 to 1; 0 if the run has no limit.
        seconds: training time, earlier parts of the run included.
        seconds_left: about how long it still takes; None if that is not known.
        steps: decisions of the learner.
        win_rates: for each opponent, wins of the learner in its last games against it.
        shares: for each part of the work, its share of the training time. *network* is the
            learner's own in the rollouts.
        imitation: while the learner imitates a teacher, how much of that is done, 0 to 1.
    """

    progress: float
    seconds: float
    seconds_left: float | None
    steps: int
    win_rates: dict[str, float]
    shares: dict[str, float]
    imitation: float | None = None


class Stopwatch:
    """Divides all the time since it was made among parts of the work."""

    def __init__(self, part: str) -> None:
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._part, self._since = part, perf_counter()

    def switch(self, part: str) -> None:
        """Count the time from now on to another part."""
        now = perf_counter()
        self._seconds[self._part] += now - self._since
        self._part, self._since = part, now

    @contextmanager
    def part(self, part: str) -> Iterator[None]:
        """Count the time in between to another part."""
        before = self._part
        self.switch(part)
        try:
            yield
        finally:
            self.switch(before)

    def seconds(self) -> defaultdict[str, float]:
        """The time of each part so far."""
        self.switch(self._part)
        return self._seconds


def seed_of(seed: int, earlier: dict[str, Any] | None) -> int:
    """The run's seed; after a resumption another, or it would draw the same numbers again."""
    if earlier is None:
        return seed
    sequence = np.random.SeedSequence((seed, earlier["steps"]))
    return int(sequence.generate_state(1)[0])


@contextmanager
def folder_of_one_run(out: Path, resume: bool) -> Iterator[None]:
    """Check the folder, and hold it: the lock ends with the process, however that ends.

    Raises:
        RunExists: if the folder holds a run and ``resume`` is not set, or holds none and it is, or
            another process is training there.
        OSError: if the folder cannot be made or written to.
    """
    exists = (out / checkpoint.TRAINING_FILE).exists()
    if exists and not resume:
        raise RunExists(f"{out} holds a run already: give --resume to go on, or another folder")
    if resume and not exists:
        raise RunExists(f"{out} holds no run to go on from")
    out.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        try:
            stack.enter_context(held(out / LOCK_FILE))
        except InUse as error:
            raise RunExists(f"another process is training in {out}") from error
        yield


def check_shapes(optimizer: torch.optim.Optimizer) -> None:
    """Raise ValueError if what the optimizer keeps of a weight is of another shape."""
    for weight, kept in optimizer.state.items():
        for name, value in kept.items():
            if name != "step" and value.shape != weight.shape:
                raise ValueError(f"{name} has shape {value.shape}, not {weight.shape}")


def write_settings(settings: Any, out: Path) -> None:
    """Keep the settings of a run, a dataclass, in its folder."""
    text = json.dumps(asdict(settings), indent=2) + "\n"
    write_whole(out / SETTINGS_FILE, text.encode())


def settings_in(out: Path, made_of: Callable[[dict[str, Any]], Settings]) -> Settings:
    """The settings of the run in a folder.

    Args:
        out: the folder.
        made_of: makes settings of what :func:`write_settings` wrote.

    Raises:
        RunExists: if there are none that can be read.
    """
    if not (out / SETTINGS_FILE).exists():
        raise RunExists(f"{out} holds no run to go on from")
    try:
        return made_of(json.loads((out / SETTINGS_FILE).read_text()))
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise RunExists(f"{out} holds no run to go on from ({SETTINGS_FILE}: {error})") from error


def begin_log(out: Path, decisions: int) -> None:
    """Keep the rows up to the checkpoint: what came after it is played, or imitated, again."""
    rows = []
    with suppress(FileNotFoundError):
        for line in (out / LOG_FILE).read_bytes().splitlines(keepends=True):
            with suppress(ValueError, KeyError, TypeError):
                row = json.loads(line)
                if row["steps"] + row.get("imitated", 0) <= decisions:
                    rows.append(line)
    write_whole(out / LOG_FILE, b"".join(rows))


def log_row(out: Path, row: dict[str, Any]) -> None:
    """Add a row to the log; its ``steps`` tell when it was."""
    with open(out / LOG_FILE, "a", encoding="utf-8") as log:
        log.write(json.dumps(row) + "\n")


@contextmanager
def tensorboard_in(out: Path) -> Iterator[Logger]:
    """A log in the folder's tensorboard/, closed in the end."""
    logger = configure(str(out / "tensorboard"), ["tensorboard"])
    try:
        yield logger
    finally:
        logger.close()


@contextmanager
def pytorch_settings(threads: int) -> Iterator[None]:
    """What is set for the whole process; put back in the end."""
    distribution = torch.distributions.Distribution
    before = torch.get_num_threads(), distribution._validate_args
    torch.set_num_threads(threads)
    # It checks at every draw what can be no other: a third of the time of a rollout.
    distribution.set_default_validate_args(False)
    try:
        yield
    finally:
        torch.set_num_threads(before[0])
        distribution.set_default_validate_args(before[1])


class Stoppable(Protocol):
    """A run that ends soon after ``stop_asked`` has been set."""

    stop_asked: bool


@contextmanager
def stopped_by_interrupt(run: Stoppable) -> Iterator[None]:
    """Ctrl-C ends training after the current step; a second one at once.

    A process whose parent lets it ignore SIGINT, as a shell does with `pasgl train &` in a script,
    goes on ignoring it.
    """
    before = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or before == signal.SIG_IGN:
        yield
        return

    def ask_to_stop(number: int, frame: Any) -> None:
        run.stop_asked = True
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, ask_to_stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def check_above_zero(settings: Any, *names: str) -> None:
    """Raise ValueError if one of these settings is given and not above 0, or not finite."""
    for name in names:
        value = getattr(settings, name)
        if value is not None and not 0 < value < math.inf:
            raise ValueError(f"{name} must be above 0, not {value!r}")
