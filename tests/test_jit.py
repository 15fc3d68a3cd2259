"""The same games give the same bytes, compiled or not, in any process, with any threads."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from .fingerprint import EVERY, STEPS, fingerprint
from .suites import SUITES, Suite, over_all_games

SLOW = pytest.mark.slow


@cache
def taken_here(name, threads):
    return fingerprint(SUITES[name], threads)


def in_a_process(suite, threads, disable_jit):
    done = subprocess.run(
        [sys.executable, "-m", "tests.fingerprint", suite.name, str(threads)],
        env={**os.environ, "NUMBA_DISABLE_JIT": disable_jit},
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@over_all_games
def test_there_is_something_to_compare(suite: Suite):
    lines = taken_here(suite.name, 1)
    assert len(set(lines)) == 2 * len(suite.variants) * STEPS // EVERY


@over_all_games
def test_another_process(suite: Suite):
    assert in_a_process(suite, 2, disable_jit="0") == taken_here(suite.name, 1)


@pytest.mark.parametrize(
    "suite",
    # Up to a minute and a half for the others; `make coverage` plays them without the JIT anyway.
    [pytest.param(each, marks=() if name == "spalding" else SLOW) for name, each in SUITES.items()],
    ids=SUITES,
)
def test_without_the_jit(suite: Suite):
    assert in_a_process(suite, 1, disable_jit="1") == taken_here(suite.name, 1)


@over_all_games
def test_another_number_of_threads(suite: Suite):
    one, two, three = (taken_here(suite.name, threads) for threads in (1, 2, 3))
    assert three == two == one
