"""Estimates and ratings as text, with as many digits as their intervals justify."""

from __future__ import annotations

from dataclasses import astuple
from math import floor, isfinite, isnan, log10
from typing import TYPE_CHECKING

from pasgl_env.statistics.estimates import Estimate

if TYPE_CHECKING:  # it needs SciPy
    from pasgl_env.statistics.ratings import Rating

NONE = "–"
"""Shown where there is no number."""
_MOST_DECIMALS = 6


def value_text(
    estimate: Estimate, is_share: bool, missing: str = NONE, *, is_signed: bool = False
) -> str:
    """A value for people.

    >>> value_text(Estimate(52.6512, 48.1, 57.2), False), value_text(Estimate(0.5, 0.3, 0.7), True)
    ('52.7', '50%')

    Args:
        estimate: the value with its interval.
        is_share: whether it is written in percent.
        missing: the text if there is no value.
        is_signed: whether positive numbers have a sign, as differences do; those of shares are in
            percentage points.
    """
    if estimate.value is None:
        return missing
    mark = (" points" if is_signed else "%") if is_share else ""
    return _written(estimate.value, estimate, is_share, is_signed) + mark


def interval_text(estimate: Estimate, is_share: bool, *, is_signed: bool = False) -> str:
    """An interval for people; empty if there is none, or its ends are equal.

    >>> interval_text(Estimate(52.6512, 48.1, 57.2), False)
    '48.1 to 57.2'
    """
    if estimate.low is None or estimate.high is None or estimate.low == estimate.high:
        return ""
    mark = "%" * (is_share and not is_signed)
    low, high = (
        _written(end, estimate, is_share, is_signed) + mark for end in (estimate.low, estimate.high)
    )
    return f"{low} to {high}"


def estimate_text(
    estimate: Estimate, is_share: bool, missing: str = NONE, *, is_signed: bool = False
) -> str:
    """A value with its interval in parentheses, if it has one; arguments as of :func:`value_text`.

    >>> estimate_text(Estimate(52.6512, 48.1, 57.2), False)
    '52.7 (48.1 to 57.2)'
    >>> estimate_text(Estimate(0.25, 0.2, 0.3), True, is_signed=True)
    '+25.0 points (+20.0 to +30.0)'
    """
    value = value_text(estimate, is_share, missing, is_signed=is_signed)
    interval = interval_text(estimate, is_share, is_signed=is_signed)
    return f"{value} ({interval})" if interval else value


def elo_text(rating: Rating) -> str:
    """A rating without its interval, or its only bound."""
    if isnan(rating.elo):
        return "unknown"
    if isfinite(rating.elo):
        return f"{rating.elo:.0f}"
    return f"over {rating.low:.0f}" if rating.elo > 0 else f"under {rating.high:.0f}"


def elo_interval_text(rating: Rating) -> str:
    """A rating's interval, if it has two ends."""
    return f"{rating.low:.0f} to {rating.high:.0f}" if isfinite(rating.elo) else "-"


def _written(number: float, estimate: Estimate, is_share: bool, is_signed: bool) -> str:
    """A number of an estimate, without a mark."""
    scale = 100 if is_share else 1
    decimals = _decimals(estimate, scale)
    rounded = round(scale * number, decimals) + 0.0  # turns -0 into 0
    if number == 0 or (is_share and number == 1):
        decimals = 0
    return f"{'+' * (is_signed and rounded > 0)}{rounded:,.{decimals}f}"


def _decimals(estimate: Estimate, scale: int) -> int:
    """Decimals that give half the interval's width two significant digits, or the value four."""
    ends = [end for end in astuple(estimate) if end is not None]
    if scale == 1 and all(end == round(end) for end in ends):
        return 0
    width = scale * (max(ends) - min(ends)) / 2
    digits = 1 - floor(log10(width)) if width else 3 - floor(log10(scale * abs(ends[0]) or 1000))
    return min(max(digits, 0), _MOST_DECIMALS)
