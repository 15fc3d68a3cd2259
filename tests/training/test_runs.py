"""Folders of trainings."""

import pytest

from pasgl_env.players.trained import AGENT_FILE
from pasgl_env.players.values.weights import FILE
from pasgl_env.storage import files, runs
from pasgl_env.training.runs import (
    LOG_FILE,
    RunExists,
    folder_of_one_run,
    write_settings,
)
from pasgl_env.training.settings import TdSettings
from pasgl_env.training.td.run import TRAINING_FILE

SETTINGS = TdSettings("pachessi")


def test_a_run_that_another_process_has_made_before_the_lock_is_not_replaced(tmp_path, monkeypatch):
    def held(file):
        (tmp_path / "training.pt").touch()  # by the other process, which has ended
        return files.held(file)

    monkeypatch.setattr(runs, "held", held)
    with (
        pytest.raises(RunExists, match="holds a run already"),
        folder_of_one_run(tmp_path, "training.pt", resume=False),
    ):
        pass


@pytest.mark.parametrize("own", ["training.pt", TRAINING_FILE])
@pytest.mark.parametrize("held", ["training.pt", TRAINING_FILE, AGENT_FILE, FILE])
@pytest.mark.parametrize("has_settings", [False, True])
def test_a_new_run_replaces_no_run_and_no_agent_of_any_algorithm(tmp_path, own, held, has_settings):
    (tmp_path / held).write_bytes(b"mine")
    if has_settings:
        write_settings(SETTINGS, tmp_path)
    message = "holds a run already: resume it" if held == own else f"holds {held} already: give"
    before = set(tmp_path.iterdir())
    with pytest.raises(RunExists, match=message), folder_of_one_run(tmp_path, own, resume=False):
        pass
    assert set(tmp_path.iterdir()) == before


def test_the_files_that_no_run_replaces_are_named_as_their_modules_name_them():
    checkpoint = pytest.importorskip("pasgl_env.players.networks.checkpoint")
    assert checkpoint.TRAINING_FILE == "training.pt"


def test_a_log_without_settings_is_not_replaced(tmp_path):
    (tmp_path / LOG_FILE).write_text("mine")
    with (
        pytest.raises(RunExists, match=r"holds log\.jsonl already: give another folder"),
        folder_of_one_run(tmp_path, TRAINING_FILE, resume=False),
    ):
        pass
