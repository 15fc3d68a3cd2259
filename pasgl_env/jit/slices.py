"""Compiled loops in slices of bounded time: between them, Python handles Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

SECONDS = 0.05
"""About how long a slice takes, so that an interrupt is answered within 0.2 s on slow machines."""
DECISIONS = 128
"""Decisions one ply deep in a slice: at most about a millisecond each."""
_FIRST = 64


def slices(rows: int, at_once: int = DECISIONS) -> Iterator[slice]:
    """The parts into which rows are divided."""
    for first in range(0, rows, at_once):
        yield slice(first, min(first + at_once, rows))


class Slices:
    """Calls that continue each other, each with a number of steps that takes a slice's time."""

    def __init__(self) -> None:
        self._steps = _FIRST

    def run(self, call: Callable[[int], bool]) -> None:
        """Call a function with a number of steps until it returns true."""
        is_done = False
        while not is_done:
            begun = perf_counter()
            is_done = call(self._steps)
            taken = perf_counter() - begun
            if taken > SECONDS:
                self._steps = max(1, self._steps // 2)
            elif 2 * taken < SECONDS and not is_done:
                self._steps *= 2
