"""Folders of trainings."""

import pytest

from pasgl_env.storage import files, runs
from pasgl_env.training.runs import RunExists, folder_of_one_run


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
