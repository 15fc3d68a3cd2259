import json

import pytest

pytest.importorskip("scipy")

from pasgl_env import variants
from pasgl_env.playtest import play
from studies.findings import play as playing
from studies.findings.play import Runs
from studies.findings.question import Asked, Run

PACHESSI, SHORT = variants.ruleset("pachessi"), variants.ruleset("pachessi", turn_limit=12)
RANDOM, GREEDY = Run(SHORT, "random"), Run(SHORT, "greedy")
ENOUGH = 1e6


@pytest.fixture(autouse=True)
def small_shards(monkeypatch):
    monkeypatch.setattr(play, "RANDOM_SHARD", 8)
    monkeypatch.setattr(play, "SHARD", 8)
    monkeypatch.setattr(playing, "MOST_SHARDS", 2)
    monkeypatch.setattr(playing, "MOST_RANDOM_SHARDS", 3)


def played(folder, runs, seconds, games=200, **settings):
    """The results of runs, each of which should have this number of games."""
    lab = Runs(folder, **settings)
    lab.play(dict.fromkeys(runs, games), seconds)
    return {run: lab.played(Asked(run, None)) for run in runs}


def test_every_run_gets_a_pair_of_games_without_any_time(tmp_path):
    found = played(tmp_path, [RANDOM, GREEDY], 0)
    assert [each.results.games for each in found.values()] == [2, 2]


def test_games_double_up_to_the_most(tmp_path):
    seen = []
    report = lambda passed, doing: seen.append(doing)  # noqa: E731
    found = played(tmp_path, [RANDOM, GREEDY], ENOUGH, report=report)
    assert [each.results.games for each in found.values()] == [24, 16]
    steps = [doing.split(" of ")[1] for doing in seen if "random" in doing and " of " in doing]
    assert list(dict.fromkeys(steps)) == [f"{games} games" for games in (2, 10, 20, 24)]


def test_what_is_beside_a_run_is_read_too(tmp_path):
    beside = Run(variants.ruleset("pachessi", turn_limit=8), "random")
    lab = Runs(tmp_path)
    lab.play({RANDOM: 2, beside: 2}, 0)
    found = lab.played(Asked(RANDOM, beside))
    assert found.beside is not None
    assert found.results.plan.ruleset.options["turn_limit"] == 12
    assert found.beside.results.plan.ruleset.options["turn_limit"] == 8
    assert found.beside.results.games == 2


def test_runs_with_fewer_games_than_they_should_have_come_first(tmp_path, monkeypatch):
    monkeypatch.setattr(playing, "perf_counter", lambda: 0.0)  # nothing takes time
    seen = []
    report = lambda passed, doing: seen.append(doing)  # noqa: E731
    played(tmp_path, [RANDOM, GREEDY], ENOUGH, games=14, report=report)
    steps = list(dict.fromkeys(doing.split(", ")[1] + doing.split(" of")[1] for doing in seen))
    assert steps[2:] == [
        "random 10 games",
        "random 14 games",
        "greedy 10 games",
        "greedy 14 games",
        "random 24 games",
        "greedy 16 games",
    ]


def test_the_run_whose_next_games_take_least_time_is_played_next(tmp_path):
    played(tmp_path, [RANDOM, GREEDY], 0)
    (tmp_path / "seconds.json").write_text(json.dumps({RANDOM.name: 10.0, GREEDY.name: 2.0}))
    # 12 seconds have passed; eight greedy games take as long again, eight random ones 40 seconds.
    found = played(tmp_path, [RANDOM, GREEDY], 21.0)
    assert found[RANDOM].results.games == 2
    assert found[GREEDY].results.games >= 10


def test_it_goes_on_and_plays_nothing_when_the_time_is_over(tmp_path):
    whole = played(tmp_path, [GREEDY], ENOUGH)[GREEDY]
    before = (tmp_path / GREEDY.name / "totals.npz").read_bytes()
    again = played(tmp_path, [GREEDY], 0)[GREEDY]
    assert again.results.games == whole.results.games == 16
    assert (tmp_path / GREEDY.name / "totals.npz").read_bytes() == before


def test_killed_it_comes_to_the_same_games(tmp_path):
    def killed(progress, doing):
        if "8 of 16" in doing:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        played(tmp_path / "killed", [GREEDY], ENOUGH, report=killed)
    runs = [played(tmp_path / name, [GREEDY], ENOUGH) for name in ("killed", "whole")]
    results = [found[GREEDY].results.to_json() for found in runs]
    assert results[0] == results[1]


def test_a_damaged_file_of_seconds_is_told(tmp_path):
    (tmp_path / "seconds.json").write_text("[1, 2]")
    with pytest.raises(ValueError, match="move it away"):
        played(tmp_path, [RANDOM], 0)


def test_runs_of_other_games_have_other_folders():
    runs = [
        RANDOM,
        GREEDY,
        Run(PACHESSI, "random"),
        Run(PACHESSI, "random", line=("roll 1 1",)),
        Run(PACHESSI, "random", forbidden=("first:R*",)),
        Run(PACHESSI, "random", is_sensible=True),
    ]
    assert len({run.name for run in runs}) == len(runs)


def test_a_line_is_played_before_games_begin():
    run = Run(variants.ruleset("spalding"), "random", line=("Xe1-e2", "/Rd3"))
    assert run.plan(0).openings.texts == ("j2x3p/8/8/8/8/3R4/4X3/P6J b HErhe 1",)


def test_where_the_first_move_matters_nobody_plays_at_random():
    openings = (
        Run(variants.ruleset("spalding"), "random", line=("Xe1-e2", "/Rd3"), is_sensible=True)
        .plan(0)
        .openings
    )
    assert (openings.player, openings.turns, len(openings.texts)) == (
        "td:temperature=0.1",
        (4, 4),
        1,
    )
