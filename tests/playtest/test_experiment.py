"""The folder of an experiment, which continues after a kill."""

import json
from typing import Any

import pytest

pytest.importorskip("scipy")

from pasgl_env.playtest.experiment import CHUNKS, Experiment
from pasgl_env.playtest.trials import Trial
from pasgl_env.storage.runs import BadRun


class Repeat(Experiment[Any]):
    """Plays the games of its trial and returns what they count."""

    kind = "test"

    def play(self, journal):
        journal.expect(self.games)
        return journal.play("a", self.trial, self.games).counted["turns"].tolist()


def run(folder, games, seed=0, **how):
    trial = Trial("pachessi", "random", {"turn_limit": 12}, seed, chunk=8)
    return Repeat(trial, games).run(folder, **how)


def test_it_continues_where_it_was(tmp_path):
    whole = run(tmp_path / "whole", 24)
    run(tmp_path / "part", 16)
    file = tmp_path / "part" / CHUNKS
    file.write_bytes(file.read_bytes() + b'{"arm": "a", "numb')  # cut off by a kill
    seen: list[Any] = []
    assert run(tmp_path / "part", 24, report=seen.append) == whole
    assert file.read_bytes() == (tmp_path / "whole" / CHUNKS).read_bytes()
    assert [(each.done, each.games) for each in seen] == [(16, 24), (24, 24)]
    assert [each.seconds_left for each in seen] == [None, 0]


def test_fewer_games_are_the_first_ones(tmp_path):
    whole = run(tmp_path, 24)
    assert run(tmp_path, 8) == whole[:8]


def test_games_of_another_trial_are_refused(tmp_path):
    run(tmp_path, 8)
    with pytest.raises(BadRun, match="whose seed is 0, not 1"):
        run(tmp_path, 8, seed=1)


@pytest.mark.parametrize("content", ["no JSON\n", '{"arm": "a", "number": 7}\n', "[]\n"])
def test_damaged_files_are_refused(tmp_path, content):
    run(tmp_path, 8)
    (tmp_path / CHUNKS).write_text(content)
    with pytest.raises(BadRun, match="damaged"):
        run(tmp_path, 8)


def test_files_of_others_are_refused(tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(BadRun, match="holds no test"):
        run(tmp_path, 8)
    (tmp_path / "manifest.json").write_text(json.dumps({"plan": 1}))
    with pytest.raises(BadRun, match="does not belong to a test"):
        run(tmp_path, 8)
