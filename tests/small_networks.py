"""What tests with networks have in common."""

import pytest


@pytest.fixture(autouse=True)
def one_thread():
    """Networks as small as those of the tests are slower with more."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
