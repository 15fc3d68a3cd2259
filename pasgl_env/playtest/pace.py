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
        games: how many games there are at most.
        report: called whenever games have ended.
    """

    def __init__(self, games: int, report: Report) -> None:
        self._games, self._report = games, report
        self._done = self._kept = 0
        self._begun = perf_counter()

    def keep(self, games: int) -> None:
        """Count games that were played by an earlier run."""
        self._done += games
        self._kept += games

    def add(self, games: int) -> None:
        """Count games that have just ended, and report."""
        self._done += games
        seconds = (perf_counter() - self._begun) / (self._done - self._kept)
        self._games = max(self._games, self._done)
        self._report(Progress(self._done, self._games, seconds * (self._games - self._done)))

    def skip(self, games: int) -> None:
        """Do not expect some games any more."""
        self._games -= games
