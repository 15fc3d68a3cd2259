"""Shards on a Ray cluster of this machine."""

import pytest

pytest.importorskip("scipy")
pytest.importorskip("ray")

import ray

from pasgl_env.cluster import WorkerFailed
from pasgl_env.playtest.cluster import play_on
from pasgl_env.playtest.play import Plan, play_shard
from pasgl_env.playtest.run import run

PLAN = Plan.of("pachessi", ("greedy", "random"), 5, turn_limit=12)


@pytest.fixture(scope="module")
def address():
    """A cluster of two workers."""
    context = ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield context.address_info["address"]
    ray.shutdown()


@pytest.fixture(autouse=True)
def lasting(monkeypatch):
    """The cluster stays when a run leaves it."""
    monkeypatch.setattr(ray, "shutdown", lambda: None)


def play_here(address, monkeypatch, play=play_shard):
    """On the cluster that this process has begun already."""
    monkeypatch.setattr(ray, "init", lambda **settings: None)
    return play_on(address, play)


def test_a_cluster_comes_to_the_same_result(address, monkeypatch, tmp_path):
    run(PLAN, 204, tmp_path / "here")
    run(PLAN, 204, tmp_path / "there", play_shards=play_here(address, monkeypatch))
    for name in ("totals.npz", "games.pgb"):
        here, there = (tmp_path / place / name for place in ("here", "there"))
        assert here.read_bytes() == there.read_bytes()


def test_more_threads_than_any_machine_has_are_refused(address, monkeypatch, tmp_path):
    with pytest.raises(WorkerFailed, match="has 3 processors"):
        run(PLAN, 40, tmp_path, threads=3, play_shards=play_here(address, monkeypatch))


def test_what_fails_on_a_worker_is_told_in_a_line(address, monkeypatch, tmp_path):
    def fail(shard):
        raise OSError("no room on the worker")

    with pytest.raises(WorkerFailed, match=r"^a worker failed: .*no room on the worker$"):
        run(PLAN, 40, tmp_path, play_shards=play_here(address, monkeypatch, fail))


@pytest.mark.parametrize("wrong", ["", "here", "host:port", "host:0", ":6379"])
def test_what_is_no_address(wrong):
    with pytest.raises(ValueError, match="HOST:PORT, auto or local, not"):
        play_on(wrong, play_shard)


def test_where_nothing_answers():
    with pytest.raises(ConnectionError, match="no Ray cluster answers at localhost:1"):
        play_on("localhost:1", play_shard)
