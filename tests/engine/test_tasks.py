"""Threads that share the rows of a Python function."""

import gc
import signal
import threading
from operator import itemgetter

import numpy as np
import pytest

from pasgl_env.engine.tasks import TaskPool, _Task


def nothing():
    """Stops nothing."""


def mark(first, last, marks, workers):
    """A function that notes who did which rows."""
    marks[first:last] += 1
    workers.append((threading.get_ident(), first, last))


@pytest.mark.parametrize("threads", [1, 2, 3, 5])
@pytest.mark.parametrize("rows", [0, 1, 2, 3, 7, 100])
def test_every_row_is_run_once(threads, rows):
    pool = TaskPool(threads)
    for _ in range(20):
        marks = np.zeros(rows)
        workers: list[tuple[int, int, int]] = []
        pool.run(mark, rows, marks, workers, stop=nothing)
        assert (marks == 1).all()
        assert len(workers) == max(1, min(threads, rows))
        mine, *others = [last - first for _, first, last in sorted(workers, key=itemgetter(1))]
        assert mine + sum(others) == rows
        assert all(abs(size - mine) <= 1 for size in others)


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_what_one_part_raises_is_raised_and_the_pool_goes_on(failing):
    pool = TaskPool(3)

    def loop(first, last):
        if first == failing:
            raise ZeroDivisionError(f"row {first}")

    with pytest.raises(ZeroDivisionError, match=f"row {failing}"):
        pool.run(loop, 3, stop=nothing)
    marks = np.zeros(3)
    pool.run(mark, 3, marks, [], stop=nothing)
    assert (marks == 1).all()


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
        TaskPool(3).run(loop, 3, stop=stopped.set)
    assert stopped.is_set()
    assert sorted(ended) == [1, 2]


def test_threads_end_with_their_pool():
    before = set(threading.enumerate())
    pool = TaskPool(4)
    started = set(threading.enumerate()) - before
    assert len(started) == 3
    pool.run(mark, 4, np.zeros(4), [], stop=nothing)
    del pool
    gc.collect()
    for thread in started:
        thread.join(10)
        assert not thread.is_alive()


def test_a_task_may_be_waited_for_again():
    """As after an interrupt while it was waited for."""
    task = _Task(mark, (np.zeros(1), []), (0, 1))
    task.run()
    task.wait()
    task.wait()
    assert task.done
