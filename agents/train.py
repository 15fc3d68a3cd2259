"""Train a MaskablePPO agent by self-play, from the empty network or from the last checkpoint.

A learner plays in every game of a :class:`pasgl_env.envs.vec.SelfPlayVecEnv`. Its opponents act
inside: half of them are the learner's own current network, the others past ones and the fixed
players. Reward is the growth of the lead in points, so that every point counts when it is made.
"""

from __future__ import annotations

import json
import math
import signal
import sys
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import current_thread, main_thread
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

from pasgl_env import variants
from pasgl_env.agents import checkpoint
from pasgl_env.agents.imitation import Imitation
from pasgl_env.agents.network import (
    NetworkPlayer,
    new_policy,
    policy_class,
    policy_settings,
    usual_width,
)
from pasgl_env.envs.vec import SelfPlayVecEnv
from pasgl_env.games.contract import OptionValue, options_array
from pasgl_env.playtest.files import write_whole

if sys.platform != "win32":
    import fcntl

LOG_FILE, SETTINGS_FILE, LOCK_FILE = "log.jsonl", "settings.json", ".lock"
ROLLOUT = 32
OWN_NETWORKS = ("itself", "past 1", "past 2")
PAST_PLAYERS = len(OWN_NETWORKS) - 1
SHARE_OF_SELF, SHARE_OF_PAST = 0.5, 0.3
DISCOUNT = 0.99
SECONDS_BETWEEN_CHECKPOINTS = 20.0
ROLLOUTS_BETWEEN_SNAPSHOTS = 10
MOST_SNAPSHOTS = 12
RECENT_GAMES = 400


class Tuning(NamedTuple):
    """What the two kinds of networks learn best with."""

    minibatch: int
    entropy: float


DENSE, CONVOLUTIONAL = Tuning(2048, 0.01), Tuning(512, 0.002)


class RunExists(ValueError):
    """The output folder holds a run already, or is in use, or has no run to go on from."""


@dataclass(frozen=True)
class TrainSettings:
    """What a run is; kept in its folder and taken from there when it is resumed.

    Attributes:
        variant: a name of :func:`pasgl_env.variants.names`.
        minutes: how long to train in all, earlier parts of a resumed run included; None: no limit.
        steps: decisions of the learner to train for in all, rounded up to whole rollouts; None: no
            limit.
        seed: of the network, the games and the opponents.
        games: number of games played in step.
        threads: threads for the games and for the network.
        opponents: names of fixed players that are met beside the learner's own networks.
        options: the variant's options that are not the default.
        learning_rate: at the start; it falls to a tenth.
        reward_scale: what rewards are multiplied with; None: 0.1 in games with points, which are
            the reward there, else 1.
        shaping: weight of shaping by the game's own evaluation, see
            :class:`pasgl_env.envs.vec.SelfPlayVecEnv`; None: 0 in games with points, else 0.5.
        imitation: decisions of the greedy player to learn from before self-play begins; None:
            60,000 with convolutional networks, else 0.

    Raises:
        ValueError: for an unknown variant or option, or a value that is not possible.
    """

    variant: str
    minutes: float | None = 3.0
    steps: int | None = None
    seed: int = 0
    games: int = 256
    threads: int = 2
    opponents: tuple[str, ...] = ("random", "greedy")
    options: dict[str, OptionValue] = field(default_factory=dict)
    learning_rate: float = 1e-3
    reward_scale: float | None = None
    shaping: float | None = None
    imitation: int | None = None

    def __post_init__(self) -> None:
        options_array(variants.find(self.variant), self.options)
        for name in ("minutes", "steps", "games", "threads", "learning_rate", "reward_scale"):
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                raise ValueError(f"{name} must be above 0, not {value!r}")
        if self.shaping is not None and not 0 <= self.shaping < math.inf:
            raise ValueError(f"shaping must be 0 or above, not {self.shaping!r}")
        if self.imitation is not None and not 0 <= self.imitation < math.inf:
            raise ValueError(f"imitation must be 0 or above, not {self.imitation!r}")

    @property
    def rewards(self) -> dict[str, Any]:
        """What :class:`SelfPlayVecEnv` is told of rewards."""
        by_points = variants.find(self.variant).has_points
        scale = (0.1 if by_points else 1.0) if self.reward_scale is None else self.reward_scale
        shaping = (0.0 if by_points else 0.5) if self.shaping is None else self.shaping
        return {
            "reward": "points" if by_points else "outcome",
            "reward_scale": scale,
            "shaping": shaping,
            "discount": DISCOUNT,
        }

    @property
    def lessons(self) -> int:
        """Decisions of the greedy player to learn from."""
        if self.imitation is None:
            return 60_000 if variants.find(self.variant).has_plane_actions else 0
        return self.imitation

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
        seconds_left: about how long it still takes; None if that is not known.
        steps: decisions of the learner.
        win_rates: for each opponent, wins of the learner in its last games against it.
        shares: for each part of the work, its share of the training time. *network* is the
            learner's own in the rollouts.
    """

    progress: float
    seconds: float
    seconds_left: float | None
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
        RunExists: if the folder holds a run and ``resume`` is not set, or holds none and it is, or
            another process is training there.
        BadCheckpoint: if its checkpoint cannot be used with these settings.
        OSError: if files cannot be written or read.
    """
    with _folder_of_one_run(out, resume), _pytorch_settings(settings.threads):
        return _train(settings, out, resume, report)


def _train(
    settings: TrainSettings, out: Path, resume: bool, report: Callable[[Status], None]
) -> Status:
    earlier = _read_training(settings, out) if resume else None
    seed = _seed(settings, earlier)
    torch.manual_seed(seed)
    game = variants.find(settings.variant)
    tuning = CONVOLUTIONAL if game.has_plane_actions else DENSE

    # Fixed players and past networks keep the learner from forgetting how to beat them.
    past = [
        NetworkPlayer(new_policy(settings.variant, settings.options), name, seed=seed)
        for name in OWN_NETWORKS[1:]
    ]
    env = SelfPlayVecEnv(
        settings.variant,
        settings.games,
        opponents=["random", *past, *settings.opponents],  # the first becomes the learner itself
        **settings.rewards,
        threads=settings.threads,
        seed=seed,
        **settings.options,
    )
    model = MaskablePPO(
        policy_class(game),
        env,
        n_steps=ROLLOUT,
        batch_size=_minibatch(ROLLOUT * settings.games, tuning.minibatch),
        n_epochs=3,
        gamma=DISCOUNT,
        gae_lambda=0.95,
        ent_coef=tuning.entropy,
        learning_rate=settings.learning_rate,
        policy_kwargs=policy_settings(game),
        seed=seed,
    )
    env.duel.opponents[0] = NetworkPlayer(model.policy, OWN_NETWORKS[0], seed=seed)
    env.duel.assignment[:] = _assignment(settings)

    run = Run(settings, out, env, past, seed, report)
    if earlier is not None:
        run.restore(model, earlier)
    _begin_log(out, model.num_timesteps)
    _write_settings(settings, out)
    with _stopped_by_interrupt(run), _logging_to(out, model):
        run.imitate(model)
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
        seed: int,
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
        self._random = np.random.default_rng(seed)
        self._results = [deque[float](maxlen=RECENT_GAMES) for _ in env.duel.opponents]
        self._watch = Stopwatch("rollout")
        self._earlier: defaultdict[str, float] = defaultdict(float)
        self._earlier_steps = 0
        self._imitated = 0
        self._saved_at = -math.inf
        self._rollouts = 0

    def restore(self, model: MaskablePPO, content: dict[str, Any]) -> None:
        """Bring the model and this run to where a checkpoint was made."""
        file = self._out / checkpoint.TRAINING_FILE
        try:
            for weights in content["snapshots"]:
                checkpoint.load_weights(self._past[0].policy, weights, file)
            checkpoint.load_weights(model.policy, content["policy"], file)
            model.policy.optimizer.load_state_dict(content["optimizer"])
            _check_shapes(model.policy.optimizer)
            self._earlier.update(
                {part: float(seconds) for part, seconds in content["parts"].items()}
            )
        except checkpoint.BadCheckpoint:
            raise
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise checkpoint.BadCheckpoint(f"{file} holds no state to train on from") from error
        model.num_timesteps = self._earlier_steps = content["steps"]
        self._snapshots = content["snapshots"]
        self._imitated = content["imitated"]
        self._renew_past()

    def imitate(self, model: MaskablePPO) -> None:
        """Learn from the greedy player, as much as the settings say and still lacks."""
        if self._imitated >= self._settings.lessons:
            return
        self.model = model
        self._watch.switch("imitation")
        settings = self._settings
        seed = settings.seed + self._imitated
        teaching = Imitation(model.policy, settings.variant, settings.options, seed)
        while self._imitated < settings.lessons and self._goes_on():
            self._imitated += teaching.lesson()
            if perf_counter() - self._saved_at > SECONDS_BETWEEN_CHECKPOINTS:
                self.save()
                self._watch.switch("imitation")
        self._watch.switch("rollout")

    def _goes_on(self) -> bool:
        """Report, and tell whether neither the time is up nor Ctrl-C was pressed.

        A limit of steps is left to MaskablePPO, which learns from the last rollout too.
        """
        status = self.status()
        self._report(status)
        return not self.stop_asked and status.seconds < 60 * (self._settings.minutes or math.inf)

    def save(self) -> None:
        """Write both checkpoints."""
        self._watch.switch("checkpoints")
        common = {
            "variant": self._settings.variant,
            "options": self._settings.options,
            "width": usual_width(variants.find(self._settings.variant)),
            "policy": self.model.policy.state_dict(),
            "steps": self.model.num_timesteps,
        }
        checkpoint.write(self._out / checkpoint.AGENT_FILE, common)
        training = {
            **common,
            "optimizer": self.model.policy.optimizer.state_dict(),
            "parts": self._parts(),
            "imitated": self._imitated,
            "snapshots": self._snapshots,
        }
        checkpoint.write(self._out / checkpoint.TRAINING_FILE, training)
        self._saved_at = perf_counter()

    def status(self) -> Status:
        """How the run stands."""
        parts, steps = self._parts(), self.model.num_timesteps
        seconds = sum(parts.values())
        names = [opponent.name for opponent in self._env.duel.opponents]
        rates = {
            name: sum(result > 0 for result in results) / len(results)
            for name, results in zip(names, self._results, strict=True)
            if results
        }
        shares = {name: part / seconds for name, part in parts.items()}
        progress = self._settings.progress(seconds, steps)
        left = self._seconds_left(seconds, steps)
        return Status(progress, seconds, left, steps, rates, shares)

    def _on_rollout_start(self) -> None:
        if self._rollouts % ROLLOUTS_BETWEEN_SNAPSHOTS == 0:
            self._snapshots = [*self._snapshots, _snapshot(self.model.policy)][-MOST_SNAPSHOTS:]
        self._renew_past()
        self._rollouts += 1
        rate = self._settings.learning_rate * (1 - 0.9 * self.status().progress)
        self.model.lr_schedule = lambda _: rate
        if perf_counter() - self._saved_at > SECONDS_BETWEEN_CHECKPOINTS:
            self.save()
        self._watch.switch("rollout")

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            if "outcome" in info:
                self._results[info["opponent"]].append(info["outcome"])
        return self._goes_on()

    def _on_rollout_end(self) -> None:
        self._watch.switch("learning")
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

    def _parts(self) -> dict[str, float]:
        """Seconds that each part of the work has taken, earlier parts of the run included."""
        watched = self._watch.seconds()
        opponents = self._env.duel.seconds_in_opponents
        own = {
            "environment": self._env.seconds - opponents,
            "opponents": opponents,
            "network": watched["rollout"] - self._env.seconds,
            "learning": watched["learning"],
            "checkpoints": watched["checkpoints"],
        }
        if self._settings.lessons:
            own["imitation"] = watched["imitation"]
        return {part: self._earlier[part] + seconds for part, seconds in own.items()}

    def _seconds_left(self, seconds: float, steps: int) -> float | None:
        left = []
        if self._settings.minutes:
            left.append(60 * self._settings.minutes - seconds)
        played = steps - self._earlier_steps
        if self._settings.steps and played:
            pace = (seconds - sum(self._earlier.values())) / played
            left.append((self._settings.steps - steps) * pace)
        return max(0.0, min(left)) if left else None


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

    def seconds(self) -> defaultdict[str, float]:
        """The time of each part so far."""
        self.switch(self._part)
        return self._seconds


def _snapshot(policy: torch.nn.Module) -> dict[str, torch.Tensor]:
    """A copy of the weights in half precision, good enough for opponents; shared ones stay so."""
    weights = policy.state_dict(keep_vars=True)
    copies = {weight: weight.detach().half().cpu() for weight in weights.values()}
    return {name: copies[weight] for name, weight in weights.items()}


def _minibatch(rollout: int, wanted: int) -> int:
    """The size near the one that is wanted that divides a rollout into equal parts."""
    parts = 1
    while parts < ROLLOUT and rollout / parts > 1.5 * wanted:
        parts *= 2
    return rollout // parts


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


def _seed(settings: TrainSettings, earlier: dict[str, Any] | None) -> int:
    """The run's seed; after a resumption another, or it would draw the same numbers again."""
    if earlier is None:
        return settings.seed
    sequence = np.random.SeedSequence((settings.seed, earlier["steps"]))
    return int(sequence.generate_state(1)[0])


@contextmanager
def _folder_of_one_run(out: Path, resume: bool) -> Iterator[None]:
    """Check the folder, and hold it: the lock ends with the process, however that ends."""
    exists = (out / checkpoint.TRAINING_FILE).exists()
    if exists and not resume:
        raise RunExists(f"{out} holds a run already: give --resume to go on, or another folder")
    if resume and not exists:
        raise RunExists(f"{out} holds no run to go on from")
    out.mkdir(parents=True, exist_ok=True)
    with open(out / LOCK_FILE, "wb") as lock:
        if sys.platform != "win32":
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise RunExists(f"another process is training in {out}") from error
            except OSError:  # a file system without locks
                pass
        yield


def _read_training(settings: TrainSettings, out: Path) -> dict[str, Any]:
    file = out / checkpoint.TRAINING_FILE
    names = ("policy", "optimizer", "steps", "parts", "snapshots", "imitated")
    content = checkpoint.read(file, settings.variant, *names)
    counts = content["steps"], content["imitated"]
    if not all(isinstance(count, int) and count >= 0 for count in counts):
        raise checkpoint.BadCheckpoint(f"{file} holds no state to train on from")
    return content


def _check_shapes(optimizer: torch.optim.Optimizer) -> None:
    """Raise ValueError if what the optimizer keeps of a weight is of another shape."""
    for weight, kept in optimizer.state.items():
        for name, value in kept.items():
            if name != "step" and value.shape != weight.shape:
                raise ValueError(f"{name} has shape {value.shape}, not {weight.shape}")


def _write_settings(settings: TrainSettings, out: Path) -> None:
    text = json.dumps(asdict(settings), indent=2) + "\n"
    write_whole(out / SETTINGS_FILE, text.encode())


def _begin_log(out: Path, steps: int) -> None:
    """Keep the rows up to the checkpoint: what came after it is played again."""
    rows = []
    with suppress(FileNotFoundError):
        for line in (out / LOG_FILE).read_bytes().splitlines(keepends=True):
            with suppress(ValueError, KeyError, TypeError):
                if json.loads(line)["steps"] <= steps:
                    rows.append(line)
    write_whole(out / LOG_FILE, b"".join(rows))


def read_settings(out: Path) -> TrainSettings:
    """The settings of the run in a folder.

    Raises:
        RunExists: if there are none that can be read.
    """
    if not (out / SETTINGS_FILE).exists():
        raise RunExists(f"{out} holds no run to go on from")
    try:
        values = json.loads((out / SETTINGS_FILE).read_text())
        return TrainSettings(**{**values, "opponents": tuple(values["opponents"])})
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise RunExists(f"{out} holds no run to go on from ({SETTINGS_FILE}: {error})") from error


@contextmanager
def _pytorch_settings(threads: int) -> Iterator[None]:
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


@contextmanager
def _logging_to(out: Path, model: MaskablePPO) -> Iterator[None]:
    """Write the model's log to the folder's tensorboard/, and close it in the end."""
    logger = configure(str(out / "tensorboard"), ["tensorboard"])
    model.set_logger(logger)
    try:
        yield
    finally:
        logger.close()


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
