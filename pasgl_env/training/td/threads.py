"""Slices of temporal-difference learning, played by the threads of this process."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter
from typing import NamedTuple, Protocol

import numpy as np

from pasgl_env import players
from pasgl_env.contract import variants
from pasgl_env.engine.batch import Batch
from pasgl_env.players.player import choose, reseed
from pasgl_env.players.values.network import Network
from pasgl_env.players.values.weights import read_start, shipped_or_unlearned, unlearned
from pasgl_env.training.settings import TdSettings
from pasgl_env.training.td.loops import Play, Workspace, advance_of, begin, loop_of

AT_ONCE = 32
"""Games of one thread in which a rival is asked at the same time."""


class Slice(NamedTuple):
    """The totals of a slice.

    Attributes:
        counts: ``int64[5]``, those of :class:`pasgl_env.training.td.loops.LearningTotals`.
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

    Attributes:
        generator: ``uint64[1]``.
        tally: totals of the last slice.
    """

    def __init__(self, settings: TdSettings, rival: Network) -> None:
        self._rival, self._loop = rival, loop_of(settings.ruleset.game)
        others = settings.learned_variants[1:]
        rulesets = [settings.ruleset, *map(variants.published_ruleset, others)]
        self._options = [ruleset.record for ruleset in rulesets]
        spaces = [Workspace.of(ruleset.game, ruleset.record) for ruleset in rulesets]
        self.generator, self.tally = spaces[0].generator, spaces[0].tally
        self._spaces = [
            space._replace(generator=self.generator, tally=self.tally, track=spaces[0].track)
            for space in spaces
        ]
        self._decisions = np.zeros(len(spaces), np.int64)

    def play(
        self,
        network: Network,
        squares: Network,
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
            self._loop(
                self._options[number],
                network,
                squares,
                self._rival,
                plays[number],
                space,
                at_once,
                stop,
            )
            if stop[0]:
                return
            self._decisions[number] += self.tally.counts[1] - before


class AskingShare:
    """The games of one thread against a rival that is any player, asked for many games at once.

    Games that have not ended in a slice go on in the next one.

    Attributes:
        generator: ``uint64[1]``.
        tally: totals of the last slice.
    """

    def __init__(self, settings: TdSettings, seed: int) -> None:
        ruleset = settings.ruleset
        self._rival = players.as_player(settings.rival, ruleset.name, seed)
        self._batch = Batch(ruleset, AT_ONCE)
        spaces = [Workspace.of(ruleset.game, ruleset.record) for _ in range(AT_ONCE)]
        self.generator, self.tally = spaces[0].generator, spaces[0].tally
        self._spaces = [
            space._replace(generator=self.generator, tally=self.tally) for space in spaces
        ]
        self._answers = np.full(AT_ONCE, -1)
        self._has_begun = np.zeros(AT_ONCE, np.bool_)
        self._advance = advance_of(ruleset.game)

    def play(
        self,
        network: Network,
        squares: Network,
        plays: tuple[Play, ...],
        games: int,
        stop: np.ndarray,
    ) -> None:
        """Play until this number of games has ended; see :meth:`Share.play`."""
        self.tally.counts[:], self.tally.errors[:] = 0, 0.0
        while not stop[0]:
            for number in range(AT_ONCE):
                while not self._waits(number, network, squares, plays[0], stop):
                    if stop[0] or self.tally.counts[0] >= games:
                        return
            self._ask()

    def _waits(
        self, number: int, network: Network, squares: Network, play: Play, stop: np.ndarray
    ) -> bool:
        """Play a game on; return whether it waits for the rival instead of having ended."""
        space = self._spaces[number]
        if self._has_begun[number] and self._answers[number] < 0:
            return True  # since the last slice
        if not self._has_begun[number]:
            begin(play, space)
            reseed(self._rival, np.array([number]), [int(self.generator[0])])
        self._has_begun[number] = self._advance(
            self._batch.options_record,
            network,
            squares,
            network,
            play,
            space,
            stop,
            self._answers[number],
        )
        self._answers[number] = -1
        return bool(self._has_begun[number])

    def _ask(self) -> None:
        games = np.arange(AT_ONCE)
        self._batch.put(games, np.array([space.scratch.states[0] for space in self._spaces]))
        self._answers[:] = choose(self._rival, self._batch, games)


class Threads:
    """Threads that share the weights without locks.

    Args:
        settings: settings of the run.
        generators: ``int64[threads]``, the states of the random generators; they change.
    """

    def __init__(self, settings: TdSettings, generators: np.ndarray) -> None:
        self._shares = shares_of(settings, generators)
        self._generators = generators
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
            share.play(network, squares, plays, games, self._stop)
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


def shares_of(settings: TdSettings, generators: np.ndarray) -> Sequence[Share | AskingShare]:
    """The games of each thread; rivals that are asked are seeded by its generator's state."""
    if settings.asks_rival:
        seeds = generators[: settings.threads].view(np.uint64)  # a later state may be negative
        return [AskingShare(settings, int(seed)) for seed in seeds]
    rival = rival_of(settings)
    return [Share(settings, rival) for _ in range(settings.threads)]


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
