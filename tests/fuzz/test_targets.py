"""The targets of the fuzzer take what is sound, and a few changes of it, without the fuzzer."""

from random import Random

import pytest

from pasgl_env.engine.compiled import JIT

from ..soak import damaged
from .targets import TARGETS

pytestmark = pytest.mark.skipif(not JIT, reason="slow as plain Python")


@pytest.mark.parametrize("name", TARGETS)
def test_sound_and_damaged_inputs(name):
    rng = Random(1)
    for sample in TARGETS[name].samples():
        TARGETS[name].read(sample)
        for _ in range(5):
            TARGETS[name].read(damaged(rng, sample))
