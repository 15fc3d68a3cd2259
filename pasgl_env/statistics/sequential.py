"""Sequential inference about a share: evidence and confidence sequences that hold at every look.

Let a pair of games give ``x`` successes in ``y`` trials, ``x <= y <= 2``, and let ``z`` be
``(x - limit * y) / 2``, which is between ``-limit`` and ``1 - limit``. If the share, the ratio of
the expectations of ``x`` and ``y``, is not above ``limit``, the expectation of ``z`` is not above
0. For ``0 <= bet < 1 / limit`` (Fan, Grama and Liu, "Exponential inequalities for martingales with
applications", Electronic Journal of Probability 20, 2015)::

    exp(bet * z - c * (bet * z)**2) <= 1 + bet * z,  c = (-log(1 - u) - u) / u**2,  u = bet * limit

so the product of the left sides over all pairs is a supermartingale: at most the capital of a
gambler who starts with 1 and bets that the share is above the limit. The probability that it *ever*
reaches ``1 / rate`` is at most ``rate`` (Ville, *Étude critique de la notion de collectif*, 1939).
It only needs the sums over all pairs of ``z`` and ``z**2``, so a run that is resumed from its
totals reaches the same answer. No single bet is best in all cases: the evidence is the mean over
several.

The limits with less evidence against them form a confidence sequence: an interval that contains the
truth after every pair of games simultaneously, at every look (Howard, Ramdas, McAuliffe and Sekhon,
"Time-uniform, nonparametric, nonasymptotic confidence sequences", Annals of Statistics 49, 2021).
Betting on each pair in turn (Waudby-Smith and Ramdas, "Estimating means of bounded random variables
by betting", Journal of the Royal Statistical Society B 86, 2024) would be slightly sharper but
needs every pair separately.

Of more than two sides, groups of as many games take the place of pairs: see :func:`per_pair`.

Needs SciPy.
"""

from __future__ import annotations

from math import log

import numpy as np
from scipy.optimize import brentq

from pasgl_env.statistics.estimates import CONFIDENCE, Estimate

# With bets of at most 1, more successes are never less evidence, whatever the limit, so the refuted
# limits are all those below some limit.
BETS = 0.99 * 2.0 ** -(np.arange(19) / 2)
_TOLERANCE = 1e-9


def log_evidence(counted: np.ndarray, divisor: np.ndarray, limit: float) -> float:
    """The logarithm of the evidence that a share is above a limit; 0 if there is none for either.

    Args:
        counted: ``float64[3]``: the sums over all pairs of games of the successes, of their
            squares, and of their products with the trials.
        divisor: the same sums for the trials.
        limit: from 0 to 1.
    """
    drift = (counted[0] - limit * divisor[0]) / 2
    spread = (counted[1] - 2 * limit * counted[2] + limit**2 * divisor[1]) / 4
    logs = BETS * drift - _curvature(BETS * limit) * BETS**2 * max(spread, 0.0)
    return float(np.logaddexp.reduce(logs) - log(BETS.size))


def failures(counted: np.ndarray, divisor: np.ndarray) -> np.ndarray:
    """The sums for the trials that failed: ``float64[3]``, like ``counted``."""
    squares = divisor[1] - 2 * counted[2] + counted[1]
    return np.array([divisor[0] - counted[0], squares, divisor[1] - counted[2]])


def per_pair(sums: np.ndarray, games: int) -> np.ndarray:
    """The sums over groups of this number of games, scaled to those of as many pairs.

    >>> per_pair(np.array([3.0, 9.0, 9.0]), 3)  # one group, of three successes
    array([2., 4., 4.])
    """
    return sums * (2 / games) ** np.array([1, 2, 2])


def confidence_sequence(counted: np.ndarray, divisor: np.ndarray) -> Estimate:
    """A share with its 95% confidence sequence; arguments as in :func:`log_evidence`."""
    if divisor[0] == 0:
        return Estimate(None)
    low = _refuted(counted, divisor)
    high = 1 - _refuted(failures(counted, divisor), divisor)
    return Estimate(float(counted[0] / divisor[0]), low, high)


def _refuted(counted: np.ndarray, divisor: np.ndarray) -> float:
    """The highest limit that the share exceeds, according to the evidence; 0 if there is none."""
    needed = log(2 / (1 - CONFIDENCE))

    def excess(limit: float) -> float:
        return log_evidence(counted, divisor, limit) - needed

    value = float(counted[0] / divisor[0])
    return brentq(excess, 0.0, value, xtol=_TOLERANCE) if excess(0.0) > 0 else 0.0


def _curvature(reach: np.ndarray) -> np.ndarray:
    """``(-log(1 - reach) - reach) / reach**2``, by its series if cancellation is severe."""
    safe = np.maximum(reach, 1e-3)
    series = 1 / 2 + reach / 3 + reach**2 / 4 + reach**3 / 5
    return np.where(reach < safe, series, (-np.log1p(-safe) - safe) / safe**2)
