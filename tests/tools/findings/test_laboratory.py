import json

import pytest

pytest.importorskip("scipy")

from pasgl_env.playtest import play
from tools.findings import laboratory
from tools.findings.laboratory import BadSeconds, Laboratory, Pace
from tools.findings.question import Run

SHORT = (("turn_limit", 12),)
RANDOM, GREEDY = Run("pachessi", "random", SHORT), Run("pachessi", "greedy", SHORT)
ENOUGH = 1e6


@pytest.fixture(autouse=True)
def small_shards(monkeypatch):
    monkeypatch.setattr(play, "RANDOM_SHARD", 8)
    monkeypatch.setattr(play, "SHARD", 8)
    monkeypatch.setattr(laboratory, "MOST_SHARDS", 2)
    monkeypatch.setattr(laboratory, "MOST_RANDOM_SHARDS", 3)


def test_every_run_gets_a_pair_of_games_without_any_time(tmp_path):
    played = Laboratory(tmp_path).play([RANDOM, GREEDY, RANDOM], 0)
    assert list(played) == [RANDOM, GREEDY]
    assert [each.results.games for each in played.values()] == [2, 2]


def test_games_double_up_to_the_most(tmp_path):
    seen = []
    lab = Laboratory(tmp_path, report=lambda passed, doing: seen.append(doing))
    played = lab.play([RANDOM, GREEDY], ENOUGH)
    assert [each.results.games for each in played.values()] == [24, 16]
    steps = [doing.split(" of ")[1] for doing in seen if "random" in doing and " of " in doing]
    assert list(dict.fromkeys(steps)) == [f"{games} games" for games in (2, 10, 20, 24)]


def test_what_is_beside_a_run_is_played_and_read_too(tmp_path):
    beside = Run("pachessi", "random", (("turn_limit", 8),))
    run = RANDOM._replace(beside=beside)
    played = Laboratory(tmp_path).play([run], 0)[run]
    assert played.beside is not None
    assert played.results.plan.options["turn_limit"] == 12
    assert played.beside.results.plan.options["turn_limit"] == 8
    assert played.beside.results.games == 2


def test_runs_without_a_say_come_first(tmp_path, monkeypatch):
    monkeypatch.setattr(laboratory, "LEAST_GAMES", 20)
    monkeypatch.setattr(laboratory, "perf_counter", lambda: 0.0)  # nothing takes time
    seen = []
    lab = Laboratory(tmp_path, report=lambda passed, doing: seen.append(doing))
    lab.play([RANDOM, GREEDY], ENOUGH)
    steps = list(dict.fromkeys(doing.split(", ")[1] + doing.split(" of")[1] for doing in seen))
    assert steps[2:] == [
        "random 10 games",
        "random 20 games",
        "greedy 10 games",
        "greedy 16 games",
        "random 24 games",
    ]


def test_the_run_whose_next_games_take_least_time_is_played_next(tmp_path):
    lab = Laboratory(tmp_path)
    lab.play([RANDOM, GREEDY], 0)
    (tmp_path / "seconds.json").write_text(
        json.dumps({RANDOM.name: Pace(5.0, 10.0), GREEDY.name: Pace(1.0, 2.0)})
    )
    # 12 seconds have passed; ten greedy games take as many, ten random ones fifty.
    played = Laboratory(tmp_path).play([RANDOM, GREEDY], 23.0)
    assert played[RANDOM].results.games == 2
    assert played[GREEDY].results.games >= 10


def test_it_goes_on_and_plays_nothing_when_the_time_is_over(tmp_path):
    whole = Laboratory(tmp_path).play([GREEDY], ENOUGH)[GREEDY]
    before = (tmp_path / GREEDY.name / "totals.npz").read_bytes()
    again = Laboratory(tmp_path).play([GREEDY], 0)[GREEDY]
    assert again.results.games == whole.results.games == 16
    assert (tmp_path / GREEDY.name / "totals.npz").read_bytes() == before


def test_killed_it_comes_to_the_same_games(tmp_path, monkeypatch):
    def killed(progress, doing):
        if "8 of 16" in doing:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Laboratory(tmp_path / "killed", report=killed).play([GREEDY], ENOUGH)
    runs = [Laboratory(tmp_path / name).play([GREEDY], ENOUGH) for name in ("killed", "whole")]
    results = [played[GREEDY].results.to_json() for played in runs]
    assert results[0] == results[1]


def test_a_damaged_file_of_seconds_is_told(tmp_path):
    (tmp_path / "seconds.json").write_text("[1, 2]")
    with pytest.raises(BadSeconds, match="delete it"):
        Laboratory(tmp_path).play([RANDOM], 0)


def test_runs_of_other_games_have_other_folders():
    runs = [
        RANDOM,
        GREEDY,
        Run("pachessi", "random"),
        Run("pachessi", "random", line=("roll 1 1",)),
        Run("pachessi", "random", forbidden=("first:R*",)),
    ]
    assert len({run.name for run in runs}) == len(runs)


def test_a_line_is_played_before_games_begin():
    run = Run("spalding", "random", line=("Xe1-e2", "/Rd3"))
    assert run.plan(0).openings.texts == ("j2x3p/8/8/8/8/3R4/4X3/P6J b HErhe 1",)
