"""The shipped agents' recipes train, measure, and resume after an interruption."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from agents.recipes import train_networks, train_values
from pasgl_env.players.values import weights
from pasgl_env.training.settings import PpoSettings, TdSettings


def test_values_are_learned_once_stage_by_stage_and_play_the_matches(tmp_path, capsys):
    first, second = str(tmp_path / "first"), str(tmp_path / "second")
    settings = TdSettings(
        "pachessi", minutes=None, games=20, threads=1, options={"size": 5, "hole": 1}
    )
    stages = {first: settings, second: replace(settings, start=first)}
    train_values(stages, matches=lambda variant: [("td", "random", 4)])
    learned = (tmp_path / "second" / weights.FILE).read_bytes()
    assert f"td:values={second}" in capsys.readouterr().out
    train_values(stages, matches=lambda variant: [])
    assert (tmp_path / "second" / weights.FILE).read_bytes() == learned


def test_networks_are_trained_stage_by_stage(tmp_path, capsys):
    pytest.importorskip("sb3_contrib")
    first, second = str(tmp_path / "first"), str(tmp_path / "second")
    tiny = PpoSettings(
        "grand_pachessi",
        minutes=None,
        steps=1,
        games=4,
        threads=1,
        layers="dense",
        width=8,
        evaluations=0,
        options={"turn_limit": 8},
    )
    stages = {first: tiny, second: replace(tiny, start=first)}
    train_networks(stages, games=4)
    assert (tmp_path / "second" / "agent.pt").exists()
    assert "against greedy" in capsys.readouterr().out


@pytest.mark.parametrize("argument, code", [("--help", 0), ("--minutes=1", 2)])
def test_a_script_with_arguments_says_what_it_is_for_and_trains_nothing(argument, code):
    command = [sys.executable, "-m", "agents.pachessi.td", argument]
    told = subprocess.run(
        command, capture_output=True, text=True, cwd=Path(__file__).parents[2], timeout=120
    )
    assert told.returncode == code, told
    assert "takes" in told.stdout and told.stdout.endswith("It takes no arguments.\n")


def test_after_an_interrupt_no_later_stage_begins(monkeypatch, capsys):
    begun = []

    def interrupted(settings, folder, report):
        begun.append(str(folder))
        raise KeyboardInterrupt

    monkeypatch.setattr("agents.recipes.start_or_resume", interrupted)
    stages = {name: TdSettings("pachessi", games=20) for name in ("first", "second")}
    with pytest.raises(SystemExit, match="130"):
        train_values(stages)
    assert begun == ["first"]
    assert "Stopped in first: the same command continues." in capsys.readouterr().err
