"""Fixtures for tests with networks."""

import shutil

import pytest


@pytest.fixture(autouse=True)
def one_thread():
    """Small networks are slower with more threads."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """The folder of a run, only to be read."""
    from .training.ppo import tiny

    folder = tmp_path_factory.mktemp("finished") / "mine"
    tiny.train(folder)
    return folder


@pytest.fixture
def run(finished, tmp_path):
    """A copy of a run's folder."""
    return shutil.copytree(finished, tmp_path / "mine")
