"""The same games give the same bytes, compiled or not, in any process, on any number of threads."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from .fingerprint import EVERY, STEPS, fingerprint


@cache
def in_a_process(threads, disable_jit):
    done = subprocess.run(
        [sys.executable, "-m", "tests.fingerprint", str(threads)],
        env={**os.environ, "NUMBA_DISABLE_JIT": disable_jit},
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_there_is_something_to_compare():
    assert len(set(fingerprint(1))) == STEPS // EVERY


@pytest.mark.parametrize("threads", [1, 2])
def test_another_process(threads):
    assert in_a_process(threads, disable_jit="0") == fingerprint(1)


def test_without_the_jit():
    assert in_a_process(1, disable_jit="1") == fingerprint(1)


def test_another_number_of_threads():
    assert fingerprint(3) == fingerprint(2) == fingerprint(1)
