"""Threads that run a compiled loop on shared rows.

``concurrent.futures`` would work too, but its bookkeeping for one task takes as long as playing
some fifty games, and a batch has two tasks in every step.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from itertools import pairwise
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

from pasgl_env.engine.compiled import JIT
from pasgl_env.engine.interrupts import deferred_interrupts

# Waking a thread takes some thirty microseconds; its part of the work should take longer.
GAMES_WORTH_A_THREAD = 256
# The number of rows the calling thread has played by the time another thread is awake.
HEAD_START = 48


class _Task:
    """A range of rows; ``running`` is locked until ``done``: the range has been run."""

    __slots__ = ("arguments", "done", "error", "loop", "part", "running")

    def __init__(self, loop: Callable[..., Any], arguments: tuple[Any, ...], part: Any) -> None:
        self.loop, self.arguments, self.part = loop, arguments, part
        self.error: BaseException | None = None
        self.done = False
        self.running = Lock()
        self.running.acquire()

    def run(self) -> None:
        try:
            self.loop(*self.arguments, *self.part)
        except BaseException as error:
            self.error = error
        finally:
            self.done = True
            self.running.release()

    def wait(self) -> None:
        """Wait until it has been run; can be called again after an interrupt."""
        if not self.done:
            self.running.acquire()


class ThreadPool:
    """Runs loops of the form ``loop(*arguments, first, last)`` in several threads.

    The loops must release the interpreter's lock, and their rows must not depend on each other.

    Args:
        threads: number of threads, including the calling one.
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
        self,
        loop: Callable[..., Any],
        rows: int,
        *arguments: Any,
        worth: int = GAMES_WORTH_A_THREAD,
        stop: Callable[[], Any] | None = None,
    ) -> None:
        """Run a loop over all rows, a part in each thread; raise an error from any of them.

        When this returns or raises, no thread is working on the rows. An interrupt (Ctrl-C)
        waits until all rows are done, unless ``stop`` is given.

        Equal numbers of rows are divided equally, so that each processor keeps its data in its
        cache.

        Args:
            loop: the loop.
            rows: number of rows.
            arguments: arguments of the loop before the first and the last row.
            worth: minimum number of rows for which a thread is woken.
            stop: called after an error or an interrupt; makes the other parts return early.
        """
        parts = max(1, min(self.threads, rows // worth))
        if parts == 1:
            if JIT or stop:
                loop(*arguments, 0, rows)  # compiled loops cannot be interrupted
            else:
                with deferred_interrupts():
                    loop(*arguments, 0, rows)
            return
        if self._process != os.getpid():
            self._start()  # threads do not survive a fork
        mine, *others = _parts(rows, parts)
        tasks = [_Task(loop, arguments, part) for part in others]
        if stop is None:
            with deferred_interrupts():
                self._run_shared(lambda: loop(*arguments, *mine), tasks, _nothing, nullcontext)
        else:
            self._run_shared(lambda: loop(*arguments, *mine), tasks, stop, deferred_interrupts)

    def _run_shared(
        self,
        run_mine: Callable[[], Any],
        tasks: list[_Task],
        stop: Callable[[], Any],
        protected: Callable[[], AbstractContextManager[None]],
    ) -> None:
        """Run this thread's part and the tasks; blocks under ``protected`` are not interrupted."""
        submitted = False
        try:
            with protected():
                for task in tasks:
                    self._tasks.put(task)
                submitted = True
            run_mine()
            for task in tasks:
                task.wait()
        except BaseException:
            with protected():
                stop()
                for task in tasks if submitted else []:
                    task.wait()
            raise
        for task in tasks:
            if task.error is not None:
                raise task.error


def _parts(rows: int, parts: int) -> list[tuple[int, int]]:
    """The first and last row of each part; the calling thread's comes first."""
    size = (rows - min(HEAD_START, rows // 16)) // parts
    return list(pairwise([0, *(rows - size * part for part in range(parts - 1, -1, -1))]))


def _nothing() -> None:
    """Nothing stops early."""


def _work(tasks: SimpleQueue[_Task | None]) -> None:
    """The main loop of a thread of the pool."""
    while (task := tasks.get()) is not None:
        task.run()
        del task  # or its arrays would stay alive until the next task


def _stop(tasks: SimpleQueue[_Task | None], threads: int) -> None:
    for _ in range(threads):
        tasks.put(None)
