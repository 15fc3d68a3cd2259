"""Slices of temporal-difference learning, played by the threads of this process."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter
from typing import NamedTuple, Protocol

import numpy as np

from pasgl_env import variants
from pasgl_env.games.contract import options_array
from pasgl_env.search.value import Network
from pasgl_env.search.weights import read_start, shipped_or_unlearned, unlearned
from pasgl_env.training.settings import TdSettings
from pasgl_env.training.td_loops import Play, Workspace, loop_of


class Slice(NamedTuple):
    """The totals of a slice.

    Attributes:
        counts: ``int64[5]``, those of :class:`pasgl_env.training.td_loops.Tally`.
        errors: sum of squared differences between values and returns.
        seconds: time of playing and learning.
    """

    counts: np.ndarray
    errors: float
    seconds: float


class Crew(Protocol):
    """Those who play slices and learn from them: threads, or workers on a cluster."""

    def play(
        self, network: Network, squares: Network, settings: Play, games: int, left: float
    ) -> Slice:
        """Learn from a slice.

        Args:
            network: the weights; they change.
            squares: Adagrad's sums of squared gradients; they change.
            settings: how to play and learn.
            games: wanted number of games per thread.
            left: number of games left in the run; infinite if it has no such limit.
        """
        ...


class Threads:
    """Threads that share the weights without locks.

    Args:
        settings: settings of the run.
        generators: ``int64[threads]``, the states of the random generators; they change.
    """

    def __init__(self, settings: TdSettings, generators: np.ndarray) -> None:
        game = variants.find(settings.variant)
        self._options = options_array(game, settings.options)
        self._spaces = [Workspace.of(game, self._options) for _ in range(settings.threads)]
        self._rival = rival_of(settings)
        self._generators = generators
        self._loop = loop_of(game)
        self._pool = ThreadPoolExecutor(settings.threads)

    def play(
        self, network: Network, squares: Network, settings: Play, games: int, left: float
    ) -> Slice:
        """Learn from a slice; see :meth:`Crew.play`."""
        begun = perf_counter()
        games = games_each(games, left, len(self._spaces))

        def play_share(number: int) -> None:
            self._play_share(number, network, squares, settings, games)

        list(self._pool.map(play_share, range(len(self._spaces))))
        return Slice(
            np.sum([space.tally.counts for space in self._spaces], axis=0),
            sum(float(space.tally.errors[0]) for space in self._spaces),
            perf_counter() - begun,
        )

    def _play_share(
        self, number: int, network: Network, squares: Network, settings: Play, games: int
    ) -> None:
        space = self._spaces[number]
        space.tally.counts[:], space.tally.errors[:] = 0, 0.0
        space.generator[0] = self._generators[number]
        self._loop(
            self._options,
            space.start,
            network,
            squares,
            self._rival,
            settings,
            space.track,
            space.scratch,
            space.generator,
            space.tally,
            games,
        )
        self._generators[number] = space.generator.view(np.int64)[0]

    def close(self) -> None:
        """Wait for the threads, and end them."""
        self._pool.shutdown()


def games_each(games: int, left: float, threads: int) -> int:
    """Number of games for each thread, at least 1, from the arguments of :meth:`Crew.play`."""
    return max(1, int(min(games, left / threads)))


def rival_of(settings: TdSettings) -> Network:
    """The values that the rival of a run plays by.

    Raises:
        BadWeights: if the named run holds none for this variant.
        OSError: if it cannot be read.
    """
    if settings.rival is None:
        return unlearned(settings.variant, settings.options)
    if settings.rival == "td":
        return shipped_or_unlearned(settings.variant, settings.options)
    return read_start(Path(settings.rival), settings.variant, settings.options)
