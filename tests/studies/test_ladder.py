"""The ladder: pairings, times and the page."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from typer.testing import CliRunner

from pasgl_env import variants
from pasgl_env.evaluation.ladder import strength
from pasgl_env.players import takes_values, trained
from pasgl_env.statistics.ratings import Rating
from studies import ladder
from studies.entries import read_entries, values_now, write_entries

RUNNER = CliRunner()
FEW = ("random", "greedy", "mcts:2", "mcts:4")
THREE = (("greedy", "random"), ("greedy", "mcts:2"), ("mcts:2", "mcts:4"))
SHORT = variants.ruleset("pachessi", turn_limit=20)
PACHESSI = ladder.Rung("pachessi", SHORT, "Short Pachessi", FEW, THREE)


@pytest.fixture(autouse=True)
def no_agents(monkeypatch, tmp_path):
    """Without networks: what is shipped changes."""
    monkeypatch.setattr(trained, "SHIPPED", tmp_path / "none")


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(ladder, "PLAYERS", FEW)
    monkeypatch.setattr(ladder, "MEETINGS", THREE)
    monkeypatch.setattr(ladder, "ROUNDS", (2, 6))


def test_everybody_meets_the_anchor():
    for rung in ladder.rungs().values():
        met = {player for meeting in rung.meetings if rung.anchor in meeting for player in meeting}
        assert met == set(rung.candidates)
        assert {player for meeting in rung.meetings for player in meeting} == met


def test_nobody_who_is_slow_plays_games_of_many_orders():
    known = ladder.rungs()
    slow = {"mcts:1600", "search:400"}
    assert slow.isdisjoint(known["overlord"].candidates)
    assert slow < set(known["pasgl312"].candidates)


def test_every_variant_has_a_ladder_and_four_player_teams_too():
    assert {"pasgl312", "overlord", "grand_pachessi", "pachessi_four"} <= set(ladder.rungs())


def test_agents_that_are_not_there_do_not_play():
    assert ladder.rungs()["pachessi"].players == [
        "random",
        "greedy",
        "td",
        "search:25",
        "search:50",
        "search:400",
        "search:20ms",
        "mcts:100",
        "mcts:400",
        "mcts:1600",
        "mcts:20ms",
    ]


def test_with_time_enough_all_games_are_played(few, tmp_path):
    results = ladder.climb(PACHESSI, 600, tmp_path)
    assert {own.games for own in results.standings.values()} == {6}
    assert results.games("greedy") == 12
    assert results.ratings["greedy"].elo == 0
    assert all(seconds > 0 for seconds in results.seconds.values())


def test_the_same_command_goes_on_and_comes_to_the_same(few, tmp_path):
    first = ladder.climb(PACHESSI, 600, tmp_path)
    again = ladder.climb(PACHESSI, 600, tmp_path)
    assert again.standings == first.standings
    assert again.ratings == first.ratings


def test_what_would_take_too_long_is_left_out(few, tmp_path):
    results = ladder.Results(PACHESSI)
    results.standings = ladder.climb(PACHESSI, 600, tmp_path).standings
    del results.standings["mcts:2", "mcts:4"]
    results.seconds = {"random": 1.0, "greedy": 1.0, "mcts:2": 3.0, "mcts:4": 7.0}
    actions = results.expected(("greedy", "mcts:2")) / 2
    assert results.expected(("mcts:2", "mcts:4")) == pytest.approx(5 * actions)
    assert ladder.climb(PACHESSI, 1e-6, tmp_path).standings.keys() < results.standings.keys()


def test_the_page(few, tmp_path):
    entry = ladder.entry_of(ladder.climb(PACHESSI, 600, tmp_path), 2.5)
    text = ladder.page({"pachessi": entry}, {"pachessi": PACHESSI})
    assert "    python -m studies.ladder pachessi --minutes 2.5" in text
    assert "## Short Pachessi" in text
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    assert len(rows) == 4
    assert any(row.startswith("| `greedy` | 0 | anchor | 12 |  |") for row in rows)


def test_the_page_says_whose_learned_values_have_been_replaced():
    known = ladder.rungs()
    now, before = (
        ladder.page({"chieftain": ladder.Entry(1.0, [], "", values)}, known)
        for values in (values_now(known["chieftain"].ruleset), "another digest")
    )
    assert "earlier values" not in now
    assert "`td` and `search` played by earlier values" in before


def test_the_command(few, tmp_path):
    page = tmp_path / "ladder.md"
    arguments = ["pachessi", "--minutes", "0.01", "--out", str(tmp_path / "out"), "--page", page]
    run = RUNNER.invoke(ladder.app, list(map(str, arguments)))
    assert run.exit_code == 0, run.output
    assert "ladder pachessi --minutes 0.01" in page.read_text()
    assert "greedy" in (tmp_path / "ladder.svg").read_text()


def test_the_results_of_other_variants_stay(few, tmp_path):
    page = tmp_path / "ladder.md"
    arguments = ["--minutes", "0.01", "--out", str(tmp_path / "out"), "--page", str(page)]
    assert RUNNER.invoke(ladder.app, ["grand_pachessi", *arguments]).exit_code == 0
    before = page.read_text().split("## Grand Pachessi")[1]
    assert RUNNER.invoke(ladder.app, ["pachessi", *arguments]).exit_code == 0
    assert page.read_text().split("## Grand Pachessi")[1] == before
    assert "## Pachessi\n" in page.read_text()
    assert "studies.ladder pachessi grand_pachessi --minutes" in page.read_text()


def test_results_are_kept_with_the_bounds_of_ratings(few, tmp_path, monkeypatch):
    loser, winner = Rating(-np.inf, -np.inf, -90.0), Rating(np.inf, 400.0, np.inf)
    known = [loser, Rating(0.0, 0.0, 0.0), winner, Rating(12.5, -3.0, 30.0)]
    monkeypatch.setattr(ladder, "rate_players", lambda *_, anchor: known)
    entry, file = ladder.entry_of(ladder.climb(PACHESSI, 600, tmp_path), 2.5), tmp_path / "kept"
    assert [row.rating for row in entry.rows] == known
    write_entries(file, {"pachessi": entry})
    assert "Infinity" not in file.read_text()
    assert read_entries(file, "results", ladder.read_entry) == {"pachessi": entry}


def test_who_won_no_game_is_ranked_below_all_that_are_rated():
    rated, loser = Rating(-800.0, -900.0, -700.0), Rating(-np.inf, -np.inf, 347.0)
    winner, unknown = Rating(np.inf, -60.0, np.inf), Rating(np.nan, -np.inf, np.inf)
    ranked = sorted([unknown, loser, rated, winner], key=ladder._height, reverse=True)
    assert ranked == [winner, rated, loser, unknown]


def test_names_of_players_that_are_close_stand_apart_each_on_its_own_side():
    rows = [
        ladder.Row("mcts:1600", 50.0, 0.0, 100.0, 40, 0.6, 0.011),
        ladder.Row("mcts:20ms", 52.0, 2.0, 102.0, 40, 0.6, 0.012),
        ladder.Row("greedy", 0.0, 0.0, 0.0, 40, None, 0.0001),
    ]
    figure = Figure(figsize=(5, 3), layout="constrained")
    panel = figure.subplots()
    ladder.draw_panel(panel, "Close", ladder.Entry(1.0, rows))
    figure.draw_without_rendering()
    ladder.place_names(panel)
    left, right, _ = (name.get_window_extent() for name in panel.texts)
    assert left.x1 < right.x0
    assert all(
        panel.bbox.count_contains(name.get_window_extent().corners()) == 4 for name in panel.texts
    )


def test_the_ratings_that_are_shipped_are_those_of_the_page():
    page = ladder.PAGE.read_text("utf-8")
    for rung in ladder.rungs().values():
        section = page.split(f"## {rung.title}\n")[1].split("\n## ")[0].splitlines()
        for row in [line for line in section if line.startswith("|")][2:]:
            name, elo, interval, games, *_ = (
                cell.strip(" `") for cell in row.strip("|").split("|")
            )
            told = strength(name, rung.ruleset)
            between = f" ({interval})" if " to " in interval else ""
            is_replaced = takes_values(name) and "earlier values" in section[1]
            assert told == (elo + between if int(games) and not is_replaced else None)
