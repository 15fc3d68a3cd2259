"""One quiet position of each recorded game, and its material.

A position at the start of a turn is *quiet* if the material has been the same since each player's
last turn began: whatever could be taken back at once has been, or was left. Nothing that comes
later is looked at. Of a game's quiet positions one is drawn, all equally likely, so that long games
count no more than short ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pasgl_env import variants
from pasgl_env.engine.compiled import wrapping
from pasgl_env.engine.loops import Buffers, loops_of
from pasgl_env.games import parts
from pasgl_env.games.contract import options_array
from pasgl_env.playtest.counting import usual_start
from pasgl_env.playtest.play import Plan
from pasgl_env.records.binary import StoredGame, stored_games

TOGETHER = 256
"""Games that are played again at once; even."""


class Sample(NamedTuple):
    """Positions, at most one of each game.

    Attributes:
        pair: ``int64[n]``, the number of the pair of games that each is of, or of the cluster of
            pairs, where several began at the same position.
        result: ``float64[n]``: 1 if side 0 won the game, 0 if side 1 did, else 1/2.
        to_move: ``int64[n]``: +1 where side 0 is to move, else -1.
        player: ``int64[n]``: +1 where the first of the two players has side 0, else -1.
        lead: ``int64[n, k]``: how many more side 0 has of each kind and covariate.
    """

    pair: np.ndarray
    result: np.ndarray
    to_move: np.ndarray
    player: np.ndarray
    lead: np.ndarray


def sample_positions(
    plan: Plan, file: Path, progress: Callable[[int], None] = lambda games: None
) -> Sample:
    """One quiet position of every game that had any.

    Args:
        plan: what was played; its seed draws the positions.
        file: the games of a run, in pairs, as :mod:`pasgl_env.playtest.folder` keeps them.
        progress: told how many games have been looked at, whenever these are more.

    Raises:
        NotImplementedError: if nobody has said what counts as material in this game.
        OSError: if the file cannot be read.
        RecordError: if it is damaged.
    """
    rng = np.random.default_rng((plan.seed, 0))
    replay = Replay(plan)
    parts = []
    for first, games in chunks(file):
        parts.append(replay.sample(games, first, rng))
        progress(first + len(games))
    return Sample(*map(np.concatenate, zip(*parts, strict=True)))


def chunks(file: Path) -> Iterator[tuple[int, list[StoredGame]]]:
    """The games of a file, some at a time, with the number of the first."""
    first = 0
    with file.open("rb") as stream:
        games = (game for _, _, game in stored_games(stream, str(file)))
        while some := list(islice(games, TOGETHER)):
            yield first, some
            first += len(some)


class Replay:
    """Plays games of a plan again, many at once."""

    def __init__(self, plan: Plan) -> None:
        self._game = variants.find(plan.variant)
        self._loops = loops_of(self._game)
        self._options = options_array(self._game, plan.options)
        self._spaces = self._game.spaces(self._options[0])
        self._plan = plan
        self._table = parts.material(variants.find(plan.variant))
        self._teams = np.array([self._game.team(each) for each in range(self._spaces.players)])

    def sample(self, games: Sequence[StoredGame], first: int, rng: np.random.Generator) -> Sample:
        """A position of each of the games, of which the first has this number in its run."""
        draw = Draw(len(games), self._spaces.players, rng)
        for under_way, states, mover in self.positions(games, first):
            begins = draw.begins_turn(under_way, states["turn_count"])
            rows = under_way[begins]
            if rows.size:
                counts = self._table.count(states[rows])
                kinds = len(self._table.KINDS)
                draw.offer(
                    rows, states["turn_count"][rows], self._teams[mover[rows]], counts, kinds
                )
        found = np.flatnonzero(draw.seen)
        numbers = first + found
        winner = np.array([game.winner for game in games])[found]
        return Sample(
            np.array([self._plan.cluster(pair) for pair in (numbers // 2).tolist()], np.int64),
            np.choose(winner + 1, (0.5, 1.0, 0.0)),
            1 - 2 * draw.side[found],
            1 - 2 * (numbers % 2),
            draw.lead[found] if draw.lead is not None else self._no_lead(),
        )

    def _no_lead(self) -> np.ndarray:
        return np.zeros((0, len(self._table.KINDS) + len(self._table.COVARIATES)), np.int64)

    def positions(
        self, games: Sequence[StoredGame], first: int
    ) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Before every action: the games under way, all states, all players to move.

        The first of the games has the number ``first`` in its run; both are even.

        The arrays are always the same; copy what is to be kept.
        """
        number = len(games)
        states = np.zeros(number, self._game.state)
        dice = np.array([game.dice or 0 for game in games], np.uint64)
        firsts = states.copy(), dice.copy()  # of no use here, but steps write them
        buffers = Buffers.of(self._spaces, number)
        length, stepped = np.zeros(number, np.int32), np.zeros(number + 1, np.int64)
        finals = states.copy(), np.zeros(number, np.int32)
        lengths = np.array([len(game.choices) for game in games])
        choices = np.zeros((lengths.max(), number), np.int64)
        for column, game in enumerate(games):
            choices[: len(game.choices), column] = game.choices
        everybody, whoever = np.arange(number), np.full(number, -1, np.int8)
        begins = self._plan.begins(first // 2, -(-number // 2))
        usual = usual_start(self._game, self._options)
        states[:] = usual if begins is None else begins.states.repeat(2)[:number]
        with wrapping():
            self._loops.refresh(
                states, self._options, everybody, dice, *firsts, *buffers[:6], 0, number
            )
            for step, actions in enumerate(choices):
                under_way = everybody[lengths > step]
                yield under_way, states, buffers.to_move
                self._loops.step(
                    states,
                    self._options,
                    under_way,
                    actions[under_way],
                    False,
                    whoever,
                    dice,
                    *firsts,
                    *buffers,
                    length,
                    *finals,
                    stepped,
                    0,
                    under_way.size,
                )


class Draw:
    """Draws a quiet position of each game, in one pass (a reservoir of one).

    Attributes:
        seen: ``int64[n]``: how many quiet positions a game has had.
        side: ``int64[n]``: the side to move in the one that is drawn.
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
        """Which of these games are at the start of a turn that has not been seen: ``bool[k]``."""
        begins: np.ndarray = turns[rows] != self._turn[rows]
        self._turn[rows] = turns[rows]
        return begins

    def offer(
        self, rows: np.ndarray, turns: np.ndarray, side: np.ndarray, counts: np.ndarray, kinds: int
    ) -> None:
        """Take note of games at the start of a turn, and perhaps draw their positions.

        Args:
            rows: which games.
            turns: ``int64[k]``, turns completed.
            side: ``int64[k]``, to move.
            counts: ``int64[k, 2, kinds + covariates]``.
            kinds: how many of them must not have changed.
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
