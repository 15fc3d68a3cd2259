"""The fuzz targets accept valid inputs and small changes of them, without the fuzzer."""

import json
from random import Random

import pytest

from pasgl_env.jit.compiled import JIT

from ..soak import damaged
from ..web.loops import run
from .messages import conversations, talk
from .targets import TARGETS

pytestmark = pytest.mark.skipif(not JIT, reason="slow as plain Python")


@pytest.mark.parametrize("name", TARGETS)
def test_sound_and_damaged_inputs(name):
    rng = Random(1)
    for sample in TARGETS[name].samples():
        TARGETS[name].read(sample)
        for _ in range(5):
            TARGETS[name].read(damaged(rng, sample))


def test_a_sound_conversation_is_understood():
    lines = next(conversations()).splitlines()
    understood = run(lambda: talk(lines))
    refused = [json.loads(line)["do"] for line, ok in zip(lines, understood, strict=True) if not ok]
    assert refused == ["take_back", "allow", "refuse", "decline", "join"]
