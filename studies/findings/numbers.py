"""Numbers of a run, in addition to those of every playtest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from math import hypot
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pasgl_env import Position
from pasgl_env.contract import parts
from pasgl_env.playtest.positions import TOGETHER, Replayer, Sample, chunks, sample_positions
from pasgl_env.playtest.results import Results
from pasgl_env.playtest.values import piece_values
from pasgl_env.records.binary import StoredGame
from pasgl_env.statistics.clustered import share_of_pairs
from pasgl_env.statistics.estimates import Estimate
from studies.findings.question import MOST_REPLAYED, Number


@dataclass(frozen=True, eq=False)
class Played:
    """A finished run.

    Attributes:
        results: the playtest's numbers.
        games: the file of its games.
        beside: the run it is compared with.
    """

    results: Results
    games: Path
    beside: Played | None = None


def read(number: Number, played: Played) -> Estimate:
    """A number of a run; without a value if it cannot be computed."""
    own = _read(number, played)
    if not number.compared:
        return own
    return difference(own, _read(number, played.beside)) if played.beside else Estimate(None)


def _read(number: Number, played: Played) -> Estimate:
    (kind, about), *rest = number.where
    return READERS[kind](played, about, **dict(rest))


def difference(one: Estimate, other: Estimate) -> Estimate:
    """The difference of one number and another, of independent runs, with Newcombe's interval.

    >>> difference(Estimate(0.5, 0.4, 0.6), Estimate(0.2, 0.1, 0.4))
    Estimate(value=0.3, low=0.0763..., high=0.4414...)
    """
    if one.value is None or other.value is None:
        return Estimate(None)
    value = one.value - other.value
    if None in (one.low, one.high, other.low, other.high):
        return Estimate(value)
    down = hypot(one.value - (one.low or 0.0), (other.high or 0.0) - other.value)
    up = hypot((one.high or 0.0) - one.value, other.value - (other.low or 0.0))
    return Estimate(value, value - down, value + up)


def _figure(played: Played, measure: str, **cell: str) -> Estimate:
    return played.results.figure(measure, **cell).estimate


def _ended_score(played: Played, seat: str) -> Estimate:
    """A seat's score in the games that ended, if there are two sides and one start of all games."""
    plan, found = played.results.plan, _figure(played, "ended_first_mover_score")
    (start,) = plan.openings.texts or (None,)
    first = Position.from_text(plan.ruleset, start).to_move
    if first is None or plan.ruleset.seats[first] == seat:
        return found
    return found.map(lambda score: 1 - score)


def _total(played: Played, measure: str, **cell: str) -> Estimate:
    """The sum of a measure's cells with these labels.

    Shares must be of events of which at most one happens per game. The interval goes from the sum
    of the lower ends to that of the upper ends. It is too wide rather than too narrow, because the
    standard error of a sum is at most the sum of standard errors.
    """
    of_all = next(each for each in played.results.measures if each.name == measure)
    found = [each.estimate for each in of_all.figures if cell.items() <= each.cell.items()]
    value, low, high = (
        None if None in ends else sum(end for end in ends if end is not None)
        for ends in zip(*((each.value, each.low, each.high) for each in found), strict=True)
    )
    if of_all.is_share and high is not None:
        high = min(high, 1.0)
    return Estimate(value, low, high)


def _worth(played: Played, kind: str, less: str = "") -> Estimate:
    """The worth of a kind of piece, or its lead over another's, in log odds."""
    names, sample = _sample(played)
    if less:
        lead = sample.lead.copy()
        # a x + b y = (a - b) x + b (x + y), so the coefficient of x is the difference.
        lead[:, names.index(less)] += lead[:, names.index(kind)]
        sample = sample._replace(lead=lead)
    found = piece_values(sample, names, names[0], players_differ=False)
    return found.values[names.index(kind)].log_odds


@cache
def _sample(played: Played) -> tuple[tuple[str, ...], Sample]:
    """The names of kinds, and sampled positions of a run."""
    plan = played.results.plan
    table = parts.material(plan.ruleset.game)
    return (*table.KINDS, *table.COVARIATES), sample_positions(plan, played.games)


class _Courses(NamedTuple):
    """The courses of games.

    Attributes:
        turns: ``int64[n]``, of both players together.
        is_won: ``bool[n]``.
        settled: ``int64[n]``: the last turn after which the later leader did not lead. The later
            leader is the winner or, in a game without a winner, the side with more points when its
            last turn began. The number of turns if neither had more.
    """

    turns: np.ndarray
    is_won: np.ndarray
    settled: np.ndarray


def _settled_within(played: Played, turns: int) -> Estimate:
    """The share of games in which the later leader always led after this number of turns."""
    return _share(_courses(played).settled <= turns)


def _won_within(played: Played, turns: int) -> Estimate:
    """The share of games that were won within this number of turns."""
    courses = _courses(played)
    return _share(courses.is_won & (courses.turns <= turns))


def _won_after(played: Played, turns: int) -> Estimate:
    """The share of games that were won, but not within this number of turns."""
    courses = _courses(played)
    return _share(courses.is_won & (courses.turns > turns))


def _share(is_so: np.ndarray) -> Estimate:
    """The share of true values, for games in pairs: ``bool[n]``."""
    return share_of_pairs(is_so.reshape(-1, 2))


@cache
def _courses(played: Played) -> _Courses:
    """The courses of a run's games, by replaying them."""
    plan = played.results.plan
    replay, points = Replayer(plan), plan.ruleset.game.points
    some = islice(chunks(plan, played.games), MOST_REPLAYED // TOGETHER)
    found = [_course(replay, points, games, first) for first, games in some]
    return _Courses(*map(np.concatenate, zip(*found, strict=True)))


def _course(
    replay: Replayer, points: Callable[[Any, int], int], games: Sequence[StoredGame], first: int
) -> _Courses:
    """The courses of some games; the first has this number in its run."""
    turn, lead = np.full(len(games), -1), np.zeros(len(games), np.int64)
    not_ahead = np.zeros((2, len(games)), np.int64)
    for under_way, _, states, _ in replay.positions(games, first):
        begins = under_way[states["turn_count"][under_way] != turn[under_way]]
        turn[begins] = states["turn_count"][begins]
        lead[begins] = [points(state, 0) - points(state, 1) for state in states[begins]]
        for side, ahead in enumerate((lead, -lead)):
            behind = begins[ahead[begins] <= 0]
            not_ahead[side, behind] = turn[behind]
    winner = np.array([game.winner for game in games])
    leader = np.where(winner >= 0, winner, np.where(lead < 0, 1, 0))
    settled = not_ahead[leader, np.arange(len(games))]
    turns = turn + 1  # the last one had begun
    nobody = (winner < 0) & (lead == 0)
    return _Courses(turns, winner >= 0, np.where(nobody, turns, settled))


READERS: dict[str, Callable[..., Estimate]] = {
    "figure": _figure,
    "ended_score": _ended_score,
    "total": _total,
    "worth": _worth,
    "settled_within": _settled_within,
    "won_within": _won_within,
    "won_after": _won_after,
}
"""Readers by the first word of a number's source."""
