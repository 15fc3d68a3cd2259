import pytest

from ..sides import sides
from .positions import Side


@pytest.fixture
def side():
    return sides(Side("white"), Side("black"))
