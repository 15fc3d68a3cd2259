"""Interrupts that wait for the end of a block."""

import signal
import threading

import pytest

from pasgl_env.jit.interrupts import deferred_signals


def interrupt():
    signal.raise_signal(signal.SIGINT)


def test_an_interrupt_waits_for_the_end_of_the_block(interruptible):
    done = []
    with pytest.raises(KeyboardInterrupt):
        with deferred_signals():
            interrupt()
            done.append(1)
        done.append(2)
    assert done == [1]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_it_waits_for_the_end_of_the_outermost_block(interruptible):
    done = []
    with pytest.raises(KeyboardInterrupt), deferred_signals():
        with deferred_signals():
            interrupt()
        done.append(1)
    assert done == [1]


def test_the_handler_in_force_is_called(interruptible):
    calls = []
    signal.signal(signal.SIGINT, lambda number, _: calls.append(number))
    with deferred_signals():
        interrupt()
        assert calls == []
    assert calls == [signal.SIGINT]


def test_an_error_in_the_block_is_raised(interruptible):
    with pytest.raises(ZeroDivisionError), deferred_signals():
        raise ZeroDivisionError


def test_a_process_that_ignores_interrupts_goes_on_ignoring_them(interruptible):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with deferred_signals():
        interrupt()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_other_threads_have_no_interrupts():
    def enter():
        with deferred_signals():
            done.append(1)

    done: list[int] = []
    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert done == [1]


class Alarm(Exception):
    """What the handler of another signal raises."""


@pytest.fixture
def alarm():
    def ring(*_):
        raise Alarm

    before = signal.signal(signal.SIGTERM, ring)
    yield
    signal.signal(signal.SIGTERM, before)


def test_other_signals_wait_too_and_all_are_handled(interruptible, alarm):
    handlers = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    done = []
    with pytest.raises(KeyboardInterrupt) as raised, deferred_signals():
        signal.raise_signal(signal.SIGTERM)
        interrupt()
        done.append(1)
    assert done == [1]
    assert isinstance(raised.value.__context__, Alarm)
    assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)) == handlers
