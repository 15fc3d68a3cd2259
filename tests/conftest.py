"""What tests of the package's generic parts have in common."""

import os
import signal

import pytest

from pasgl_env import variants

# Windows open where nobody sees them, and on machines without a display too.
os.environ["SDL_VIDEODRIVER"] = "dummy"


@pytest.fixture(params=variants.names())
def variant(request):
    """Every variant of the table, by its name."""
    return request.param


@pytest.fixture
def interruptible():
    """SIGINT raises `KeyboardInterrupt`, also where the tests run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
