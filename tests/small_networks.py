"""Fixtures for tests with networks."""

import pytest


@pytest.fixture(autouse=True)
def one_thread():
    """Small networks are slower with more threads."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
