import pytest

from .positions import Side


@pytest.fixture(params=["white", "black"])
def side(request):
    return Side(request.param)
