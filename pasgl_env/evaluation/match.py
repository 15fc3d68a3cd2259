"""Matches between two players: many games at once, alternating sides, results with intervals.

>>> from pasgl_env.evaluation import play_match
>>> result = play_match("pasgl312", "random", "random", games=10, seed=1)
>>> result.all.games, *(tally.games for tally in result.by_side)
(10, 5, 5)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from hashlib import blake2b
from os import PathLike
from typing import Any

import numpy as np

from pasgl_env import players
from pasgl_env.contract import variants
from pasgl_env.contract.game import OptionValue, checked_number
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.duration import short_time
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.dice import checked_seed
from pasgl_env.evaluation.loop import Schedule, Step, Thinking, play_games
from pasgl_env.evaluation.openings import Openings
from pasgl_env.evaluation.recorder import MatchRecorder
from pasgl_env.evaluation.table import Table
from pasgl_env.players import Player
from pasgl_env.records.binary import StoredGame
from pasgl_env.statistics.estimates import CONFIDENCE, Estimate, mean, proportion
from pasgl_env.statistics.texts import NONE, estimate_text, interval_text, value_text

MOST_GAMES = 10**9

GAME = np.dtype(
    [
        ("side", np.int8),  # the first player's team: 0 or 1
        ("outcome", np.int8),  # +1 if the first player won, -1 if the second did, otherwise 0
        ("truncated", np.bool_),  # reached the turn limit
        ("points_for", np.int32),  # the first player's
        ("points_against", np.int32),
        ("turns", np.int32),
        ("actions", np.int32),
        ("ending", np.uint64),  # hash of the final state
    ]
)


@dataclass(frozen=True)
class Tally:
    """Results of a number of games, for the first player.

    Attributes:
        games: number of games, ``wins + draws + losses + truncated``.
        truncated: games truncated at the turn limit, won by nobody.
        win_rate: share of games won, with Wilson's interval; in a paired match, pairs are units.
        score_rate: (wins + the draws and truncated games, shared equally by the sides) / games.
        points: mean points of the first player; None in games without scores.
        opponent_points: mean points of the second player.
        turns: mean length in turns, of both players together.
        actions: mean length in actions.
        distinct: number of different final positions. If it is far smaller than the number of
            games, the players hardly vary, and the intervals, which assume independent games or
            pairs, are too narrow.
    """

    games: int
    wins: int
    draws: int
    losses: int
    truncated: int
    win_rate: Estimate
    score_rate: Estimate
    points: Estimate | None
    opponent_points: Estimate | None
    turns: Estimate
    actions: Estimate
    distinct: int

    @classmethod
    def of(cls, games: np.ndarray, has_points: bool, *, sides: int = 2, alike: int = 1) -> Tally:
        """The tally of records of dtype :data:`GAME`.

        Args:
            games: records in order.
            has_points: whether the variant has scores.
            sides: the number of sides.
            alike: the number of successive games that are a pair, or with more than two sides a
                group. If it is not 1, intervals treat these as independent, and need SciPy.
        """
        share, average, score = _paired_estimates(alike) if alike > 1 else (_share, mean, _score)
        scores = np.where(games["outcome"] == 0, 1 / sides, games["outcome"] > 0)
        wins, losses = (int((games["outcome"] == outcome).sum()) for outcome in (1, -1))
        truncated = int(games["truncated"].sum())
        return cls(
            games=games.size,
            wins=wins,
            draws=games.size - wins - losses - truncated,
            losses=losses,
            truncated=truncated,
            win_rate=share(games["outcome"] > 0),
            score_rate=score(scores),
            points=average(games["points_for"]) if has_points else None,
            opponent_points=average(games["points_against"]) if has_points else None,
            turns=average(games["turns"]),
            actions=average(games["actions"]),
            distinct=np.unique(games["ending"]).size,
        )


@dataclass(frozen=True, eq=False)  # no two are equal: the players' times differ
class MatchResult:
    """A match: the players, the rules, and every game.

    Attributes:
        ruleset: the variant under its options.
        first: the first player's name.
        second: the second player's.
        seed: the seed, which reproduces the match.
        games: records of dtype :data:`GAME`, in order; of n sides the first player has side k mod n
            in game k.
        paired: whether n successive games are a pair, or a group: they have the same seeds, and
            the first player has each side in one of them.
        thinking: the time that the players took.
    """

    ruleset: Ruleset
    first: str
    second: str
    seed: int
    games: np.ndarray
    paired: bool
    thinking: Thinking

    @property
    def all(self) -> Tally:
        """All games."""
        sides = len(self.ruleset.members)
        alike = sides if self.paired else 1
        return Tally.of(self.games, self.ruleset.game.has_points, sides=sides, alike=alike)

    @property
    def by_side(self) -> tuple[Tally, ...]:
        """The games in which the first player had each side."""
        has_points, sides = self.ruleset.game.has_points, len(self.ruleset.members)
        return tuple(
            Tally.of(self.games[self.games["side"] == side], has_points, sides=sides)
            for side in range(sides)
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything except the individual games and the times, as JSON values."""
        return {
            "variant": self.ruleset.name,
            "options": dict(self.ruleset.options),
            "first": self.first,
            "second": self.second,
            "seed": self.seed,
            "confidence": CONFIDENCE,
            "all": asdict(self.all),
            "by_side": [asdict(each) for each in self.by_side],
        }

    def table(self, *, times: bool = False) -> Table:
        """The match from the first player's view, in total and by side; fits 80 columns.

        Args:
            times: whether to show the time per action of each player.
        """
        columns = map(_rows, (self.all, *self.by_side))
        rows = [
            [cells[0][0], *(number for _, number in cells)] for cells in zip(*columns, strict=True)
        ]
        if times:
            own, other = map(short_time, self.thinking.per_action)
            unsaid = [""] * len(self.by_side)
            rows += [
                ["time per action", own, *unsaid],
                ["opponent's time per action", other, *unsaid],
            ]
        notes, distinct, games = [f"Seed {self.seed}."], self.all.distinct, self.all.games
        if hardly_vary(distinct, games):
            notes.append(
                f"The {games} games have only {distinct} different last positions: the players"
                " hardly vary, so the intervals are too narrow."
            )
        if len(self.by_side) > 2:
            notes.append(
                f"{self.first} plays one side and {self.second} all others: of equal players, the"
                f" first wins one game in {len(self.by_side)}."
            )
        return Table(
            f"{self.first} against {self.second}, {self.ruleset.game.title}",
            ["", "all", *(f"as {name}" for name in sides(self.ruleset))],
            rows,
            notes,
            left=[0],
        )

    def __str__(self) -> str:
        tally = self.all
        one, other = map(short_time, self.thinking.per_action)
        return (
            f"{self.ruleset.name}: {self.first} ({one}) against {self.second} ({other}):"
            f" {estimate_text(tally.score_rate, True)} of {tally.games}, {tally.wins} won,"
            f" {tally.losses} lost, {tally.truncated} cut off"
        )


def _rows(tally: Tally) -> Iterator[tuple[str, str]]:
    """The rows of a tally: their names and numbers."""
    yield "games", str(tally.games)
    yield "won", str(tally.wins)
    yield "drawn", str(tally.draws)
    yield "lost", str(tally.losses)
    yield "cut off at the turn limit", str(tally.truncated)
    for name, estimate, is_share in (
        ("win rate", tally.win_rate, True),
        ("score rate", tally.score_rate, True),
        ("points", tally.points, False),
        ("opponent's points", tally.opponent_points, False),
        ("turns in a game", tally.turns, False),
        ("actions in a game", tally.actions, False),
    ):
        if estimate is not None:
            yield name, value_text(estimate, is_share)
            yield "  95% interval", interval_text(estimate, is_share) or NONE


def play_match(
    variant: Any,
    first: Any,
    second: Any,
    /,
    games: int,
    *,
    seed: int | None = None,
    threads: int = 1,
    batch_size: int = 256,
    paired: bool = False,
    progress: Callable[[int], None] | None = None,
    record: str | PathLike[str] | list[StoredGame] | None = None,
    starts: Openings | np.ndarray | None = None,
    **options: OptionValue,
) -> MatchResult:
    """Play games between two players, who alternate sides.

    In games of two teams, each player plays a whole team. In games of more sides, the first player
    plays one side, each in turn, and the second player all others.

    Args:
        variant: a name of :func:`pasgl_env.contract.variants.names`, or a :class:`Ruleset`.
        first: a player, or anything that :func:`pasgl_env.players.as_player` accepts.
        second: the other player, likewise; may be the same.
        games: number of games.
        seed: seed of the dice and of the players' choices; None draws one. With players whose
            choices in a game depend on nothing else, such as those of this package, game k is the
            same in every match with that seed, whatever ``games``, ``threads`` and ``batch_size``.
        threads: number of threads of the batch.
        batch_size: maximum number of games played at once.
        paired: whether the games 2k and 2k + 1 have the same seeds, and so the same dice, with
            swapped sides. Luck evens out within a pair; ``games`` must be even. Of n sides, n games
            take the place of two.
        progress: called with the number of finished games whenever it grows.
        record: a file to which the games are appended in order; its suffix is ``.pgb``, which costs
            little time, ``.pgr`` or ``.pgr.gz``, see :mod:`pasgl_env.records`. Or a list to append
            to, whose games do not tell where they began.
        starts: where the games, or the pairs if ``paired``, begin:
            :class:`pasgl_env.evaluation.openings.Openings`, or records ``[k]``, initial states that
            are taken in turn. None: the usual start.
        options: the variant's options; they may share names with the first three arguments.

    Raises:
        OSError: if the record cannot be written.
        TypeError: if an argument cannot be made into a player.
        ValueError: for an unknown variant, player or option, an invalid value, a start that is not
            a position or is a finished game, or a player that chooses an illegal action; names the
            player.
    """
    games = checked_number("games", games, 1, MOST_GAMES)
    batch_size = checked_number("batch_size", batch_size, 1, MOST_GAMES)
    ruleset = variants.ruleset(variant, **options)
    alike = len(ruleset.members) if paired else 1
    if games % alike:
        multiple = "even to make pairs" if alike == 2 else f"a multiple of {alike} to make groups"
        raise ValueError(f"games must be {multiple}, not {games}")
    drawn = np.random.SeedSequence().generate_state(1)[0] if seed is None else seed
    seed = checked_seed(drawn)
    pair = make_pair(ruleset.name, first, second, seed)
    if isinstance(starts, Openings):
        begins = starts.begins(ruleset, seed, 0, games // alike)
        starts = None if begins is None else begins.states
    # Equal shares: with 256 slots for 300 games, 212 would sit idle during the second round.
    rounds = -(-games // batch_size)
    batch = Batch(ruleset, -(-games // rounds), threads=threads, seed=seed, reward="outcome")
    records, finished = np.zeros(games, GAME), 0

    def ended(numbers: np.ndarray) -> None:
        nonlocal finished
        _record(batch, numbers, records)
        finished += numbers.size
        if progress:
            progress(finished)

    with ExitStack() as stack:
        step: Step = batch.step_some
        if record is not None:
            names = pair[0].name, pair[1].name
            step = stack.enter_context(MatchRecorder(record, batch, names, seed)).step
        schedule = Schedule.of(games, seed, starts, alike)
        thinking = play_games(batch, pair, schedule, step, ended)
    return MatchResult(ruleset, pair[0].name, pair[1].name, seed, records, paired, thinking)


def make_pair(variant: str, first: Any, second: Any, seed: int | None) -> list[Player]:
    """Two players; those given by name get their own seeds.

    Raises:
        TypeError: if an argument cannot be made into a player.
        ValueError: for an unknown variant or name.
    """
    seeds = np.random.SeedSequence(seed).generate_state(2).tolist()
    return [
        players.as_player(thing, variant, own_seed)
        for thing, own_seed in zip((first, second), seeds, strict=True)
    ]


def _record(batch: Batch, numbers: np.ndarray, records: np.ndarray) -> None:
    """Write the records of the games of these numbers, which have just ended."""
    game, members = batch.ruleset.game, np.array(batch.ruleset.members)
    states, sides = batch.final_states, numbers % members.size
    own = members[sides]
    records["side"][numbers] = sides
    records["outcome"][numbers] = batch.outcome[np.arange(numbers.size), own]
    records["truncated"][numbers] = batch.truncated[batch.ended]
    records["actions"][numbers] = batch.final_length
    for row, number in enumerate(numbers.tolist()):
        records["points_for"][number] = game.points(states[row], own[row])
        others = (game.points(states[row], each) for each in members if each != own[row])
        records["points_against"][number] = max(others)
        records["turns"][number] = game.turns(states[row])
        records["ending"][number] = int.from_bytes(state_digest(states[row]))


def _share(hits: np.ndarray) -> Estimate:
    return proportion(int(hits.sum()), hits.size)


def _score(scores: np.ndarray) -> Estimate:
    return mean(scores).map(lambda score: min(max(score, 0.0), 1.0))


def _paired_estimates(alike: int) -> tuple[Callable[[np.ndarray], Estimate], ...]:
    from pasgl_env.statistics.clustered import mean_of_pairs, score_of_pairs, share_of_pairs

    def pairs(values: np.ndarray) -> np.ndarray:
        return values.reshape(-1, alike)

    return (
        lambda hits: share_of_pairs(pairs(hits)),
        lambda values: mean_of_pairs(pairs(values)),
        lambda scores: score_of_pairs(pairs(scores)),
    )


def state_digest(state: Any) -> bytes:
    """Eight bytes by which final states are told apart."""
    return blake2b(state.tobytes(), digest_size=8).digest()


def whole_groups(games: int, sides: int) -> int:
    """The least number of games, not below this one, of which each side has the same share."""
    return -(-games // sides) * sides


def hardly_vary(distinct: int, games: int) -> bool:
    """Whether so few final positions differ that intervals are too narrow."""
    return distinct <= games / 2


def sides(ruleset: Ruleset) -> tuple[str, ...]:
    """The names of the sides: of players or teams.

    >>> sides(variants.ruleset("pachessi", players=4))
    ('Black and Yellow', 'Green and Red')
    """
    named = list(zip(ruleset.seats, ruleset.teams, strict=True))
    return tuple(
        " and ".join(name for name, team in named if team == side)
        for side in range(len(ruleset.members))
    )
