"""Regression with standard errors that allow for clusters, and ratios of coefficients.

Needs SciPy.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np
from scipy import stats
from scipy.linalg import null_space
from scipy.special import expit

from pasgl_env.statistics.estimates import CONFIDENCE, Estimate

_MAX_STEPS = 30
_TOLERANCE = 1e-8


class Fit(NamedTuple):
    """A regression.

    Attributes:
        coefficients: ``float64[k]``.
        covariance: ``float64[k, k]``, of the coefficients.
        is_known: ``bool[k]``: whether the data determine a coefficient.
        quantile: half the width of an interval in standard errors.
    """

    coefficients: np.ndarray
    covariance: np.ndarray
    is_known: np.ndarray
    quantile: float

    def estimate(self, number: int) -> Estimate:
        """A coefficient."""
        return self.predict(np.eye(self.coefficients.size)[number])

    def predict(self, row: np.ndarray) -> Estimate:
        """The sum of a row's columns times their coefficients."""
        if not self.is_known[row != 0].all():
            return Estimate(None)
        value = float(row @ self.coefficients)
        half = self.quantile * sqrt(max(row @ self.covariance @ row, 0.0))
        return Estimate(value, value - half, value + half)

    def ratio(self, number: int, unit: int) -> Estimate:
        """A coefficient divided by another, with Fieller's interval if that is bounded."""
        if not (self.is_known[number] and self.is_known[unit]) or self.coefficients[unit] == 0:
            return Estimate(None)
        upper, lower = self.coefficients[[number, unit]]
        value = float(upper / lower)
        if number == unit:
            return Estimate(value, value, value)
        (own, shared), (_, of_unit) = (
            self.quantile**2 * self.covariance[np.ix_([number, unit], [number, unit])]
        )
        # The ratios r for which (upper - r lower)^2 is no more than the quantile allows.
        square, linear, constant = lower**2 - of_unit, upper * lower - shared, upper**2 - own
        if square <= 0:
            return Estimate(value)
        half = sqrt(max(linear**2 - square * constant, 0.0))
        return Estimate(value, float((linear - half) / square), float((linear + half) / square))


def rarer(result: np.ndarray) -> float:
    """How many of the results, from 0 to 1, are of the rarer kind: this is what a curve needs."""
    ones = float(result.sum())
    return min(ones, result.size - ones)


def fit_logistic(columns: np.ndarray, result: np.ndarray, cluster: np.ndarray) -> Fit:
    """Fit a logistic regression by Newton's method.

    If some sum of columns separates all results, the likelihood has no finite maximum, and no
    coefficient is known. Standard errors are of the sandwich form (Liang and Zeger, Biometrika 73,
    1986).

    Args:
        columns: ``[n, k]``.
        result: ``float64[n]``, from 0 to 1.
        cluster: ``int64[n]``: rows of the same cluster are not independent.
    """
    columns = columns.astype(np.float64)
    number = columns.shape[1]
    _, cluster = np.unique(cluster, return_inverse=True)
    clusters = int(cluster.max(initial=-1)) + 1
    if clusters <= number:
        return _nothing_known(number)
    coefficients = np.zeros(number)
    for _ in range(_MAX_STEPS):
        expected = expit(columns @ coefficients)
        information = columns.T @ (columns * (expected * (1 - expected))[:, None])
        residuals = columns * (result - expected)[:, None]
        step = np.linalg.lstsq(information, residuals.sum(axis=0), rcond=_TOLERANCE)[0]
        coefficients = coefficients + step
        if np.abs(step).max() < _TOLERANCE:
            break
    else:
        return _nothing_known(number)
    return _fit(coefficients, information, residuals, cluster)


def fit_linear(columns: np.ndarray, result: np.ndarray, cluster: np.ndarray) -> Fit:
    """Fit a linear regression by least squares; arguments as of :func:`fit_logistic`."""
    columns = columns.astype(np.float64)
    _, cluster = np.unique(cluster, return_inverse=True)
    coefficients = np.linalg.lstsq(columns, result, rcond=None)[0]
    residuals = columns * (result - columns @ coefficients)[:, None]
    return _fit(coefficients, columns.T @ columns, residuals, cluster)


def _fit(
    coefficients: np.ndarray, information: np.ndarray, residuals: np.ndarray, cluster: np.ndarray
) -> Fit:
    """A regression with the covariance of the sandwich form."""
    clusters, number = int(cluster.max()) + 1, coefficients.size
    scores = np.zeros((clusters, number))
    np.add.at(scores, cluster, residuals)
    inverse = np.linalg.pinv(information, rcond=_TOLERANCE, hermitian=True)
    spread = scores.T @ scores * clusters / (clusters - 1)
    undetermined = np.abs(null_space(information, rcond=_TOLERANCE)).max(axis=1, initial=0.0)
    return Fit(
        coefficients,
        inverse @ spread @ inverse,
        undetermined < sqrt(_TOLERANCE),
        float(stats.t.ppf((1 + CONFIDENCE) / 2, clusters - 1)),
    )


def _nothing_known(number: int) -> Fit:
    return Fit(np.zeros(number), np.zeros((number, number)), np.zeros(number, np.bool_), 0.0)
