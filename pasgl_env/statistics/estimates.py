"""Proportions and means of independent observations, with 95% intervals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np

CONFIDENCE = 0.95
"""Confidence level of every interval in this package."""

Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
"""Half the width of an interval in standard errors, by the normal approximation."""


@dataclass(frozen=True)
class Estimate:
    """A number with its 95% interval; None if there are too few observations for it."""

    value: float | None
    low: float | None = None
    high: float | None = None

    def map(self, function: Callable[[float], float]) -> Estimate:
        """The estimate of a monotone function of the number.

        >>> Estimate(0.6, 0.5, 0.7).map(lambda share: 1 - share)
        Estimate(value=0.4, low=0.30..., high=0.5)
        """
        value, low, high = (
            None if each is None else function(each) for each in (self.value, self.low, self.high)
        )
        if low is not None and high is not None:
            low, high = min(low, high), max(low, high)
        return Estimate(value, low, high)


def proportion(successes: float, trials: float) -> Estimate:
    """A proportion with Wilson's score interval (Wilson, JASA 22, 1927).

    It stays sensible near 0 and 1.

    >>> proportion(10, 10)
    Estimate(value=1.0, low=0.722..., high=1.0)
    """
    if trials == 0:
        return Estimate(None)
    value, shrink = successes / trials, 1 / (1 + Z**2 / trials)
    middle = (value + Z**2 / (2 * trials)) * shrink
    half = Z * shrink * sqrt(value * (1 - value) / trials + (Z / (2 * trials)) ** 2)
    # Exactly 0 and 1 at the ends, where rounding errors remain.
    return Estimate(value, middle - half if value > 0 else 0.0, middle + half if value < 1 else 1.0)


def mean(values: np.ndarray) -> Estimate:
    """A mean with its interval by the normal approximation.

    >>> mean(np.array([1, 2, 3, 4]))
    Estimate(value=2.5, low=1.234..., high=3.765...)
    """
    if values.size == 0:
        return Estimate(None)
    value = float(values.mean())
    if values.size == 1:
        return Estimate(value)
    half = Z * float(values.std(ddof=1)) / sqrt(values.size)
    return Estimate(value, value - half, value + half)
