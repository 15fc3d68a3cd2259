"""Slices of temporal-difference learning, played by workers on a Ray cluster. Needs Ray.

Each worker plays and learns in a copy of the weights. Its change is merged as soon as it arrives,
and the worker continues with the new weights; no worker waits for another.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import ray

from pasgl_env.cluster import connected
from pasgl_env.players.values.network import Network
from pasgl_env.training.runs import HOW_TO_GO_ON
from pasgl_env.training.settings import TdSettings
from pasgl_env.training.td.loops import Play, advance_of, loop_of
from pasgl_env.training.td.merging import Change, change_of, merge
from pasgl_env.training.td.threads import Slice, Threads, games_each

MOST_BEHIND = 4
"""A change is dropped if more than this number of changes per worker were merged since it began."""
RETRIES = 3
"""A slice is tried this many times again if its worker was lost."""


class Learned(NamedTuple):
    """The result of a worker: the slice, the change of the weights and the generators' states."""

    played: Slice
    change: Change
    generators: np.ndarray


class Worker:
    """A process that plays slices; it keeps nothing from one to the next."""

    def __init__(self, settings: TdSettings) -> None:
        self._generators = np.zeros(settings.threads, np.int64)
        self._threads = Threads(settings, self._generators)

    def play(
        self,
        weights: tuple[Network, Network],
        generators: np.ndarray,
        plays: tuple[Play, ...],
        games: int,
    ) -> Learned:
        """Learn from a slice in a copy of the weights and squares."""
        network, squares = (Network(*(array.copy() for array in part)) for part in weights)
        self._generators[:] = generators
        played = self._threads.play(network, squares, plays, games, np.inf)
        change = change_of(*weights, network, squares)
        return Learned(played, change, self._generators.copy())


class Task(NamedTuple):
    """A slice that a worker is working on.

    Attributes:
        worker: its number.
        version: version of the weights that it began with.
        games: number of games.
    """

    worker: int
    version: int
    games: int


class Workers:
    """The workers of a run. A version of the weights is the number of changes merged before it.

    Args:
        settings: settings of the run.
        generators: ``int64[workers * threads]``, the states of the random generators; they change.
    """

    def __init__(self, settings: TdSettings, generators: np.ndarray) -> None:
        self._generators = generators.reshape(settings.workers, settings.threads)
        # Ray starts a lost worker anew, if necessary on another machine, and repeats its slice.
        kind: Any = ray.remote(
            num_cpus=settings.threads, max_restarts=-1, max_task_retries=RETRIES
        )(Worker)
        self.actors = [kind.remote(settings) for _ in range(settings.workers)]
        ray.get([actor.__ray_ready__.remote() for actor in self.actors])
        self._idle = list(range(settings.workers))
        self._tasks: dict[Any, Task] = {}
        self._version = 0

    def play(
        self, network: Network, squares: Network, plays: tuple[Play, ...], games: int, left: float
    ) -> Slice:
        """Merge the next change; see :meth:`Crew.play`."""
        while True:
            self._hand_out(network, squares, plays, games, left)
            (done,), _ = ray.wait(list(self._tasks))
            task = self._tasks.pop(done)
            learned: Learned = ray.get(done)
            self._idle.append(task.worker)
            self._generators[task.worker] = learned.generators
            if self._version - task.version <= MOST_BEHIND * len(self.actors):
                merge(network, squares, learned.change)
                self._version += 1
                return learned.played

    def _hand_out(
        self, network: Network, squares: Network, plays: tuple[Play, ...], games: int, left: float
    ) -> None:
        """Give slices to idle workers, as long as games are left."""
        weights = None
        threads = self._generators.shape[1]
        while self._idle and (rest := left - sum(task.games for task in self._tasks.values())) > 0:
            weights = weights or ray.put((network, squares))
            number, each = self._idle.pop(), games_each(games, rest, threads)
            done = self.actors[number].play.remote(weights, self._generators[number], plays, each)
            self._tasks[done] = Task(number, self._version, each * threads)


@contextmanager
def workers_on(address: str, settings: TdSettings, generators: np.ndarray) -> Iterator[Workers]:
    """Start the workers of a run on a cluster; see :func:`pasgl_env.cluster.connected`."""
    compiled = advance_of if settings.asks_rival else loop_of
    compiled(settings.ruleset.game)  # once, not in every worker
    with connected(address, settings.workers, settings.threads, HOW_TO_GO_ON):
        yield Workers(settings, generators)
