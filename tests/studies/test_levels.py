"""The levels: which candidates are picked, and the command."""

import json
import math

import pytest
from typer.testing import CliRunner

from pasgl_env.players.levels import LEVELS
from pasgl_env.statistics.ratings import Rating
from studies import levels


def rated(elo):
    return {name: Rating(each, each - 50.0, each + 50.0) for name, each in elo.items()}


def test_levels_are_the_candidates_nearest_to_even_steps():
    elo = {
        "weakest": 0.0,
        "same": 3.0,
        **{f"at {each}": each + 5.0 for each in range(100, 700, 50)},
    }
    names = [*elo, "strongest"]
    rows = levels.chosen(names, rated({**elo, "strongest": 700.0}))
    assert [row["elo"] for row in rows] == [0, 105, 205, 305, 405, 505, 605, 700]
    assert (rows[0]["player"], rows[-1]["player"]) == ("weakest", "strongest")


def test_candidates_without_a_finite_rating_are_no_levels_but_the_last():
    elo = {f"at {each}": float(each) for each in range(7)}
    some = {"at 0": 0.0, "unbeaten": math.inf, **elo, "last": math.nan}
    rows = levels.chosen(list(some), rated(some))
    assert [row["player"] for row in rows] == [*elo, "last"]
    assert rows[-1]["elo"] is None
    with pytest.raises(ValueError, match="4 candidates are rated, 5 are needed"):
        levels.chosen([*list(elo)[:6], "last"], rated(some))


def test_the_command_keeps_other_variants(monkeypatch, tmp_path):
    rows = [{"player": "td", "elo": number} for number in range(len(LEVELS))]
    monkeypatch.setattr(levels, "chosen", lambda names, ratings: rows)
    monkeypatch.setattr(levels, "CANDIDATES", ("random", "greedy"))
    monkeypatch.setattr(levels, "MEETINGS", (("random", "greedy"),))
    data, page = tmp_path / "table.json", tmp_path / "levels.md"
    data.write_text(json.dumps({"overlord": rows}))
    (tmp_path / "levels.json").write_text('{"overlord": {"minutes": 7.5}}')
    arguments = ["pachessi", "--minutes", "0.01", "--out", tmp_path, "--data", data, "--page", page]
    run = CliRunner().invoke(levels.app, list(map(str, arguments)))
    assert run.exit_code == 0, run.output
    assert list(json.loads(data.read_text())) == ["overlord", "pachessi"]
    text = page.read_text()
    assert text.count("| strongest | `td` | 7 |") == 2
    for command in ("overlord --minutes 7.5", "pachessi --minutes 0.01"):
        assert f"    python -m studies.levels {command}\n" in text
