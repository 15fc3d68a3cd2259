"""Records of matches."""

from __future__ import annotations

from datetime import date
from os import PathLike

import numpy as np

from pasgl_env.engine.batch import Batch
from pasgl_env.records.batch import BatchLog, heading_of
from pasgl_env.records.binary import StoredGame
from pasgl_env.records.files import RecordWriter


class MatchRecorder:
    """Steps the batch of a match, and adds its games to a file, in their order.

    Args:
        file: a path; its end says in which form.
        batch: whose slot s plays the games s, s + n, s + 2n ...
        names: of the two players, the first of whom has the first seat in even games.
        seed: the match's.
        games: how many the match has; a slot that has played its share may go on.

    Raises:
        OSError: if the file cannot be written.
        ValueError: if its name has no known end, or it holds no records.
    """

    def __init__(
        self,
        file: str | PathLike[str],
        batch: Batch,
        names: tuple[str, str],
        seed: int,
        games: int,
    ) -> None:
        self._log = BatchLog(batch)
        self._headings = [
            heading_of(batch, tuple(names[(team + parity) % 2] for team in batch.teams))
            for parity in (0, 1)
        ]
        self._about = {"seed": seed, "date": date.today().isoformat()}
        self._playing = np.arange(len(batch))  # the game that a slot plays
        self._waiting: dict[int, StoredGame] = {}  # until all games before have ended
        self._games = games
        self._writer = RecordWriter(file, append=True)

    def step(self, actions: np.ndarray) -> None:
        """Step the batch, as :meth:`pasgl_env.Batch.step` does."""
        self._take(self._log.step(actions))

    def __enter__(self) -> MatchRecorder:
        return self

    def __exit__(self, *error: object) -> None:
        with self._writer:
            self._take(self._log.rest())

    def _take(self, ended: list[tuple[int, StoredGame]]) -> None:
        for slot, game in ended:
            number = int(self._playing[slot])
            self._playing[slot] += self._playing.size
            if number < self._games:
                self._waiting[number] = game
        while (number := self._writer.games) in self._waiting:
            game = self._waiting.pop(number)
            about = game.about | self._about | {"tags": {"Round": str(number + 1)}}
            self._writer.write_stored(self._headings[number % 2], [game._replace(about=about)])
