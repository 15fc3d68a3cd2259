"""What tests of the package's generic parts have in common."""

import pytest

from pasgl_env import variants


@pytest.fixture(params=variants.names())
def variant(request):
    """Every variant of the table, by its name."""
    return request.param
