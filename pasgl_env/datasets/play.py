"""Self-play for data sets, in shards that depend only on the plan and their number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from pasgl_env import players
from pasgl_env.datasets.rows import FinishedGame, Searched, table_of
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.dice import Dice
from pasgl_env.engine.position import Position
from pasgl_env.evaluation.match import play_match
from pasgl_env.players import Player, TreePlayer
from pasgl_env.playtest.cluster import here
from pasgl_env.playtest.play import Plan, players_of
from pasgl_env.records.binary import StoredGame

FIRST_GAMES, MOST_GAMES = 4, 256
"""Games in the first shard, and in the largest ones: each shard is twice as large as the last."""


def games_in(number: int) -> int:
    """The number of games in a shard, or of records."""
    return min(FIRST_GAMES << number, MOST_GAMES)


class PositionShard(NamedTuple):
    """Some games of a plan, whose positions become rows.

    Attributes:
        plan: of the games, played by one player against itself.
        number: of the shard, from 0.
        threads: number of threads; results do not depend on it.
    """

    plan: Plan
    number: int
    threads: int


def shards_of(plan: Plan, begin: int, threads: int) -> Iterator[PositionShard]:
    """The shards of a plan from number ``begin`` on, without end."""
    return (PositionShard(plan, number, threads) for number in count(begin))


def play_positions(shard: PositionShard, progress: Callable[[int], None] | None = None) -> Any:
    """Play the games of a shard: their rows, a ``pyarrow.Table``; report the number of rows.

    Raises:
        ValueError: if games end before their openings do.
    """
    plan, games = shard.plan, games_in(shard.number)
    first = sum(map(games_in, range(shard.number)))
    begins = plan.begins(first, games)
    starts = None if begins is None else begins.states
    searches: list[list[Searched | None]] = [[] for _ in range(games)]
    pair = [_Watched(player, searches, progress) for player in players_of(plan)]
    stored: list[StoredGame] = []
    seed = np.random.SeedSequence((plan.seed, shard.number))
    play_match(
        plan.ruleset,
        pair[0],
        pair[1],
        games,
        seed=int(seed.generate_state(1, np.uint64)[0]),
        threads=shard.threads,
        batch_size=games,
        record=stored,
        starts=starts,
    )
    return table_of(
        plan.ruleset,
        (
            FinishedGame(
                first + number,
                _start(plan, None if starts is None else starts[number]),
                game.choices,
                None if game.dice is None else Dice.at(game.dice),
                searches[number],
            )
            for number, game in enumerate(stored)
        ),
        plan.players[0],
    )


play_here = here(play_positions)


def _start(plan: Plan, state: np.ndarray | None) -> Position:
    if state is None:
        return Position(plan.ruleset)
    return Position.from_state(plan.ruleset, state)


class _Watched:
    """A player whose searches are kept, game by game; each slot of the batch is one game."""

    def __init__(
        self,
        player: Player,
        searches: list[list[Searched | None]],
        progress: Callable[[int], None] | None,
    ) -> None:
        self.name = player.name
        self._player, self._searches, self._progress = player, searches, progress

    def reseed(self, games: np.ndarray, seeds: list[int]) -> None:
        players.reseed(self._player, games, seeds)

    def choose(self, batch: Batch, games: np.ndarray) -> np.ndarray:
        actions = self._player.choose(batch, games)
        for game, searched in zip(games.tolist(), self._searched(batch, games), strict=True):
            self._searches[game].append(searched)
        if self._progress:
            self._progress(sum(map(len, self._searches)))
        return actions

    def _searched(self, batch: Batch, games: np.ndarray) -> list[Searched | None]:
        """What the last search found in each of its games; None where there was no choice."""
        if not isinstance(self._player, TreePlayer):
            return [None] * games.size
        rows, legal = batch.action_mask[games].nonzero()
        counts = batch.legal_count[games]
        ends = counts.cumsum()[:-1]
        visits = np.split(self._player.visits[rows, legal].astype(np.uint32), ends)
        values = np.split(self._player.action_values[rows, legal], ends)
        return [
            Searched(*found) if is_choice else None
            for is_choice, *found in zip(counts > 1, visits, values, strict=True)
        ]
