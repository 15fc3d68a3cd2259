"""Threads that share the rows of a compiled loop."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from pasgl_env.engine.tasks import TaskPool
from pasgl_env.engine.threads import GAMES_WORTH_A_THREAD, ThreadPool
from pasgl_env.jit.atomics import add, load
from pasgl_env.jit.compiled import JIT, rule

pytestmark = pytest.mark.skipif(not JIT, reason="about compiled code")


@rule
def mark(first, last, marks, parts):
    """Notes that these rows were done, and into how many parts they were divided."""
    for row in range(first, last):
        marks[row] += 1
    if parts.size:
        add(parts, 0, 1)


@rule
def meet(first, last, threads, met):
    """Waits a little for another thread to be here, too, and notes if it is."""
    add(threads, 0, 1)
    looks = 0
    while load(threads, 0) < 2 and looks < 100_000:
        looks += 1
    if load(threads, 0) == 2:
        met[0] = True
    add(threads, 0, -1)


def is_shared(pool, rows, **settings):
    """Whether helpers come: a late one may miss a call or two, so there are many."""
    met = np.zeros(1, np.bool_)
    for _ in range(1000):
        pool.run(meet, rows, np.zeros(1, np.int64), met, **settings)
        if met[0]:
            return True
    return False


def awake(pool):
    return pool.threads - 1 - len(pool._sleepers)


@pytest.mark.parametrize("threads", [1, 2, 3, 5])
@pytest.mark.parametrize("rows", [0, 1, 2, 3, 7, 100, 1000])
def test_every_row_is_run_once(threads, rows):
    pool = ThreadPool(threads)
    marks = np.zeros(rows, np.int64)
    for _ in range(50):
        pool.run(mark, rows, marks, np.zeros(0, np.int64), worth=1)
    assert (marks == 50).all()


@pytest.mark.parametrize("rows", [1, 2 * GAMES_WORTH_A_THREAD - 1])
def test_little_work_stays_in_the_calling_thread(rows):
    pool, parts = ThreadPool(4), np.zeros(1, np.int64)
    pool.run(mark, rows, np.zeros(rows, np.int64), parts)
    assert parts[0] == 1
    assert awake(pool) == 0


def test_more_work_is_shared():
    assert is_shared(ThreadPool(2), 2 * GAMES_WORTH_A_THREAD)


def test_helpers_sleep_when_there_is_nothing_to_do():
    pool = ThreadPool(3)
    pool.run(mark, 6, np.zeros(6, np.int64), np.zeros(0, np.int64), worth=1)
    end = time.monotonic() + 10
    while awake(pool) and time.monotonic() < end:
        time.sleep(0.01)
    assert awake(pool) == 0
    start = time.process_time()
    time.sleep(0.2)
    assert time.process_time() - start < 0.1


def test_several_threads_may_run_loops_in_one_pool():
    pool, marks = ThreadPool(2), np.zeros((4, 500), np.int64)

    def run(number):
        for _ in range(200):
            pool.run(mark, 500, marks[number], np.zeros(0, np.int64), worth=1)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (marks == 200).all()


def test_an_interrupt_waits_for_every_row(interruptible):
    pool, marks = ThreadPool(2), np.zeros(500, np.int64)
    rounds = 0
    timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        while True:
            pool.run(mark, 500, marks, np.zeros(0, np.int64), worth=1)
            rounds += 1
    assert (marks == marks[0]).all()
    assert rounds <= marks[0] <= rounds + 1
    pool.run(mark, 500, marks, np.zeros(0, np.int64), worth=1)
    assert (marks == marks[0]).all()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_fork_has_helpers_of_its_own():
    pool = ThreadPool(2)
    assert is_shared(pool, 2, worth=1)
    child = os.fork()
    if child == 0:
        os._exit(7 if is_shared(pool, 2, worth=1) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_threads_end_with_their_pool():
    before = set(threading.enumerate())
    pool = ThreadPool(4)
    started = set(threading.enumerate()) - before
    assert len(started) == 3
    pool.run(mark, 4, np.zeros(4, np.int64), np.zeros(0, np.int64), worth=1)
    del pool
    gc.collect()
    for thread in started:
        thread.join(10)
        assert not thread.is_alive()


@pytest.mark.parametrize("pool", [ThreadPool, TaskPool])
def test_a_pool_that_cannot_start_its_threads_leaves_none(pool, monkeypatch):
    before, start = set(threading.enumerate()), threading.Thread.start
    started: list[threading.Thread] = []

    def start_some(thread):
        if len(started) == 5:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_some)
    with pytest.raises(RuntimeError, match="the system does not allow 100 threads, only 6"):
        pool(100)
    assert len(started) == 5
    assert set(threading.enumerate()) == before


def test_a_program_ends_while_helpers_are_awake():
    program = (
        "from pasgl_env import Batch\n"
        "batch = Batch('pachessi', 600, threads=3)\n"
        "for _ in range(20): batch.step(batch.sample())\n"
    )
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, timeout=120
        )
        assert (done.returncode, done.stderr) == (0, "")
