"""`pasgl balance`, `strength`, `first-moves` and `judge`."""

import json

import pytest

pytest.importorskip("scipy")
pytest.importorskip("matplotlib")
pytest.importorskip("jinja2")

SHORT = "--set", "turn_limit=12"


def test_balance_is_shown_and_kept(pasgl, tmp_path):
    arguments = (
        *("balance", "pachessi", "--player", "random", *SHORT, "--games", "64"),
        *("--option", "laps=1,2", "--target", "truncations=0.5", "--out", str(tmp_path)),
    )
    result = pasgl(*arguments)
    assert result.exit_code == 0
    assert "No value in the range reaches the target" in result.stdout
    assert "1: above after" in result.stderr
    assert {each.name for each in tmp_path.iterdir()} == {
        *(".lock", "manifest.json", "runs", "balance.md", "balance.json")
    }
    kept = json.loads((tmp_path / "balance.json").read_bytes())
    assert [each["answer"] for each in kept["tested"]] == ["above", "above"]
    assert kept["found"] is None
    games = {file: file.stat().st_size for file in tmp_path.rglob("games.pgb")}
    assert len(games) == 2
    assert pasgl(*arguments).stdout == result.stdout
    assert {file: file.stat().st_size for file in tmp_path.rglob("games.pgb")} == games


def test_strength_is_shown_and_kept(pasgl, tmp_path):
    result = pasgl(
        *("strength", "pachessi", "--players", "random,greedy", *SHORT, "--games", "32"),
        *("--out", str(tmp_path)),
    )
    assert result.exit_code == 0
    assert "Pachessi by strength, from random to greedy" in result.stdout
    names = {each.name for each in tmp_path.iterdir()}
    assert {"strength.md", "strength.csv", "strength.svg"} <= names


def test_first_moves_are_shown_and_kept(pasgl, tmp_path):
    begin = "4x3/8/8/8/8/8/4L3/4X3 w - 9"
    result = pasgl(
        *("first-moves", "spalding", "--from", begin, "--player", "random", *SHORT),
        *("--games", "200", "--depth", "1", "--out", str(tmp_path)),
    )
    assert result.exit_code == 0
    assert "Le2-e3" in result.stdout
    assert "<svg" in (tmp_path / "first_moves.html").read_text()


def test_lines_are_judged(pasgl, tmp_path):
    result = pasgl(
        *("judge", "spalding", "--player", "random", "--games", "32", "--simulations", "5"),
        *("--out", str(tmp_path)),
    )
    assert result.exit_code == 0
    assert "Rhino pack" in (tmp_path / "judge.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("balance pasgl312 --option joy=1..3", "has no option 'joy'"),
        ("balance pasgl312 --option hunter_range=1,a", "hunter_range of pasgl312 must be"),
        ("balance pasgl312 --option hunter_range=3..1", "pasgl: hunter_range: 3..1 has 0 values"),
        ("balance pasgl312 --option hunter_range=1,2 --set hunter_range=2", "varied and set"),
        ("balance pasgl312 --option score_handicap=0,40", "must be less than win_margin"),
        ("balance pasgl312 --option score_handicap=0..3 --target joy=0.5", "a target is one of"),
        ("balance pasgl312 --option score_handicap=0..3 --player nobody", "no player 'nobody'"),
        ("strength pachessi --players td", "two different players"),
        ("first-moves pachessi", "chance acts there"),
        ("first-moves pasgl312 --line e2e4", "not legal"),
        ("judge pachessi", "no analyses"),
    ],
)
def test_wrong_input(refused, tmp_path, monkeypatch, arguments, complaint):
    monkeypatch.chdir(tmp_path)
    assert complaint in refused(*arguments.split())
    assert list(tmp_path.iterdir()) == []
