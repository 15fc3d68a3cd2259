"""Threads that share the rows of a compiled loop.

A batch shares two loops in every step, so handing them over must take next to no time. It happens
in compiled code, without the interpreter's lock: the calling thread writes on a *board* how the
loop is called, and *helpers*, which wait there, make the same call. Rows are taken part by part
until none is left, the caller's from the first row on and the helpers' from the last one back.
Nobody waits for a helper that comes late, and each processor has about the same rows every time.

A helper that finds nothing to do for a while goes to sleep, so that no processor is kept busy.
"""

from __future__ import annotations

import ctypes
import os
import sys
import weakref
from collections.abc import Callable
from functools import cache
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

import numpy as np
from numba import types

from pasgl_env.engine.atomics import add, call_again, load, store, this_call
from pasgl_env.engine.compiled import JIT, bind, rule
from pasgl_env.engine.interrupts import deferred_interrupts

# A helper that sleeps takes some thirty microseconds to come; its part should take longer.
GAMES_WORTH_A_THREAD = 256
# Into so many at most are they divided, if they are the last ones.
PARTS_WORTH_A_THREAD = 16
# How often a helper looks for work before it goes to sleep: for about a tenth of a millisecond.
PATIENCE = 100_000
# How often a caller looks whether the helpers are done before it lets others have the processor.
HURRY = 10_000

# What is on the board, each in a cache line of its own.
_LINE = 16
JOB = 0 * _LINE  # number of the call to be helped with, 0 for none
HELPING = 1 * _LINE  # how many helpers may be in a call
LEFT = 2 * _LINE  # how many rows nobody has taken; below 0 if somebody wanted more
FROM_THE_END = 3 * _LINE  # how many rows the helpers have taken
CALL = 4 * _LINE  # how to make it: two addresses
CLOSED = 5 * _LINE  # whether helpers are to leave
_BOARD = 6 * _LINE

if os.name == "posix":
    _yield_processor = types.ExternalFunction("sched_yield", types.int32())
else:

    @rule
    def _yield_processor() -> int:
        """Other systems find better things to do by themselves."""
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
    """Run a loop over all rows, with those who help; a template, whose ``loop`` is bound later.

    Parts are large at first and small at the end, ``least`` rows: so they are few, and nobody waits
    long for who has the last of them.
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
        loop(*(arguments + (first, first + part)))  # type: ignore[name-defined] # noqa: F821, RUF005
    if not helps:
        store(board, JOB, 0)
        looks = 0
        while load(board, HELPING) > 0:
            looks += 1
            if looks > HURRY:
                _yield_processor()


@rule
def help_with(board: np.ndarray) -> None:
    """Help with whatever is on the board, until nothing has been for a while."""
    looks = done = 0
    while looks < PATIENCE and load(board, CLOSED) == 0:
        looks += 1
        job = load(board, JOB)
        if job == 0 or job == done:
            continue
        # The caller takes the job off the board and then waits for those who help: either it is
        # found to be there still, and the caller waits, or it is not.
        add(board, HELPING, 1)
        if load(board, JOB) == job:
            call_again(board[CALL], board[CALL + 1])
        add(board, HELPING, -1)
        done, looks = job, 0


@cache
def _shared(loop: Callable[..., Any]) -> Callable[..., Any]:
    """The loop as several threads run it."""
    name = loop.__name__
    shared: Callable[..., Any] = bind(share, name, {"loop": loop})
    return shared


class ThreadPool:
    """Runs compiled loops of the form ``loop(*arguments, first, last)`` in several threads.

    Their rows must not depend on each other, and they must not raise. They are not interrupted.

    Args:
        threads: how many, the calling one included; 1 without the JIT.
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
        for _ in range(self.threads - 1):
            arguments = self._calls, self._board, self._sleepers
            Thread(target=_help, args=arguments, daemon=True).start()
        weakref.finalize(self, _stop, self._calls, self._board, self.threads - 1)

    def run(
        self,
        loop: Callable[..., Any],
        rows: int,
        *arguments: Any,
        worth: int = GAMES_WORTH_A_THREAD,
    ) -> None:
        """Run a loop over all rows.

        When this returns, no thread works on the rows any more.

        Args:
            loop: what to run.
            rows: how many there are.
            arguments: of the loop, before the first and the last row.
            worth: the fewest rows that a thread is woken for.
        """
        threads = min(self.threads, rows // worth)
        if threads > 1:
            self._share(loop, rows, arguments, threads, max(1, worth // PARTS_WORTH_A_THREAD))
        elif JIT:
            loop(*arguments, 0, rows)  # what is compiled is not interrupted
        else:
            with deferred_interrupts():
                loop(*arguments, 0, rows)

    def _share(
        self,
        loop: Callable[..., Any],
        rows: int,
        arguments: tuple[Any, ...],
        threads: int,
        least: int,
    ) -> None:
        if self._process != os.getpid():
            self._start()  # a fork takes no threads along
        with self._lock:
            self._wake(threads - 1)
            self._job += 1
            _shared(loop)(False, self._board, self._job, threads, least, rows, *arguments)

    def _wake(self, helpers: int) -> None:
        """Have so many helpers awake."""
        asleep = helpers - (self.threads - 1 - len(self._sleepers))
        if asleep > 0:
            with deferred_interrupts():
                for _ in range(asleep):
                    self._sleepers.pop()
                    self._calls.put(_processor())


def _help(calls: SimpleQueue[int | None], board: np.ndarray, sleepers: list[None]) -> None:
    """What a helper does until its pool is gone."""
    while (processor := calls.get()) is not None:
        _leave(processor)
        help_with(board)
        sleepers.append(None)


def _stop(calls: SimpleQueue[int | None], board: np.ndarray, helpers: int) -> None:
    board[CLOSED] = 1
    for _ in range(helpers):
        calls.put(None)


def _processor() -> int:
    """The processor that this thread runs on, or -1 if the system does not tell."""
    return -1 if _sched_getcpu is None else _sched_getcpu()


def _leave(processor: int) -> None:
    """Go from a processor to another one.

    The system wakes a helper where the caller runs, if all other processors have something to do,
    be it of the lowest priority. There it would not help but hinder.
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
