"""What the processes of a cluster take from the one that starts them."""

from typing import Any

import pytest

from pasgl_env.cluster import taking_code
from pasgl_env.jit.compiled import JIT, cache_folder, rule


def twice(number):
    return 2 * number


@pytest.fixture
def on_machine(tmp_path, monkeypatch):
    """Puts this process on another machine, one with a cache of its own."""

    def move(name):
        monkeypatch.setenv("PASGL_CACHE_DIR", str(tmp_path / name))
        cache_folder.cache_clear()

    yield move
    cache_folder.cache_clear()


@pytest.mark.skipif(not JIT, reason="about compiled code")
def test_workers_take_the_compiled_code_that_the_driver_has_used(on_machine):
    on_machine("driver")
    assert rule(twice)(4) == 8
    take = taking_code()
    on_machine("worker")
    take()
    function: Any = rule(twice)
    assert function(4) == 8
    assert function.stats.cache_hits
