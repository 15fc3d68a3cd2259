"""Questions: their folders, and what continues after a kill."""

import json
from typing import Any

import numpy as np
import pytest

pytest.importorskip("scipy")

from pasgl_env.playtest.lab import Question
from pasgl_env.playtest.play import Plan
from pasgl_env.records import read_records
from pasgl_env.storage.runs import BadRun


class Repeat(Question[Any]):
    """Plays the games of its plan, and returns its run."""

    kind = "test"

    def answer(self, lab):
        lab.expect(self.games)
        return lab.play("a", self.plan, self.games)


def run(folder, games, seed=0, **how):
    plan = Plan.of("pachessi", ("greedy", "greedy"), seed, turn_limit=12)
    return Repeat(plan, games).run(folder, **how)


def test_it_continues_where_it_was(tmp_path):
    whole = run(tmp_path / "whole", 80)
    run(tmp_path / "part", 40)
    seen: list[Any] = []
    again = run(tmp_path / "part", 80, report=seen.append)
    assert (again.tallies == whole.tallies).all()
    assert (seen[0].done, seen[0].games) == (40, 80)
    assert (seen[-1].done, seen[-1].games) == (80, 80)


def test_tallies_are_those_of_the_recorded_games(tmp_path):
    arm = run(tmp_path, 40)
    games = list(read_records(arm.folder / "games.pgb"))
    assert arm.counted("turns").tolist() == [game.final.turns for game in games]
    assert arm.estimate("turns").value == np.mean(arm.counted("turns"))
    wins = {"1-0": (1, 0), "0-1": (0, 1)}
    told = [wins.get(game.result, (0.5, 0.5)) for game in games]
    assert list(zip(arm.scores_of(0), arm.scores_of(1), strict=True)) == told


def test_games_of_another_plan_are_refused(tmp_path):
    run(tmp_path, 8)
    with pytest.raises(BadRun, match="whose seed is 0, not 1"):
        run(tmp_path, 8, seed=1)


def test_files_of_others_are_refused(tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(BadRun, match="holds no test"):
        run(tmp_path, 8)
    (tmp_path / "manifest.json").write_text(json.dumps({"plan": 1}))
    with pytest.raises(BadRun, match="does not belong to a test"):
        run(tmp_path, 8)
