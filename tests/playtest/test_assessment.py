"""How ``td`` sees the games of a run."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("scipy")

from pasgl_env import Batch, players
from pasgl_env.playtest import assessment as module
from pasgl_env.playtest.assessment import Course, measures
from pasgl_env.playtest.folder import GAMES
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.run import run
from pasgl_env.records import read_records

# What may be None is looked at without asking first.
assess: Any = module.assess


def course(scores, single, winner=0, unit=0):
    return Course(unit, winner, np.array(scores), np.array(single))


def test_what_games_came_to():
    found = measures(
        [
            course([0.5, 0.3, 0.95, 0.97], [True, False, False, False]),
            course([0.5, 0.05], [False, True], winner=1, unit=1),
            course([0.5, 0.5], [True, True], winner=-1, unit=2),
        ]
    )
    assert found.games == 3
    assert found.one_sensible.value == pytest.approx(4 / 8)
    assert found.known.value == pytest.approx((2 / 4 + 1 / 2) / 2)
    assert found.drama.value == pytest.approx((0.4 / 4 + 0) / 2)
    assert found.loser_most.value == pytest.approx((0.7 + 0.5) / 2)


def test_without_decisive_games_nothing_is_known_of_winners():
    found = measures([course([0.5], [True], winner=-1)])
    assert found.known.value is found.drama.value is found.loser_most.value is None


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run") / "run"
    plan = Plan.of("pachessi", ("td", "td"), 5, turn_limit=40)
    run(plan, 6, folder)
    return plan, folder / GAMES


def test_a_turn_has_one_sensible_move_where_its_decisions_leave_td_no_other(played, monkeypatch):
    """Without a margin an action is sensible if td might play it: it is among the best."""
    plan, file = played
    monkeypatch.setattr(module, "SENSIBLE", 0.0)
    single: list[bool] = []
    for game in read_records(file):
        turn = -1
        for position in list(game.positions())[:-1]:
            if position.is_chance:
                continue
            if position.turns != turn:
                turn = position.turns
                single.append(True)
            batch = Batch(plan.ruleset, 12)
            batch.states = position.state.repeat(12)
            td = players.make("td", "pachessi", seed=1)
            single[-1] &= np.unique(players.choose(td, batch, np.arange(12))).size == 1
    found = assess(plan, file)
    assert found is not None
    assert found.games == 6
    assert found.one_sensible.value == pytest.approx(np.mean(single), abs=0.01)


def test_more_than_enough_decisions_are_not_assessed(played, monkeypatch):
    plan, file = played
    monkeypatch.setattr(module, "MOST_DECISIONS", 1)
    found = assess(plan, file)
    assert found is not None
    assert found.games == 2


def test_where_nothing_was_learned_there_is_no_judge(tmp_path):
    plan = Plan.of("pachessi", ("random", "random"), turn_limit=4, hole=1)
    run(plan, 2, tmp_path)
    assert assess(plan, tmp_path / GAMES) is None
