"""Temporal-difference learning by two local workers."""

from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("ray")

import ray

from pasgl_env.cluster import LOCAL, check_room, connected
from pasgl_env.players.values.weights import read_network
from pasgl_env.training.settings import TdSettings
from pasgl_env.training.td import cluster as td_cluster
from pasgl_env.training.td import run as td
from pasgl_env.training.td.cluster import MOST_BEHIND, Workers
from pasgl_env.training.td.run import TdRun

SETTINGS = TdSettings(
    "pachessi", minutes=None, games=120, threads=1, workers=2, options={"size": 5, "hole": 1}
)


def weights_in(folder):
    return read_network(folder, "pachessi")[0]


@pytest.fixture(scope="module")
def cluster():
    with connected(LOCAL, 2):
        yield


def test_a_run_plays_the_wanted_games_and_resumes(cluster, monkeypatch, tmp_path):
    monkeypatch.setattr(td_cluster, "connected", lambda *where: nullcontext())
    slices = []
    first = td.train(SETTINGS, tmp_path, report=lambda status: slices.append(status.games))
    assert first.games == 120
    assert len(slices) > 2
    learned = weights_in(tmp_path)
    assert not (learned.rows == TdRun(SETTINGS).network.rows.astype(np.float16)).all()
    second = td.train(replace(SETTINGS, games=150), tmp_path, resume=True)
    assert second.games == 150
    assert not (weights_in(tmp_path).rows == learned.rows).all()
    alone = td.train(replace(SETTINGS, games=170, workers=0), tmp_path, resume=True)
    assert alone.games == 170


@pytest.fixture
def crew(cluster):
    run = TdRun(SETTINGS)
    workers = Workers(SETTINGS, run.generators)
    yield run, workers
    for actor in workers.actors:
        ray.kill(actor)


def test_a_lost_worker_is_replaced(crew):
    run, workers = crew
    for actor in workers.actors:
        ray.kill(actor, no_restart=False)
    while run.status.games < 20:
        run.advance(workers)
    assert run.status.error < 1


def test_a_change_that_began_too_long_ago_is_dropped(crew, monkeypatch):
    run, workers = crew
    run.advance(workers)
    (late,) = workers._tasks
    workers._version += 2 * MOST_BEHIND + 1
    merged = []
    monkeypatch.setattr(td_cluster, "merge", lambda *given: merged.append(given[2]))
    while late in workers._tasks:
        run.advance(workers)
    dropped = ray.get(late).change
    assert merged
    assert not any((each.squares.rows == dropped.squares.rows).all() for each in merged)


def test_a_cluster_that_is_too_small_is_refused(cluster):
    with pytest.raises(ValueError, match="room for 0 workers with 999 processors each, not for 2"):
        check_room(ray, 2, 999)
