"""Records of matches."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from datetime import date
from os import PathLike

import numpy as np

from pasgl_env.engine.batch import Batch
from pasgl_env.jit.interrupts import deferred_signals
from pasgl_env.records.batch import BatchLog
from pasgl_env.records.binary import StoredGame, headings_of
from pasgl_env.records.files import RecordWriter


class MatchRecorder:
    """Steps the batch of a match, and appends its games to a file or list in order.

    Args:
        to: a path, whose suffix gives the format, or a list, whose games lack their starts.
        batch: the batch, whose slot s plays the games s, s + n, s + 2n ...
        names: names of the two players, who have the sides of a :class:`Schedule`.
        seed: seed of the match.

    Raises:
        OSError: if the file cannot be written.
        ValueError: if its name has no known suffix, or it holds no records.
    """

    def __init__(
        self,
        to: str | PathLike[str] | list[StoredGame],
        batch: Batch,
        names: tuple[str, str],
        seed: int,
    ) -> None:
        self._log = BatchLog(batch, starts=not isinstance(to, list))
        self._playing = np.arange(len(batch))  # the game that each slot plays
        self._waiting: dict[int, StoredGame] = {}  # until all earlier games have ended
        self._taken = 0
        self._to: Callable[[int, StoredGame], object]
        if isinstance(to, list):
            self._writer, self._to = None, lambda _, game: to.append(game)
            return
        self._writer, self._to = RecordWriter(to, append=True), self._write
        self._headings = headings_of(batch.ruleset, *names)
        self._about = {"seed": seed, "date": date.today().isoformat()}

    def step(self, slots: np.ndarray, actions: np.ndarray) -> None:
        """Step the batch, as :meth:`pasgl_env.Batch.step_some` does.

        Raises:
            Exception: as :meth:`pasgl_env.records.BatchRecorder.step`.
        """
        self._take(self._log.step_some(slots, actions))

    def __enter__(self) -> MatchRecorder:
        return self

    def __exit__(self, *error: object) -> None:
        with self._writer or nullcontext():
            self._take(self._log.rest())

    def _take(self, ended: list[tuple[int, StoredGame]]) -> None:
        with deferred_signals():  # which would come between a game and its number
            for slot, game in ended:
                number = int(self._playing[slot])
                self._playing[slot] += self._playing.size
                self._waiting[number] = game
            while (number := self._taken) in self._waiting:
                self._taken += 1  # first: a game that cannot be written stays pending in the writer
                self._to(number, self._waiting.pop(number))

    def _write(self, number: int, game: StoredGame) -> None:
        assert self._writer is not None
        about = game.about | self._about | {"tags": {"Round": str(number + 1)}}
        heading = self._headings[number % len(self._headings)]
        self._writer.write_stored(heading, [game._replace(about=about)])
