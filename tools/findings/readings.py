"""Numbers of a run, beyond those that every playtest has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from pasgl_env import variants
from pasgl_env.games import parts
from pasgl_env.playtest.positions import TOGETHER, Replay, Sample, chunks, sample_positions
from pasgl_env.playtest.values import piece_values
from pasgl_env.records.binary import StoredGame
from pasgl_env.statistics.clustered import share, sums_of
from pasgl_env.statistics.estimates import Estimate
from tools.findings.question import Played, Reading
from tools.findings.verdict import difference

REPLAYED = 2 * TOGETHER
"""So many games are played again at most, to see how they went."""


def figure(measure: str, **cell: str) -> Reading:
    """A number that every playtest has."""
    return lambda played: played.results.figure(measure, **cell).estimate


def total(measure: str, **cell: str) -> Reading:
    """The sum of a measure's cells, of all that have these labels.

    Shares have to be of things of which no two happen in a game. The interval goes from the sum of
    the lower ends to that of the upper ones, which is too wide rather than too narrow: no standard
    error of a sum is above the sum of standard errors.
    """

    def read(played: Played) -> Estimate:
        of_all = next(each for each in played.results.measures if each.name == measure)
        found = [each.estimate for each in of_all.figures if cell.items() <= each.cell.items()]
        value, low, high = (
            None if None in ends else sum(end for end in ends if end is not None)
            for ends in zip(*((each.value, each.low, each.high) for each in found), strict=True)
        )
        if of_all.is_share and high is not None:
            high = min(high, 1.0)
        return Estimate(value, low, high)

    return read


def against(read: Reading) -> Reading:
    """How much greater a number is in the run than in the one beside it."""

    def compare(played: Played) -> Estimate:
        if played.beside is None:
            return Estimate(None)
        return difference(read(played), read(played.beside))

    return compare


def worth(kind: str) -> Reading:
    """What a kind of piece is worth, in log odds."""

    def read(played: Played) -> Estimate:
        names, sample = _sample(played)
        return _log_odds(names, sample, kind)

    return read


def worth_more(kind: str, other: str) -> Reading:
    """How much more a kind of piece is worth than another, in log odds."""

    def read(played: Played) -> Estimate:
        names, sample = _sample(played)
        lead = sample.lead.copy()
        # a x + b y = (a - b) x + b (x + y): so the coefficient of x is the difference.
        lead[:, names.index(other)] += lead[:, names.index(kind)]
        return _log_odds(names, sample._replace(lead=lead), kind)

    return read


@cache
def _sample(played: Played) -> tuple[tuple[str, ...], Sample]:
    """The names of kinds, and positions of a run."""
    table = parts.material(variants.find(played.run.variant))
    names = (*table.KINDS, *table.COVARIATES)
    return names, sample_positions(played.results.plan, played.games)


def _log_odds(names: tuple[str, ...], sample: Sample, kind: str) -> Estimate:
    found = piece_values(sample, names, names[0], players_differ=False)
    return found.values[names.index(kind)].log_odds


class _Courses(NamedTuple):
    """How games went.

    Attributes:
        turns: ``int64[n]``, of both players together.
        is_won: ``bool[n]``.
        settled: ``int64[n]``: the last turn at whose end the later leader did not lead: who won
            or, in a game that nobody won, who had more points when its last turn began. The
            number of turns if nobody had.
    """

    turns: np.ndarray
    is_won: np.ndarray
    settled: np.ndarray


def settled_within(turns: int) -> Reading:
    """The share of games from whose so many first turns on the later leader always led."""
    return lambda played: _share(_courses(played).settled <= turns)


def won_within(turns: int) -> Reading:
    """The share of games that were won in so many turns."""

    def read(played: Played) -> Estimate:
        courses = _courses(played)
        return _share(courses.is_won & (courses.turns <= turns))

    return read


def _share(is_so: np.ndarray) -> Estimate:
    """The share of games in which something is so, of games in pairs: ``bool[n]``."""
    pairs = is_so.reshape(-1, 2).sum(axis=1)
    both = np.full(pairs.size, 2)
    return share(sums_of(pairs, both), sums_of(both, both), pairs.size)


@cache
def _courses(played: Played) -> _Courses:
    """How the games of a run went, played again."""
    replay, points = Replay(played.results.plan), variants.find(played.run.variant).points
    some = islice(chunks(played.games), REPLAYED // TOGETHER)
    parts = [_course(replay, points, games, first) for first, games in some]
    return _Courses(*map(np.concatenate, zip(*parts, strict=True)))


def _course(
    replay: Replay, points: Callable[[Any, int], int], games: Sequence[StoredGame], first: int
) -> _Courses:
    """How some games went, the first of which has this number in its run."""
    everybody = np.arange(len(games))
    turn, lead = np.full(len(games), -1), np.zeros(len(games), np.int64)
    not_ahead = np.zeros((2, len(games)), np.int64)
    for under_way, states, _ in replay.positions(games, first):
        begins = under_way[states["turn_count"][under_way] != turn[under_way]]
        turn[begins] = states["turn_count"][begins]
        lead[begins] = [points(state, 0) - points(state, 1) for state in states[begins]]
        for side, ahead in enumerate((lead, -lead)):
            behind = begins[ahead[begins] <= 0]
            not_ahead[side, behind] = turn[behind]
    winner = np.array([game.winner for game in games])
    leader = np.where(winner >= 0, winner, np.where(lead < 0, 1, 0))
    settled = not_ahead[leader, everybody]
    turns = turn + 1  # the last one had begun
    nobody = (winner < 0) & (lead == 0)
    return _Courses(turns, winner >= 0, np.where(nobody, turns, settled))
