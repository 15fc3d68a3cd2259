"""Learned values by temporal differences from self-play."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from pasgl_env.cluster import LOCAL
from pasgl_env.contract.game import brief
from pasgl_env.duration import time_left
from pasgl_env.engine.position import check_start
from pasgl_env.players.values.network import BASE, Network
from pasgl_env.players.values.weights import (
    FILE,
    SUFFIX,
    BadWeights,
    read_start,
    read_tensors,
    write_network,
    write_tensors,
    zeros,
)
from pasgl_env.storage.files import write_whole
from pasgl_env.storage.runs import writing_order
from pasgl_env.training.runs import (
    begin_files,
    diverged,
    folder_of_one_run,
    is_checkpoint_due,
    log_row,
)
from pasgl_env.training.settings import TdSettings, command_of
from pasgl_env.training.td.loops import Play
from pasgl_env.training.td.threads import Crew, Slice, Threads

TRAINING_FILE = "training.safetensors"
POINTS, POINTS_FOLDER = 6, "points"
"""Values are kept at this many points of a run, the last one at its end."""
SLICE_SECONDS = 0.5
SLICES = 1000
"""A run that is limited by games or decisions alone has this many slices at most, however long they
take, so that one thread learns the same weights again."""
SAVED_SHARE = 0.5
"""The final weights are the mean over this last share of the training."""


def plays_of(settings: TdSettings, progress: float) -> tuple[Play, ...]:
    """The settings of play and learning for each learned variant, at this progress of the run."""
    return tuple(_play_of(settings, name, progress) for name in settings.learned_variants)


def _play_of(settings: TdSettings, variant: str, progress: float) -> Play:
    learning = settings.learning(variant)
    return Play(
        learning.exploration,
        settings.temperature,
        learning.opening,
        learning.decay,
        settings.step * max(1.0 - progress, 0.01),
        settings.rival_share,
        learning.horizon or 0,
        learning.truncated_value,
        learning.discount,
        settings.asks_rival,
    )


@dataclass
class TdStatus:
    """Progress of a run.

    Attributes:
        progress: from 0 to 1.
        seconds: training time in total.
        games: games played in total.
        decisions: decisions made in total.
        error: recent root mean square error of the values, which range from -1 to 1.
        first: recent share of games won by the first player or team.
        cut: recent share of games that were cut off.
        length: recent number of decisions per game.
        seconds_left: estimated remaining time; None if unknown.
    """

    progress: float = 0.0
    seconds: float = 0.0
    games: int = 0
    decisions: int = 0
    error: float = math.nan
    first: float = math.nan
    cut: float = math.nan
    length: float = math.nan
    seconds_left: float | None = None

    @property
    def text(self) -> str:
        """A line for people."""
        left = time_left(self.seconds_left)
        return (
            f"{left} left, {self.games:,} games of {self.length:.0f} actions,"
            f" values off by {self.error:.3f}"
        )


def _new(settings: TdSettings, random: np.random.Generator) -> Network:
    network = zeros(settings.ruleset)
    for rectified in (network.rows[:, :-1], network.out[:-1]):
        rectified[:] = random.normal(0, 0.1, rectified.shape)
    network.out[-1] = BASE
    return network


def _started(start: str, settings: TdSettings, random: np.random.Generator) -> Network:
    """The network of a file; units that it did not have count nothing yet, but learn."""
    network = read_start(Path(start), settings.ruleset)
    idle = ~network.rows[:, :-1].any(axis=0) & (network.out[:-1] == 0)
    network.rows[:, np.flatnonzero(idle)] = random.normal(0, 0.1, (len(network.rows), idle.sum()))
    return network


class TdRun:
    """A network in training.

    Attributes:
        settings: settings of the run.
        status: progress of the run.
        network: the current weights.
        average: their mean over the last share of the run, for play.
        generators: ``int64[workers * threads]``, the states of the random generators; without
            workers, ``int64[threads]``.
    """

    def __init__(self, settings: TdSettings, resume: bool = False) -> None:
        check_start(settings.training_ruleset)
        self.settings, self.status = settings, TdStatus()
        self._squares = zeros(settings.ruleset)
        random = np.random.default_rng(settings.seed)
        self.generators = random.integers(0, 2**63, max(settings.workers, 1) * settings.threads)
        start = None if resume else settings.start
        self.network = _started(start, settings, random) if start else _new(settings, random)
        self.average = Network(*(array.copy() for array in self.network))
        self._averaged = 0
        self._timed = 1

    def advance(self, crew: Crew) -> None:
        """Learn from a slice of the games; by default, of about half a second."""
        begun = perf_counter()
        plays = plays_of(self.settings, self.status.progress)
        amount = self.settings.amount
        left = math.inf if amount is None else (amount - self._done) / self._done_in_game
        played = crew.play(self.network, self._squares, plays, self._games_wanted(), left)
        each = int(played.counts[0]) // self.settings.threads
        self._timed = max(1, min(2 * each, round(each * SLICE_SECONDS / played.seconds)))
        self._count(played, perf_counter() - begun)
        if self.status.progress > 1 - SAVED_SHARE:
            self._averaged += 1
        else:
            self._averaged = 1
        for mean, now in zip(self.average, self.network, strict=True):
            mean += (now - mean) / self._averaged

    @property
    def _done(self) -> int:
        """What the settings limit: the number of decisions, or else of games."""
        return self.status.games if self.settings.steps is None else self.status.decisions

    @property
    def _done_in_game(self) -> float:
        """The mean number of these in a game; infinite before decisions are known."""
        if self.settings.steps is None:
            return 1.0
        return self.status.decisions / self.status.games if self.status.games else math.inf

    def _games_wanted(self) -> int:
        """Number of games that each thread should play in the next slice."""
        settings = self.settings
        if settings.amount is None or settings.minutes is not None or settings.workers:
            return self._timed
        return math.ceil(settings.amount / (SLICES * settings.threads * self._done_in_game))

    def _count(self, played: Slice, seconds: float) -> None:
        games, decisions, learned, won, cut = played.counts.tolist()
        status = self.status
        status.seconds += seconds
        status.games += games
        status.decisions += decisions
        status.error = math.sqrt(played.errors / max(learned, 1))
        status.first, status.cut, status.length = won / games, cut / games, decisions / games
        status.progress = self.settings.progress(status.seconds, self._done)
        pace = status.seconds / self._done
        status.seconds_left = self.settings.seconds_left(status.seconds, self._done, pace)

    def agent(self) -> bytes:
        """The mean weights for play, as a file."""
        status, settings = self.status, self.settings
        training = {
            "command": command_of(settings),
            "seed": str(settings.seed),
            "games": str(status.games),
            "minutes": f"{status.seconds / 60:.1f}",
        }
        return write_network(self.average, settings.ruleset, training)

    @property
    def is_finite(self) -> bool:
        """Whether all weights are numbers in the range of the files that they are played from."""
        with np.errstate(over="ignore"):
            return all(
                np.isfinite(np.float16(each)).all() for each in chain(self.network, self.average)
            )

    def save(self) -> bytes:
        """The state of the run, as a file."""
        tensors = {
            f"{part}.{name}": array
            for part, weights in self._parts().items()
            for name, array in weights._asdict().items()
        }
        tensors["generators"] = self.generators
        tensors["averaged"] = np.array([self._averaged])
        return write_tensors(tensors, {**self._rules, "status": json.dumps(asdict(self.status))})

    @property
    def _rules(self) -> dict[str, str]:
        """What is learned, as the metadata of the state say it."""
        options = json.dumps(self.settings.options, sort_keys=True)
        return {"variant": self.settings.variant, "options": options}

    def _parts(self) -> dict[str, Network]:
        return {"network": self.network, "squares": self._squares, "average": self.average}

    def load(self, file: Path) -> None:
        """Restore the state from :meth:`save`.

        Raises:
            BadWeights: if the file does not hold the state of such a run, under these rules.
            OSError: if it cannot be read.
        """
        tensors, metadata = read_tensors(file)
        with _refusing(file, self.settings.variant):
            its = {name: metadata[name] for name in self._rules}
        for name, own in self._rules.items():
            if its[name] != own:
                found = brief(its[name])
                raise BadWeights(f"{file} holds a run with {name} {found}, not {own!r}")
        with _refusing(file, self.settings.variant):
            self._restore(tensors, json.loads(metadata["status"]))

    def _restore(self, tensors: Mapping[str, np.ndarray], status: Mapping[str, Any]) -> None:
        for part, weights in self._parts().items():
            for name, array in weights._asdict().items():
                kept = tensors[f"{part}.{name}"]
                if kept.shape != array.shape:  # NumPy would spread a smaller one
                    raise ValueError(f"{name} has shape {kept.shape}, not {array.shape}")
                array[:] = kept
        generators = tensors["generators"]
        self.generators[: generators.size] = generators[: self.generators.size]
        self._averaged = int(tensors["averaged"][0])
        self.status = TdStatus(**status)
        self.status.progress = self.settings.progress(self.status.seconds, self._done)


def train(
    settings: TdSettings,
    out: Path,
    *,
    address: str = LOCAL,
    resume: bool = False,
    report: Callable[[TdStatus], Any] | None = None,
) -> TdStatus:
    """Learn values in a folder: ``values.safetensors`` for play, and the state of the run.

    Its folder ``points`` holds values from earlier in the run, to measure a learning curve. Ctrl-C
    or a kill loses at most twenty seconds of training.

    Args:
        settings: settings of the run; in a resumed run, only limits, threads and workers may
            change.
        out: the folder.
        address: address of the workers' Ray cluster; see :func:`pasgl_env.cluster.connected`.
        resume: whether to resume the run in the folder.
        report: called about every half second.

    Raises:
        RunExists: if the folder holds a run or an agent and ``resume`` is not set, or holds no run
            and it is.
        InUse: if another process is at work in the folder.
        BadWeights: if the state of the run is damaged, or from another version.
        ValueError: if the address is invalid, or the cluster is too small for the workers.
        WorkerFailed: if Ray does not start or a worker fails.
        ImportError: for workers without Ray.
        OSError: if a file cannot be written, or there is no cluster at the address.
    """
    with folder_of_one_run(out, TRAINING_FILE, resume):
        return _train(settings, out, address, resume, report)


def _train(
    settings: TdSettings,
    out: Path,
    address: str,
    resume: bool,
    report: Callable[[TdStatus], Any] | None,
) -> TdStatus:
    run = TdRun(settings, resume)
    if resume:
        run.load(out / TRAINING_FILE)
    begin_files(settings, out, run.status.decisions, "decisions")
    for file in points_of(out):
        if int(file.stem) > run.status.games:  # from after the checkpoint: learned anew
            file.unlink()
    saved = perf_counter()
    try:
        with _crew_of(run, address) as crew:
            while run.status.progress < 1:
                point = int(POINTS * run.status.progress)
                run.advance(crew)
                if not run.is_finite:
                    raise diverged(out, settings, "step")
                if int(POINTS * run.status.progress) > point:
                    _keep(run, out)
                if report is not None:
                    report(run.status)
                if is_checkpoint_due(saved):
                    _save(run, out)
                    saved = perf_counter()
    except KeyboardInterrupt:
        pass
    _save(run, out)
    return run.status


@contextmanager
def _refusing(file: Path, variant: str) -> Iterator[None]:
    """Refuse a state that lacks something, or whose parts are of other kinds or shapes."""
    try:
        yield
    except (KeyError, IndexError, ValueError, TypeError, RecursionError) as error:
        raise BadWeights(f"{file} does not hold a run of {variant} by this version") from error


@contextmanager
def _crew_of(run: TdRun, address: str) -> Iterator[Crew]:
    """The players of the run's games: workers if it has any, otherwise threads of this process."""
    if run.settings.workers:
        try:
            from pasgl_env.training.td.cluster import workers_on
        except ImportError as error:
            raise ImportError("workers need Ray: pip install 'pasgl-env[ray]'") from error
        with workers_on(address, run.settings, run.generators) as workers:
            yield workers
    else:
        with closing(Threads(run.settings, run.generators)) as threads:
            yield threads


def points_of(out: Path) -> list[Path]:
    """The files of weights kept at points of the run in a folder, the first one first.

    Files whose names are no numbers of games are not of the run.
    """
    files = (out / POINTS_FOLDER).glob(f"*{SUFFIX}")
    return sorted(
        (file for file in files if file.stem.isdecimal()), key=lambda file: int(file.stem)
    )


def _keep(run: TdRun, out: Path) -> None:
    """Keep the present weights for the learning curve; the file is named by the games."""
    (out / POINTS_FOLDER).mkdir(exist_ok=True)
    write_whole(out / POINTS_FOLDER / f"{run.status.games}{SUFFIX}", run.agent())


def _save(run: TdRun, out: Path) -> None:
    contents = {FILE: run.agent(), TRAINING_FILE: run.save()}
    for file in writing_order(out / FILE, out / TRAINING_FILE):
        write_whole(file, contents[file.name])
    log_row(out, asdict(run.status))
