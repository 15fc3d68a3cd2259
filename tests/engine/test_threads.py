"""Threads that share the rows of a loop."""

import gc
import signal
import threading
from operator import itemgetter

import numpy as np
import pytest

from pasgl_env.engine.threads import GAMES_WORTH_A_THREAD, HEAD_START, ThreadPool, _Task


def mark(marks, workers, first, last):
    """A loop that records the thread of each row."""
    marks[first:last] += 1
    workers.append((threading.get_ident(), first, last))


@pytest.mark.parametrize("threads", [1, 2, 3, 5])
@pytest.mark.parametrize("rows", [0, 1, 2, 3, 7, 100])
def test_every_row_is_run_once(threads, rows):
    pool = ThreadPool(threads)
    for _ in range(20):
        marks = np.zeros(rows)
        workers: list[tuple[int, int, int]] = []
        pool.run(mark, rows, marks, workers, worth=1)
        assert (marks == 1).all()
        assert len(workers) == max(1, min(threads, rows))
        mine, *others = [last - first for _, first, last in sorted(workers, key=itemgetter(1))]
        assert mine + sum(others) == rows
        assert len(set(others)) <= 1
        assert all(size <= mine < size + HEAD_START + threads for size in others)


@pytest.mark.parametrize("rows", [1, 2 * GAMES_WORTH_A_THREAD - 1])
def test_little_work_stays_in_the_calling_thread(rows):
    workers: list[tuple[int, int, int]] = []
    ThreadPool(4).run(mark, rows, np.zeros(rows), workers)
    assert workers == [(threading.get_ident(), 0, rows)]


def test_more_work_is_shared():
    workers: list[tuple[int, int, int]] = []
    rows = 3 * GAMES_WORTH_A_THREAD
    ThreadPool(4).run(mark, rows, np.zeros(rows), workers)
    assert len(workers) == 3


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_what_one_part_raises_is_raised_and_the_pool_goes_on(failing):
    pool = ThreadPool(3)

    def loop(first, last):
        if first == failing:
            raise ZeroDivisionError(f"row {first}")

    with pytest.raises(ZeroDivisionError, match=f"row {failing}"):
        pool.run(loop, 3, worth=1)
    marks = np.zeros(3)
    pool.run(mark, 3, marks, [], worth=1)
    assert (marks == 1).all()


def test_an_interrupt_waits_for_every_part(interruptible):
    interrupted = threading.Event()
    marks = np.zeros(3)

    def loop(first, last):
        if first == 0:
            signal.raise_signal(signal.SIGINT)
            interrupted.set()
        elif not interrupted.wait(5):
            return
        marks[first:last] += 1

    with pytest.raises(KeyboardInterrupt):
        ThreadPool(3).run(loop, 3, worth=1)
    assert marks.tolist() == [1, 1, 1]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_long_work_is_told_to_stop_and_waited_for(error, interruptible):
    stopped = threading.Event()
    ended = []

    def loop(first, last):
        if first == 0:
            if error is KeyboardInterrupt:
                signal.raise_signal(signal.SIGINT)
            raise error
        stopped.wait(5)
        ended.append(first)

    with pytest.raises(error):
        ThreadPool(3).run(loop, 3, worth=1, stop=stopped.set)
    assert stopped.is_set()
    assert sorted(ended) == [1, 2]


def test_a_task_may_be_waited_for_again():
    """As after an interrupt while it was waited for."""
    task = _Task(mark, (np.zeros(1), []), (0, 1))
    task.run()
    task.wait()
    task.wait()
    assert task.done


def test_threads_end_with_their_pool():
    before = set(threading.enumerate())
    pool = ThreadPool(4)
    started = set(threading.enumerate()) - before
    assert len(started) == 3
    pool.run(mark, 4, np.zeros(4), [], worth=1)
    del pool
    gc.collect()
    for thread in started:
        thread.join(10)
        assert not thread.is_alive()
