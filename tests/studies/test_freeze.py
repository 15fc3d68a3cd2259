import pytest
from typer.testing import CliRunner

pytest.importorskip("scipy")

from pasgl_env.benchmark import Protocol, protocol
from studies import freeze


def test_a_version_is_frozen_with_one_command_and_final_only_once(tmp_path, monkeypatch):
    monkeypatch.setattr(freeze, "PROTOCOLS", tmp_path)
    monkeypatch.setattr(protocol, "PROTOCOLS", tmp_path)
    monkeypatch.setattr(freeze, "POOLS", {"pachessi": "greedy random"})
    monkeypatch.setattr(freeze, "GAMES", 4)

    def run():
        arguments = "v7", "--final", "--rating-games", "4", "--out", str(tmp_path / "games")
        return CliRunner().invoke(freeze.app, arguments)

    assert run().exit_code == 0
    frozen = Protocol.load("v7")
    (task,) = frozen.tasks.values()
    assert frozen.is_final
    assert [each.name for each in task.references] == ["random", "greedy"]
    assert len(task.openings) == 2
    for reference in task.references:
        task.check(reference)
    before = (tmp_path / "v7.json").read_bytes()
    assert "v7 is final" in run().stderr
    assert (tmp_path / "v7.json").read_bytes() == before
