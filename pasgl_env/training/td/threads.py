"""Slices of temporal-difference learning, played by the threads of this process."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple, Protocol

import numpy as np

from pasgl_env.contract import variants
from pasgl_env.players.values.network import Network
from pasgl_env.players.values.weights import read_start, shipped_or_unlearned, unlearned
from pasgl_env.training.settings import TdSettings
from pasgl_env.training.td.loops import Play, Workspace, loop_of


class Slice(NamedTuple):
    """The totals of a slice.

    Attributes:
        counts: ``int64[5]``, those of :class:`pasgl_env.training.td.loops.Tally`.
        errors: sum of squared differences between values and returns.
        seconds: time of playing and learning.
    """

    counts: np.ndarray
    errors: float
    seconds: float


class Crew(Protocol):
    """Plays slices and learns from them: threads, or workers on a cluster."""

    def play(
        self, network: Network, squares: Network, plays: tuple[Play, ...], games: int, left: float
    ) -> Slice:
        """Learn from a slice.

        Args:
            network: the weights; they change.
            squares: Adagrad's sums of squared gradients; they change.
            plays: how to play and learn, for each of the run's variants.
            games: wanted number of games per thread.
            left: number of games left in the run; infinite if it has no such limit.
        """
        ...


class Share:
    """The games of one thread.

    Args:
        settings: settings of the run.

    Attributes:
        generator: ``uint64[1]``.
        tally: totals of the last slice.
    """

    def __init__(self, settings: TdSettings) -> None:
        others = settings.learned_variants[1:]
        rulesets = [settings.ruleset, *map(variants.published_ruleset, others)]
        self._options = [ruleset.record for ruleset in rulesets]
        spaces = [Workspace.of(ruleset.game, ruleset.record) for ruleset in rulesets]
        self.generator, self.tally, track = spaces[0].generator, spaces[0].tally, spaces[0].track
        self._spaces = [space._replace(track=track) for space in spaces]
        self._decisions = np.zeros(len(spaces), np.int64)

    def play(
        self,
        loop: Any,
        network: Network,
        squares: Network,
        rival: Network,
        plays: tuple[Play, ...],
        games: int,
        stop: np.ndarray,
    ) -> None:
        """Play games, each of the variant with the fewest decisions so far, and learn from them.

        Another thread may set ``stop[0]``, ``int64``, to 1: then it returns at the next decision.
        """
        self.tally.counts[:], self.tally.errors[:] = 0, 0.0
        at_once = games if len(self._spaces) == 1 else 1
        for _ in range(0, games, at_once):
            number = int(self._decisions.argmin())
            space, before = self._spaces[number], int(self.tally.counts[1])
            loop(
                self._options[number],
                space.start,
                network,
                squares,
                rival,
                plays[number],
                space.track,
                space.scratch,
                space.memory,
                self.generator,
                self.tally,
                at_once,
                stop,
            )
            if stop[0]:
                return
            self._decisions[number] += self.tally.counts[1] - before


class Threads:
    """Threads that share the weights without locks.

    Args:
        settings: settings of the run.
        generators: ``int64[threads]``, the states of the random generators; they change.
    """

    def __init__(self, settings: TdSettings, generators: np.ndarray) -> None:
        self._shares = [Share(settings) for _ in range(settings.threads)]
        self._rival = rival_of(settings)
        self._generators = generators
        self._loop = loop_of(settings.ruleset.game)
        self._pool = ThreadPoolExecutor(settings.threads)
        self._stop = np.zeros(1, np.int64)

    def play(
        self, network: Network, squares: Network, plays: tuple[Play, ...], games: int, left: float
    ) -> Slice:
        """Learn from a slice; see :meth:`Crew.play`."""
        begun = perf_counter()
        games = games_each(games, left, len(self._shares))

        def play_share(number: int) -> None:
            share = self._shares[number]
            share.generator[0] = self._generators[number]
            share.play(self._loop, network, squares, self._rival, plays, games, self._stop)
            self._generators[number] = share.generator.view(np.int64)[0]

        self._stop[0] = 0
        try:
            list(self._pool.map(play_share, range(len(self._shares))))
        except BaseException:  # an interrupt: closing would wait for the threads
            self._stop[0] = 1
            raise
        return Slice(
            np.sum([share.tally.counts for share in self._shares], axis=0),
            sum(float(share.tally.errors[0]) for share in self._shares),
            perf_counter() - begun,
        )

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
        return unlearned(settings.ruleset)
    if settings.rival == "td":
        return shipped_or_unlearned(settings.ruleset)
    return read_start(Path(settings.rival), settings.ruleset)
