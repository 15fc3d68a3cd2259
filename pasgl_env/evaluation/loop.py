"""The loop that plays games between two players: many at once, each with its own seeds."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import NamedTuple

import numpy as np

from pasgl_env import players
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.position import Position
from pasgl_env.players import Player

STEPS_BETWEEN_CHECKS = 1024
"""Steps of all games between two checks for games without an end."""
MANY_TURNS = 10_000
"""More turns than any game that ended by itself is known to have lasted."""

Step = Callable[[np.ndarray, np.ndarray], object]
"""Plays actions in some slots of a batch, as :meth:`pasgl_env.Batch.step_some` does."""
Ended = Callable[[np.ndarray], None]
"""Called with the numbers of the games that have just ended, in the order of ``batch.ended``."""


class Schedule(NamedTuple):
    """The games to play.

    The first player has one side, another one in each game: side k mod n in game k, if there are n.
    The second player has all other sides.

    Attributes:
        games: their number.
        seeds: ``uint64[3, games]``: of the first player, of the second one, and of the dice.
        starts: records ``[k]``, where the games begin, in turn; None: at the usual start.
        alike: the number of successive games with the same start and seeds: 1, or n.
    """

    games: int
    seeds: np.ndarray
    starts: np.ndarray | None
    alike: int

    @classmethod
    def of(cls, games: int, seed: int, starts: np.ndarray | None, alike: int) -> Schedule:
        """The schedule of a match; seeds of a game depend only on its number and ``seed``."""
        seeds = [
            np.random.SeedSequence((seed, number))
            .generate_state(games // alike, np.uint64)
            .repeat(alike)
            for number in range(3)
        ]
        return cls(games, np.array(seeds), starts, alike)


class Thinking(NamedTuple):
    """The time that two players took to choose; the rules' own time is not part of it.

    Attributes:
        actions: number of timed actions of each player.
        seconds: the time that they took, for each player. Where several games are searched at once,
            they share the time.
    """

    actions: tuple[int, int]
    seconds: tuple[float, float]

    @property
    def per_action(self) -> tuple[float, float]:
        """Mean seconds per action of each player; 0 without actions."""
        one, other = np.divide(self.seconds, np.maximum(self.actions, 1)).tolist()
        return one, other


class Clock:
    """Times the choices of two players.

    A player's first choice may load compiled rules or a network. It counts only if there is no
    other.
    """

    def __init__(self) -> None:
        self._choices: list[list[tuple[int, float]]] = [[], []]
        self._sums = np.zeros((2, 2))  # of later choices: actions and seconds of each player

    def choose(self, number: int, player: Player, batch: Batch, slots: np.ndarray) -> np.ndarray:
        """The actions of a player in some slots."""
        begun = perf_counter()
        actions = players.choose(player, batch, slots)
        spent = slots.size, perf_counter() - begun
        if self._choices[number]:
            self._sums[number] += spent
        else:
            self._choices[number].append(spent)
        return actions

    @property
    def thinking(self) -> Thinking:
        """The times so far."""
        found = [
            sums if sums[0] else np.array(first[0] if first else (0, 0.0))
            for first, sums in zip(self._choices, self._sums, strict=True)
        ]
        return Thinking(
            (int(found[0][0]), int(found[1][0])), (float(found[0][1]), float(found[1][1]))
        )


def play_games(
    batch: Batch, pair: Sequence[Player], schedule: Schedule, step: Step, ended: Ended
) -> Thinking:
    """Play all games of a schedule.

    Slot s of the batch plays the games s, s + n, s + 2n ... Every slot plays a fixed share of the
    games, however long they take: if play ended with the last game needed, short games would be
    overrepresented.

    Args:
        batch: at most as many slots as games; its dice are reseeded for each game.
        pair: the players; each plays all players of its sides.
        schedule: the games.
        step: plays the actions.
        ended: called whenever games have ended.
    """
    teams, clock = batch.teams, Clock()
    sides = len(batch.ruleset.members)
    numbers = np.arange(len(batch))  # of the game in each slot
    slots = np.arange(len(batch))
    _begin(batch, pair, schedule, slots, numbers)
    steps = 0
    while slots.size:
        if steps % STEPS_BETWEEN_CHECKS == 0:
            warn_if_endless(batch.ruleset.name, batch.turns[slots])
        steps += 1
        actions = np.zeros(slots.size, np.int64)
        acting = (teams[batch.to_move[slots]] - numbers[slots]) % sides != 0
        for number, player in enumerate(pair):
            asked = np.flatnonzero(acting == number)
            if asked.size:
                actions[asked] = clock.choose(number, player, batch, slots[asked])
        step(slots, actions)
        over = batch.ended
        if over.size:
            ended(numbers[over])
            numbers[over] += len(batch)
            _begin(batch, pair, schedule, over[numbers[over] < schedule.games], numbers)
            slots = np.flatnonzero(numbers < schedule.games)
    return clock.thinking


def _begin(
    batch: Batch, pair: Sequence[Player], schedule: Schedule, slots: np.ndarray, numbers: np.ndarray
) -> None:
    """Begin the games of some slots. Seeds make a game independent of its slot."""
    games = numbers[slots]
    for player, seeds in zip(pair, schedule.seeds, strict=False):
        players.reseed(player, slots, seeds[games].tolist())
    has_dice = batch.ruleset.game.chance.outcomes > 0
    if has_dice:
        batch.reseed(slots, schedule.seeds[2, games].tolist())
    if schedule.starts is not None:
        batch.put(slots, schedule.starts[games // schedule.alike % schedule.starts.size])
    elif has_dice:  # roll again, with the new seeds
        batch.put(slots, Position(batch.ruleset).state.repeat(slots.size))


def warn_if_endless(variant: str, turns: np.ndarray) -> None:
    """Warn, once, if one of these games has lasted very long without an end.

    Args:
        variant: a name of :func:`pasgl_env.contract.variants.names`.
        turns: the turns completed in each game, by all players together.
    """
    if turns.max(initial=0) >= MANY_TURNS:
        warnings.warn(
            f"a game of {variant} has not ended after {MANY_TURNS:,} turns and may never end: set"
            " the option turn_limit, such as turn_limit=500, or interrupt with Ctrl-C",
            stacklevel=2,
        )
