import shutil
from dataclasses import astuple
from xml.etree import ElementTree

import numpy as np
import pytest

pytest.importorskip("scipy")
pytest.importorskip("jinja2")
pytest.importorskip("matplotlib")
pytest.importorskip("pyarrow")

from pyarrow import parquet

from pasgl_env import variants
from pasgl_env.evaluation.progress import Progress
from pasgl_env.playtest import output, play
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.plot import sweep_to_svg
from pasgl_env.playtest.run import run
from pasgl_env.playtest.stopping import StoppingRule
from pasgl_env.playtest.sweep import Sweep
from pasgl_env.playtest.swept import Swept, check_not_set
from pasgl_env.storage.runs import BadRun

from .interrupted import Killed, killed_after

RANDOM = "random", "random"
FILES = "totals.npz", "results.json", "results.parquet", "report.html"


def sweep_of(*texts, variant="pachessi", games=4, seed=0, until=None, measures=(), **options):
    """A sweep that keeps no games."""
    swept = tuple(Swept.read(variant, text) for text in texts)
    plan = Plan.of(variant, RANDOM, seed, **{"turn_limit": 12, **options})
    return Sweep(plan, games, swept, measures, until, keeps_games=False)


LAPS = sweep_of("elephant_range=1..2")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A sweep that has been played, to be looked at; each of its arms has four games."""
    place = tmp_path_factory.mktemp("sweep")
    LAPS.run(place)
    return place


def values(text, variant="pachessi"):
    return Swept.read(variant, text).values


def test_values_are_ranges_or_lists():
    assert values("size=5..7") == (5, 6, 7)
    assert values("size=9,5..7") == (9, 5, 6, 7)
    assert values("turn_limit=10..45:10") == (10, 20, 30, 40)
    assert values("first=Yellow,lot") == ("yellow", "lot")
    assert values("grand=0,true") == (False, True)
    assert values("players=2,4") == (2, 4)


def test_arms_are_all_pairs_of_values():
    sweep = sweep_of("size=7,9", "first=black,yellow", players=4)
    assert [arm.name for arm in sweep.arms] == [
        *("size=7,first=black", "size=7,first=yellow"),
        *("size=9,first=black", "size=9,first=yellow"),
    ]
    last = sweep.arms[-1].plan
    expected = {"players": 4, "size": 9, "first": "yellow", "turn_limit": 12}
    assert last.ruleset.options.items() >= expected.items()
    assert {arm.plan.seed for arm in sweep.arms} == {0}


SETUPS = "cm2/4/4/2MC", "cmm1/4/4/3C"


def test_the_folder_of_a_text_does_not_depend_on_the_other_values():
    one, other = SETUPS
    alone = sweep_of(f"setup={one}", variant="chieftain")
    both = sweep_of(f"setup={other},{one}", variant="chieftain")
    assert alone.arms[0].name == both.arms[1].name != both.arms[0].name


def test_texts_may_be_added_before_others(tmp_path):
    one, other = SETUPS
    old = sweep_of(f"setup={one}", variant="chieftain").run(tmp_path)
    sweep = sweep_of(f"setup={other},{one}", variant="chieftain")
    new = sweep.run(tmp_path)
    assert np.array_equal(new.arms[1].totals.counts.sums, old.arms[0].totals.counts.sums)
    told = f"{sweep.arms[1].name} in the name of a folder: {one}"
    assert told in new.table.notes


def test_long_texts_are_numbered():
    setup = variants.find("chieftain").options[0].default
    other = variants.find("superchief").options[0].default
    swept = Swept.read("chieftain", f"setup={setup},{other}")
    assert swept.word(other) == "no. 2"


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        (["size"], "values of an option are NAME=LOW..HIGH or NAME=VALUE"),
        (["size="], "values of an option are NAME=LOW..HIGH or NAME=VALUE"),
        (["hunters=1..4"], "pachessi has no option 'hunters' (options: players, first"),
        (["size=4..6"], "option size of pachessi must be an integer from 5 to"),
        (["size=5..x"], "option size of pachessi"),
        (["size=7,,9"], "option size of pachessi"),
        (["players=2..4"], "option players of pachessi must be 2 or 4"),
        (["first=blue"], "option first of pachessi"),
        (["size=7,7"], "size: 7 is given twice"),
        (["elephants_range=5,7"], "did you mean 'elephant_range'?"),
        (["size=5..9:0"], "size: 5..9:0 has endless values"),
        (["size=9..5"], "size: 9..5 has 0 values"),
        (["turn_limit=1..999999999"], "has 999999999 values, not 1 to 100"),
        (["turn_limit=1..60", "first=black,yellow"], "the sweep has 120 arms, more than 100"),
        (["first=black,yellow", "turn_limit=1..20"], "20 values, more than the 12 curves"),
        (["size=5", "size=6"], "size is swept twice"),
        (["size=5", "hole=1", "first=lot"], "one or two options can be swept, not 3"),
    ],
)
def test_impossible_sweeps_are_refused(texts, reason):
    with pytest.raises(ValueError) as caught:
        sweep_of(*texts)
    assert reason in str(caught.value)


def test_arms_that_would_differ_in_the_player_are_refused():
    plan = Plan.of("pasgl312", ("td", "greedy"))
    with pytest.raises(
        ValueError, match="td has learned to play with turkey_range=3, but not with"
    ):
        Sweep(plan, 4, (Swept.read("pasgl312", "turkey_range=1,3"),))
    learned = Swept.read("pasgl312", "score_handicap=0,2")
    assert [arm.plan.untrained for arm in Sweep(plan, 4, (learned,)).arms] == [(), ()]


def test_a_player_that_learned_other_rules_is_marked_everywhere(tmp_path):
    plan = Plan.of("pachessi", ("td", "greedy"), turn_limit=12)
    sweep = Sweep(plan, 2, (Swept.read("pachessi", "size=9,11"),))
    results = sweep.run(tmp_path)
    mark = "td (not trained for these rules)"
    assert mark in results.title
    assert mark in sweep_to_svg(results).decode()
    assert results.to_dict()["arms"][1]["untrained"] == ["td"]
    assert "td learned with other rules than those of any arm." in results.table.notes
    assert mark in (tmp_path / "size=9" / "report.html").read_text()


def test_differences_of_the_same_games_are_shown_beside_the_first_arm(tmp_path):
    plan = Plan.of("pachessi", RANDOM)
    results = Sweep(plan, 64, (Swept.read("pachessi", "turn_limit=20,30"),)).run(tmp_path)
    said = [each for each in results.table.notes if each.startswith("turn_limit=30 beside")]
    assert said == ["turn_limit=30 beside turn_limit=20: Turns: 10 more (20 and 30)."]
    (found,) = results.to_dict()["differences"].values()
    assert [each["measure"] for each in found] == [
        *("draws", "truncations", "first_mover_score", "turns"),
    ]


def test_an_option_is_varied_or_set():
    with pytest.raises(ValueError, match="turn_limit is both varied and set"):
        check_not_set([Swept.read("pachessi", "turn_limit=1..4")], {"turn_limit": 12})


def test_an_arm_is_an_ordinary_run(folder):
    results = LAPS.run(folder)
    for arm in LAPS.arms:
        assert all((folder / arm.name / name).exists() for name in FILES)
    same = run(LAPS.arms[1].plan, 4, folder / "elephant_range=2")
    assert np.array_equal(same.counts.sums, results.arms[1].totals.counts.sums)


def test_arms_share_their_seeds(tmp_path):
    same_rules = sweep_of("elephant_range=0,3", size=7)  # 0 stands for (size - 1) // 2
    results = same_rules.run(tmp_path)
    one, other = (arm.totals.counts.sums for arm in results.arms)
    assert np.array_equal(one, other)


def content(folder):
    """What a sweep has come to, byte by byte."""
    return {
        (arm.name, name): (folder / arm.name / name).read_bytes()
        for arm in LAPS.arms
        for name in FILES
        if name != "report.html"
    }


@pytest.mark.parametrize("shards", [1, 3])
def test_killed_it_goes_on_to_the_same_result(shards, tmp_path, monkeypatch):
    monkeypatch.setattr(play, "RANDOM_SHARD", 2)
    LAPS.run(tmp_path / "whole")
    with pytest.raises(Killed):
        LAPS.run(tmp_path / "killed", play_shards=killed_after(shards))
    LAPS.run(tmp_path / "killed")
    assert content(tmp_path / "killed") == content(tmp_path / "whole")


def test_what_is_finished_is_left_alone(folder, tmp_path, monkeypatch):
    copy = shutil.copytree(folder, tmp_path / "copy")

    def fail(*arguments):
        raise AssertionError("written again")

    monkeypatch.setattr(output, "finish", fail)
    LAPS.run(copy, play_shards=killed_after(0))
    (copy / "elephant_range=2" / "results.json").write_text("{}")
    with pytest.raises(AssertionError, match="written again"):
        LAPS.run(copy)


def test_values_and_games_may_be_added(folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "copy")
    found = sweep_of("elephant_range=1,3,2", games=6).run(copy)
    assert [each.games for each in found.arms] == [6, 6, 6]


def test_games_that_there_are_are_not_left_out(folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "copy")
    found = sweep_of("elephant_range=2,3", games=2).run(copy)
    assert [each.games for each in found.arms] == [4, 2]
    assert found.table.notes[0].startswith("At most 4 games an arm.")


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"seed": 1}, "holds another sweep, whose seed is 0, not 1"),
        ({"turn_limit": 9}, "whose turn_limit is 12, not 9"),
        ({"players": 4}, "whose players is 2, not 4"),
        ({"until": StoppingRule.read("draws=0.5")}, "whose until is None, not 'draws=0.5"),
    ],
)
def test_another_sweep_is_refused_and_left_as_it_is(other, reason, folder):
    before = content(folder), (folder / "manifest.json").read_bytes()
    with pytest.raises(BadRun, match=reason):
        sweep_of("elephant_range=1..2", **other).run(folder)
    with pytest.raises(BadRun, match="whose size is 7, not None"):
        sweep_of("elephant_range=1..2", "size=7,9").run(folder)
    assert (content(folder), (folder / "manifest.json").read_bytes()) == before


def test_runs_and_sweeps_keep_out_of_each_others_folders(folder):
    with pytest.raises(BadRun, match="does not belong to a sweep"):
        LAPS.run(folder / "elephant_range=1")
    with pytest.raises(BadRun, match="does not belong to a playtest"):
        run(LAPS.arms[0].plan, 4, folder)


def test_progress_is_that_of_all_arms(tmp_path, monkeypatch):
    monkeypatch.setattr(play, "RANDOM_SHARD", 2)
    seen: list[Progress] = []
    LAPS.run(tmp_path, report=seen.append)
    assert [each.done for each in seen] == [0, 2, 4, 4, 6, 8]
    assert {each.games for each in seen} == {8}
    assert (seen[0].seconds_left, seen[-1].seconds_left) == (None, 0)


def test_an_arm_stops_when_it_is_decided(tmp_path, monkeypatch):
    monkeypatch.setattr(play, "RANDOM_SHARD", 16)
    rule = StoppingRule.read("truncations=0.5")
    sweep = sweep_of("turn_limit=12,100000", games=64, until=rule)
    seen: list[Progress] = []
    results = sweep.run(tmp_path, report=seen.append)
    arms = results.arms
    assert [arm.decision and arm.decision.verdict for arm in arms] == ["above", "below"]
    assert all(arm.games < 64 for arm in arms)
    assert seen[-1].done == seen[-1].games == sum(arm.games for arm in arms)
    assert results.table.rows[0][:3] == ["12", str(arms[0].games), "above"]
    assert sweep.in_plot == sweep.in_table[2:3]
    assert "the others assume a fixed number of games" in results.table.to_markdown()


def test_the_table_has_a_row_for_each_arm(folder):
    results = LAPS.run(folder)
    title, _, head, rule, *rows = results.table.to_markdown().splitlines()[:6]
    assert title == "**Pachessi: random against random (turn_limit=12)**"
    assert head.startswith(
        "| Elephant range | Games | Score of the side that moves first | Draws |"
    )
    assert rule.count("---:") == 6
    assert [row.split(" | ")[:2] for row in rows] == [["| 1", "4"], ["| 2", "4"]]


def test_numbers_are_those_of_the_arms(folder, tmp_path):
    results = sweep_of("elephant_range=1..2", measures=("score[Black]", "turns")).run(folder)
    content = results.to_dict()
    table = parquet.read_table(write(tmp_path / "sweep.parquet", results.to_parquet())).to_pylist()
    for number, arm in enumerate(content["arms"]):
        own = results.arms[number]
        score, turns = own.figure("score", seat="Black"), own.figure("turns")
        assert arm["options"] == {"elephant_range": number + 1}
        assert [figure["value"] for figure in arm["figures"]] == [
            score.estimate.value,
            turns.estimate.value,
        ]
        row = table[2 * number]
        assert (row["option_elephant_range"], row["measure"], row["seat"], row["low"]) == (
            *(number + 1, "score", "Black"),
            score.estimate.low,
        )


def write(file, data):
    file.write_bytes(data)
    return file


def test_what_some_arms_lack_is_left_out(tmp_path):
    results = sweep_of("players=2,4", measures=("score[Red]",), games=2).run(tmp_path)
    assert [row[-1][0] for row in results.table.rows] == ["–", "5"]
    assert sweep_to_svg(results)


def test_numbers_are_added_up_over_axes(tmp_path):
    """As many rolls as dice: the sum over axes is the sum of its cells, with an interval."""
    plan = Plan.of("pachessi", ("random", "random"), turn_limit=12)
    measures = "dice_used", "dice_used[Black,all,all]"
    sweep = Sweep(plan, 40, (Swept.read("pachessi", "size=7,9"),), measures)
    found = sweep.run(tmp_path)
    both, black = found.columns(sweep.in_table)
    every = [each for each in found.arms[0].figures() if each.measure == "dice_used"]
    for column, seats in ((both, {"Black", "Yellow"}), (black, {"Black"})):
        figure = column.figures[0]
        assert figure is not None
        value, low, high = astuple(figure.estimate)
        cells = [astuple(each.estimate)[0] for each in every if each.cell["seat"] in seats]
        assert value == pytest.approx(sum(cells))
        assert low < value < high
    assert black.title == "Dice used (Black, all, all)"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("marriages", r"no measure 'marriages' \(measures: decisive_games, draws"),
        ("score[White]", r"score takes \[\(Black, Yellow, all\)\], not score\[White\]"),
        ("turns[White]", "turns is one number"),
        ("what is it?", "a measure is NAME or NAME"),
        ("dice_used[all]", r"dice_used takes \["),
        ("geometric_branching[all]", "geometric_branching is one number"),
    ],
)
def test_unknown_measures_are_refused(name, reason):
    with pytest.raises(ValueError, match=reason):
        sweep_of("elephant_range=1..2", measures=(name,))


def test_the_plot_is_the_same_each_time_and_says_what_it_shows(tmp_path):
    measures = "first_mover_score", "turns"
    grid = sweep_of("elephant_range=1..2", "first=black,yellow", measures=measures, games=2)
    results = grid.run(tmp_path)
    drawn = sweep_to_svg(results)
    assert drawn == sweep_to_svg(results)
    assert b"<dc:date>" not in drawn
    ElementTree.fromstring(drawn)
    told = " ".join(line for line in drawn.decode().splitlines() if "<!--" in line)
    for words in ("Elephant range: Elephant", "Turns", "yellow", "Pachessi: random"):
        assert words in told
