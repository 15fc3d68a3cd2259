"""How far a run is, and how long the rest of it takes."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from pasgl_env.evaluation.tournament import Progress

Report = Callable[[Progress], None]


class Pace:
    """Counts the games of a run and estimates how long the remaining ones take.

    The estimate is based on the games played since this object was made.

    Args:
        report: called whenever games have ended.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._games = self._done = self._kept = 0
        self._begun = perf_counter()

    def expect(self, games: int) -> None:
        """Expect more games, or fewer if the number is negative."""
        self._games += games

    def keep(self, games: int) -> None:
        """Count games that were played by an earlier run."""
        self._done += games
        self._kept += games

    def add(self, games: int) -> None:
        """Count games that have just ended, and report."""
        self._done += games
        self._games = max(self._games, self._done)
        seconds = (perf_counter() - self._begun) / (self._done - self._kept)
        self._report(Progress(self._done, self._games, seconds * (self._games - self._done)))
