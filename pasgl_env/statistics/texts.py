"""Estimates as text, with as many digits as their intervals justify."""

from __future__ import annotations

from dataclasses import astuple
from math import floor, log10

from pasgl_env.statistics.estimates import Estimate

_MOST_DECIMALS = 6


def value_text(estimate: Estimate, is_share: bool, missing: str = "–") -> str:
    """A value for people; ``missing`` if there is none.

    >>> value_text(Estimate(52.6512, 48.1, 57.2), False), value_text(Estimate(0.5, 0.3, 0.7), True)
    ('52.7', '50%')
    """
    if estimate.value is None:
        return missing
    return _written(estimate.value, estimate, is_share)


def interval_text(estimate: Estimate, is_share: bool) -> str:
    """An interval for people; empty if there is none, or its ends are equal.

    >>> interval_text(Estimate(52.6512, 48.1, 57.2), False)
    '48.1 to 57.2'
    """
    if estimate.low is None or estimate.high is None or estimate.low == estimate.high:
        return ""
    low, high = (_written(end, estimate, is_share) for end in (estimate.low, estimate.high))
    return f"{low} to {high}"


def estimate_text(estimate: Estimate, is_share: bool, missing: str = "–") -> str:
    """A value with its interval in parentheses, if it has one.

    >>> estimate_text(Estimate(52.6512, 48.1, 57.2), False)
    '52.7 (48.1 to 57.2)'
    """
    value, interval = value_text(estimate, is_share, missing), interval_text(estimate, is_share)
    return f"{value} ({interval})" if interval else value


def _written(number: float, estimate: Estimate, is_share: bool) -> str:
    """A number of an estimate; a share in percent."""
    scale = 100 if is_share else 1
    decimals = _decimals(estimate, scale)
    rounded = round(scale * number, decimals) + 0.0  # turns -0 into 0
    if number == 0 or (is_share and number == 1):
        decimals = 0
    return f"{rounded:,.{decimals}f}{'%' * is_share}"


def _decimals(estimate: Estimate, scale: int) -> int:
    """Decimals that give half the interval's width two significant digits, or the value four."""
    ends = [end for end in astuple(estimate) if end is not None]
    if scale == 1 and all(end == round(end) for end in ends):
        return 0
    width = scale * (max(ends) - min(ends)) / 2
    digits = 1 - floor(log10(width)) if width else 3 - floor(log10(scale * abs(ends[0]) or 1000))
    return min(max(digits, 0), _MOST_DECIMALS)
