"""Arguments and interruption of the programs in ``studies``."""

from importlib import import_module

import pytest

pytest.importorskip("scipy")
pytest.importorskip("optuna")
pytest.importorskip("stable_baselines3")

from typer.testing import CliRunner

NAMED = {
    "baselines": ["chess"],
    "calibration": ["chess"],
    "exploitability": ["chess"],
    "findings.__main__": ["chess"],
    "freeze": ["v1000", "chess"],
    "ladder": ["chess"],
    "levels": ["chess"],
    "tuned_rules": ["chess"],
}
LONG = {
    "studies.exploitability.train_answer": ["pachessi"],
    "studies.findings.play.Runs.play": ["pachessi"],
    "studies.freeze.frozen": ["v1000", "pachessi"],
    "studies.ladder.climb": ["pachessi"],
    "studies.levels.measured": ["pachessi"],
}


def invoke(study, arguments, folder):
    app = import_module(f"studies.{study}").app
    place = ["--page", f"{folder}/page.md"] if study != "freeze" else []
    return CliRunner().invoke(app, [*arguments, *place])


@pytest.mark.parametrize("study", NAMED)
def test_an_unknown_name_is_refused_with_those_there_are(study, tmp_path):
    refused = invoke(study, NAMED[study], tmp_path)
    assert refused.exit_code == 2
    assert "'chess': " in refused.output and "pachessi" in refused.output


@pytest.mark.parametrize("work", LONG)
def test_after_an_interrupt_the_same_command_is_said_to_continue(work, tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(work, interrupted)
    study = work.split(".")[1]
    is_package = study == "findings"
    stopped = invoke(f"{study}.__main__" if is_package else study, LONG[work], tmp_path)
    assert stopped.exit_code == 130
    assert "run the same command again to continue" in stopped.output
