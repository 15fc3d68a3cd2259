"""The entries of the benchmark are whole, and the leaderboard is made from them."""

import hashlib
from pathlib import Path

import pytest

pytest.importorskip("scipy")

from pasgl_env.benchmark import leaderboard, read_result

ROOT = Path(__file__).parents[1]
ENTRIES = sorted((ROOT / "entries").glob("*.json"))


def test_the_page_is_that_of_the_entries():
    page = (ROOT / "docs/results/leaderboard.md").read_text(encoding="utf-8")
    assert page == leaderboard([read_result(each) for each in ENTRIES])


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.stem)
def test_the_games_of_an_entry_are_kept(entry):
    games = entry.with_suffix(".pgb").read_bytes()
    assert hashlib.sha256(games).hexdigest() == read_result(entry).games
