"""A short form of the soak test; `python -m tests.soak --minutes N` is the long one."""

import signal

import pytest

from pasgl_env.jit.compiled import JIT

from . import soak

pytestmark = [
    pytest.mark.skipif(not JIT, reason="slow as plain Python"),
    pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers"),
]


@pytest.mark.parametrize("trial", soak.QUICK, ids=lambda trial: trial.__name__)
def test_a_few_trials(trial):
    for number in range(4):
        soak.run_trial(1, number, [trial])
