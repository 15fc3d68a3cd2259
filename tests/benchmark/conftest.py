import pytest

pytest.importorskip("scipy")

from .tiny import tiny_protocol


@pytest.fixture
def tiny():
    return tiny_protocol()
