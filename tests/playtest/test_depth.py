"""Levels of play and the share of luck, among games of known chances."""

from dataclasses import astuple

import numpy as np
import pytest

pytest.importorskip("scipy")

from pasgl_env.playtest.depth import Depth, shares_of
from pasgl_env.playtest.play import Plan


def test_levels_are_those_that_are_better_by_enough(tmp_path):
    """Random, then greedy; a player that is the same as the level before adds none."""
    plan = Plan.of("pachessi", ("random", "random"), turn_limit=60)
    found = Depth(plan, 240, ("random", "greedy", "td:temperature=1000")).run(tmp_path)
    assert found.chain == ("random", "greedy")
    assert [step.level for step in found.steps] == ["random", "greedy"]
    assert "2 levels of play" in found.table.title
    again = Depth(plan, 240, ("random", "greedy", "td:temperature=1000")).run(tmp_path)
    assert again.to_dict() == found.to_dict()


@pytest.mark.parametrize("luck", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("edge", [0.0, 0.3])
def test_luck_is_what_repeats_with_the_same_dice(luck, edge):
    """Dice decide a share of the pairs; else the first player wins more often."""
    rng = np.random.default_rng(1)
    number = 4000
    by_dice = np.repeat(rng.integers(0, 2, (number, 1)), 2, axis=1)
    by_player = rng.random((number, 2)) < [0.5 + edge, 0.5 - edge]
    scores = np.where(rng.random((number, 1)) < luck, by_dice, by_player).astype(float)
    found = shares_of([scores])
    assert found.luck.value == pytest.approx(luck if edge == 0 else found.luck.value, abs=0.05)
    assert found.skill.value == pytest.approx((2 * edge * (1 - luck)) ** 2, abs=0.03)
    value, low, high = astuple(found.luck)
    assert low <= value <= high


@pytest.mark.parametrize("players", [("random",), ("random", "random"), ("random", "greedyy")])
def test_what_has_no_levels_is_refused(players):
    with pytest.raises(ValueError, match=r"two different players|no player"):
        Depth(Plan.of("pachessi", ("random", "random")), 40, players)
