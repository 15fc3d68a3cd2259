"""Learned values by temporal differences from self-play: a run in a folder of its own."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from pasgl_env import variants
from pasgl_env.games.contract import OptionValue, options_array
from pasgl_env.search.value import BASE, UNITS, Network
from pasgl_env.search.weights import (
    FILE,
    read_start,
    read_tensors,
    unlearned,
    write_network,
    write_tensors,
)
from pasgl_env.storage.files import InUse, held, write_whole
from pasgl_env.training.td_loops import Play, Room, loop_of

TRAINING_FILE, SETTINGS_FILE, LOG_FILE, LOCK_FILE = (
    "training.safetensors",
    "settings.json",
    "log.jsonl",
    ".lock",
)
SLICE_SECONDS = 0.5
CHECKPOINT_SECONDS = 20.0
SAVED_SHARE = 0.5
"""The weights played with are the mean over this last share of the training."""


class RunExists(ValueError):
    """The folder holds a run already, or is in use, or has no run to go on from."""


@dataclass(frozen=True)
class TdSettings:
    """Settings of a run.

    Attributes:
        variant: what to learn.
        minutes: how long, in all.
        games: how many games, in all; None: no limit.
        seed: of weights and games.
        threads: how many play at once. With one, a run with a limit of games depends on its seed
            alone.
        exploration: how often an action is drawn by its value instead of the best.
        temperature: of these draws.
        opening: so many first actions at most are drawn evenly.
        prelude: so many more at most are played by the hand-written evaluation, and not learned
            from, so that games begin in their middle.
        decay: λ.
        step: Adagrad's at the start; it falls to a hundredth.
        rivalry: share of games in which one side plays by the hand-written evaluation.
        horizon: games are cut off after so many turns of learning; 0: at the variant's limit.
        cut_worth: what these count for at most, by the hand-written evaluation; a win counts for 1.
        start: a file of weights, or the folder of a run, to begin with, of this variant or of one
            with the same features; empty: the hand-written evaluation and small random numbers.
        options: of the variant that are not the default.
    """

    variant: str
    minutes: float | None = 8.0
    games: int | None = None
    seed: int = 0
    threads: int = 2
    exploration: float = 0.2
    temperature: float = 0.1
    opening: int = 8
    prelude: int = 0
    decay: float = 0.7
    step: float = 0.03
    rivalry: float = 0.0
    horizon: int = 0
    cut_worth: float = 0.5
    start: str = ""
    options: dict[str, OptionValue] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, low, high in (
            ("exploration", 0, 1),
            ("decay", 0, 1),
            ("rivalry", 0, 1),
            ("cut_worth", 0, 1),
            ("opening", 0, 100_000),
            ("prelude", 0, 100_000),
            ("horizon", 0, 10**9),
            ("threads", 1, 1024),
            ("seed", 0, 2**63),
        ):
            if not low <= getattr(self, name) <= high:
                raise ValueError(f"{name} must be from {low} to {high}, not {getattr(self, name)}")
        for name in ("temperature", "step", "minutes", "games"):
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                raise ValueError(f"{name} must be above 0, not {value}")
        if self.minutes is None and self.games is None:
            raise ValueError("a run needs a limit: minutes or games")
        options_array(variants.find(self.variant), self.options)

    def progress(self, seconds: float, games: int) -> float:
        """How much of the run is done, from 0 to 1."""
        by_time = seconds / (60 * self.minutes) if self.minutes else 0.0
        by_games = games / self.games if self.games else 0.0
        return min(1.0, max(by_time, by_games))

    def play(self, progress: float) -> Play:
        """How games are played and learned from when so much of the run is done."""
        return Play(
            self.exploration,
            self.temperature,
            self.opening,
            self.prelude,
            self.decay,
            self.step * max(1.0 - progress, 0.01),
            self.rivalry,
            self.horizon,
            self.cut_worth,
        )


@dataclass
class TdStatus:
    """How a run stands.

    Attributes:
        progress: from 0 to 1.
        seconds: of training, in all.
        games: played, in all.
        decisions: made, in all.
        error: root mean square of what values were off, lately; values are from -1 to 1.
        first: share of the games that the first player or team won, lately.
        cut: share of the games that were cut off, lately.
        length: decisions of a game, lately.
    """

    progress: float = 0.0
    seconds: float = 0.0
    games: int = 0
    decisions: int = 0
    error: float = math.nan
    first: float = math.nan
    cut: float = math.nan
    length: float = math.nan


class TdRun:
    """Weights that learn.

    Attributes:
        settings: of the run.
        status: how it stands.
        network: the weights that learn.
        average: their mean over the last share of the run, to play with.
    """

    def __init__(self, settings: TdSettings, resume: bool = False) -> None:
        self.settings, self.status = settings, TdStatus()
        game = variants.find(settings.variant)
        self._options = options_array(game, settings.options)
        self._rooms = [Room.of(game, self._options) for _ in range(settings.threads)]
        self.network, self._squares = self._rooms[0].weights
        random = np.random.default_rng(settings.seed)
        self._generators = random.integers(0, 2**63, settings.threads)
        if settings.start and not resume:
            start = read_start(Path(settings.start), settings.variant, settings.options)
            for mine, given in zip(self.network, start, strict=True):
                mine[:] = given
        else:
            self.network.rows[:, :UNITS] = random.normal(0, 0.1, self.network.rows[:, :UNITS].shape)
            self.network.out[:UNITS] = random.normal(0, 0.1, UNITS)
            self.network.out[UNITS] = BASE
        self._rival = unlearned(settings.variant, settings.options)
        self.average = Network(*(array.copy() for array in self.network))
        self._averaged = 0
        self._loop = loop_of(game)
        self._slice = 1

    def advance(self, pool: ThreadPoolExecutor) -> None:
        """Play and learn from some more games, about half a second of them."""
        begun = perf_counter()
        settings = self.settings.play(self.status.progress)
        each = self._slice
        if self.settings.games is not None:
            left = self.settings.games - self.status.games
            each = max(1, min(each, left // self.settings.threads))
        for room in self._rooms:
            room.rest[3].counts[:], room.rest[3].errors[:] = 0, 0.0
        list(pool.map(lambda number: self._play(number, settings, each), range(len(self._rooms))))
        seconds = perf_counter() - begun
        self._slice = max(1, min(2 * each, round(each * SLICE_SECONDS / seconds)))
        self._count(seconds)
        if self.status.progress > 1 - SAVED_SHARE:
            self._averaged += 1
        else:
            self._averaged = 1
        for mean, now in zip(self.average, self.network, strict=True):
            mean += (now - mean) / self._averaged

    def _play(self, number: int, settings: Play, games: int) -> None:
        room = self._rooms[number]
        track, scratch, generator, tally = room.rest
        generator[0] = self._generators[number]
        self._loop(
            self._options,
            room.start,
            self.network,
            self._squares,
            self._rival,
            settings,
            track,
            scratch,
            generator,
            tally,
            games,
        )
        self._generators[number] = generator.view(np.int64)[0]

    def _count(self, seconds: float) -> None:
        games, decisions, learned, won, cut = np.sum(
            [room.rest[3].counts for room in self._rooms], axis=0
        ).tolist()
        status = self.status
        status.seconds += seconds
        status.games += games
        status.decisions += decisions
        errors = sum(float(room.rest[3].errors[0]) for room in self._rooms)
        status.error = math.sqrt(errors / max(learned, 1))
        status.first, status.cut, status.length = won / games, cut / games, decisions / games
        status.progress = self.settings.progress(status.seconds, status.games)

    def save(self) -> bytes:
        """All that the run goes on from, as a file."""
        tensors = {
            f"{part}.{name}": array
            for part, weights in (
                ("network", self.network),
                ("squares", self._squares),
                ("average", self.average),
            )
            for name, array in weights._asdict().items()
        }
        tensors["generators"] = self._generators
        tensors["averaged"] = np.array([self._averaged])
        return write_tensors(tensors, {"status": json.dumps(asdict(self.status))})

    def load(self, file: Path) -> None:
        """Go on from what :meth:`save` made."""
        tensors, metadata = read_tensors(file)
        for part, weights in (
            ("network", self.network),
            ("squares", self._squares),
            ("average", self.average),
        ):
            for name, array in weights._asdict().items():
                array[:] = tensors[f"{part}.{name}"]
        kept = tensors["generators"]
        self._generators[: kept.size] = kept[: self._generators.size]
        self._averaged = int(tensors["averaged"][0])
        self.status = TdStatus(**json.loads(metadata["status"]))
        self.status.progress = self.settings.progress(self.status.seconds, self.status.games)


def train(
    settings: TdSettings,
    out: Path,
    *,
    resume: bool = False,
    report: Callable[[TdStatus], Any] | None = None,
) -> TdStatus:
    """Learn in a folder: ``values.safetensors`` to play with, and what a later call goes on from.

    Ctrl-C and a kill lose twenty seconds at most.

    Args:
        settings: of the run; of a resumed one, only its limits and threads may have changed.
        out: the folder.
        resume: go on with the run that it holds.
        report: called after about every half second.

    Raises:
        RunExists: if the folder holds a run and ``resume`` is not set, or holds none and it is, or
            is in use.
        OSError: if a file cannot be written.
    """
    exists = (out / TRAINING_FILE).exists()
    if exists and not resume:
        raise RunExists(f"{out} holds a run already: give --resume to go on, or another folder")
    if resume and not exists:
        raise RunExists(f"{out} holds no run to go on from")
    out.mkdir(parents=True, exist_ok=True)
    try:
        with held(out / LOCK_FILE):
            return _train(settings, out, resume, report)
    except InUse as error:
        raise RunExists(f"another process is training in {out}") from error


def _train(
    settings: TdSettings,
    out: Path,
    resume: bool,
    report: Callable[[TdStatus], Any] | None,
) -> TdStatus:
    run = TdRun(settings, resume)
    if resume:
        run.load(out / TRAINING_FILE)
    write_whole(out / SETTINGS_FILE, (json.dumps(asdict(settings), indent=2) + "\n").encode())
    saved = perf_counter()
    try:
        with ThreadPoolExecutor(settings.threads) as pool:
            while run.status.progress < 1:
                run.advance(pool)
                if report is not None:
                    report(run.status)
                if perf_counter() - saved > CHECKPOINT_SECONDS:
                    _save(run, out)
                    saved = perf_counter()
    except KeyboardInterrupt:
        pass
    _save(run, out)
    return run.status


def _save(run: TdRun, out: Path) -> None:
    status, settings = run.status, run.settings
    told = {
        "command": f"pasgl train {settings.variant} --algorithm td",
        "seed": str(settings.seed),
        "games": str(status.games),
        "minutes": f"{status.seconds / 60:.1f}",
    }
    agent = write_network(run.average, settings.variant, settings.options, told)
    write_whole(out / FILE, agent)
    write_whole(out / TRAINING_FILE, run.save())
    with open(out / LOG_FILE, "a", encoding="utf-8") as log:
        log.write(json.dumps(asdict(status)) + "\n")


def read_settings(out: Path) -> TdSettings:
    """The settings of the run in a folder.

    Raises:
        RunExists: if there is none.
    """
    try:
        return TdSettings(**json.loads((out / SETTINGS_FILE).read_text()))
    except (OSError, ValueError, TypeError) as error:
        raise RunExists(f"{out} holds no run to go on from ({SETTINGS_FILE}: {error})") from error


def with_limits(settings: TdSettings, **limits: Any) -> TdSettings:
    """The settings of a run with other limits."""
    return replace(settings, **limits)
