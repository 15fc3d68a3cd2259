"""Remaining times as text."""

from __future__ import annotations

from datetime import timedelta

_LONGEST = timedelta(days=365)


def time_left(seconds: float | None) -> str:
    """A remaining time as text; ``?`` if it is unknown.

    >>> time_left(3599.6), time_left(None), time_left(1e30)
    ('1:00:00', '?', 'over a year')
    """
    if seconds is None:
        return "?"
    if seconds > _LONGEST.total_seconds():
        return "over a year"
    return str(timedelta(seconds=round(seconds)))
