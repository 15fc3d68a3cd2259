"""Threads that run a compiled loop on shared rows.

A batch runs two loops in every step, so handing them over must take almost no time. It happens in
compiled code, without the interpreter's lock: the calling thread publishes its call on a *board*,
and *helpers*, which poll the board, make the same call. Threads take parts of the rows until none
are left, the caller from the first row on and the helpers from the last row back. So the caller
does not wait for a helper that comes late, and each processor works on about the same rows every
time.

A helper that finds no work for about a tenth of a millisecond goes to sleep.
"""

from __future__ import annotations

import ctypes
import os
import sys
import weakref
from collections.abc import Callable
from functools import cache
from queue import SimpleQueue
from threading import Lock
from typing import Any

import numpy as np
from numba import types

from pasgl_env.engine.tasks import start_threads
from pasgl_env.jit.atomics import add, call_again, load, store, this_call
from pasgl_env.jit.compiled import JIT, bind, rule
from pasgl_env.jit.interrupts import deferred_signals

# Waking a helper takes about thirty microseconds; its part of the work should take longer.
GAMES_WORTH_A_THREAD = 256
# The number of parts into which the last of these games are divided, at most.
PARTS_WORTH_A_THREAD = 16
# The number of times a helper polls the board before it goes to sleep: for about 0.1 milliseconds.
PATIENCE = 100_000
# The number of times a caller checks whether the helpers are done before it yields the processor.
HURRY = 10_000

# Fields of the board, each in its own cache line.
_LINE = 16
JOB = 0 * _LINE  # number of the current call; 0: none
HELPING = 1 * _LINE  # number of helpers that may be in a call
LEFT = 2 * _LINE  # number of rows left; may fall below 0
FROM_THE_END = 3 * _LINE  # number of rows taken by helpers
CALL = 4 * _LINE  # the two addresses from `this_call`
CLOSED = 5 * _LINE  # whether the pool is gone
_BOARD = 6 * _LINE

if os.name == "posix":
    _yield_processor = types.ExternalFunction("sched_yield", types.int32())
else:

    @rule
    def _yield_processor() -> int:
        """Do nothing: other systems do not need it."""
        return 0


def share(
    helps: bool,
    board: np.ndarray,
    job: int,
    threads: int,
    least: int,
    rows: int,
    *arguments: Any,
) -> None:
    """Run a loop over all rows together with helpers; a template whose ``loop`` is bound later.

    Parts shrink from large ones to ``least`` rows, so that there are few of them and the last one
    ends soon.
    """
    if not helps:
        board[LEFT], board[FROM_THE_END] = rows, 0
        board[CALL], board[CALL + 1] = this_call()
        store(board, JOB, job)
    from_the_start = 0
    while True:
        wanted = max(load(board, LEFT) // (2 * threads), least)
        part = min(add(board, LEFT, -wanted), wanted)
        if part <= 0:
            break
        first = from_the_start
        from_the_start += part
        if helps:
            first = rows - add(board, FROM_THE_END, part) - part
        loop(first, first + part, *arguments)  # type: ignore[name-defined] # noqa: F821
    if not helps:
        store(board, JOB, 0)
        looks = 0
        while load(board, HELPING) > 0:
            looks += 1
            if looks > HURRY:
                _yield_processor()


@rule
def help_with(board: np.ndarray) -> None:
    """Help with the calls on the board, until there has been none for a while."""
    looks = done = 0
    while looks < PATIENCE and load(board, CLOSED) == 0:
        looks += 1
        job = load(board, JOB)
        if job == 0 or job == done:
            continue
        # The caller removes the job and then waits for helpers. So if the job is still there after
        # the helper has announced itself, the caller waits for it.
        add(board, HELPING, 1)
        if load(board, JOB) == job:
            call_again(board[CALL], board[CALL + 1])
        add(board, HELPING, -1)
        done, looks = job, 0


@cache
def _shared(loop: Callable[..., Any]) -> Callable[..., Any]:
    """The loop for several threads."""
    name = loop.__name__
    shared: Callable[..., Any] = bind(share, name, {"loop": loop})
    return shared


class ThreadPool:
    """Runs compiled loops of the form ``loop(first, last, *arguments)`` in several threads.

    The rows must not depend on each other, and the loops must not raise. They are not interrupted.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self._lock = Lock()
        self._job = 0
        self._board = np.zeros(_BOARD, np.int64)
        self._calls: SimpleQueue[int | None] = SimpleQueue()
        self._sleepers = [None] * (self.threads - 1)
        stop = weakref.finalize(self, _stop, self._calls, self._board, self.threads - 1)
        start_threads(self.threads - 1, stop, _help, self._calls, self._board, self._sleepers)

    def run(
        self,
        loop: Callable[..., Any],
        rows: int,
        *arguments: Any,
        worth: int = GAMES_WORTH_A_THREAD,
    ) -> None:
        """Run a loop over all rows.

        When this returns, no thread is working on the rows.

        Args:
            loop: the loop.
            rows: number of rows.
            arguments: arguments of the loop after the first and the last row.
            worth: minimum number of rows for which a thread is woken.
        """
        threads = min(self.threads, rows // worth)
        if threads > 1:
            self._share(loop, rows, arguments, threads, max(1, worth // PARTS_WORTH_A_THREAD))
        elif JIT:
            loop(0, rows, *arguments)  # compiled loops cannot be interrupted
        else:
            with deferred_signals():
                loop(0, rows, *arguments)

    def _share(
        self,
        loop: Callable[..., Any],
        rows: int,
        arguments: tuple[Any, ...],
        threads: int,
        least: int,
    ) -> None:
        if self._process != os.getpid():
            self._start()  # threads do not survive a fork
        with self._lock:
            self._wake(threads - 1)
            self._job += 1
            _shared(loop)(False, self._board, self._job, threads, least, rows, *arguments)

    def _wake(self, helpers: int) -> None:
        """Wake helpers until this many are awake."""
        asleep = helpers - (self.threads - 1 - len(self._sleepers))
        if asleep > 0:
            with deferred_signals():
                for _ in range(asleep):
                    self._sleepers.pop()
                    self._calls.put(_processor())


def _help(calls: SimpleQueue[int | None], board: np.ndarray, sleepers: list[None]) -> None:
    """Help until the pool is gone, and sleep in between."""
    while (processor := calls.get()) is not None:
        _leave(processor)
        help_with(board)
        sleepers.append(None)


def _stop(calls: SimpleQueue[int | None], board: np.ndarray, helpers: int) -> None:
    board[CLOSED] = 1
    for _ in range(helpers):
        calls.put(None)


def _processor() -> int:
    """The processor that this thread runs on, or -1 if unknown."""
    return -1 if _sched_getcpu is None else _sched_getcpu()


def _leave(processor: int) -> None:
    """Move this thread away from a processor.

    Linux may wake a helper on the caller's processor if all others are busy, even with work of the
    lowest priority. There it would only take time from the caller.
    """
    if processor < 0 or _processor() != processor:
        return
    allowed = os.sched_getaffinity(0)
    if len(allowed) > 1:
        os.sched_setaffinity(0, allowed - {processor})
        os.sched_setaffinity(0, allowed)


def _find_sched_getcpu() -> Callable[[], int] | None:
    if sys.platform != "linux":
        return None
    try:
        return ctypes.PyDLL(None).sched_getcpu
    except AttributeError:  # another C library
        return None


_sched_getcpu = _find_sched_getcpu()
