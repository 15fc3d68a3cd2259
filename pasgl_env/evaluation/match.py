"""Matches between two players: many games at once, alternating sides, results with intervals.

>>> from pasgl_env.evaluation import play_match
>>> result = play_match("pasgl312", "random", "random", games=10, seed=1)
>>> result.all.games, result.as_white.games, result.as_black.games
(10, 5, 5)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from hashlib import blake2b
from itertools import count
from os import PathLike
from typing import Any

import numpy as np

from pasgl_env import Batch, Position, players, variants
from pasgl_env.evaluation.endless import warn_if_endless
from pasgl_env.evaluation.recorder import MatchRecorder
from pasgl_env.games.contract import OptionValue, options_array
from pasgl_env.records.binary import StoredGame
from pasgl_env.statistics.estimates import CONFIDENCE, Estimate, mean, proportion

GAME = np.dtype(
    [
        ("seat", np.int8),  # the first player's seat or team: 0 or 1
        ("outcome", np.int8),  # +1 if the first player won, -1 if the second did, otherwise 0
        ("truncated", np.bool_),  # reached the turn limit
        ("points_for", np.int32),  # the first player's
        ("points_against", np.int32),
        ("turns", np.int32),
        ("actions", np.int32),
        ("ending", np.uint64),  # hash of the final state
    ]
)


STEPS_BETWEEN_LOOKS = 1024
"""Steps of all games between two looks for games without an end."""


@dataclass(frozen=True)
class Tally:
    """Results of a number of games, for the first player.

    Attributes:
        games: number of games, ``wins + draws + losses + truncated``.
        truncated: games truncated at the turn limit, won by nobody.
        win_rate: share of games won, with Wilson's interval; in a paired match, pairs are units.
        score_rate: (wins + half of the draws and truncated games) / games.
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
    score_rate: float | None
    points: Estimate | None
    opponent_points: Estimate | None
    turns: Estimate
    actions: Estimate
    distinct: int

    @classmethod
    def of(cls, games: np.ndarray, has_points: bool, *, paired: bool = False) -> Tally:
        """The tally of records of dtype :data:`GAME`.

        Args:
            games: records in order.
            has_points: whether the variant has scores.
            paired: whether the games 2k and 2k + 1 are a pair. Intervals then treat pairs as
                independent, and need SciPy.
        """
        share, average = _paired_estimates() if paired else (_share, mean)
        wins, losses = (int((games["outcome"] == outcome).sum()) for outcome in (1, -1))
        truncated = int(games["truncated"].sum())
        score = wins + (games.size - wins - losses) / 2
        return cls(
            games=games.size,
            wins=wins,
            draws=games.size - wins - losses - truncated,
            losses=losses,
            truncated=truncated,
            win_rate=share(games["outcome"] > 0),
            score_rate=score / games.size if games.size else None,
            points=average(games["points_for"]) if has_points else None,
            opponent_points=average(games["points_against"]) if has_points else None,
            turns=average(games["turns"]),
            actions=average(games["actions"]),
            distinct=np.unique(games["ending"]).size,
        )


@dataclass(frozen=True)
class MatchResult:
    """A match: the players, the options, and every game.

    Attributes:
        options: all options of the variant with their values.
        first: the first player's name.
        second: the second player's.
        seed: the seed, which reproduces the match.
        games: records of dtype :data:`GAME`, in order; the first player has the first seat in
            games with even numbers.
        paired: whether the games 2k and 2k + 1 are a pair, with the same seeds and swapped sides.
    """

    variant: str
    options: dict[str, OptionValue]
    first: str
    second: str
    seed: int
    games: np.ndarray
    paired: bool = False

    @property
    def all(self) -> Tally:
        """All games."""
        has_points = variants.find(self.variant).has_points
        return Tally.of(self.games, has_points, paired=self.paired)

    @property
    def as_white(self) -> Tally:
        """The games in which the first player had the first seat, usually White."""
        return self._tally(self.games[self.games["seat"] == 0])

    @property
    def as_black(self) -> Tally:
        """The games in which the second player had the first seat."""
        return self._tally(self.games[self.games["seat"] == 1])

    def to_dict(self) -> dict[str, Any]:
        """Everything except the individual games, as JSON values."""
        return {
            "variant": self.variant,
            "options": self.options,
            "first": self.first,
            "second": self.second,
            "seed": self.seed,
            "confidence": CONFIDENCE,
            "all": asdict(self.all),
            "as_white": asdict(self.as_white),
            "as_black": asdict(self.as_black),
        }

    def _tally(self, games: np.ndarray) -> Tally:
        return Tally.of(games, variants.find(self.variant).has_points)


def play_match(
    variant: str,
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
    starts: np.ndarray | None = None,
    **options: OptionValue,
) -> MatchResult:
    """Play games between two players, who alternate in the first seat.

    In games of two teams, each player plays a whole team.

    Every slot of the batch plays a fixed share of the games, however long they take: if the match
    ended with the last game needed, short games would be overrepresented.

    Args:
        variant: a variant for two players or two teams.
        first: a player, or anything that :func:`pasgl_env.players.as_player` accepts.
        second: the other player, likewise; may be the same.
        games: number of games.
        seed: seed of the dice and of the players' choices; None draws one. With players whose
            choices in a game depend on nothing else, such as those of this package, game k is the
            same in every match with that seed, whatever ``games``, ``threads`` and ``batch_size``.
        threads: number of threads of the batch.
        batch_size: maximum number of games played at once.
        paired: whether the games 2k and 2k + 1 have the same seeds, and so the same dice, with
            swapped sides. Luck evens out within a pair; ``games`` must be even.
        progress: called with the number of finished games whenever it grows.
        record: a file to which the games are appended in order; its suffix is ``.pgb``, which costs
            little time, ``.pgr`` or ``.pgr.gz``, see :mod:`pasgl_env.records`. Or a list to append
            to.
        starts: records ``[k]``, initial states of the games, or of the pairs if ``paired``, in
            turn; None for the usual start. :mod:`pasgl_env.evaluation.openings` makes them.
        options: the variant's options; they may share names with the first three arguments.

    Raises:
        OSError: if the record cannot be written.
        TypeError: if an argument cannot be made into a player.
        ValueError: for an unknown variant, player or option, an invalid value, a variant that is
            not for two sides, a start that is not a position or is a finished game, or a player
            that chooses an illegal action; names the player.
    """
    _check_positive("games", games)
    _check_positive("batch_size", batch_size)
    if paired and games % 2:
        raise ValueError(f"games must be even to make pairs, not {games}")
    if seed is None:
        seed = int(np.random.SeedSequence().generate_state(1)[0])
    pair = make_pair(variant, first, second, seed)
    # Equal shares: with 256 slots for 300 games, 212 would sit idle during the second round.
    rounds = -(-games // batch_size)
    slots = -(-games // rounds)
    batch = Batch(variant, slots, threads=threads, seed=seed, reward="outcome", **options)
    begin = Position(variant, **batch.options)
    if set(begin.teams) != {0, 1}:
        raise ValueError(f"a match is between two players, but {variant} has {batch.num_players}")
    records = np.zeros(games, GAME)
    with ExitStack() as stack:
        step: Callable[[np.ndarray], None] = batch.step
        if record is not None:
            names = pair[0].name, pair[1].name
            step = stack.enter_context(MatchRecorder(record, batch, names, seed, games)).step
        begins = begin.state if starts is None else starts
        is_odd = starts is not None
        _play_all(batch, step, begins, is_odd, pair, seed, records, paired, progress)
    return MatchResult(variant, batch.options, pair[0].name, pair[1].name, seed, records, paired)


def make_pair(variant: str, first: Any, second: Any, seed: int | None) -> list[players.Player]:
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


def _play_all(
    batch: Batch,
    step: Callable[[np.ndarray], None],
    starts: np.ndarray,
    is_odd: bool,
    pair: Sequence[players.Player],
    seed: int,
    records: np.ndarray,
    paired: bool,
    progress: Callable[[int], None] | None,
) -> None:
    """Fill all records; slot s plays the games s, s + n, s + 2n ... and then idles.

    The games use ``starts`` in turn; ``is_odd`` says that these are not the usual start.
    """
    has_dice = variants.find(batch.variant).outcomes > 0
    alike = 2 if paired else 1
    *seeds, of_dice = [
        np.random.SeedSequence((seed, number))
        .generate_state(records.size // alike, np.uint64)
        .repeat(alike)
        for number in range(len(pair) + 1)
    ]

    def begin(slots: np.ndarray) -> None:
        """Seed the players for each game, so that it does not depend on its slot."""
        for player, own_seeds in zip(pair, seeds, strict=True):
            players.reseed(player, slots, own_seeds[playing[slots]].tolist())
        if has_dice:
            batch.reseed(slots, of_dice[playing[slots]].tolist())
        if has_dice or is_odd:
            batch.put(slots, starts[playing[slots] // alike % starts.size])

    playing = np.arange(len(batch))
    begin(playing)
    finished = 0
    for number in count():
        if finished == records.size:
            break
        if number % STEPS_BETWEEN_LOOKS == 0:
            warn_if_endless(batch.variant, batch.turns[playing < records.size])
        step(_choose_all(batch, pair, playing, records.size))
        ended = batch.ended
        rows = np.flatnonzero(playing[ended] < records.size)
        if rows.size:
            _record(batch, rows, playing[ended[rows]], records)
            finished += rows.size
            if progress:
                progress(finished)
        playing[ended] += len(batch)
        begin(ended[playing[ended] < records.size])


def _choose_all(
    batch: Batch, pair: Sequence[players.Player], playing: np.ndarray, games: int
) -> np.ndarray:
    actions: np.ndarray = batch.action_mask.argmax(axis=1)  # idle slots: any legal action
    for number, player in enumerate(pair):
        seat = batch.teams[batch.to_move]
        turn = np.flatnonzero((playing < games) & (seat == (playing + number) % 2))
        if turn.size:
            actions[turn] = players.choose(player, batch, turn)
    return actions


def _record(batch: Batch, rows: np.ndarray, numbers: np.ndarray, records: np.ndarray) -> None:
    """Write the records of games that have just ended, ``rows`` of the batch's ``ended``."""
    game = variants.find(batch.variant)
    states, seats = batch.final_states[rows], numbers % 2
    members = np.array([batch.teams.tolist().index(seat) for seat in (0, 1)])[seats]
    records["seat"][numbers] = seats
    records["outcome"][numbers] = batch.outcome[rows, members]
    records["truncated"][numbers] = batch.truncated[batch.ended[rows]]
    records["actions"][numbers] = batch.final_length[rows]
    for state, seat, record in zip(states, seats.tolist(), numbers.tolist(), strict=True):
        records["points_for"][record] = game.points(state, seat)
        records["points_against"][record] = game.points(state, 1 - seat)
        records["turns"][record] = game.turns(state)
        records["ending"][record] = int.from_bytes(digest_of(state))


def _share(hits: np.ndarray) -> Estimate:
    return proportion(int(hits.sum()), hits.size)


def _paired_estimates() -> tuple[Callable[[np.ndarray], Estimate], ...]:
    from pasgl_env.statistics.clustered import mean_of_pairs, share_of_pairs

    return (
        lambda hits: share_of_pairs(hits.reshape(-1, 2)),
        lambda values: mean_of_pairs(values.reshape(-1, 2)),
    )


def digest_of(state: Any) -> bytes:
    """Eight bytes by which final states are told apart."""
    return blake2b(state.tobytes(), digest_size=8).digest()


def hardly_vary(distinct: int, games: int) -> bool:
    """Whether so few final positions differ that intervals are too narrow."""
    return distinct <= games / 2


def _check_positive(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise ValueError(f"{name} must be a positive integer, not {value!r}")


def sides(variant: str, options: Mapping[str, OptionValue]) -> tuple[str, str]:
    """The names of the two players or teams under all options.

    >>> sides("pachessi", Batch("pachessi", 1, players=4).options)
    ('Black and Yellow', 'Green and Red')
    """
    game = variants.find(variant)
    seats = game.seats(options_array(game, options)[0])
    one, other = (
        " and ".join(name for player, name in enumerate(seats) if game.team(player) == side)
        for side in (0, 1)
    )
    return one, other
