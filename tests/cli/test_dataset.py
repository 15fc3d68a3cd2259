import re

import pytest

pytest.importorskip("scipy")
pytest.importorskip("pyarrow")

from pasgl_env import datasets

SHORT = "--set", "turn_limit=12"


def test_a_data_set_is_made_and_grows(pasgl, tmp_path):
    place = "--out", str(tmp_path / "data")
    for positions in ("20", "200"):
        result = pasgl(
            *("dataset", "pachessi", "--player", "greedy", *SHORT, "--positions", positions, *place)
        )
        assert (result.exit_code, f"positions in {tmp_path / 'data'}" in result.stdout) == (0, True)
    assert len(datasets.load(tmp_path / "data")) > 100


def test_records_become_a_data_set(pasgl, refused, tmp_path):
    file, place = str(tmp_path / "games.pgb"), ("--out", str(tmp_path / "data"))
    pasgl("evaluate", "pachessi", "greedy", "random", "--games", "6", *SHORT, "--record", file)
    made = "dataset", "pachessi", "--records", file, *place
    for played in (
        SHORT,
        ("--player", "nonsense"),
        ("--opening-player", "nonsense"),
        ("--opening-turns", "2"),
        ("--openings", "even"),
        ("--threads", "2"),
    ):
        assert "are games already" in refused(*made, *played)
    result = pasgl(*made)
    assert result.exit_code == 0
    assert re.search(r"^\d+ positions$", result.stderr, re.MULTILINE)
    assert "%" not in result.stderr
    assert datasets.load(tmp_path / "data").table["text"][0].as_py()
