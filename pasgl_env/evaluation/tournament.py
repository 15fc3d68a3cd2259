"""Round robins and sequential tests, in pairs of games with the same dice and sides swapped.

Needs SciPy.

>>> from pasgl_env.evaluation.tournament import Tournament
>>> tournament = Tournament("pasgl312", ["random", "greedy"], seed=1)
>>> standings = tournament.play(games=10)
>>> standings.score(1, 0) > 0.5
True

A pairing is played in parts. With a folder, each part is saved when it ends. A killed or
interrupted tournament resumes there, and gives the same result as an undisturbed one. More games or
players can be added later in the same way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import combinations
from math import isinf, isnan
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from pasgl_env import players
from pasgl_env.contract import variants
from pasgl_env.contract.game import OptionValue, checked_number
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.duration import short_time
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.dice import checked_seed
from pasgl_env.evaluation.journal import FORMAT, Journal, Part, pair_points
from pasgl_env.evaluation.match import MOST_GAMES, hardly_vary, play_match
from pasgl_env.evaluation.openings import USUAL, Openings
from pasgl_env.evaluation.progress import Pace, Report
from pasgl_env.evaluation.table import Table
from pasgl_env.players import as_player
from pasgl_env.players.settings import FILES, parts_of
from pasgl_env.players.trained import AGENT_FILE
from pasgl_env.players.values.weights import FILE as VALUES_FILE
from pasgl_env.players.values.weights import shipped_file
from pasgl_env.statistics.ratings import (
    Pairing,
    Rating,
    largest_misfit,
    rate_players,
    usual_anchor,
)
from pasgl_env.statistics.sprt import POINTS, Hypothesis, Sprt, count_pairs
from pasgl_env.statistics.texts import elo_interval_text, elo_text
from pasgl_env.storage.runs import alone_in
from pasgl_env.version import __version__

PART = 40
"""Number of games in a part; even."""

RESULTS_FILE = "results.jsonl"

Meeting = tuple[int, int]
"""The numbers of two players, the lower first."""


@dataclass(frozen=True)
class Standings:
    """The results of a tournament.

    Attributes:
        ruleset: the variant under its options.
        players: the players' names.
        games: number of games per pairing.
        outcomes: for each pairing of players' numbers, the lower first, one character per game, see
            :class:`pasgl_env.evaluation.journal.Part`.
        distinct: for each pairing, the number of different final positions.
        seconds: for each player, the mean time per action.
        anchor: number of the player whose rating is 0.
        duration: seconds that all games took, whenever they were played.
    """

    ruleset: Ruleset
    seed: int
    players: tuple[str, ...]
    games: int
    outcomes: dict[Meeting, str]
    distinct: dict[Meeting, int]
    seconds: tuple[float, ...]
    anchor: int
    duration: float

    @cached_property
    def ratings(self) -> list[Rating]:
        """The rating of every player, relative to the anchor's."""
        return rate_players(len(self.players), _pairings(self.outcomes), self.anchor)

    @property
    def ranking(self) -> list[int]:
        """The players' numbers, best first, by their scores against all others."""
        return sorted(range(len(self.players)), key=lambda player: -self.total(player))

    def score(self, player: int, opponent: int) -> float:
        """The share of the points, 0 to 1, that a player took from another."""
        first, second = sorted((player, opponent))
        share = float(pair_points(self.outcomes[first, second]).mean() / 2)
        return share if player == first else 1 - share

    def total(self, player: int) -> float:
        """The share of the points that a player took in all games, from 0 to 1."""
        others = [other for other in range(len(self.players)) if other != player]
        return float(np.mean([self.score(player, other) for other in others]))

    @property
    def monotonous(self) -> list[tuple[str, str]]:
        """Pairs of players who hardly vary: at most half of their games' final positions differ."""
        return [
            (self.players[first], self.players[second])
            for (first, second), distinct in self.distinct.items()
            if hardly_vary(distinct, self.games)
        ]

    @property
    def table(self) -> Table:
        """The cross table: a row for every player, the best first; scores in percent.

        >>> standings = Tournament("pasgl312", ["random", "greedy"], seed=1).play(games=10)
        >>> print(standings.table.to_markdown())
        **PASGL 312 Chess, 10 games in each pairing**
        <BLANKLINE>
        |  | player | Elo | 95% interval | score | time/action | 1 | 2 |
        | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |
        | 1 | greedy | over -15 | - | 100.0% | ... | - | 100 |
        | 2 | random | 0 | anchor | 0.0% | ... | 0 | - |
        ...
        """
        opponents = [str(rank + 1) for rank in range(len(self.players))]
        return Table(
            f"{self.ruleset.game.title}, {self.games} games in each pairing",
            ["", "player", "Elo", "95% interval", "score", "time/action", *opponents],
            [self._cells(rank, player) for rank, player in enumerate(self.ranking, 1)],
            list(self._notes()),
            left=[1],
        )

    def _cells(self, rank: int, player: int) -> list[str]:
        rating = self.ratings[player]
        return [
            str(rank),
            self.players[player],
            elo_text(rating),
            "anchor" if player == self.anchor else elo_interval_text(rating),
            f"{self.total(player):.1%}",
            short_time(self.seconds[player]),
            *(
                "-" if player == other else f"{100 * self.score(player, other):.0f}"
                for other in self.ranking
            ),
        ]

    def _notes(self) -> Iterator[str]:
        anchor = self.players[self.anchor]
        yield (
            f"Elo relative to {anchor}. On the right: percent of the points taken from each player."
            f" Time: mean of all actions, up to {PART} games at once. Seed {self.seed}."
        )
        elos = [rating.elo for rating in self.ratings]
        if any(map(isnan, elos)):
            yield f"Unknown: no chain of results leads to {anchor}; choose another anchor."
        if any(map(isinf, elos)):
            yield "Over, under: all games were won, or lost, so there is only a bound (97.5%)."
        if worst := largest_misfit(_pairings(self.outcomes), self.ratings):
            yield (
                f"One number a player does not describe these results: {self.players[worst.first]}"
                f" scored {worst.score:.0%} against {self.players[worst.second]}, where their Elo"
                f" predicts {worst.predicted:.0%}."
            )
        for first, second in self.monotonous:
            yield (
                f"The games of {first} and {second} have few different last positions: the two"
                " hardly vary, so intervals are too narrow."
            )

    def to_dict(self) -> dict[str, Any]:
        """Everything except the individual games, as JSON values; None for infinite or unknown."""
        return {
            "variant": self.ruleset.name,
            "options": dict(self.ruleset.options),
            "seed": self.seed,
            "games": self.games,
            "anchor": self.players[self.anchor],
            "players": [self._row(player) for player in self.ranking],
            "pairings": [
                {
                    "first": self.players[first],
                    "second": self.players[second],
                    "won": (tally := Counter(outcomes))["1"],
                    "drawn": tally["="],
                    "lost": tally["0"],
                    "truncated": tally["-"],
                    "distinct": self.distinct[first, second],
                }
                for (first, second), outcomes in self.outcomes.items()
            ],
        }

    def _row(self, player: int) -> dict[str, Any]:
        return {
            "player": self.players[player],
            **self.ratings[player].to_dict(),
            "score": self.total(player),
            "seconds": self.seconds[player],
        }


@dataclass(frozen=True)
class Decision:
    """The result of a sequential test.

    Attributes:
        test: its hypotheses and error rates.
        first: the player that is stronger under H1.
        second: the opponent.
        verdict: the accepted hypothesis; None if there were not enough games.
        counts: number of pairs in which the first player scored 0, 0.5, 1, 1.5 and 2 points.
        ratio: the final log likelihood ratio.
        rating: the first player's rating relative to the second's. Its interval is computed as for
            a fixed number of games, which is slightly too optimistic for a test that stops at a
            bound.
    """

    test: Sprt
    first: str
    second: str
    verdict: Hypothesis | None
    counts: list[int]
    ratio: float
    rating: Rating

    @property
    def games(self) -> int:
        """Number of games played."""
        return 2 * sum(self.counts)

    @property
    def score(self) -> float:
        """The share of the points that the first player took."""
        return float(np.array(self.counts) @ POINTS) / max(self.games, 1)

    @property
    def table(self) -> Table:
        """The result, with the test and the numbers that decided it."""
        elo = {"H0": f"at most {self.test.elo1:g}", "H1": f"above {self.test.elo0:g}"}
        result = "undecided, more games are needed"
        if self.verdict is not None:
            result = f"{self.verdict}, Elo {elo[self.verdict]}"
        low, high = self.test.bounds
        rows = {
            "H0": f"Elo {self.test.elo0:g} or less",
            "H1": f"Elo {self.test.elo1:g} or more",
            "error rates": f"{self.test.alpha:.2g} accepting H1, {self.test.beta:.2g} accepting H0",
            "games": str(self.games),
            "pairs with 0, 0.5, 1, 1.5, 2 points": ", ".join(map(str, self.counts)),
            "log likelihood ratio": f"{self.ratio:.2f} (bounds {low:.2f} and {high:.2f})",
            "Elo": elo_text(self.rating),
            "  95% interval": elo_interval_text(self.rating),
        }
        return Table(
            f"{self.first} against {self.second}: {result}",
            ["", ""],
            list(rows.items()),
            [
                "The interval is that of a fixed number of games; a test that stops early"
                " overstates."
            ],
            left=[0, 1],
        )

    def to_dict(self) -> dict[str, Any]:
        """The decision as JSON values; infinite or unknown values are None."""
        return {**asdict(self), "games": self.games, "rating": self.rating.to_dict()}


class Tournament:
    """A tournament in one variant; :meth:`play` and :meth:`decide` play the games.

    Args:
        variant: a variant for two players or two teams.
        players: names for :func:`pasgl_env.players.make`; or a mapping from names of your choice to
            anything that :func:`pasgl_env.players.as_player` accepts. In a folder, a player is
            identified by its name, and one that is read from files also by their content. Give an
            object that has changed another name.
        seed: seed of dice and players. A pairing's games depend only on the seed and the two names,
            if the players are determined by their seeds, as those of this package are without a
            time budget.
        threads: number of threads of the batch.
        folder: folder of the results; created if needed. Games in it are not played again.
        openings: where pairs of games begin; both players play each opening from both sides.
        options: the variant's options; they may share names with the first two arguments.

    Raises:
        TypeError: if an argument cannot be made into a player.
        ValueError: for an unknown variant, player or option, an invalid value, a variant of more
            than two sides, a repeated name, or fewer than two players.
    """

    def __init__(
        self,
        variant: Any,
        players: Sequence[str] | Mapping[str, Any],
        /,
        *,
        seed: int = 0,
        threads: int = 1,
        folder: Path | None = None,
        openings: Openings = USUAL,
        **options: OptionValue,
    ) -> None:
        names = list(players)
        things = players if isinstance(players, Mapping) else dict(zip(names, names, strict=True))
        self.names = tuple(names)
        if len(names) < 2:
            raise ValueError("a tournament needs two players or more")
        twice = [name for name, times in Counter(names).items() if times > 1]
        if twice:
            raise ValueError(f"a player cannot meet itself: {twice[0]!r} is given twice")
        self.ruleset, self.seed = variants.ruleset(variant, **options), checked_seed(seed)
        self.ruleset.check_two_sides("ratings are for games of")
        Batch(self.ruleset, 1, threads=threads)  # check the number
        self._threads = threads
        self._players = [as_player(things[name], self.ruleset.name, seed=0) for name in names]
        self._identities = [identity(name, things[name], self.ruleset.name) for name in names]
        self._folder, self._openings = folder, openings
        openings.check(self.ruleset)

    def play(
        self,
        games: int,
        *,
        anchor: str | None = None,
        report: Report = lambda progress: None,
    ) -> Standings:
        """Play a round robin.

        Args:
            games: number of games per pairing, even.
            anchor: the player whose rating is 0; None: the first of the largest group of players
                whose ratings relative to each other are finite.
            report: called whenever games have ended.

        Raises:
            BadRun: if the folder holds results of another tournament, or damaged ones.
            InUse: if another process is at work in the folder.
            OSError: if results cannot be saved or read; earlier results are safe.
            ValueError: for an odd number of games, an anchor that is not a player, or as
                :func:`pasgl_env.evaluation.play_match`.
        """
        if anchor is not None and anchor not in self.names:
            raise ValueError(f"the anchor {anchor!r} is not a player: {', '.join(self.names)} are")
        games = _checked_games(games)
        sizes = _part_sizes(games)
        meetings = list(combinations(range(len(self.names)), 2))
        pace = Pace(games * len(meetings), report)
        parts: dict[Meeting, list[Part]] = {meeting: [] for meeting in meetings}
        # Round by round, so that the time left is known early and an interrupted tournament is
        # balanced.
        with self._alone():
            for number, size in enumerate(sizes):
                for meeting in meetings:
                    parts[meeting].append(self._part(meeting, number, size, pace))
        return self._standings(parts, games, anchor)

    def _standings(
        self, parts: Mapping[Meeting, Sequence[Part]], games: int, anchor: str | None
    ) -> Standings:
        """The standings after these games of each pairing; stored parts may have more."""
        outcomes = {
            meeting: "".join(part.outcomes for part in own)[:games]
            for meeting, own in parts.items()
        }
        endings = {
            meeting: [ending for part in own for ending in part.endings][:games]
            for meeting, own in parts.items()
        }
        return Standings(
            self.ruleset,
            self.seed,
            self.names,
            games,
            outcomes,
            {meeting: len(set(own)) for meeting, own in endings.items()},
            self._seconds(parts),
            self.names.index(anchor)
            if anchor is not None
            else usual_anchor(len(self.names), _pairings(outcomes)),
            sum(
                part.seconds * min(1.0, size / part.games)
                for own in parts.values()
                for part, size in zip(own, _part_sizes(games), strict=True)
            ),
        )

    def decide(
        self, test: Sprt, most_games: int, *, report: Report = lambda progress: None
    ) -> Decision:
        """Play until a sequential test decides whether the first player is the stronger one.

        Args:
            test: the test, checked after every :data:`PART` games.
            most_games: number of games after which to give up, even.
            report: called whenever games have ended.

        Raises:
            BadRun: as in :meth:`play`.
            InUse: as in :meth:`play`.
            OSError: as in :meth:`play`.
            ValueError: if there are not two players, or as in :meth:`play`.
        """
        if len(self.names) != 2:
            raise ValueError(f"a test decides between two players, not {len(self.names)}")
        most_games = _checked_games(most_games)
        pace = Pace(most_games, report)
        points = np.zeros(0)
        sizes = _part_sizes(most_games)
        with self._alone():
            for number, size in enumerate(sizes):
                part = self._part((0, 1), number, size, pace)
                points = np.concatenate([points, pair_points(part.outcomes[:size])])
                if test.verdict(count_pairs(points)):
                    break
        counts = count_pairs(points)
        return Decision(
            test,
            *self.names,
            test.verdict(counts),
            counts,
            test.log_likelihood_ratio(counts),
            rate_players(2, [Pairing(0, 1, points)], anchor=1)[0],
        )

    def _alone(self) -> AbstractContextManager[None]:
        """Lock the folder, if there is one."""
        return nullcontext() if self._folder is None else alone_in(self._folder)

    @cached_property
    def _journal(self) -> Journal[Part]:
        """Opened just before play, so that invalid arguments are reported first."""
        about: dict[str, Any] = {
            "format": FORMAT,
            "variant": self.ruleset.name,
            "options": dict(self.ruleset.options),
            "seed": self.seed,
            "part": PART,
            **played_by(self.ruleset),
        }
        if not self._openings.is_usual:
            about["openings"] = self._openings.to_dict()
        file = self._folder / RESULTS_FILE if self._folder else None
        return Journal(file, "tournament", about, Part.of_json)

    def _part(self, meeting: Meeting, number: int, games: int, pace: Pace) -> Part:
        """A part of a pairing with at least this many games, from the journal or played now."""
        first, second = (self._identities[player] for player in meeting)
        part = self._journal.get((first, second, number))
        if part is None or part.games < games:
            part = self._play_part(meeting, number, games, pace)
            self._journal.add(part)
            pace.add(games)
        else:
            pace.resume(games)
        return part

    def _play_part(self, meeting: Meeting, number: int, games: int, pace: Pace) -> Part:
        one, other = (self._players[player] for player in meeting)
        first, second = (self._identities[player] for player in meeting)
        begun = perf_counter()
        # The same for all pairings.
        begins = self._openings.begins(self.ruleset, self.seed, number * PART // 2, games // 2)
        result = play_match(
            self.ruleset,
            one,
            other,
            games,
            seed=seed_of_part(self.seed, first, second, number),
            threads=self._threads,
            paired=True,
            starts=None if begins is None else begins.states,
            progress=pace.tell,
        )
        return Part.of_match(first, second, number, result, perf_counter() - begun)

    def _seconds(self, parts: Mapping[Meeting, Sequence[Part]]) -> tuple[float, ...]:
        """The mean time per action of each player, over all its games."""
        actions, seconds = np.zeros((2, len(self.names)))
        for meeting, own in parts.items():
            for part in own:
                actions[list(meeting)] += part.actions
                seconds[list(meeting)] += part.thinking
        return tuple((seconds / np.maximum(actions, 1)).tolist())


def _checked_games(games: int) -> int:
    games = checked_number("games", games, 2, MOST_GAMES)
    if games % 2:
        raise ValueError(f"games are played in pairs, so their number must be even, not {games}")
    return games


def _part_sizes(games: int) -> list[int]:
    rest = games % PART
    return [PART] * (games // PART) + ([rest] if rest else [])


def _pairings(outcomes: Mapping[Meeting, str]) -> list[Pairing]:
    return [Pairing(*meeting, pair_points(own)) for meeting, own in outcomes.items()]


def seed_of_part(seed: int, first: str, second: str, number: int) -> int:
    """The seed of a part of the games of a pairing; ``first`` and ``second`` name it."""
    names = blake2b(f"{first}\0{second}".encode(), digest_size=8).digest()
    sequence = np.random.SeedSequence((seed, int.from_bytes(names), number))
    return int(sequence.generate_state(1, np.uint64)[0])


def identity(name: str, thing: Any, variant: str) -> str:
    """The identity of a player in saved results.

    An agent that was trained further is a different player, so its file's content is part of it;
    so are those of learned values and tables in its name.

    Args:
        name: the player's name.
        thing: the player, or anything that :func:`pasgl_env.players.as_player` accepts.
        variant: the variant that it plays.
    """
    files = _files_of(thing, variant) if isinstance(thing, str) else []
    return "@".join([name, *map(file_digest, files)])


def played_by(ruleset: Ruleset) -> dict[str, Any]:
    """What players without a file of their own depend on, for saved results.

    Values may be learned anew between two versions, and results by both are not mixed.
    """
    file = shipped_file(ruleset)
    return {"version": __version__, "shipped_values": file and file_digest(file)}


def file_digest(file: Path) -> str:
    """A short digest of a file's content."""
    return blake2b(file.read_bytes(), digest_size=6).hexdigest()


def _files_of(name: str, variant: str) -> list[Path]:
    """The files that a player is read from; none for those without one of their own."""
    settings = [part.partition("=") for part in parts_of(name)]
    if files := [Path(value) for setting, _, value in settings if setting in FILES]:
        return [_within(file, VALUES_FILE) for file in files]
    agent = players.file_of(name, variant)
    return [] if agent is None else [_within(agent, AGENT_FILE)]


def _within(path: Path, name: str) -> Path:
    return path / name if path.is_dir() else path
