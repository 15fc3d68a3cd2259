"""Estimates from pairs of games, with 95% intervals.

The two games of a pair have the same dice and swapped sides, so they are not independent: the pair
is the unit, as in a sample of clusters of two. Pairs that start from the same opening are not
independent either; all pairs of an opening are then one unit. Every estimate is a ratio of two
counts, of which the second may be the number of games. Its standard error is that of linearised
residuals (Cochran, *Sampling Techniques*, 3rd edition, 1977, chapter 6), its interval Student's. If
the second count is 0 in most pairs, only the others carry information: degrees of freedom are those
of Kish's effective number of pairs, (Σy)² / Σy² (*Survey Sampling*, 1965).

A share gets Wilson's score interval (Wilson, JASA 22, 1927), which stays sensible near 0 and 1,
with an effective number of trials: the number of independent trials that would have the same
standard error (Korn and Graubard, "Confidence intervals for proportions with small expected number
of positive counts estimated from survey data", Survey Methodology 24, 1998). It never exceeds the
actual number of trials; if all trials or none succeeded, a pair counts as one.

A count that cannot be negative and is rare gets Garwood's exact interval for a Poisson count
("Fiducial limits for the Poisson distribution", Biometrika 28, 1936), with an effective number of
events: that of independent events with the same relative standard error. If nothing happened, its
upper end allows for as many pairs in which it does as such an interval has for none.

Needs SciPy.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

import numpy as np
from scipy import stats

from pasgl_env.statistics.estimates import CONFIDENCE, Estimate, Z, proportion
from pasgl_env.statistics.histograms import first_of_bin

MOST_COMMON = 0.1
"""A count is rare if its relative standard error is larger: that of 100 independent events."""

LEAST_DIFFERENT = 10
"""Differences in fewer units have no standard error."""


def ratio(counted: np.ndarray, divisor: np.ndarray) -> Estimate:
    """The ratio of one count to another.

    >>> pairs = np.array([[3.0, 5.0, 4.0], [2.0, 2.0, 2.0]])  # of three pairs, and games in each
    >>> ratio(*(sums_of(*both) for both in ((pairs[0], pairs[1]), (pairs[1], pairs[1]))))
    Estimate(value=2.0, low=0.75..., high=3.24...)

    Args:
        counted: ``float64[3]``: the sums over all pairs of its counts, of their squares, and of
            their products with the divisor's.
        divisor: likewise.
    """
    if divisor[0] == 0:
        return Estimate(None)
    value, effective = float(counted[0] / divisor[0]), _effective(divisor)
    if effective < 2:
        return Estimate(value)
    half = _quantile(effective) * _standard_error(counted, divisor)
    return Estimate(value, value - half, value + half)


def count(counted: np.ndarray, divisor: np.ndarray) -> Estimate:
    """The ratio of a count that is never negative to another; arguments as in :func:`ratio`.

    >>> events = np.zeros(3)  # none in a hundred pairs
    >>> count(events, sums_of(np.full(100, 2.0), np.full(100, 2.0)))
    Estimate(value=0.0, low=0.0, high=0.036...)
    """
    found, pairs = ratio(counted, divisor), _effective(divisor)
    if found.value is None or found.low is None:
        return found
    if found.value == 0:
        return Estimate(0.0, 0.0, _most_events(0.0) / pairs)
    error = _standard_error(counted, divisor) / found.value * _quantile(pairs) / Z
    if error <= MOST_COMMON:
        return Estimate(found.value, max(found.low, 0.0), found.high)
    events = 1 / error**2
    low, high = _least_events(events) / events, _most_events(events) / events
    return Estimate(found.value, found.value * low, found.value * high)


def share(counted: np.ndarray, divisor: np.ndarray) -> Estimate:
    """A count as a share of another that is never below it; arguments as in :func:`ratio`."""
    trials = float(divisor[0])
    if trials == 0:
        return Estimate(None)
    value, pairs = min(float(counted[0]) / trials, 1.0), _effective(divisor)
    if pairs < 2:
        return Estimate(value)
    effective = min(trials, pairs)
    if 0 < value < 1:
        error = _standard_error(counted, divisor)
        effective = min(trials, value * (1 - value) / error**2) if error > 0 else trials
    effective *= (Z / _quantile(pairs)) ** 2  # few pairs say little about the standard error
    return proportion(value * effective, effective)


def paired_difference(
    before: np.ndarray, after: np.ndarray, confidence: float, *, is_share: bool = False
) -> Estimate:
    """The difference of two ratios of counts of the same units, the second less the first.

    The interval is Student's, from the differences of linearised residuals. If fewer than
    :data:`LEAST_DIFFERENT` units differ, they say too little about the standard error. Then a share
    whose divisor stays the same has bounds, which allow for as many units that differ as there may
    be; other numbers have no interval.

    >>> before = np.array([[1.0, 2.0], [3.0, 2.0]] * 20)
    >>> paired_difference(before, before + [[1.0, 0.0]], 0.95)
    Estimate(value=0.5, low=0.5, high=0.5)
    >>> won = np.full((200, 2), 2.0)  # both games of each pair, before and after
    >>> paired_difference(won, won, 0.95, is_share=True)
    Estimate(value=0.0, low=-0.018..., high=0.018...)

    Args:
        before: ``float64[units, 2]``: the count and its divisor.
        after: likewise, of the same units.
        confidence: of the interval.
        is_share: whether the count is never below 0 or above its divisor.
    """
    (one, by_one), (other, by_other) = before.sum(axis=0), after.sum(axis=0)
    if by_one == 0 or by_other == 0:
        return Estimate(None)
    value, units, moved = float(other / by_other - one / by_one), len(before), after - before
    if units < 2:
        return Estimate(value)
    if _kish(np.abs(moved[:, 0] - one / by_one * moved[:, 1])) < LEAST_DIFFERENT:
        if not is_share or moved[:, 1].any():
            return Estimate(value)
        return _bounded(value, moved[:, 0], before[:, 1], confidence)
    residuals = (after[:, 0] - other / by_other * after[:, 1]) / by_other
    residuals -= (before[:, 0] - one / by_one * before[:, 1]) / by_one
    error = sqrt(float(residuals @ residuals) * units / (units - 1))
    half = float(stats.t.ppf((1 + confidence) / 2, units - 1)) * error
    return Estimate(value, value - half, value + half)


def _bounded(value: float, moved: np.ndarray, divisor: np.ndarray, confidence: float) -> Estimate:
    """A difference of shares with bounds: those of the units that moved up, and of those down.

    Each moved by no more than its divisor.
    """
    down, up = (
        min(_most_events(int(count), confidence) * divisor.max() / divisor.sum(), 1.0)
        for count in ((moved < 0).sum(), (moved > 0).sum())
    )
    return Estimate(value, -float(down), float(up))


def _kish(weights: np.ndarray) -> float:
    """The effective number of weights."""
    squares = float(weights @ weights)
    return float(weights.sum()) ** 2 / squares if squares else 0.0


def quantile(histogram: np.ndarray, probability: float, pairs: int) -> Estimate:
    """A quantile of the lengths of games, with the interval between order statistics.

    The ranks are those for as many independent games as there are pairs. Lengths beyond 255 are
    exact to within 1%. Games too few for a rank beyond the interval have none.

    Args:
        histogram: ``int64[BINS]``, see :func:`pasgl_env.statistics.histograms.histogram`.
        probability: 0.5 for the median.
        pairs: number of pairs of games.
    """
    if pairs == 0:
        return Estimate(None)
    tails = (1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2
    low, high = stats.binom.ppf(tails, pairs, probability)
    shares = np.array([probability, low / pairs, min(high + 1, pairs) / pairs])
    reached = np.cumsum(histogram) / histogram.sum()
    value, least, most = (float(first_of_bin(each)) for each in np.searchsorted(reached, shares))
    return Estimate(value) if high + 1 > pairs else Estimate(value, least, most)


def mean_of_pairs(values: np.ndarray) -> Estimate:
    """The mean over games, with an interval based on pairs.

    >>> mean_of_pairs(np.array([[1.0, 3.0], [2.0, 2.0], [1.0, 2.0]])).value
    1.83...

    Args:
        values: ``[pairs, 2]``.
    """
    return _of_pairs(ratio, values)


def share_of_pairs(hits: np.ndarray) -> Estimate:
    """The share of games in which something happened, with an interval based on pairs.

    Args:
        hits: ``bool[pairs, 2]``.
    """
    return _of_pairs(share, hits)


def score_of_pairs(scores: np.ndarray) -> Estimate:
    """A player's score, 0 to 1, with an interval based on pairs; Wilson's if nothing was drawn.

    If nearly all pairs score alike, the interval still allows for 3 in n pairs that score half a
    point a game more or less: the rule of three (Hanley and Lippman-Hand, JAMA 249, 1983).

    >>> score_of_pairs(np.array([[1, 0], [1, 1], [1, 1]])).value
    0.83...

    Args:
        scores: ``[pairs, 2]``: 1 won, 0 lost, 1/2 drawn or truncated.
    """
    found = _of_pairs(ratio if (scores % 1).any() else share, scores)
    if found.value is None or found.low is None or found.high is None:
        return found
    least = 1.5 / len(scores)
    low, high = min(found.low, found.value - least), max(found.high, found.value + least)
    return Estimate(found.value, max(0.0, low), min(1.0, high))


def sums_of(counted: np.ndarray, divisor: np.ndarray) -> np.ndarray:
    """The sums that estimates need: ``float64[3]``, from the counts ``[pairs]``."""
    return np.array([counted.sum(), (counted**2).sum(), (counted * divisor).sum()])


def sums_of_pairs(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The sums of counts in games ``[pairs, 2]``, and those of the number of games."""
    counted = values.sum(axis=1, dtype=np.float64)
    games = np.full(len(values), float(values.shape[1]))
    return sums_of(counted, games), sums_of(games, games)


def _of_pairs(
    estimate: Callable[[np.ndarray, np.ndarray], Estimate], values: np.ndarray
) -> Estimate:
    return estimate(*sums_of_pairs(values))


def _effective(divisor: np.ndarray) -> float:
    """The effective number of pairs; 0 without a whole one."""
    return float(divisor[0] ** 2 / divisor[1]) if divisor[1] else 0.0


def _least_events(events: float) -> float:
    """The lower end of the exact interval of a Poisson count."""
    return float(stats.chi2.ppf((1 - CONFIDENCE) / 2, 2 * events)) / 2


def _most_events(events: float, confidence: float = CONFIDENCE) -> float:
    """The upper end of the exact interval of a Poisson count."""
    return float(stats.chi2.ppf((1 + confidence) / 2, 2 * events + 2)) / 2


def _standard_error(counted: np.ndarray, divisor: np.ndarray) -> float:
    value, pairs = counted[0] / divisor[0], _effective(divisor)
    residuals = counted[1] - 2 * value * counted[2] + value**2 * divisor[1]
    # Sums of squares are differences of large numbers: rounding may leave less than 0.
    return sqrt(max(float(residuals), 0.0) * pairs / (pairs - 1)) / float(divisor[0])


def _quantile(pairs: float) -> float:
    """Half the width of an interval in standard errors."""
    return float(stats.t.ppf((1 + CONFIDENCE) / 2, pairs - 1))
