"""The progress of games, with an estimate of the time left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter


@dataclass(frozen=True)
class Progress:
    """The progress of games.

    Attributes:
        done: finished games, including those from earlier runs.
        games: total number of games; None if not known.
        seconds_left: estimated time until all games are played; None if not known yet.
        doing: what else is under way, of which these are parts in place of games; empty for games.
    """

    done: int
    games: int | None
    seconds_left: float | None
    doing: str = ""


Report = Callable[[Progress], None]


class Pace:
    """Reports the progress of a run, or of several ones, with an estimate of the time left.

    Args:
        games: their number, at most; None if not known.
        report: called whenever games have ended.
    """

    def __init__(self, games: int | None, report: Report) -> None:
        self._games, self._report = games, report
        self._done = self._kept = 0
        self._begun = perf_counter()

    def resume(self, games: int) -> None:
        """Start a run of which this number of games was played before."""
        self._kept += games
        self.add(games)

    def forget(self, games: int) -> None:
        """Leave out the games of a run that is resumed again."""
        self._kept -= games
        self._done -= games

    def add(self, games: int) -> None:
        """Count games that have been played and kept."""
        self._done += games
        self.tell()

    def reach(self, games: int) -> None:
        """Count games up to this number."""
        self.add(games - self._done)

    def skip(self, games: int) -> None:
        """Count games that need not be played."""
        if self._games is not None and games > 0:
            self._games -= games
            self.tell()

    def tell(self, running: int = 0) -> None:
        """Report; ``running`` games that are not kept yet have ended, too."""
        done = self._done + running
        games = None if self._games is None else max(self._games, done)
        left = None
        # The games of a shard begin together: their rate shows only when a first shard has ended.
        if games is not None and self._done > self._kept:
            seconds = (perf_counter() - self._begun) / (done - self._kept)
            left = seconds * (games - done)
        self._report(Progress(done, games, left))
