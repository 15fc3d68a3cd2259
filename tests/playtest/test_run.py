import errno
import json
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("scipy")

from pasgl_env import variants
from pasgl_env.evaluation.openings import Openings
from pasgl_env.evaluation.progress import Progress
from pasgl_env.playtest import folder as folders
from pasgl_env.playtest import generic, play
from pasgl_env.playtest.counting import table_of
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.results import Results
from pasgl_env.playtest.run import run
from pasgl_env.playtest.stopping import StoppingRule
from pasgl_env.records import read_records
from pasgl_env.storage.runs import BadRun

from .interrupted import Killed, killed_after

RANDOM = Plan.of("pachessi", ("random", "random"), 5, turn_limit=12)
MATCH = Plan.of("pachessi", ("greedy", "random"), 5, turn_limit=12)
PLANS = pytest.mark.parametrize("plan", [RANDOM, MATCH], ids=["random", "match"])


@pytest.fixture(autouse=True)
def small_shards(monkeypatch):
    monkeypatch.setattr(play, "RANDOM_SHARD", 6)
    monkeypatch.setattr(play, "SHARD", 6)
    monkeypatch.setattr(folders, "SECONDS_BETWEEN_SAVES", 0.0)


def content(folder):
    """What a run has come to, byte by byte."""
    return {name: (folder / name).read_bytes() for name in ("games.pgb", "totals.npz")}


@PLANS
@pytest.mark.parametrize("shards", [0, 1, 3])
def test_killed_it_goes_on_to_the_same_result(plan, shards, tmp_path):
    run(plan, 20, tmp_path / "whole")
    with pytest.raises(Killed):
        run(plan, 20, tmp_path / "killed", play_shards=killed_after(shards))
    # What was being written when it was killed.
    with (tmp_path / "killed" / "games.pgb").open("ab") as stream:
        stream.write(b"half a ga")
    run(plan, 20, tmp_path / "killed", threads=2)
    assert content(tmp_path / "killed") == content(tmp_path / "whole")


@PLANS
def test_more_games_are_added_to_those_there_are(plan, tmp_path):
    run(plan, 28, tmp_path / "at once")
    for games in (4, 12, 14, 28):
        run(plan, games, tmp_path / "in steps")
    assert content(tmp_path / "in steps") == content(tmp_path / "at once")


def test_what_has_been_played_is_not_played_again(tmp_path):
    run(MATCH, 8, tmp_path)
    totals = run(MATCH, 8, tmp_path, play_shards=killed_after(0))
    assert totals.counts.games == 8


@PLANS
def test_the_games_are_those_that_were_counted(plan, tmp_path):
    results = Results.of(plan, run(plan, 8, tmp_path))
    games = list(read_records(tmp_path / "games.pgb"))
    assert [game.tags["Round"] for game in games] == [str(number + 1) for number in range(8)]
    assert [game.players for game in games] == [plan.players, plan.players[::-1]] * 4
    assert {game.seed for game in games} == {5}
    assert results.figure("turns").total == sum(game.final.turns for game in games)
    cut = sum(game.termination == "turn limit" for game in games)
    assert results.figure("truncations").total == cut


def test_the_first_player_is_the_one_named_first(tmp_path):
    plan = Plan.of("pachessi", ("random", "greedy"), 1)
    results = Results.of(plan, run(plan, 6, tmp_path))
    assert results.figure("first_player_score").estimate.value == 0
    assert results.figure("score", seat="Black").estimate.value == 0.5


def test_games_are_kept_if_they_are_few(tmp_path, monkeypatch):
    monkeypatch.setattr(folders, "MOST_KEPT", 6)
    run(RANDOM, 6, tmp_path / "few")
    run(RANDOM, 8, tmp_path / "many")
    run(RANDOM, 8, tmp_path / "few")  # it goes on as it began
    assert (tmp_path / "few" / "games.pgb").exists()
    assert len(list(read_records(tmp_path / "few" / "games.pgb"))) == 8
    assert not (tmp_path / "many" / "games.pgb").exists()


def test_games_by_earlier_shipped_values_are_not_mixed_with_later_ones(tmp_path, monkeypatch):
    run(RANDOM, 6, tmp_path / "run")
    (tmp_path / "values").write_bytes(b"later")
    monkeypatch.setattr(
        "pasgl_env.evaluation.tournament.shipped_file", lambda ruleset: tmp_path / "values"
    )
    with pytest.raises(BadRun, match="whose shipped_values is"):
        run(RANDOM, 6, tmp_path / "run")


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"seed": 6}, "whose seed is 5, not 6"),
        ({"names": ("random", "greedy")}, "whose players is"),
        ({"turn_limit": 13}, "whose turn_limit is 12, not 13"),
        ({"players": 4}, "whose players is 2, not 4"),
        ({"forbidden": ["Black:*"]}, "whose restrictions is"),
    ],
)
def test_another_run_is_refused_and_left_as_it_is(other, reason, tmp_path):
    run(RANDOM, 6, tmp_path)
    before = content(tmp_path), (tmp_path / "manifest.json").read_bytes()
    usual = {"names": ("random", "random"), "seed": 5, "turn_limit": 12}
    with pytest.raises(BadRun, match=reason):
        run(Plan.of("pachessi", **{**usual, **other}), 6, tmp_path)
    assert (content(tmp_path), (tmp_path / "manifest.json").read_bytes()) == before


def test_fewer_games_than_there_are_are_refused(tmp_path):
    run(RANDOM, 8, tmp_path)
    with pytest.raises(BadRun, match="holds 8 games already, more than 6"):
        run(RANDOM, 6, tmp_path)


def test_a_folder_of_other_files_is_refused(tmp_path):
    (tmp_path / "diary.txt").write_text("mine")
    with pytest.raises(BadRun, match="is not empty and holds no playtest"):
        run(RANDOM, 6, tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["diary.txt"]


@pytest.mark.parametrize(
    ("name", "damage", "reason"),
    [
        ("manifest.json", b"{}", "does not belong to a playtest"),
        ("manifest.json", b'{"format": "pasgl_env playtest 1"}', "does not belong to a playtest"),
        ("totals.npz", b"PK nonsense", "totals.npz is damaged"),
        ("games.pgb", b"", "games.pgb is damaged"),
    ],
)
def test_damage_is_reported(name, damage, reason, tmp_path):
    run(RANDOM, 6, tmp_path)
    (tmp_path / name).write_bytes(damage)
    with pytest.raises(BadRun, match=reason):
        run(RANDOM, 12, tmp_path)


def without_the_last_measure(folder):
    """Make the totals of a run those of a version with a measure fewer."""
    with np.load(folder / "totals.npz") as file:
        arrays = dict(file)
    for name in arrays:
        if name.endswith(("sums", "clusters")):
            arrays[name] = arrays[name][:, :-1]
    np.savez(folder / "totals.npz", **arrays)


def test_kept_games_of_a_version_with_other_measures_are_counted_again(tmp_path):
    run(RANDOM, 10, tmp_path)
    without_the_last_measure(tmp_path)
    found, expected = run(RANDOM, 18, tmp_path).counts, run(RANDOM, 18, tmp_path / "whole").counts
    for name in expected._fields:
        mine, its = getattr(found, name), getattr(expected, name)
        np.testing.assert_allclose(mine, its, rtol=1e-12, err_msg=name)


def test_sums_of_a_version_with_other_measures_are_refused_without_games(tmp_path):
    run(RANDOM, 6, tmp_path, keeps_games=False)
    without_the_last_measure(tmp_path)
    with pytest.raises(BadRun, match="has not all measures of this version"):
        run(RANDOM, 12, tmp_path)


def test_after_a_full_disk_it_goes_on(tmp_path, monkeypatch):
    run(RANDOM, 18, tmp_path / "whole")

    def full(file, content):
        raise OSError(errno.ENOSPC, "No space left on device", str(file))

    with monkeypatch.context() as patch:
        patch.setattr(folders, "append", full)
        with pytest.raises(OSError, match="No space left"):
            run(RANDOM, 18, tmp_path / "full")
    run(RANDOM, 18, tmp_path / "full")
    assert content(tmp_path / "full") == content(tmp_path / "whole")


@pytest.mark.parametrize("games", [0, 1, 7, -2])
def test_games_come_in_pairs(games, tmp_path):
    with pytest.raises(ValueError, match="their number must be even"):
        run(RANDOM, games, tmp_path)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"variant": "chess"}, "no variant 'chess'"),
        ({"names": ("random",)}, "between two players, not 1"),
        ({"names": ("random", "nobody")}, "no player 'nobody'"),
        ({"hunters": 2}, "no option 'hunters'"),
        ({"forbidden": ["White:*"]}, "WHO is one of first, second, Black, Yellow"),
    ],
)
def test_impossible_plans_are_refused(wrong, reason):
    usual = {"variant": "pachessi", "names": ("random", "random")}
    with pytest.raises(ValueError, match=reason):
        Plan.of(**{**usual, **wrong})


def test_progress_has_the_games_done_and_the_time_left(tmp_path):
    seen: list[Progress] = []
    run(MATCH, 20, tmp_path, report=seen.append)
    assert (seen[0].done, seen[0].seconds_left) == (0, None)
    assert [each.done for each in seen] == sorted(each.done for each in seen)
    assert (seen[-1].done, seen[-1].games, seen[-1].seconds_left) == (20, 20, 0)


def test_the_manifest_has_the_command(tmp_path):
    run(RANDOM, 6, tmp_path, command=["pasgl", "playtest"])
    manifest = json.loads((tmp_path / "manifest.json").read_bytes())
    assert (manifest["command"], manifest["games"]) == (["pasgl", "playtest"], 6)
    assert manifest["plan"]["seed"] == 5
    assert manifest["versions"]["numpy"] == np.__version__


@pytest.mark.parametrize("names", [("random", "random"), ("greedy", "random")])
def test_games_begin_where_they_are_to_begin(names, start, tmp_path):
    plan = Plan.of("pachessi", names, 5, openings=Openings((start,)), turn_limit=12)
    results = Results.of(plan, run(plan, 8, tmp_path))
    games = list(read_records(tmp_path / "games.pgb"))
    assert {game.start for game in games} == {start}
    begun = games[0].begin().turns
    assert results.figure("turns").total == sum(game.final.turns - begun for game in games)
    assert results.figure("actions").total == sum(
        not position.is_chance for game in games for position in list(game.positions())[:-1]
    )


def test_games_that_begin_elsewhere_are_another_run(start, tmp_path):
    run(RANDOM, 6, tmp_path)
    with pytest.raises(BadRun, match="whose openings is"):
        run(replace(RANDOM, openings=Openings((start,))), 6, tmp_path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nonsense", "fields"),
        ("j2x3p/8/8/8/8/8/8/P3X2J w RHErhe 1000", "at the turn limit"),
        ("8/3R4/8/8/8/8/8/4X3 b HErhe 7", "it is over"),
        ("j2x3p/8/8/8/8/8/8/P3X2J w RHErhe 0 Xe1-d2", "at the beginning of a turn"),
    ],
)
def test_no_game_begins_there(text, reason):
    with pytest.raises(ValueError, match=reason):
        Plan.of("spalding", ("random", "random"), openings=Openings((text,)))


@pytest.mark.parametrize(
    ("names", "forbidden"),
    [(("greedy", "random"), []), (("greedy", "greedy"), ["first:*x*"])],
)
def test_each_pair_has_an_opening_of_its_own(names, forbidden, tmp_path):
    openings = Openings(turns=(2, 4))
    plan = Plan.of("pachessi", names, 5, forbidden, openings, turn_limit=12)
    starts = _starts_of_20_games(plan, tmp_path)
    assert starts[0::2] == starts[1::2]
    assert len(set(starts)) == 10


@pytest.mark.parametrize(
    ("name", "forbidden"), [("random", []), ("greedy", []), ("greedy", ["black:*x*"])]
)
def test_in_self_play_each_game_has_an_opening_of_its_own(name, forbidden, tmp_path):
    openings = Openings(turns=(2, 4))
    plan = Plan.of("pachessi", (name, name), 5, forbidden, openings, turn_limit=12)
    assert len(set(_starts_of_20_games(plan, tmp_path))) == 20


def _starts_of_20_games(plan, folder):
    """Their starts; the turns of the openings must not be counted."""
    results = Results.of(plan, run(plan, 20, folder, threads=2))
    games = list(read_records(folder / "games.pgb"))
    turns = sum(game.final.turns - game.begin().turns for game in games)
    assert results.figure("turns").total == turns
    return [game.start for game in games]


def test_games_that_begin_alike_are_one_cluster(tmp_path):
    rules = variants.ruleset("pachessi")
    begins = Openings(turns=(3, 3)).begins(rules, 1, 0, 4)
    assert begins is not None
    texts = tuple(rules.game.texts.write(state, rules.record[0]) for state in begins.states)
    plan = Plan.of("pachessi", ("greedy", "greedy"), 5, openings=Openings(texts), turn_limit=30)
    table = table_of(rules.game)
    counts = run(plan, 40, tmp_path, keeps_games=True).counts
    sums, units = counts.of_units(table, 2)
    assert units == 4
    assert np.allclose(sums[0], counts.sums[0])
    starts = [game.start for game in read_records(tmp_path / "games.pgb")]
    turns = [game.final.turns - 3 for game in read_records(tmp_path / "games.pgb")]
    by_start = [sum(t for t, s in zip(turns, starts, strict=True) if s == text) for text in texts]
    assert sums[1, generic.TURNS] == sum(each**2 for each in by_start)


@pytest.mark.parametrize(("other", "enough"), [("greedy", 4), ("random", 2)])
def test_a_stopping_rule_needs_openings_for_all_games(other, enough, start, tmp_path):
    openings = Openings((start, start.replace(" i 5", " i 6")))
    plan = replace(RANDOM, players=("random", other), openings=openings)
    rule = StoppingRule.read("first_mover_score=0.4..0.6")
    with pytest.raises(ValueError, match=f"there are 2, enough for {enough} games, not 6"):
        run(plan, 6, tmp_path, until=rule)
