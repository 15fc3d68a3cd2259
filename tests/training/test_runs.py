"""Folders of trainings."""

import json

import pytest

from pasgl_env.players.trained import AGENT_FILE
from pasgl_env.players.values.weights import FILE
from pasgl_env.storage import files, runs
from pasgl_env.storage.runs import BadRun
from pasgl_env.training.runs import (
    LOG_FILE,
    RunExists,
    begin_files,
    folder_of_one_run,
    log_rows,
    read_settings,
    write_settings,
)
from pasgl_env.training.settings import TdSettings
from pasgl_env.training.td.run import TRAINING_FILE

NESTED = "[" * 100_000
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


def test_a_run_that_ended_before_its_first_checkpoint_can_be_repeated(tmp_path):
    for _ in range(2):
        with folder_of_one_run(tmp_path, TRAINING_FILE, resume=False):
            begin_files(SETTINGS, tmp_path, 0, "steps")
            with open(tmp_path / LOG_FILE, "a") as log:
                log.write('{"steps":1}\n')
    assert log_rows(tmp_path) == [{"steps": 1}]


@pytest.mark.parametrize(
    ("end", "kept"),
    [
        ('{"steps":2', [1]),
        ('{"steps":2}', [1, 2]),  # without the end of its line
        ('{"steps":4}\n', [1]),
        (NESTED, [1]),
        ("null", [1]),
        ('{"other":1}\n', [1]),
    ],
    ids=lambda given: str(given)[:20],
)
def test_a_log_that_goes_on_is_one_of_whole_rows(tmp_path, end, kept):
    (tmp_path / LOG_FILE).write_text('{"steps":1}\n' + end)
    begin_files(SETTINGS, tmp_path, 2, "steps")
    with open(tmp_path / LOG_FILE, "a") as log:
        log.write('{"steps":3}\n')
    assert [row["steps"] for row in log_rows(tmp_path)] == [*kept, 3]


def test_settings_are_kept_if_the_log_cannot_be_read(tmp_path):
    write_settings(SETTINGS, tmp_path)
    (tmp_path / LOG_FILE).mkdir()
    with pytest.raises(OSError, match=LOG_FILE):
        begin_files(TdSettings("overlord"), tmp_path, 0, "steps")
    assert read_settings(tmp_path, TdSettings) == SETTINGS


@pytest.mark.parametrize("damaged", ["{", "7", NESTED])
def test_a_damaged_row_of_a_log_is_named(tmp_path, damaged):
    (tmp_path / LOG_FILE).write_text(json.dumps({"steps": 1}) + "\n" + damaged)
    with pytest.raises(BadRun, match=rf"line 2 of .*{LOG_FILE} is damaged"):
        log_rows(tmp_path)


def test_settings_nested_too_deeply_are_refused(tmp_path):
    (tmp_path / "settings.json").write_text(NESTED)
    with pytest.raises(RunExists, match=r"no run to resume with --algorithm td \(settings\.json"):
        read_settings(tmp_path, TdSettings)
