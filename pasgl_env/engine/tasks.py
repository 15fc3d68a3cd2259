"""Threads that run a Python function on shared rows, and can be interrupted.

``concurrent.futures`` would work too, except that an interrupt (Ctrl-C) does not reach its workers.
:mod:`pasgl_env.engine.threads` runs compiled loops.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from itertools import pairwise
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

from pasgl_env.jit.interrupts import deferred_signals


class _Task:
    """A range of rows; ``running`` is locked until ``done``: the range has been run."""

    __slots__ = ("arguments", "done", "error", "function", "part", "running")

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...], part: Any) -> None:
        self.function, self.arguments, self.part = function, arguments, part
        self.error: BaseException | None = None
        self.done = False
        self.running = Lock()
        self.running.acquire()

    def run(self) -> None:
        try:
            self.function(*self.part, *self.arguments)
        except BaseException as error:
            self.error = error
        finally:
            self.done = True
            self.running.release()

    def wait(self) -> None:
        """Wait until it has been run; can be called again after an interrupt."""
        if not self.done:
            self.running.acquire()


def start_threads(
    count: int, stop: Callable[[], Any], function: Callable[..., Any], *arguments: Any
) -> None:
    """Start ``count`` threads that run a function until ``stop`` is set; if that fails, none.

    Raises:
        RuntimeError: if the system does not allow as many.
    """
    started: list[Thread] = []
    try:
        for _ in range(count):
            thread = Thread(target=function, args=arguments, daemon=True)
            thread.start()
            started.append(thread)
    except BaseException as error:  # also an interrupt
        stop()
        for thread in started:
            thread.join()
        if isinstance(error, RuntimeError | MemoryError):
            reason = f"the system does not allow {count + 1} threads, only {len(started) + 1}"
            raise RuntimeError(reason) from error
        raise


class TaskPool:
    """Runs functions of the form ``function(first, last, *arguments)`` in several threads.

    The rows must not depend on each other. They are divided equally.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        stop = weakref.finalize(self, _stop, self._tasks, self.threads - 1)
        start_threads(self.threads - 1, stop, _work, self._tasks)

    def run(
        self, function: Callable[..., Any], rows: int, *arguments: Any, stop: Callable[[], Any]
    ) -> None:
        """Run a function over all rows, a part in each thread; raise an error from any of them.

        When this returns or raises, no thread is working on the rows.

        Args:
            function: the function.
            rows: number of rows.
            arguments: arguments of the function after the first and the last row.
            stop: called after an error or an interrupt; makes the other parts return early.
        """
        parts = max(1, min(self.threads, rows))
        if self._process != os.getpid():
            self._start()  # threads do not survive a fork
        mine, *others = pairwise(rows * part // parts for part in range(parts + 1))
        tasks = [_Task(function, arguments, part) for part in others]
        submitted = False
        try:
            with deferred_signals():
                for task in tasks:
                    self._tasks.put(task)
                submitted = True
            function(*mine, *arguments)
            for task in tasks:
                task.wait()
        except BaseException:
            with deferred_signals():
                stop()
                for task in tasks if submitted else []:
                    task.wait()
            raise
        for task in tasks:
            if task.error is not None:
                raise task.error


def _work(tasks: SimpleQueue[_Task | None]) -> None:
    """Run tasks until the pool is gone."""
    while (task := tasks.get()) is not None:
        task.run()
        del task  # or its arrays would stay alive until the next task


def _stop(tasks: SimpleQueue[_Task | None], threads: int) -> None:
    for _ in range(threads):
        tasks.put(None)
