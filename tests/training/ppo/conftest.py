import pytest

from ...small_networks import finished, one_thread, run  # noqa: F401

pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")
