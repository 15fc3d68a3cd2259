"""Games of one player against itself from varied openings, kept as they end.

Both sides are played by the same player, so who moves first is all that differs between them. Every
game has an opening of its own: some turns played at random, or by another player. Its seeds follow
from the trial's seed and its number and from nothing else. So games of the same number have the
same dice and draws in all trials of that seed (common random numbers: Law, *Simulation Modeling and
Analysis*, 5th edition, 2015, chapter 11), and a trial goes on after a kill to the same result.

Needs SciPy.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from pasgl_env import Batch, Position, __version__, players, variants
from pasgl_env.evaluation.openings import play_openings
from pasgl_env.evaluation.tournament import identity
from pasgl_env.games import parts
from pasgl_env.games.contract import OptionValue
from pasgl_env.playtest.positions import Draw, Sample
from pasgl_env.statistics.clustered import mean_of_pairs, score_of_pairs, share_of_pairs, sums_of
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.storage import runs
from pasgl_env.storage.runs import BadRun, Lines, check_same

CHUNK = 32
"""Games that are played at once, and kept at once, unless a trial says otherwise."""
CHUNKS = "chunks.jsonl"
RANDOM = "random"
MEASURES = ("first_mover_score", "draws", "truncations", "decisive_games")
"""Shares of games that are known of every trial."""

_MARKS = {"1": 1, "0": -1, "=": 0, "-": 0}
_SQUARE = re.compile(r"[a-z][1-9][0-9]?")


@dataclass(frozen=True)
class Trial:
    """What is played: all that games depend on besides their numbers.

    Attributes:
        variant: for two players or two teams.
        player: of both sides, a name that :func:`pasgl_env.players.make` knows.
        options: all options with their values.
        seed: of openings, dice and players.
        opening_turns: how many turns, of all players together, an opening has.
        opening_player: who plays them.
        begin: the position text at which openings begin; empty: as usual.
        line: labels that are played first.
        chunk: games that are played at once; even.
    """

    variant: str
    player: str
    options: dict[str, OptionValue]
    seed: int = 0
    opening_turns: int = 2
    opening_player: str = RANDOM
    begin: str = ""
    line: tuple[str, ...] = ()
    chunk: int = CHUNK

    @classmethod
    def of(
        cls,
        variant: str,
        player: str,
        options: Mapping[str, OptionValue],
        *,
        seed: int = 0,
        opening_turns: int = 2,
        opening_player: str = RANDOM,
        begin: str = "",
        line: Sequence[str] = (),
        chunk: int = CHUNK,
    ) -> Trial:
        """A trial that can be played; options that are not given have environments' defaults.

        Raises:
            ImportError: for a trained agent without the extra ``train``.
            ValueError: for an unknown variant, player or option, an impossible value, other than
                two sides, or a beginning or a line that cannot be.
        """
        batch = Batch(variant, 1, seed=0, **options)
        if set(batch.teams.tolist()) != {0, 1}:
            raise ValueError(f"a trial is between two sides, but {variant} has others")
        for name in (player, opening_player):
            players.make(name, variant, seed=0)
        if opening_turns < 0:
            raise ValueError(f"an opening has 0 turns or more, not {opening_turns}")
        trial = cls(
            variant,
            player,
            batch.options,
            seed,
            opening_turns,
            opening_player,
            begin,
            tuple(line),
            chunk,
        )
        _ = trial.start
        return trial

    @property
    def start(self) -> Position:
        """Where openings begin."""
        position = Position(self.variant, **self.options)
        if self.begin:
            position = Position.from_text(self.variant, self.begin, **self.options)
        for label in self.line:
            position.play(label)
        return position

    def to_dict(self) -> dict[str, Any]:
        """What tells it from other trials, and this version's games from another's; for JSON."""
        about = asdict(self)
        about["line"] = list(self.line)
        for name in ("player", "opening_player"):
            about[name] = identity(about[name], about[name], self.variant)
        return {"version": __version__, **about}


@dataclass(frozen=True)
class Chunk:
    """Some games of a trial.

    Attributes:
        number: of the chunk, from 0; its first game is the ``number * size``-th.
        outcomes: a character for each game: ``1`` the side that began won, ``0`` the other,
            ``=`` nobody, ``-`` it was cut off.
        turns: of each game, its opening included.
        first_sides: the team that began each.
        samples: of each game a quiet position: who is to move, +1 or -1 for team 0 or 1, and how
            many more of each kind of piece team 0 has; None where there was none.
        visits: how often a side's action ended on a square: ``"0 e4"`` of team 0 on e4.
    """

    number: int
    outcomes: str
    turns: list[int]
    first_sides: list[int]
    samples: list[list[int] | None] = field(default_factory=list)
    visits: dict[str, int] = field(default_factory=dict)


class Played:
    """All games of a trial so far.

    Args:
        chunks: in their order.
    """

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = chunks
        text = "".join(chunk.outcomes for chunk in chunks)
        self.outcomes = np.array([_MARKS[mark] for mark in text], np.int64)
        self._is_truncated = np.array([mark == "-" for mark in text], np.bool_)
        self.turns = np.array([turns for chunk in chunks for turns in chunk.turns], np.float64)

    @property
    def games(self) -> int:
        """How many."""
        return self.outcomes.size

    def scores_of(self, team: int) -> np.ndarray:
        """``float64[games]``: what a team scored in each game."""
        first_sides = np.array([side for chunk in self._chunks for side in chunk.first_sides])
        return (1 + self.outcomes * np.where(first_sides == team, 1, -1)) / 2

    def score(self, team: int) -> Estimate:
        """A team's score with its interval, of a number of games fixed beforehand."""
        return score_of_pairs((2 * self.scores_of(team) - 1).reshape(-1, 2))

    def shares(self, measure: str) -> np.ndarray:
        """``float64[games]``: what each game counts in one of :data:`MEASURES`.

        Raises:
            ValueError: for another measure.
        """
        if measure == "first_mover_score":
            return (1 + self.outcomes) / 2
        if measure == "truncations":
            return self._is_truncated.astype(np.float64)
        if measure == "draws":
            return ((self.outcomes == 0) & ~self._is_truncated).astype(np.float64)
        if measure == "decisive_games":
            return (self.outcomes != 0).astype(np.float64)
        raise ValueError(f"known of a trial are {', '.join(MEASURES)}, not {measure!r}")

    def sums(self, measure: str) -> tuple[np.ndarray, np.ndarray]:
        """What sequential tests look at: sums over two games each."""
        counted = self.shares(measure).reshape(-1, 2).sum(axis=1)
        games = np.full(counted.size, 2.0)
        return sums_of(counted, games), sums_of(games, games)

    def estimate(self, measure: str) -> Estimate:
        """A share with its interval, of a number of games fixed beforehand."""
        if measure == "first_mover_score":
            return score_of_pairs(self.outcomes.reshape(-1, 2))
        return share_of_pairs(self.shares(measure).reshape(-1, 2) > 0)

    @property
    def length(self) -> Estimate:
        """The mean number of turns."""
        return mean_of_pairs(self.turns.reshape(-1, 2))

    def sample(self, kinds: int) -> Sample:
        """A quiet position of each game that had one, with so many kinds and covariates."""
        rows = [
            (number, *position)
            for number, position in enumerate(
                position for chunk in self._chunks for position in chunk.samples
            )
            if position is not None
        ]
        table = np.array(rows, np.int64).reshape(len(rows), 2 + kinds)
        number = table[:, 0]
        result = self.scores_of(0)[number]
        return Sample(number, result, table[:, 1], np.zeros(len(rows), np.int64), table[:, 2:])

    def visits(self) -> dict[tuple[int, str], float]:
        """By side and square: how often an action of a game ended there."""
        total: Counter[str] = Counter()
        for chunk in self._chunks:
            total.update(chunk.visits)
        return {
            (int(key.split()[0]), key.split()[1]): number / self.games
            for key, number in total.items()
        }


def play_chunk(trial: Trial, number: int, *, samples: bool = False, visits: bool = False) -> Chunk:
    """Play the games of a chunk.

    Args:
        trial: what is played.
        number: of the chunk.
        samples: whether positions are drawn that tell values of pieces.
        visits: whether it is counted where actions end.

    Raises:
        NotImplementedError: if positions are to be drawn, and nobody has said what counts as
            material.
        ValueError: if games end before their openings do.
    """
    size = trial.chunk
    if trial.start.is_over:
        return _over(trial, number)
    batch = Batch(trial.variant, size, seed=0, reward="outcome", **trial.options)
    every = np.arange(size)
    seeds = [
        np.random.SeedSequence((trial.seed, number * size + game)).generate_state(4, np.uint64)
        for game in range(size)
    ]
    of_dice, of_opening, of_opener, of_player = np.array(seeds).T
    batch.reseed(every, of_dice.tolist())
    first_sides = _play_openings(trial, batch, of_opening, of_opener)
    player = players.make(trial.player, trial.variant, seed=0)
    players.reseed(player, every, of_player.tolist())
    notes = _Notes(trial, samples, visits)
    outcomes, turns = ["-"] * size, [0] * size
    game = variants.find(trial.variant)
    playing = np.ones(size, np.bool_)
    while playing.any():
        rows = np.flatnonzero(playing)
        actions = players.choose(player, batch, rows)
        notes.take(batch, rows, actions)
        batch.step_some(rows, actions)
        for place, row in enumerate(batch.ended.tolist()):
            playing[row] = False
            turns[row] = int(game.turns(batch.final_states[place]))
            if not batch.truncated[row]:
                seat = batch.teams.tolist().index(first_sides[row])
                outcomes[row] = "0=1"[int(batch.outcome[place, seat]) + 1]
    return Chunk(
        number,
        "".join(outcomes),
        turns,
        first_sides.tolist(),
        notes.samples(),
        dict(sorted(notes.visits.items())),
    )


def _over(trial: Trial, number: int) -> Chunk:
    """A chunk of games that the trial's line ends."""
    end, size = trial.start, trial.chunk
    won = (end.returns or (0.0,))[end.teams.index(0)]
    mark = "1" if won > 0 else "0" if won < 0 else "="
    return Chunk(number, mark * size, [end.turns] * size, [0] * size)


def _play_openings(
    trial: Trial, batch: Batch, of_opening: np.ndarray, of_opener: np.ndarray
) -> np.ndarray:
    """Play the openings of all games; return the team that began each."""
    every = np.arange(len(batch))
    if trial.opening_player == RANDOM:
        generators = [np.random.default_rng(int(seed)) for seed in of_opening]

        def choose(rows: np.ndarray) -> np.ndarray:
            masks = batch.action_mask
            return np.array([generators[row].choice(np.flatnonzero(masks[row])) for row in rows])

    else:
        opener = players.make(trial.opening_player, trial.variant, seed=0)
        players.reseed(opener, every, of_opener.tolist())

        def choose(rows: np.ndarray) -> np.ndarray:
            return players.choose(opener, batch, rows)

    return play_openings(batch, every, trial.start.state, trial.opening_turns, choose)


class _Notes:
    """What is noted of the games of a chunk while they are played."""

    def __init__(self, trial: Trial, samples: bool, visits: bool) -> None:
        self._table = parts.material(variants.find(trial.variant)) if samples else None
        self._counts_visits = visits
        self._draw: Draw | None = None
        self._seed = trial.seed
        self.visits: Counter[str] = Counter()

    def take(self, batch: Batch, rows: np.ndarray, actions: np.ndarray) -> None:
        """Note what is about to be played."""
        if self._table is not None:
            self._sample(batch, rows)
        if self._counts_visits:
            sides = batch.teams[batch.to_move]
            for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
                squares = _SQUARE.findall(batch.position(row).label(action))
                if squares:
                    self.visits[f"{sides[row]} {squares[-1]}"] += 1

    def _sample(self, batch: Batch, rows: np.ndarray) -> None:
        assert self._table is not None
        if self._draw is None:
            rng = np.random.default_rng(self._seed)
            self._draw = Draw(len(batch), batch.num_players, rng)
        turns = batch.states["turn_count"]
        begun = rows[self._draw.begins_turn(rows, turns)]
        if begun.size:
            sides = batch.teams[batch.to_move[begun]]
            counts = self._table.count(batch.states[begun])
            self._draw.offer(begun, turns[begun], sides, counts, len(self._table.KINDS))

    def samples(self) -> list[list[int] | None]:
        """Of each game, a quiet position; none at all if none were wanted."""
        draw = self._draw
        if draw is None or draw.lead is None:
            return []
        return [
            [int(1 - 2 * side), *lead] if seen else None
            for seen, side, lead in zip(draw.seen, draw.side, draw.lead.tolist(), strict=True)
        ]


class Journal:
    """The chunks of the arms of some trials, on disk as they are played; see :func:`journal`."""

    def __init__(self, path: Path, kind: str, form: str) -> None:
        self._lines = Lines(path / CHUNKS, kind, {"format": form})
        self._kept: dict[str, list[Chunk]] = {}
        try:
            for line in self._lines.lines:
                self._take(**json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise BadRun(f"{path / CHUNKS} is damaged: delete {path}") from None

    def chunks(self, arm: str) -> list[Chunk]:
        """Those of an arm, in order."""
        return self._kept.setdefault(arm, [])

    def arms(self) -> list[str]:
        """Those that have been begun."""
        return list(self._kept)

    def add(self, arm: str, chunk: Chunk) -> None:
        """Keep the next chunk of an arm; it is on disk when this returns.

        Raises:
            OSError: if it cannot be written.
        """
        self._lines.add({"arm": arm, **asdict(chunk)})
        self.chunks(arm).append(chunk)

    def _take(self, arm: str, **about: Any) -> None:
        """Keep a chunk that the file has."""
        chunk = Chunk(**about)
        if chunk.number != len(self.chunks(arm)) or len(chunk.outcomes) != len(chunk.turns):
            raise ValueError("a chunk is missing")
        self.chunks(arm).append(chunk)


@contextmanager
def journal(
    path: Path, kind: str, about: Mapping[str, Any], command: Sequence[str]
) -> Iterator[Journal]:
    """The folder of some trials, made if need be, which no other process can open meanwhile.

    Args:
        path: of the folder.
        kind: of what is done there, such as ``balance``.
        about: what must be the same for the games that are kept to count, ready for JSON.
        command: what was asked for, for people.

    Raises:
        BadRun: if the folder holds something else, or damaged files.
        InUse: if another process is at work there.
        OSError: if it cannot be read or written.
    """
    form = f"pasgl_env {kind} 1"
    with runs.opened(path, kind):
        if known := runs.read_manifest(path, kind, form, dict):
            check_same(
                f"{path} holds something else", {name: known.get(name) for name in about}, about
            )
        runs.write_manifest(path, {"format": form, **about, "command": list(command)})
        yield Journal(path, kind, form)
