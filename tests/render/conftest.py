import pytest


@pytest.fixture
def variant(every_variant):
    """Every variant: boards and pieces differ between those of a game."""
    return every_variant
