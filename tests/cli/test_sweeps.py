import json
import sys

import pytest

pytest.importorskip("scipy")
pytest.importorskip("pyarrow")
pytest.importorskip("jinja2")
pytest.importorskip("matplotlib")

SHORT = "--set", "turn_limit=12", "--players", "random,random", "--no-record"


def test_a_sweep_is_shown_and_kept(pasgl, tmp_path):
    folder = tmp_path / "sweep"
    result = pasgl(
        *("playtest", "pachessi", "--games", "64", *SHORT, "--out", str(folder)),
        *("--sweep", "first=black,lot", "--until", "truncations=0..0.5", "--measure", "score"),
    )
    assert result.exit_code == 0
    assert "(Yellow)" in result.stdout
    assert "first=lot: 64 games. truncations is above 0.5." in result.stderr
    names = {
        *(".lock", "manifest.json", "first=black", "first=lot"),
        *("sweep.json", "sweep.md", "sweep.parquet", "sweep.svg"),
    }
    assert {each.name for each in folder.iterdir()} == names
    arm = folder / "first=lot"
    decision = json.loads((arm / "results.json").read_bytes())["decision"]
    assert (decision["measure"], decision["verdict"]) == ("truncations", "above")
    assert "truncations is above 0.5" in (arm / "report.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("--sweep size", "values of an option are NAME=LOW..HIGH or NAME=VALUE"),
        ("--sweep size=1..3", "option size of pachessi must be an integer"),
        ("--sweep size=7,9 --set size=11", "size is both varied and set"),
        ("--sweep turn_limit=1..1000", "has 1000 values, not 1 to 100"),
        ("--sweep size=7,9 --measure joy", "no measure 'joy'"),
        ("--sweep size=7,9 --players random,nobody", "no player 'nobody'"),
        ("--sweep players=2,4 --until score[Red]=0.5", "score takes [(Black, Yellow)]"),
        ("--measure turns", "--measure is for --sweep"),
        ("--until turns=0.5", "about shares of games"),
        ("--until turns=10..20", "about a share of games, with limits from 0 to 1"),
        ("--until draws=2", "not draws=2..2"),
        ("--alpha 0.1", "--alpha and --beta are for --until"),
        ("--until draws=0.1 --alpha 2", "alpha must be above 0 and below 0.5, not 2.0"),
    ],
)
def test_wrong_input(refused, tmp_path, monkeypatch, arguments, complaint):
    monkeypatch.chdir(tmp_path)
    assert complaint in refused("playtest", "pachessi", *arguments.split())
    assert list(tmp_path.iterdir()) == []


def test_without_matplotlib_it_is_told_before_a_game(refused, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    complaint = refused("playtest", "pachessi", "--sweep", "size=7,9")
    assert "plots need Matplotlib: pip install 'pasgl-env[lab]'" in complaint
    assert list(tmp_path.iterdir()) == []
