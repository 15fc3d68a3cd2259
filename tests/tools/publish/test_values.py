"""Publishing learned values."""

import pytest

pytest.importorskip("torch")

from pasgl_env import variants
from pasgl_env.players.values.weights import read_network
from pasgl_env.training.settings import TdSettings
from pasgl_env.training.td import run as td
from tools.publish import values

OPTIONS = {"size": 5, "hole": 1}


@pytest.fixture
def run(tmp_path):
    td.train(
        TdSettings("pachessi", minutes=None, games=300, threads=1, options=OPTIONS),
        tmp_path / "run",
    )
    return tmp_path / "run"


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """Folders of its own for what comes with the package."""
    monkeypatch.setattr(values, "SHIPPED", tmp_path / "weights")
    monkeypatch.setattr(values, "CARDS", tmp_path / "cards")
    (tmp_path / "weights").mkdir()
    (tmp_path / "cards" / "small").mkdir(parents=True)
    small = ("td", "greedy", 8), ("search:5", "mcts:5", 4)
    monkeypatch.setattr(values, "matches_of", lambda variant: small)
    monkeypatch.setattr(values, "CURVE_GAMES", 4)
    return tmp_path


def test_new_values_come_with_a_card(run, shelf):
    assert values.publish(run, "small", seed=5) == []
    installed, trained_for = read_network(shelf / "weights" / "small.safetensors", "pachessi")
    assert trained_for == variants.ruleset("pachessi", **OPTIONS)
    assert installed.rows.any()
    card = (shelf / "cards" / "small" / "td.md").read_text()
    assert "pasgl train pachessi --algorithm td" in card
    assert "--set size=5 --set hole=1" in card
    assert "300 games" in card
    assert "| `td` |" in card
    assert "| `search:5` |" in card
    curve = card.partition("Learning curve")[2].partition("Difference")[0]
    rows = [line.split(" | ") for line in curve.splitlines()[4:-1]]
    assert [row[0] for row in rows] == [f"| {games}" for games in range(50, 251, 50)]
    assert all("% to " in row[2] for row in rows)


def test_values_that_are_not_better_do_not_replace_the_old(run, shelf, monkeypatch):
    monkeypatch.setattr(values, "shipped", lambda ruleset: object())
    monkeypatch.setattr(values, "MOST_GAMES", 2)
    (decision,) = values.publish(run, "small", seed=5)
    assert decision.verdict is None
    assert not (shelf / "weights" / "small.safetensors").exists()


@pytest.mark.parametrize(
    ("workers", "threads", "text"),
    [(0, 1, "1 thread"), (0, 2, "2 threads"), (4, 2, "4 workers of 2 threads each")],
)
def test_a_card_says_who_played(workers, threads, text):
    assert values.crew_of(TdSettings("pachessi", workers=workers, threads=threads)) == text


def test_values_are_for_the_variant_that_they_are_named_after():
    chieftain = TdSettings("chieftain", options={"turn_limit": 0})
    assert values.purpose_of("superchief", chieftain) == variants.ruleset("superchief")
    four = TdSettings("pachessi", options={"players": 4})
    assert values.purpose_of("pachessi_four", four) == variants.ruleset("pachessi", players=4)
