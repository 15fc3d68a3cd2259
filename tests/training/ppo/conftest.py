import shutil

import pytest

from ...small_networks import one_thread  # noqa: F401

pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """The folder of a run, only to be read."""
    from . import tiny

    folder = tmp_path_factory.mktemp("finished") / "mine"
    tiny.train(folder)
    return folder


@pytest.fixture
def run(finished, tmp_path):
    """A copy of a run's folder."""
    return shutil.copytree(finished, tmp_path / "mine")
