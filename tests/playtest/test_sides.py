"""Playtests of three sides: the same laboratory, in groups of three games."""

import json
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("scipy")

from pasgl_env.contract.parts import LineOfPlay
from pasgl_env.playtest.compare import Comparison
from pasgl_env.playtest.counting import GameCounter
from pasgl_env.playtest.first_moves import MoveTree
from pasgl_env.playtest.lines import JudgedLines
from pasgl_env.playtest.output import JSON_FILE, finish
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.report import REPORT_FILE
from pasgl_env.playtest.run import run
from pasgl_env.playtest.stopping import StoppingRule
from pasgl_env.playtest.verdict import however_ended, remarks, side_of
from pasgl_env.records import read_records
from pasgl_env.statistics.estimates import Estimate

pytestmark = pytest.mark.usefixtures("three_sides")
GAMES = 300
RANDOM = ("random", "random")


def test_the_first_player_has_each_side_in_a_third_of_the_games(tmp_path):
    plan = Plan.of("race_of_three", ("greedy", "random"), seed=1)
    results = finish(plan, run(plan, 39, tmp_path), tmp_path)
    records = list(read_records(tmp_path / "games.pgb"))
    assert [record.players.index("greedy") for record in records] == 13 * [0, 1, 2]
    won = [record.result.split("-")[side % 3] == "1" for side, record in enumerate(records)]
    assert results.figure("first_player_score").estimate.value == pytest.approx(np.mean(won))
    assert results.units == 13


def test_random_games_count_as_they_are_replayed():
    plan = Plan.of("race_of_three", RANDOM, seed=1)
    drawn, replayed = GameCounter(plan.ruleset), GameCounter(plan.ruleset)
    replayed.add_known(drawn.add_random(np.random.SeedSequence(1), GAMES, keep=True))
    np.testing.assert_array_equal(drawn.counts.sums, replayed.counts.sums)


def test_a_point_is_shared_and_reports_compare_with_an_equal_share(tmp_path):
    plan = Plan.of("race_of_three", RANDOM, turn_limit=20)
    results = finish(plan, run(plan, GAMES, tmp_path), tmp_path)
    scores: list[Any] = [
        results.figure("score", seat=seat).estimate.value for seat in plan.ruleset.seats
    ]
    assert sum(scores) == pytest.approx(1)
    assert results.figure("truncations").total
    assert any("1/3 of a point for each side" in each.text for each in remarks(results))
    assert json.loads((tmp_path / JSON_FILE).read_text())["units"] == GAMES / 3
    page = (tmp_path / REPORT_FILE).read_text()
    assert ">33%<" in page and "West" in page


def test_games_that_were_cut_off_could_have_gone_to_any_side():
    high, low = Estimate(0.40, 0.38, 0.42), Estimate(0.25, 0.23, 0.27)
    cases = [(high, 0.1, "above"), (high, 0.2, "unknown"), (low, 0.1, "unknown")]
    for score, cut_off, side in cases:
        assert side_of(however_ended(score, cut_off, 1 / 3), 1 / 3) == side


def test_a_rule_stops_where_its_confidence_sequence_is(tmp_path):
    """The evidence of a group is bounded as that of a pair is: otherwise it is found too soon."""
    rule = StoppingRule.read("first_mover_score=0.2")
    plan = Plan.of("race_of_three", RANDOM)
    decision: Any = rule.decision(plan, run(plan, 1023, tmp_path, until=rule).counts)
    assert decision.verdict == "above"
    assert 0.2 < decision.estimate.low < decision.estimate.value < decision.estimate.high < 1


def test_rules_are_compared_and_first_moves_explored(tmp_path):
    plan = Plan.of("race_of_three", RANDOM)
    compared = Comparison(plan, 60, {"usual": {}, "short": {"turn_limit": 6}}).run(tmp_path / "one")
    cut_off: Any = next(
        each for each in compared.differences("short") if each.title == "Games cut off"
    )
    assert cut_off.change.value > 0
    tree = MoveTree(Plan.of("heap_of_three", RANDOM), 90, depth=1).run(tmp_path / "two")
    assert [node.games % 3 for node in tree.nodes] == [0, 0, 0]
    assert {node.label for node in tree.nodes} == {"take1", "take2", "take3"}


@pytest.mark.parametrize(
    ("begin", "complaint"),
    [
        (lambda plan: plan.check_games(100), "a multiple of 3, not 100"),
        (lambda plan: Plan.of("race_of_three", RANDOM, 0, ["first:roll"]), "to a seat .North, S"),
        (lambda plan: JudgedLines(plan, 9, (LineOfPlay("", "", ""),), 1), "two sides, but race_of"),
    ],
)
def test_what_means_nothing_for_three_sides_is_refused(begin, complaint):
    with pytest.raises(ValueError, match=complaint):
        begin(Plan.of("race_of_three", RANDOM))
