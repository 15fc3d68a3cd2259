"""Threads that share the rows of a Python function, which may be interrupted.

``concurrent.futures`` would do, but for what an interrupt (Ctrl-C) does to it. Compiled loops are
shared by :mod:`pasgl_env.engine.threads`.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from itertools import pairwise
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

from pasgl_env.engine.interrupts import deferred_interrupts


class _Task:
    """A part of the rows; ``running`` is locked until it has been run."""

    __slots__ = ("arguments", "error", "function", "part", "running")

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...], part: Any) -> None:
        self.function, self.arguments, self.part = function, arguments, part
        self.error: BaseException | None = None
        self.running = Lock()
        self.running.acquire()

    def run(self) -> None:
        try:
            self.function(*self.arguments, *self.part)
        except BaseException as error:
            self.error = error
        finally:
            self.running.release()

    def wait(self) -> None:
        """Wait until it has been run; may be asked again, after an interrupt."""
        with self.running:
            pass


class TaskPool:
    """Runs functions of the form ``function(*arguments, first, last)`` in several threads.

    Their rows must not depend on each other. They are divided equally.

    Args:
        threads: how many, the calling one included.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        for _ in range(self.threads - 1):
            Thread(target=_work, args=(self._tasks,), daemon=True).start()
        weakref.finalize(self, _stop, self._tasks, self.threads - 1)

    def run(
        self, function: Callable[..., Any], rows: int, *arguments: Any, stop: Callable[[], Any]
    ) -> None:
        """Run a function over all rows, a part in each thread; raise what one of them raises.

        When this returns or raises, no thread works on the rows any more.

        Args:
            function: what to run.
            rows: how many there are.
            arguments: of the function, before the first and the last row.
            stop: called after an error or an interrupt; makes the other parts return early.
        """
        parts = max(1, min(self.threads, rows))
        if self._process != os.getpid():
            self._start()  # a fork takes no threads along
        mine, *others = pairwise(rows * part // parts for part in range(parts + 1))
        tasks = [_Task(function, arguments, part) for part in others]
        submitted = False
        try:
            with deferred_interrupts():
                for task in tasks:
                    self._tasks.put(task)
                submitted = True
            function(*arguments, *mine)
            for task in tasks:
                task.wait()
        except BaseException:
            with deferred_interrupts():
                stop()
                for task in tasks if submitted else []:
                    task.wait()
            raise
        for task in tasks:
            if task.error is not None:
                raise task.error


def _work(tasks: SimpleQueue[_Task | None]) -> None:
    """What a thread of the pool does until it is stopped."""
    while (task := tasks.get()) is not None:
        task.run()
        del task  # or its arrays would live on until the next one


def _stop(tasks: SimpleQueue[_Task | None], threads: int) -> None:
    for _ in range(threads):
        tasks.put(None)
