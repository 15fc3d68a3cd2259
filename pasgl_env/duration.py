"""Times as text."""

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


def short_time(seconds: float) -> str:
    """A time in a unit that suits it, to three digits or to the second.

    >>> short_time(0.00123), short_time(12.34), short_time(1312.1)
    ('1.23 ms', '12.3 s', '1,312 s')
    """
    sizes = {"s": 1.0, "ms": 1e-3, "µs": 1e-6}
    unit = next((unit for unit, size in sizes.items() if seconds >= size), "µs")
    count = seconds / sizes[unit]
    return f"{count:,.0f} {unit}" if count >= 100 else f"{count:.3g} {unit}"
