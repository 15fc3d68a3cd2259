"""``pasgl train --algorithm td``."""

import sys
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("typer")

from pasgl_env.players.values.weights import read_network
from pasgl_env.training.runs import read_settings
from pasgl_env.training.settings import TdSettings

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
    told = train(*SMALL, *SHORT, "--seed", "3", "--decay", "0.8", "--opening", "2")
    settings = read_settings(folder, TdSettings)
    assert (settings.seed, settings.decay, settings.opening) == (3, 0.8, 2)
    assert settings.options == {"size": 5, "hole": 1}
    assert (
        f"pasgl evaluate pachessi td:values='{folder}' greedy --set size=5 --set hole=1"
        in told.stdout
    )
    read_network(folder, "pachessi")


def test_a_resumed_run_keeps_its_settings(train, refused, folder):
    train(*SMALL, *SHORT)
    before = read_settings(folder, TdSettings)
    train("--resume", "--minutes", "0.02")
    assert read_settings(folder, TdSettings) == replace(before, minutes=0.02)
    told = refused(
        "train", "pachessi", "--algorithm", "td", "--out", str(folder), "--resume", "--seed", "5"
    )
    assert "a resumed run keeps its settings: seed of" in told


def test_a_run_of_another_algorithm_is_not_replaced(train, refused, folder):
    train(*SMALL, *SHORT)
    before = {file: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    told = refused("train", "pachessi", "--steps", "300", "--out", str(folder))
    assert "holds training.safetensors already: give another folder" in told
    assert {file: file.read_bytes() for file in folder.iterdir() if file.is_file()} == before
    train("--resume", "--minutes", "0.02")


@pytest.fixture
def wandb(monkeypatch):
    """Stands for Weights & Biases, and keeps what it is sent."""
    sent: list[Any] = []
    run = SimpleNamespace(id="abc", log=sent.append, finish=lambda: sent.append("finished"))

    def init(**given):
        sent.append(given)
        return run

    monkeypatch.setitem(sys.modules, "wandb", SimpleNamespace(init=init))
    return sent


def test_a_tracked_run_is_sent_and_continued_under_its_identity(train, folder, wandb):
    train(*SMALL, *SHORT, "--track")
    given, *figures, last = wandb
    assert (given["project"], given["name"], given["id"]) == ("pasgl_env", "values", None)
    assert given["config"]["options"] == {"size": 5, "hole": 1}
    assert given["config"]["algorithm"] == "td"
    assert last == "finished"
    assert figures[-1]["progress"] == 1 and figures[-1]["games"] > 0
    wandb.clear()
    train("--resume", "--minutes", "0.02", "--track")
    assert wandb[0]["id"] == "abc"


def test_a_run_that_cannot_begin_is_not_sent(train, refused, folder, wandb, monkeypatch):
    train(*SMALL, *SHORT)
    again = "train", "pachessi", "--algorithm", "td", "--out", str(folder), "--track"
    assert "holds a run already" in refused(*again)
    assert "holds training.safetensors already" in refused("train", "pachessi", *again[4:])
    assert wandb == []
    monkeypatch.setitem(sys.modules, "wandb", None)
    assert "pip install 'pasgl-env[track]'" in refused(*again, "--resume")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--algorithm", "dqn"), "--algorithm must be ppo, td, rllib, not 'dqn'"),
        (
            ("--algorithm", "td", "--steps", "9", "--games", "9"),
            "by games or by steps, not by both",
        ),
        (("--algorithm", "td", "--opponents", "greedy"), "--opponents is for ppo, not for td"),
        (("--algorithm", "td", "--ray", "auto"), "--ray needs --workers"),
        (("--ray", "auto"), "--ray is for algorithms with workers, not for ppo"),
        (("--workers", "2"), "--workers is for td and rllib, not for ppo"),
        (("--algorithm", "td", "--depth", "2"), "--depth"),
        (("--algorithm", "td", "--decay", "x"), "--decay"),
        (("--algorithm", "td", "--decay", "2"), "decay must be from 0 to 1, not 2.0"),
        (("--algorithm", "rllib", "--threads", "2"), "--threads is for ppo and td, not for rllib"),
        (("--decay", "0.5"), "--decay is for td, not for ppo"),
    ],
)
def test_what_does_not_belong_together_is_refused(refused, tmp_path, arguments, reason):
    assert reason in refused("train", "pachessi", "--out", str(tmp_path / "run"), *arguments)
