"""Full garbage collections of a server wait until nobody acts."""

import asyncio
import gc
from types import SimpleNamespace
from typing import Any

from pasgl_env.web import garbage

from . import loops


def test_a_full_collection_waits_until_nobody_acts_and_not_for_ever(monkeypatch):
    monkeypatch.setattr(garbage, "LOOKS_EVERY", 0.01)
    monkeypatch.setattr(garbage, "gc", fake := FakeCollector())
    before = gc.get_threshold()

    async def body():
        turns: Any = SimpleNamespace(idle=0.0)
        collecting = asyncio.create_task(garbage.collect_when_idle(turns))
        await asyncio.sleep(0.1)
        assert fake.threshold[2] == garbage.NEVER and fake.collections == 0
        turns.idle = 1.0
        await asyncio.sleep(0.1)
        assert fake.collections == 1  # once: then nothing is due
        turns.idle, fake.counted = 0.0, 100
        monkeypatch.setattr(garbage, "AT_LEAST_EVERY", 0.05)
        await asyncio.sleep(0.2)
        assert fake.collections == 2
        collecting.cancel()
        await asyncio.gather(collecting, return_exceptions=True)

    loops.run(body)
    assert fake.threshold == before == gc.get_threshold()


class FakeCollector:
    """Stands in for the module ``gc``."""

    def __init__(self):
        self.threshold, self.counted, self.collections = gc.get_threshold(), 100, 0

    def get_threshold(self):
        return self.threshold

    def set_threshold(self, *threshold):
        self.threshold = threshold

    def get_count(self):
        return 0, 0, self.counted

    def collect(self):
        self.counted, self.collections = 0, self.collections + 1
