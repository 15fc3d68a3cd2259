"""Recorded games, replayed: what is counted in each, and one quiet position with its material.

A position at the start of a turn is *quiet* if the material has been the same since the previous
turn of each player began: pieces that could be recaptured at once have been, or were left. Later
turns play no role. One of the quiet positions of each game is drawn uniformly, so that long games
count no more than short ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pasgl_env.contract import parts
from pasgl_env.engine.loops import Buffers, loops_of
from pasgl_env.jit.compiled import wrapping
from pasgl_env.playtest.counting import GameCounter, usual_start
from pasgl_env.playtest.play import Plan
from pasgl_env.records.binary import StoredGame, stored_games

TOGETHER = 256
"""The most games replayed at once."""


class Sample(NamedTuple):
    """Positions, at most one of each game.

    Attributes:
        pair: ``int64[n]``, the number of the pair of games or, where several games began at the
            same position, of their cluster.
        result: ``float64[n]``, 1 if side 0 won the game, 0 if side 1 did, else 1/2.
        to_move: ``int64[n]``, +1 where side 0 is to move, else -1.
        player: ``int64[n]``, +1 where the first of the two players has side 0, else -1.
        lead: ``int64[n, k]``, the surplus of side 0 of each kind and covariate.
    """

    pair: np.ndarray
    result: np.ndarray
    to_move: np.ndarray
    player: np.ndarray
    lead: np.ndarray


def sample_positions(
    plan: Plan, file: Path, progress: Callable[[int], None] = lambda games: None
) -> Sample:
    """Draw one quiet position of every game that had any, by the plan's seed.

    ``progress`` is called with the number of games replayed whenever it has grown.

    Raises:
        NotImplementedError: if the game does not define material.
        OSError: if the file cannot be read.
        RecordError: if it is damaged.
    """
    rng = np.random.default_rng((plan.seed, 0))
    replay = Replayer(plan)
    samples = []
    for first, games in chunks(plan, file):
        samples.append(replay.sample(games, first, rng))
        progress(first + len(games))
    return Sample(*map(np.concatenate, zip(*samples, strict=True)))


def chunks(plan: Plan, file: Path) -> Iterator[tuple[int, list[StoredGame]]]:
    """The games of a run in chunks of whole groups, each with the number of its first game.

    Where games begin within a turn, the file also holds the turn's first actions.
    """
    first, (_, before) = 0, plan.openings.turn_begun(plan.ruleset)
    size = TOGETHER - TOGETHER % plan.sides
    with file.open("rb") as stream:
        games = (
            game._replace(choices=game.choices[len(before) :])
            for _, _, game in stored_games(stream, str(file))
        )
        while some := list(islice(games, size)):
            yield first, some
            first += len(some)


def tallies_of(plan: Plan, file: Path) -> np.ndarray:
    """Replay the games of a run: ``float64[games, cells]``, the counts of each.

    Raises:
        OSError: if the file cannot be read.
        RecordError: if it is damaged.
    """
    found = []
    for first, games in chunks(plan, file):
        counter = GameCounter(plan.ruleset, begins=plan.begins(first, len(games)), marks_left=0)
        found.append(counter.add_known(games))
    return np.concatenate(found)


class Replayer:
    """Replays games of a plan, many at once."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._options = plan.ruleset.record
        self._spaces = plan.ruleset.spaces
        self._teams = np.array(plan.ruleset.teams)

    def sample(self, games: Sequence[StoredGame], first: int, rng: np.random.Generator) -> Sample:
        """A quiet position of each game; the first game has number ``first`` in its run."""
        table = parts.material(self._plan.ruleset.game)
        kinds, covariates = len(table.KINDS), len(table.COVARIATES)
        draw = Draw(len(games), self._spaces.players, rng)
        for playing, _, states, mover in self.positions(games, first):
            turns = states["turn_count"]
            rows = playing[draw.begins_turn(playing, turns)]
            if rows.size:
                counts = table.count(states[rows])
                draw.offer(rows, turns[rows], self._teams[mover[rows]], counts, kinds)
        found = np.flatnonzero(draw.seen)
        numbers = first + found
        winner = np.array([game.winner for game in games])[found]
        return Sample(
            np.array([self._plan.cluster(number) for number in numbers.tolist()], np.int64),
            np.choose(winner + 1, (0.5, 1.0, 0.0)),
            1 - 2 * draw.side[found],
            1 - 2 * (numbers % 2),
            np.zeros((0, kinds + covariates), np.int64) if draw.lead is None else draw.lead[found],
        )

    def positions(
        self, games: Sequence[StoredGame], first: int
    ) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
        """Before every action: games in progress, their actions, all states and players to move.

        The first game has number ``first`` in its run; both numbers are even. The arrays are reused
        at each step.
        """
        number, loops = len(games), loops_of(self._plan.ruleset.game)
        begins = self._plan.begins(first, number)
        usual = usual_start(self._plan.ruleset)
        starts = np.zeros(number, self._plan.ruleset.game.state)
        starts[:] = usual if begins is None else begins.states
        lengths = np.array([len(game.choices) for game in games])
        choices = np.zeros((lengths.max(), number), np.int64)
        for column, game in enumerate(games):
            choices[: len(game.choices), column] = game.choices
        everybody = np.arange(number)
        dice = np.array([game.dice or 0 for game in games], np.uint64)
        buffers = Buffers.of(self._plan.ruleset.game, self._options, number)
        with wrapping():
            loops.place(0, number, everybody, starts, dice, dice.copy(), *buffers)
            for step, actions in enumerate(choices):
                playing = everybody[lengths > step]
                yield playing, actions[playing], buffers.states, buffers.to_move
                loops.step(0, playing.size, playing, actions[playing], False, *buffers)


class Draw:
    """Draws a quiet position of each game in one pass (reservoir sampling).

    Attributes:
        seen: ``int64[n]``, the number of quiet positions of each game so far.
        side: ``int64[n]``, the side to move in the drawn one.
        lead: ``int64[n, k]``, its material; None before any position was offered.
    """

    def __init__(self, games: int, players: int, rng: np.random.Generator) -> None:
        self._players, self._rng = players, rng
        self._turn = np.full(games, -1)
        self._changed = np.zeros(games, np.int64)  # the turn at whose start material was new
        self._counts: np.ndarray | None = None
        self.seen = np.zeros(games, np.int64)
        self.side = np.zeros(games, np.int64)
        self.lead: np.ndarray | None = None

    def begins_turn(self, rows: np.ndarray, turns: np.ndarray) -> np.ndarray:
        """Which of the games ``rows`` are at the start of a new turn: ``bool[k]``."""
        begins: np.ndarray = turns[rows] != self._turn[rows]
        self._turn[rows] = turns[rows]
        return begins

    def offer(
        self, rows: np.ndarray, turns: np.ndarray, side: np.ndarray, counts: np.ndarray, kinds: int
    ) -> None:
        """Offer positions at the start of a turn, which are drawn if they are quiet.

        Args:
            rows: ``int64[k]``, their games.
            turns: ``int64[k]``, turns completed.
            side: ``int64[k]``, to move.
            counts: ``int64[k, 2, kinds + covariates]``, the material of both sides.
            kinds: the number of kinds, which must not have changed.
        """
        if self._counts is None or self.lead is None:
            self._counts = np.zeros((self._turn.size, 2, kinds), np.int64)
            self.lead = np.zeros((self._turn.size, counts.shape[2]), np.int64)
        pieces = counts[:, :, :kinds]
        is_new = (pieces != self._counts[rows]).any(axis=(1, 2))
        self._changed[rows[is_new]] = turns[is_new]
        self._counts[rows] = pieces
        is_quiet = turns - self._changed[rows] >= self._players
        quiet = rows[is_quiet]
        self.seen[quiet] += 1
        is_drawn = self._rng.random(quiet.size) * self.seen[quiet] < 1
        drawn = quiet[is_drawn]
        self.side[drawn] = side[is_quiet][is_drawn]
        self.lead[drawn] = (counts[:, 0] - counts[:, 1])[is_quiet][is_drawn]
