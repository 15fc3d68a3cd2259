"""Tests of the inventors' notations themselves."""

import pytest


@pytest.fixture(autouse=True)
def plain_notation():
    """Here nothing stands in for them."""
