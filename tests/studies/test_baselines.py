"""The baselines of the benchmark: the command, from training to page."""

import json
import shutil

import pytest
from typer.testing import CliRunner

pytest.importorskip("scipy")
pytest.importorskip("sb3_contrib")

from pasgl_env.benchmark import Protocol
from studies import baselines

from ..benchmark.tiny import tiny_protocol


@pytest.fixture
def study(monkeypatch, tmp_path):
    protocol = tiny_protocol()
    monkeypatch.setattr(Protocol, "load", lambda: protocol)
    monkeypatch.setattr(baselines, "CURVE_GAMES", 2)

    def run(*arguments):
        where = ("--out", str(tmp_path / "runs"), "--page", str(tmp_path / "page.md"))
        return CliRunner().invoke(baselines.app, [*arguments, *where])

    return run


def test_what_is_missing_is_trained_evaluated_and_shown(study, tmp_path):
    names = "random", "td", "td_search", "pachessi"
    done = study(*names, "--seeds", "1", "--steps", "3000")
    assert done.exit_code == 0, done.output
    assert "td pachessi: 0 of 1 trained, ? left, 1 to be evaluated" in done.output
    page = (tmp_path / "page.md").read_text()
    (row,) = (line for line in page.splitlines() if "TD values, one ply | rules | 3,000" in line)
    assert row.split(" | ")[3] == "1"
    assert page.count("| missing |") == 2 * len(baselines.METHODS) - 3
    assert (tmp_path / "page.svg").exists()
    told = study(*names, "--seeds", "2", "--steps", "3000", "--list").output
    assert "td_search pachessi: 1 of 2 trained" in told
    again = study(*names, "--seeds", "1", "--steps", "3000").output
    assert "td pachessi: 1 of 1 trained\n" in again
    assert "is evaluated" not in again


def test_a_run_joins_those_that_were_evaluated_though_their_folders_are_gone(study, tmp_path):
    settings = "td", "pachessi", "--steps", "3000"
    together = study(*settings, "--seeds", "2").output
    rows = tmp_path / "page.json"
    whole = json.loads(rows.read_text())["td pachessi"]
    rows.unlink()
    assert study(*settings, "--seeds", "1").exit_code == 0, together
    shutil.rmtree(tmp_path / "runs")
    told = study(*settings, "--seeds", "2").output
    assert "td pachessi: 1 of 2 trained" in told
    assert "1 to be evaluated" in told
    assert not (tmp_path / "runs" / "td" / "pachessi" / "0").exists()
    joined = json.loads(rows.read_text())["td pachessi"]
    for figure in ("scores", "mean", "rating", "curves", "outcomes"):
        assert joined[figure] == whole[figure]


def test_a_row_without_its_games_begins_again_if_it_is_to_have_more_runs(study, tmp_path):
    settings = "td", "pachessi", "--steps", "3000"
    study(*settings, "--seeds", "1")
    rows = tmp_path / "page.json"
    known = json.loads(rows.read_text())
    known["td pachessi"]["outcomes"] = []
    rows.write_text(json.dumps(known))
    assert "td pachessi: 1 of 1 trained\n" in study(*settings, "--seeds", "1", "--list").output
    assert "2 to be evaluated" in study(*settings, "--seeds", "2", "--list").output


@pytest.mark.parametrize(
    "method", [name for name, each in baselines.METHODS.items() if each.settings]
)
def test_every_method_has_settings_for_every_task(method):
    make = baselines.METHODS[method].settings
    assert make is not None
    for task in tiny_protocol().tasks.values():
        assert make(baselines.Job(task, 3, 100_000)).seed == 3


def test_a_training_that_is_interrupted_is_not_evaluated(study, tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    settings = "td", "pachessi", "--seeds", "1", "--steps", "3000"
    with monkeypatch.context() as while_training:
        while_training.setattr(baselines, "start_or_resume", interrupted)
        assert study(*settings).exit_code == 130
    assert not (tmp_path / "page.json").exists()
    assert "0 of 1 trained" in study(*settings, "--list").output


def test_another_budget_is_another_run(study, tmp_path):
    names = "td", "pachessi", "--seeds", "1"
    for steps in ("2000", "3000"):
        done = study(*names, "--steps", steps)
        assert "0 of 1 trained" in done.output
        assert done.exit_code == 0
    assert json.loads((tmp_path / "page.json").read_text())["td pachessi"]["decisions"] == 3000
