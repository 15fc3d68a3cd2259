"""Deciding between two players with stated error rates, in as few games as possible. Needs SciPy.

Wald's sequential probability ratio test (Annals of Mathematical Statistics 16, 1945) compares the
logarithm of the likelihood ratio of two hypotheses with two bounds after every few games.

A *pair* of games with swapped sides has five possible results, 0 to 2 points in steps of a half.
Their probabilities are unknown, but each hypothesis fixes their mean: it gets the probabilities
that make the results most likely under this mean. This is the generalised test of Li, Liu and Ying
(Sequential Analysis 33, 2014), used in this form for chess engines and known as *pentanomial*
(Michel Van den Bergh, https://github.com/vdbergh/pentanomial). It needs no model of draws or of the
dependence within a pair.

>>> test = Sprt(elo0=0, elo1=50)
>>> test.verdict([10, 20, 30, 20, 10]) is None
True
>>> test.verdict([3, 12, 40, 45, 30])
'H1'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Literal

import numpy as np
from scipy.optimize import brentq

from pasgl_env.statistics.ratings import GAMES_IN_PAIR, expected_score

Hypothesis = Literal["H0", "H1"]

POINTS = np.arange(2 * GAMES_IN_PAIR + 1) / 2
"""The possible results of a pair of games."""

# Results not seen yet count this much; otherwise they would be impossible under both hypotheses.
_UNSEEN = 1e-3


@dataclass(frozen=True)
class Sprt:
    """A test whether the first player is stronger than the second.

    H0: the difference is ``elo0`` or less; H1: it is ``elo1`` or more. If it lies between the two,
    either verdict may result, and the test takes longest.

    Attributes:
        elo0: the bound of H0.
        elo1: the bound of H1, above ``elo0``.
        alpha: probability of accepting H1 when H0 is true.
        beta: probability of accepting H0 when H1 is true.

    Raises:
        ValueError: for Elo points that are not numbers or not in this order, or rates that are not
            between 0 and 0.5.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not max(abs(self.elo0), abs(self.elo1)) <= 2000:
            raise ValueError("elo0 and elo1 must be between -2000 and 2000")
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 must be below elo1, not {self.elo0:g} and {self.elo1:g}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(f"{name} must be above 0 and below 0.5, not {getattr(self, name)}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log likelihood ratios at which H0 and H1 are accepted."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def log_likelihood_ratio(self, counts: Sequence[int]) -> float:
        """The current log likelihood ratio of H1 to H0.

        Args:
            counts: number of pairs in which the first player scored 0, 0.5, 1, 1.5 and 2 points.

        Raises:
            ValueError: if these are not five counts.
        """
        seen = np.asarray(counts)
        if seen.shape != POINTS.shape or (seen < 0).any():
            raise ValueError(f"the five counts of pairs cannot be {counts}")
        if not seen.any():
            return 0.0
        seen = np.maximum(seen, _UNSEEN)
        under_h0, under_h1 = (
            _likeliest(seen / seen.sum(), GAMES_IN_PAIR * expected_score(elo))
            for elo in (self.elo0, self.elo1)
        )
        return float(seen @ np.log(under_h1 / under_h0))

    def verdict(self, counts: Sequence[int]) -> Hypothesis | None:
        """The accepted hypothesis; None if more games are needed."""
        ratio, (low, high) = self.log_likelihood_ratio(counts), self.bounds
        if low < ratio < high:
            return None
        return "H1" if ratio >= high else "H0"


def count_pairs(points: np.ndarray) -> list[int]:
    """The number of pairs that gave 0, 0.5, 1, 1.5 and 2 points.

    >>> count_pairs(np.array([0.5, 2.0, 2.0]))
    [0, 1, 0, 0, 2]
    """
    halves = np.rint(2 * points).astype(np.int64)
    return np.bincount(halves, minlength=POINTS.size).tolist()


def _likeliest(shares: np.ndarray, mean: float) -> np.ndarray:
    """The probabilities of :data:`POINTS` with this mean that make the shares most likely.

    They are the shares divided by ``1 + tilt * (points - mean)`` (Owen, Biometrika 75, 1988).
    """
    away = POINTS - mean
    # Within these limits no probability exceeds 1.
    lowest, highest = (shares[-1] - 1) / away[-1], (shares[0] - 1) / away[0]
    tilt = brentq(lambda tilt: float(shares @ (away / (1 + tilt * away))), lowest, highest)
    return shares / (1 + tilt * away)
