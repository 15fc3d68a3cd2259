"""Games of one player against itself from varied openings.

Both sides are played by the same player, so who moves first is all that differs between them. Each
game has its own opening: some turns played at random, or by another player. The seeds of a game
depend only on the trial's seed and the game's number, so games of the same number have the same
dice and draws in all trials of that seed (common random numbers: Law, *Simulation Modeling and
Analysis*, 5th edition, 2015, chapter 11), and an interrupted trial continues to the same result.

Needs SciPy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any

import numpy as np

from pasgl_env import Batch, Position, __version__, players, variants
from pasgl_env.evaluation.match import digest_of, hardly_vary
from pasgl_env.evaluation.openings import UNIFORM, check_unfinished, play_openings
from pasgl_env.evaluation.tournament import identity
from pasgl_env.games import parts
from pasgl_env.games.contract import OptionValue
from pasgl_env.games.parts import Material
from pasgl_env.playtest.positions import Draw, Sample
from pasgl_env.render.labels import read
from pasgl_env.statistics.clustered import (
    mean_of_pairs,
    score_of_pairs,
    share_of_pairs,
    sums_of_pairs,
)
from pasgl_env.statistics.estimates import Estimate

CHUNK = 32
"""Games that are played at once, and kept at once, unless a trial says otherwise."""
MEASURES = ("first_mover_score", "draws", "truncations", "decisive_games")
"""Shares of games that are known of every trial."""
TURNS = "turns"
NO_VERDICT = (
    "These games hardly vary, so there is no verdict: let them begin differently, with"
    " --opening-turns, or choose a player that draws its actions, such as td:temperature=0.1."
)
"""Said of :attr:`Played.hardly_vary`."""

_GOING = ("move", "capture", "enter", "create")
"""The kinds of actions that bring a side's own piece to their target."""


@dataclass(frozen=True)
class Trial:
    """What is played: everything that games depend on besides their numbers.

    Attributes:
        variant: for two players or two teams.
        player: of both sides, a name that :func:`pasgl_env.players.make` knows.
        options: of the variant; those not given have the defaults of environments.
        seed: of openings, dice and players.
        opening_turns: how many turns an opening has, those of all players counted.
        opening_player: who plays them.
        begin: the position text at which openings begin; empty for the usual start.
        line: labels that are played before the opening.
        chunk: how many games are played at once; even.

    Raises:
        ImportError: for a trained agent without the extra ``train``.
        ValueError: for an unknown variant, player or option, an impossible value, other than two
            sides, an impossible beginning or line, or openings that reach the turn limit.
    """

    variant: str
    player: str
    options: dict[str, OptionValue]
    seed: int = 0
    opening_turns: int = 2
    opening_player: str = UNIFORM
    begin: str = ""
    line: tuple[str, ...] = ()
    chunk: int = CHUNK

    def __post_init__(self) -> None:
        batch = Batch(self.variant, 1, seed=0, **self.options)
        if set(batch.teams.tolist()) != {0, 1}:
            raise ValueError(f"a trial is between two sides, but {self.variant} has others")
        for name in (self.player, self.opening_player):
            _check_player(name, self.variant)
        if self.opening_turns < 0:
            raise ValueError(f"an opening has 0 turns or more, not {self.opening_turns}")
        object.__setattr__(self, "options", batch.options)
        check_unfinished(self._begun)
        self._check_opening()

    @property
    def start(self) -> Position:
        """Where openings begin."""
        position = self._begun
        for label in self.line:
            position.play(label)
        return position

    def _check_opening(self) -> None:
        """Raise ``ValueError`` if games are cut off before their openings end."""
        start = self.start
        left = start.turn_limit - start.turns
        if start.turn_limit and 0 < left <= self.opening_turns:
            raise ValueError(
                f"games are cut off after {left} turns: an opening has fewer, not"
                f" {self.opening_turns}"
            )

    @property
    def _begun(self) -> Position:
        """Where the line begins."""
        if self.begin:
            return Position.from_text(self.variant, self.begin, **self.options)
        return Position(self.variant, **self.options)

    @property
    def opening(self) -> str:
        """The opening in words."""
        return (
            f"{self.opening_turns} turn{'s' * (self.opening_turns != 1)} by {self.opening_player}"
        )

    def to_dict(self) -> dict[str, Any]:
        """The trial and the version that plays it, ready for JSON."""
        about = asdict(self) | {"line": list(self.line)}
        for name in ("player", "opening_player"):
            about[name] = identity(about[name], about[name], self.variant)
        return {"version": __version__, **about}


@cache
def _check_player(name: str, variant: str) -> None:
    """Raise an error if there is no such player."""
    players.make(name, variant, seed=0)


@dataclass(frozen=True)
class Chunk:
    """Some games of a trial.

    Attributes:
        number: of the chunk, from 0; its first game is number ``number * size``.
        outcomes: a character for each game: ``1`` if the side that began won, ``0`` if the other
            did, ``=`` for a draw, ``-`` if it was cut off.
        turns: of each game, its opening included.
        first_sides: the team that began each game.
        samples: a quiet position of each game: 1 or -1 if team 0 or team 1 is to move, then how
            many more of each kind of piece team 0 has; None where there was no such position.
        visits: how often a side's piece went to a square: ``"0 e4"`` for team 0 to e4.
        endings: a digest of the last state of each game; none if the line ends it.
    """

    number: int
    outcomes: str
    turns: list[int]
    first_sides: list[int]
    samples: list[list[int] | None] = field(default_factory=list)
    visits: dict[str, int] = field(default_factory=dict)
    endings: list[str] = field(default_factory=list)


class Played:
    """Games of a trial.

    Args:
        chunks: in order.

    Attributes:
        games: how many games there are.
        counted: ``float64[games]`` by measure, the :data:`MEASURES` and :data:`TURNS`: what each
            game counts.
    """

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = chunks
        marks = np.frombuffer("".join(chunk.outcomes for chunk in chunks).encode(), "S1")
        self.games = marks.size
        self.counted: dict[str, np.ndarray] = {
            "first_mover_score": (1.0 + (marks == b"1") - (marks == b"0")) / 2,
            "draws": (marks == b"=").astype(np.float64),
            "truncations": (marks == b"-").astype(np.float64),
            "decisive_games": ((marks == b"1") | (marks == b"0")).astype(np.float64),
            TURNS: np.array([turns for chunk in chunks for turns in chunk.turns], np.float64),
        }

    @property
    def hardly_vary(self) -> bool:
        """Whether so few games differ that intervals are too narrow."""
        endings = [ending for chunk in self._chunks for ending in chunk.endings]
        return hardly_vary(len(set(endings)), len(endings)) if endings else False

    def scores_of(self, team: int) -> np.ndarray:
        """``float64[games]``: what a team scored in each game."""
        first_sides = np.array([side for chunk in self._chunks for side in chunk.first_sides])
        scores = self.counted["first_mover_score"]
        return np.where(first_sides == team, scores, 1 - scores)

    def score(self, team: int) -> Estimate:
        """A team's score with its interval, for a number of games fixed beforehand."""
        return score_of_pairs((2 * self.scores_of(team) - 1).reshape(-1, 2))

    def sums(self, measure: str) -> tuple[np.ndarray, np.ndarray]:
        """The sums over pairs of games that sequential tests take."""
        return sums_of_pairs(self.counted[measure].reshape(-1, 2))

    def estimate(self, measure: str) -> Estimate:
        """A measure with its interval, for a number of games fixed beforehand."""
        counted = self.counted[measure].reshape(-1, 2)
        if measure == "first_mover_score":
            return score_of_pairs(2 * counted - 1)
        return mean_of_pairs(counted) if measure == TURNS else share_of_pairs(counted > 0)

    def sample(self, kinds: int) -> Sample:
        """The quiet positions, with so many kinds of pieces and covariates."""
        samples = [position for chunk in self._chunks for position in chunk.samples]
        number = np.array([place for place, each in enumerate(samples) if each], np.int64)
        found = np.array([each for each in samples if each], np.int64).reshape(-1, 1 + kinds)
        nobody = np.zeros(number.size, np.int64)
        return Sample(number, self.scores_of(0)[number], found[:, 0], nobody, found[:, 1:])

    def visits(self) -> dict[tuple[int, str], float]:
        """By team and square: how often a game's pieces went there."""
        total = Counter[str]()
        for chunk in self._chunks:
            total.update(chunk.visits)
        places = ((key.split(), number) for key, number in total.items())
        return {(int(team), square): number / self.games for (team, square), number in places}


def regression_rows(
    arms: Iterable[tuple[float, Played]], measure: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The games of several arms as rows of a regression.

    Args:
        arms: the regressor and the games of each.
        measure: the response.

    Returns:
        The regressors ``float64[n, 2]``, the first of them 1; the responses ``float64[n]``; the
        clusters ``int64[n]``: games of the same number have the same seeds in all arms.
    """
    places, played = zip(*arms, strict=True)
    games = [each.games for each in played]
    columns = np.column_stack([np.ones(sum(games)), np.repeat(places, games)])
    counted = np.concatenate([each.counted[measure] for each in played])
    return columns, counted, np.concatenate([np.arange(each) for each in games])


def play_chunk(trial: Trial, number: int, *, samples: bool = False, visits: bool = False) -> Chunk:
    """Play the games of a chunk.

    Args:
        trial: what is played.
        number: of the chunk.
        samples: whether to draw positions that tell the values of pieces.
        visits: whether to count where pieces go.

    Raises:
        NotImplementedError: if positions are to be drawn from a game without material.
        ValueError: if games end before their openings do.
    """
    size, start = trial.chunk, trial.start
    if start.is_over or start.is_truncated:  # by the line
        return Chunk(number, _mark(start) * size, [start.turns] * size, [0] * size)
    batch = Batch(trial.variant, size, seed=0, reward="outcome", **trial.options)
    rows = np.arange(size)
    of_dice, of_opening, of_opener, of_player = np.transpose(
        [
            np.random.SeedSequence((trial.seed, game)).generate_state(4, np.uint64)
            for game in range(number * size, (number + 1) * size)
        ]
    )
    batch.reseed(rows, of_dice.tolist())
    first_sides = _play_openings(trial, batch, start, of_opening, of_opener)
    player = players.make(trial.player, trial.variant, seed=0)
    players.reseed(player, rows, of_player.tolist())
    game, teams = variants.find(trial.variant), batch.teams.tolist()
    table = parts.material(game) if samples else None
    of_draw = np.random.SeedSequence(trial.seed, spawn_key=(number,))  # unlike that of any game
    draw = Draw(size, batch.num_players, np.random.default_rng(of_draw))
    visited = Counter[str]()
    outcomes, turns, endings = ["-"] * size, [0] * size, [""] * size
    while rows.size:
        actions = players.choose(player, batch, rows)
        if table is not None:
            _sample(table, draw, batch, rows)
        if visits:
            visited.update(_visits(batch, rows, actions))
        batch.step_some(rows, actions)
        for place, row in enumerate(batch.ended.tolist()):
            last = batch.final_states[place]
            turns[row] = int(game.turns(last))
            endings[row] = digest_of(last).hex()
            if not batch.truncated[row]:
                seat = teams.index(first_sides[row])
                outcomes[row] = "0=1"[int(batch.outcome[place, seat]) + 1]
        rows = np.setdiff1d(rows, batch.ended, assume_unique=True)
    return Chunk(
        number,
        "".join(outcomes),
        turns,
        first_sides.tolist(),
        _samples(draw),
        dict(sorted(visited.items())),
        endings,
    )


def _mark(end: Position) -> str:
    """The outcome of a game for team 0, as in :attr:`Chunk.outcomes`."""
    if end.returns is None:
        return "-"
    return "0=1"[int(end.returns[end.teams.index(0)]) + 1]


def _play_openings(
    trial: Trial, batch: Batch, start: Position, of_opening: np.ndarray, of_opener: np.ndarray
) -> np.ndarray:
    """Play the openings of all games; return the team that began each."""
    every = np.arange(len(batch))
    if trial.opening_player == UNIFORM:
        generators = list(map(np.random.default_rng, of_opening.tolist()))

        def choose(rows: np.ndarray) -> np.ndarray:
            masks = batch.action_mask
            return np.array([generators[row].choice(np.flatnonzero(masks[row])) for row in rows])

    else:
        opener = players.make(trial.opening_player, trial.variant, seed=0)
        players.reseed(opener, every, of_opener.tolist())

        def choose(rows: np.ndarray) -> np.ndarray:
            return players.choose(opener, batch, rows)

    return play_openings(batch, every, start.state, trial.opening_turns, choose)


def _sample(table: Material, draw: Draw, batch: Batch, rows: np.ndarray) -> None:
    """Offer the positions at the start of a turn."""
    turns = batch.states["turn_count"]
    begun = rows[draw.begins_turn(rows, turns)]
    if begun.size:
        sides, counts = batch.teams[batch.to_move[begun]], table.count(batch.states[begun])
        draw.offer(begun, turns[begun], sides, counts, len(table.KINDS))


def _samples(draw: Draw) -> list[list[int] | None]:
    """The position drawn of each game; none at all if none were offered."""
    if draw.lead is None:
        return []
    found = np.column_stack([1 - 2 * draw.side, draw.lead]).tolist()
    return [each if seen else None for seen, each in zip(draw.seen, found, strict=True)]


def _visits(batch: Batch, rows: np.ndarray, actions: np.ndarray) -> Iterator[str]:
    """Where pieces go, as keys of :attr:`Chunk.visits`."""
    teams = batch.teams[batch.to_move]
    for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
        played = read(batch.position(row).label(action))
        if played.kind in _GOING:
            yield f"{teams[row]} {played.target}"
