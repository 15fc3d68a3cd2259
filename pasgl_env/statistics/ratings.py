"""Elo ratings of several players by maximum likelihood, with intervals. Needs SciPy.

The model is Bradley and Terry's (Biometrika 39, 1952) on Elo's scale: a player who is ``d`` points
stronger is expected to score ``1 / (1 + 10 ** (-d / 400))``. A draw, or a game that the turn limit
cut off, counts as half a win and half a loss. The ratings therefore make every player's expected
score equal to its actual score; the frequency of draws need not be known.

The unit is a pair of games with the same dice and swapped sides. Its two games are not independent,
and a draw varies less than the model says, so intervals come from the sandwich covariance with
pairs as clusters (Huber 1967; Liang and Zeger, Biometrika 73, 1986) and the normal approximation.

A player that won every game, or lost every one, has no finite rating (Ford, American Mathematical
Monthly 64, 1957, states the exact condition, also for groups of players). Its rating is infinite,
with a bound from the likelihood: the rating at which the results would have a probability of 2.5%,
with a pair counted as one game. For two players this is Clopper and Pearson's interval for as many
games as there were pairs.

>>> wins = np.array([2.0, 2.0, 1.0, 1.5, 2.0, 1.0, 2.0, 0.0])
>>> better, worse = rate_players(2, [Pairing(0, 1, wins)], anchor=1)
>>> f"{better.elo:.0f} from {better.low:.0f} to {better.high:.0f}"
'163 from -51 to 377'
>>> champion, loser = rate_players(2, [Pairing(0, 1, np.full(20, 2.0))], anchor=1)
>>> f"{champion.elo} from {champion.low:.0f} to {champion.high}"
'inf from 277 to inf'

``tests/statistics/test_ratings.py`` measures in simulated tournaments how often the intervals
contain the true rating.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import inf, isfinite, log, nan, sqrt
from typing import NamedTuple

import numpy as np
from scipy import stats
from scipy.optimize import brentq, minimize
from scipy.sparse.csgraph import connected_components, shortest_path
from scipy.special import expit, log_expit

from pasgl_env.statistics.estimates import CONFIDENCE, Z

ELO = 400 / log(10)
"""Elo points per unit of log odds."""

GAMES_IN_PAIR = 2
_MOST_LOG_ODDS = 40.0  # about 7,000 Elo points, beyond what any number of games can show


class Pairing(NamedTuple):
    """The games of two players.

    Attributes:
        first: the first player's number.
        second: the second player's number.
        points: ``float64[k]``, the first's score in each pair of games: 0, 0.5, 1, 1.5 or 2.
    """

    first: int
    second: int
    points: np.ndarray


@dataclass(frozen=True)
class Rating:
    """An Elo rating relative to the anchor's, which is 0, with its 95% interval.

    Infinite if the games set no bound; all NaN if no chain of results connects the player with the
    anchor.
    """

    elo: float
    low: float
    high: float

    @classmethod
    def of(cls, strength: float, error: float) -> Rating:
        """The rating of a strength in log odds, with half the width of its interval."""
        return cls(*(float(ELO * (strength + part * error)) for part in (0, -1, 1)))

    def to_dict(self) -> dict[str, float | None]:
        """The rating as JSON values; None where it is infinite or unknown."""
        return {name: value if isfinite(value) else None for name, value in asdict(self).items()}

    @classmethod
    def of_dict(cls, values: Mapping[str, float | None]) -> Rating:
        """The rating of which :meth:`to_dict` made these values.

        >>> Rating.of_dict(Rating(inf, 80.0, inf).to_dict())
        Rating(elo=inf, low=80.0, high=inf)
        >>> Rating.of_dict(_UNKNOWN.to_dict())
        Rating(elo=nan, low=nan, high=nan)
        """
        elo, low, high = (values[name] for name in ("elo", "low", "high"))
        if elo is low is high is None:
            return _UNKNOWN
        if elo is None:
            elo = inf if high is None else -inf
        return cls(elo, -inf if low is None else low, inf if high is None else high)


_UNKNOWN = Rating(nan, nan, nan)


def expected_score(elo: float) -> float:
    """The expected score in a game, 0 to 1, of a player ``elo`` points stronger than the opponent.

    >>> expected_score(200)
    0.759...
    """
    return float(expit(elo / ELO))


def rate_players(players: int, pairings: Sequence[Pairing], anchor: int = 0) -> list[Rating]:
    """The ratings of all players.

    Args:
        players: number of players; they are numbered from 0.
        pairings: their games; those of two players may be given in several parts.
        anchor: the player whose rating is 0.

    Raises:
        ValueError: for an unknown player's number, or points that a pair of games cannot give.
    """
    if not 0 <= anchor < players:
        raise ValueError(f"the anchor must be a player's number below {players}, not {anchor}")
    games = _Games.of(players, pairings)
    groups = _groups(games)
    above, below = _reached_from(games, anchor), _reached_from(games.reversed(), anchor)
    inside = _inside_group(games, groups, anchor)
    ratings = []
    for player in range(players):
        if groups[player] == groups[anchor]:
            ratings.append(inside[player])
        elif above[player]:
            ratings.append(Rating(inf, ELO * _lower_bound(games, player, anchor), inf))
        elif below[player]:
            bound = _lower_bound(games.reversed(), player, anchor)
            ratings.append(Rating(-inf, -inf, -ELO * bound))
        else:
            ratings.append(_UNKNOWN)
    return ratings


def rate_against(elos: Sequence[float], points: Sequence[np.ndarray]) -> Rating:
    """The rating of a player from games against opponents whose ratings are known.

    >>> even = np.array([2.0, 0.0, 1.0, 1.0])
    >>> rating = rate_against([-100.0, 100.0], [even, even])
    >>> abs(round(rating.elo)), rating.low < -50, rating.high > 50
    (0, True, True)

    Args:
        elos: the opponents' ratings, which are taken as exact.
        points: the player's points in each pair of games against each of them, as in
            :class:`Pairing`.
    """
    opponents = range(1, len(elos) + 1)
    pairings = [Pairing(0, *each) for each in zip(opponents, points, strict=True)]
    games = _Games.of(len(elos) + 1, pairings)
    for opponent in reversed(opponents):
        games = games.given(opponent, elos[opponent - 1] / ELO)
    if not games.pairs.sum():
        return _UNKNOWN
    if not games.lost.any():
        return Rating(inf, ELO * _least_strength(games), inf)
    if not games.points.any():
        mirrored = games.reversed()._replace(head_start=-games.head_start)
        return Rating(-inf, -inf, -ELO * _least_strength(mirrored))
    strength = _likeliest(games)
    error = Z * np.sqrt(games.scatter(strength)[0, 0]) / games.information(strength)[0, 0]
    return Rating.of(strength[0], error)


def _least_strength(games: _Games) -> float:
    """A lower bound on the strength, in log odds, of the only player, who won all games."""
    # A pair counts as one game: its two are not independent.
    enough = GAMES_IN_PAIR * log((1 - CONFIDENCE) / 2)
    most = _MOST_LOG_ODDS + float(np.abs(games.head_start).max())
    return float(
        brentq(lambda strength: games.log_likelihood(np.array([strength])) - enough, -most, most)
    )


class Misfit(NamedTuple):
    """A pairing whose result differs from what the ratings predict.

    Attributes:
        first: the first player's number.
        second: the second player's number.
        score: the first player's share of the points.
        predicted: the share that the ratings predict.
    """

    first: int
    second: int
    score: float
    predicted: float


def largest_misfit(pairings: Sequence[Pairing], ratings: Sequence[Rating]) -> Misfit | None:
    """The pairing that fits its ratings worst; None if all fit as well as chance lets them.

    Ratings assume that strength is one number: that who beats a third player by much beats one who
    beats it by little. Scores are compared by Student's test over pairs of games, corrected for the
    number of pairings (Bonferroni). Pairs vary at least as much as the ratings predict, so one who
    wins all of a few games does not contradict a rating by which that is likely.

    >>> points = [Pairing(a, b, np.tile([2.0, 1.0], 20)) for a, b in ((0, 1), (1, 2), (2, 0))]
    >>> largest_misfit(points, rate_players(3, points))  # each beats the next, in a circle
    Misfit(first=0, second=1, score=0.75, predicted=0.5)
    """
    found = []
    for first, second, points in pairings:
        ahead = ratings[first].elo - ratings[second].elo
        if points.size < 2 or not isfinite(ahead):
            continue
        predicted = expected_score(ahead)
        variance = max(float(points.var()), GAMES_IN_PAIR * predicted * (1 - predicted))
        error = sqrt(variance / (points.size - 1)) / GAMES_IN_PAIR
        score = float(points.mean()) / GAMES_IN_PAIR
        distance = abs(score - predicted) / error
        chance = float(2 * stats.t.sf(distance, points.size - 1))
        found.append((chance, Misfit(first, second, score, predicted)))
    chance, worst = min(found, default=(1.0, None), key=lambda each: each[0])
    return worst if chance * len(found) < 1 - CONFIDENCE else None


def usual_anchor(players: int, pairings: Sequence[Pairing]) -> int:
    """The first player of the largest group whose ratings relative to each other are finite."""
    groups = _groups(_Games.of(players, pairings))
    return int(np.argmax(np.bincount(groups)[groups]))


class _Games(NamedTuple):
    """All games, one row per pairing.

    Attributes:
        contrast: ``float64[r, players]``, 1 for the first player, -1 for the second. Players with
            given strengths have no column.
        head_start: ``float64[r]``, the first player's lead by given strengths, in log odds.
        points: ``float64[r]``, the first player's total.
        pairs: ``int64[r]``, number of pairs of games.
        squares: ``float64[r]``, the sum of the squared points of the pairs.
    """

    contrast: np.ndarray
    head_start: np.ndarray
    points: np.ndarray
    pairs: np.ndarray
    squares: np.ndarray

    @classmethod
    def of(cls, players: int, pairings: Sequence[Pairing]) -> _Games:
        contrast = np.zeros((len(pairings), players))
        for row, (first, second, points) in enumerate(pairings):
            if not (0 <= first < players and 0 <= second < players and first != second):
                raise ValueError(f"no pairing of {players} players: {first} and {second}")
            if not np.isin(points, np.arange(5) / 2).all():
                raise ValueError("a pair of games gives 0, 0.5, 1, 1.5 or 2 points")
            contrast[row, [first, second]] = 1, -1
        return cls(
            contrast,
            np.zeros(len(pairings)),
            np.array([pairing.points.sum() for pairing in pairings], np.float64),
            np.array([pairing.points.size for pairing in pairings], np.int64),
            np.array([np.square(pairing.points).sum() for pairing in pairings], np.float64),
        )

    @property
    def lost(self) -> np.ndarray:
        """``float64[r]``: points of the second players."""
        return GAMES_IN_PAIR * self.pairs - self.points

    def reversed(self) -> _Games:
        """The games with wins and losses exchanged. Squares stay: they only matter in a group."""
        return self._replace(points=self.lost)

    def given(self, player: int, strength: float) -> _Games:
        """The same games with a player's strength given, without a column for that player."""
        return self._replace(
            contrast=np.delete(self.contrast, player, axis=1),
            head_start=self.head_start + strength * self.contrast[:, player],
        )

    def ahead(self, strengths: np.ndarray) -> np.ndarray:
        """``float64[r]``: the first player's log odds."""
        return self.head_start + self.contrast @ strengths

    def log_likelihood(self, strengths: np.ndarray) -> float:
        """The log probability of these results under given strengths, in log odds."""
        ahead = self.ahead(strengths)
        return float(self.points @ log_expit(ahead) + self.lost @ log_expit(-ahead))

    def slope(self, strengths: np.ndarray) -> np.ndarray:
        """The first derivatives of the log likelihood."""
        expected = GAMES_IN_PAIR * self.pairs * expit(self.ahead(strengths))
        return self.contrast.T @ (self.points - expected)

    def information(self, strengths: np.ndarray) -> np.ndarray:
        """The negative second derivatives of the log likelihood."""
        ahead = self.ahead(strengths)
        weights = GAMES_IN_PAIR * self.pairs * expit(ahead) * expit(-ahead)
        return (self.contrast.T * weights) @ self.contrast

    def scatter(self, strengths: np.ndarray) -> np.ndarray:
        """The covariance of the slope, from the pairs' scores minus their expectations.

        The model's variance of one pair is added to every pairing, so that a few pairs that happen
        to be alike do not pass for certainty.
        """
        ahead = self.ahead(strengths)
        mean = GAMES_IN_PAIR * expit(ahead)
        residuals = self.squares - 2 * mean * self.points + self.pairs * mean**2
        residuals += np.where(self.pairs > 0, mean * expit(-ahead), 0)
        return (self.contrast.T * residuals) @ self.contrast


def _loser_to_winner(games: _Games) -> np.ndarray:
    """``bool[players, players]``: whether the second took points from the first."""
    players = games.contrast.shape[1]
    edges = np.zeros((players, players), np.bool_)
    for row, points, lost in zip(games.contrast, games.points, games.lost, strict=True):
        first, second = int(row.argmax()), int(row.argmin())
        edges[second, first] |= points > 0
        edges[first, second] |= lost > 0
    return edges


def _groups(games: _Games) -> np.ndarray:
    """``int[players]``: groups inside which every division into two took points from each other.

    Within these, and only within these, the likelihood has a maximum (Ford 1957).
    """
    return connected_components(_loser_to_winner(games), connection="strong")[1]


def _reached_from(games: _Games, player: int) -> np.ndarray:
    """``bool[players]``: who took points from this player, or from one who did, and so on."""
    return np.isfinite(shortest_path(_loser_to_winner(games), unweighted=True, indices=player))


def _inside_group(games: _Games, groups: np.ndarray, anchor: int) -> dict[int, Rating]:
    """The ratings of the anchor's group."""
    members = np.flatnonzero(groups == groups[anchor])
    rows = ~games.contrast[:, groups != groups[anchor]].any(axis=1)
    others = members[members != anchor]
    # The anchor's strength is 0, so it needs no column.
    own = _Games(games.contrast[np.ix_(rows, others)], *(part[rows] for part in games[1:]))
    strengths = _likeliest(own)
    bread = np.linalg.inv(own.information(strengths))
    errors = Z * np.sqrt(np.diag(bread @ own.scatter(strengths) @ bread))
    ratings = {anchor: Rating(0.0, 0.0, 0.0)}
    for player, strength, error in zip(others.tolist(), strengths, errors, strict=True):
        ratings[player] = Rating.of(strength, error)
    return ratings


def _likeliest(games: _Games) -> np.ndarray:
    """The maximum-likelihood strengths; far apart if no finite ones exist."""
    start = np.zeros(games.contrast.shape[1])
    if start.size == 0:
        return start
    return minimize(
        lambda strengths: -games.log_likelihood(strengths),
        start,
        jac=lambda strengths: -games.slope(strengths),
        hess=games.information,
        method="trust-exact",
        options={"gtol": 1e-7},
    ).x


def _lower_bound(games: _Games, player: int, anchor: int) -> float:
    """A lower bound on a player's lead over the anchor, in log odds."""
    upper, lower = max(player, anchor), min(player, anchor)

    def highest(ahead: float) -> float:
        """The highest log likelihood with the player this far ahead."""
        strengths = {player: ahead, anchor: 0.0}
        others = games.given(upper, strengths[upper]).given(lower, strengths[lower])
        return others.log_likelihood(_likeliest(others))

    # A pair counts as one game: its two are not independent.
    enough = highest(_MOST_LOG_ODDS) + GAMES_IN_PAIR * log((1 - CONFIDENCE) / 2)
    return float(brentq(lambda ahead: highest(ahead) - enough, -_MOST_LOG_ODDS, _MOST_LOG_ODDS))
