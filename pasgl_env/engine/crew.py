"""Threads that share the rows of a compiled loop.

``concurrent.futures`` would do, but its bookkeeping for one task takes as long as playing some
fifty games, and a batch has two tasks in every step.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from itertools import pairwise
from queue import SimpleQueue
from threading import Thread
from typing import Any

# Waking a thread costs some thirty microseconds; a part of the work should take longer.
GAMES_WORTH_A_THREAD = 256
# So many the calling thread has played by the time that another is awake.
HEAD_START = 48


class Crew:
    """Runs loops of the form ``loop(*arguments, first, last)`` in several threads.

    The loops must release the interpreter's lock, and their rows must not depend on each other.

    Args:
        threads: how many, the calling one included.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._hire()

    def _hire(self) -> None:
        self._process = os.getpid()
        self._tasks: SimpleQueue[Any] = SimpleQueue()
        for _ in range(self.threads - 1):
            Thread(target=_work, args=(self._tasks,), daemon=True).start()
        weakref.finalize(self, _dismiss, self._tasks, self.threads - 1)

    def run(
        self,
        loop: Callable[..., Any],
        rows: int,
        *arguments: Any,
        worth: int = GAMES_WORTH_A_THREAD,
    ) -> None:
        """Run a loop over all rows, a part in each thread; raise what one of them raises.

        Equal numbers of rows are divided equally, so that each processor has its data in its cache.

        Args:
            loop: what to run.
            rows: how many there are.
            arguments: of the loop, before the first and the last row.
            worth: the fewest rows that a thread is woken for.
        """
        parts = max(1, min(self.threads, rows // worth))
        if self._process != os.getpid():
            self._hire()  # a fork takes no threads along
        size = (rows - min(HEAD_START, rows // 16)) // parts
        cuts = [rows - size * part for part in range(parts - 1, -1, -1)]
        mine, *others = pairwise([0, *cuts])
        done: SimpleQueue[BaseException | None] = SimpleQueue()
        for part in others:
            self._tasks.put((loop, arguments, part, done))
        loop(*arguments, *mine)
        for error in [done.get() for _ in others]:
            if error is not None:
                raise error


def _work(tasks: SimpleQueue[Any]) -> None:
    """What a thread of the crew does until it is dismissed."""
    while (task := tasks.get()) is not None:
        loop, arguments, part, done = task
        try:
            loop(*arguments, *part)
            done.put(None)
        except BaseException as error:
            done.put(error)


def _dismiss(tasks: SimpleQueue[Any], threads: int) -> None:
    for _ in range(threads):
        tasks.put(None)
