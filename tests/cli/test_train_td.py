"""``pasgl train --algorithm td``."""

import pytest

pytest.importorskip("typer")

from pasgl_env.search.weights import read_network
from pasgl_env.training import td

SMALL = ("--set", "size=5", "--set", "hole=1", "--threads", "1")
SHORT = ("--minutes", "0.01")


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "my runs" / "values"


@pytest.fixture
def train(pasgl, folder):
    def run(*arguments):
        return pasgl("train", "pachessi", "--algorithm", "td", "--out", str(folder), *arguments)

    return run


def test_trains_and_says_what_to_do_with_the_values(train, folder):
    told = train(*SMALL, *SHORT, "--seed", "3", "--td", "decay=0.8", "--td", "opening=2")
    settings = td.read_settings(folder)
    assert (settings.seed, settings.decay, settings.opening) == (3, 0.8, 2)
    assert settings.options == {"size": 5, "hole": 1}
    assert (
        f"pasgl evaluate pachessi td:values='{folder}' greedy --set size=5 --set hole=1"
        in told.stdout
    )
    read_network(folder, "pachessi")


def test_a_resumed_run_keeps_its_settings(train, refused, folder):
    train(*SMALL, *SHORT)
    before = td.read_settings(folder)
    train("--resume", "--minutes", "0.02")
    assert td.read_settings(folder) == td.with_limits(before, minutes=0.02)
    told = refused(
        "train", "pachessi", "--algorithm", "td", "--out", str(folder), "--resume", "--seed", "5"
    )
    assert "a resumed run keeps its settings: seed of" in told


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--algorithm", "dqn"), "--algorithm is ppo, td or rllib, not 'dqn'"),
        (("--algorithm", "td", "--steps", "9"), "--algorithm td takes no --steps"),
        (("--algorithm", "td", "--opponents", "greedy"), "--algorithm td takes no --opponents"),
        (("--algorithm", "td", "--td", "depth=2"), "--td takes exploration,"),
        (("--algorithm", "td", "--td", "decay=x"), "--td decay must be a number"),
        (("--algorithm", "td", "--td", "decay=2"), "decay must be from 0 to 1"),
        (("--td", "decay=0.5"), "--algorithm ppo takes no --td"),
    ],
)
def test_what_does_not_belong_together_is_refused(refused, tmp_path, arguments, reason):
    assert reason in refused("train", "pachessi", "--out", str(tmp_path / "run"), *arguments)
