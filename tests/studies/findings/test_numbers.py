from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("scipy")

from pasgl_env import variants
from pasgl_env.playtest.positions import Sample
from pasgl_env.playtest.results import Figure
from pasgl_env.statistics.estimates import Estimate, proportion
from studies.findings import numbers
from studies.findings.numbers import difference, read
from studies.findings.question import Number, Run

STATE = np.dtype([("turn_count", np.int64), ("lead", np.int64)])


def number(**source):
    return Number.of({"heading": "", "definition": "", "unit": "mean", **source})


def of_figures(is_share, *figures) -> Any:
    measure = SimpleNamespace(name="deaths", is_share=is_share, figures=figures)
    return SimpleNamespace(results=SimpleNamespace(measures=[measure]), beside=None)


def figure(seat, cause, *ends):
    return Figure("deaths", {"seat": seat, "cause": cause}, Estimate(*ends), None)


def test_cells_with_the_labels_are_added_up():
    played = of_figures(
        False,
        figure("White", "shot", 1.0, 0.5, 1.5),
        figure("Black", "shot", 2.0, 1.5, 2.5),
        figure("Black", "run over", 4.0, 3.0, 5.0),
    )
    assert read(number(total="deaths", cause="shot"), played) == Estimate(3.0, 2.0, 4.0)
    assert read(number(total="deaths"), played) == Estimate(7.0, 5.0, 9.0)


def test_a_sum_of_shares_is_no_more_than_all():
    played = of_figures(
        True, figure("White", "shot", 0.5, 0.4, 0.6), figure("Black", "shot", 0.5, 0.4, 0.6)
    )
    assert read(number(total="deaths"), played) == Estimate(1.0, 0.8, 1.0)


def test_a_sum_is_not_known_if_a_part_is_not():
    played = of_figures(False, figure("White", "shot", 0.5, 0.4, 0.6), figure("Black", "shot", 0.5))
    assert read(number(total="deaths"), played) == Estimate(1.0)


@pytest.mark.parametrize(
    ("line", "ends"), [((), (0.6, 0.5, 0.7)), (("Jh1-f3", "/Ee4"), (0.4, 0.3, 0.5))]
)
def test_a_seats_score_in_ended_games_is_its_own_whoever_moves_first(line, ends):
    of_first = SimpleNamespace(estimate=Estimate(0.6, 0.5, 0.7))
    plan = Run(variants.ruleset("spalding"), "greedy", line).plan(0)
    results = SimpleNamespace(plan=plan, figure=lambda measure: of_first)
    found = read(number(ended_score="White"), SimpleNamespace(results=results))  # type: ignore[arg-type]
    assert (found.value, found.low, found.high) == pytest.approx(ends)


def test_a_run_is_compared_with_the_one_beside_it():
    beside = of_figures(False, figure("White", "shot", 1.0, 1.0, 1.0))
    played = of_figures(False, figure("White", "shot", 3.0, 2.0, 4.0))
    compared = number(total="deaths", compared=True)
    assert read(compared, played) == Estimate(None)
    played.beside = beside
    assert read(compared, played) == Estimate(2.0, 1.0, 3.0)


def test_how_much_more_a_piece_is_worth_is_the_difference_of_worths(monkeypatch):
    rng = np.random.default_rng(1)
    lead = rng.integers(-1, 2, (800, 3))
    chance = 1 / (1 + np.exp(-lead @ np.array([0.1, 1.0, 0.4])))
    pair = np.repeat(np.arange(400), 2)
    result = (rng.random(800) < chance) * 1.0
    sample = Sample(pair, result, rng.choice([-1, 1], 800), np.ones(800, np.int64), lead)
    names = ("Shrew", "Deer", "Hunter")
    monkeypatch.setattr(numbers, "_sample", lambda played: (names, sample))
    played: Any = None
    deer, hunter, more = (
        read(number(**source), played)
        for source in ({"worth": "Deer"}, {"worth": "Hunter"}, {"worth": "Deer", "less": "Hunter"})
    )
    assert deer.value and hunter.value and more.low and more.high
    assert more.value == pytest.approx(deer.value - hunter.value)
    assert 0 < more.low < 0.6 < more.high


class Courses:
    """Leads of side 0 when turns begin, game by game; each turn is one action."""

    def __init__(self, *leads):
        self.leads = leads

    def positions(self, games, first):
        for turn in range(max(map(len, self.leads))):
            states = np.zeros(len(self.leads), STATE)
            under_way = [game for game, leads in enumerate(self.leads) if turn < len(leads)]
            for game in under_way:
                states[game] = turn, self.leads[game][turn]
            yield np.array(under_way), None, states, None


@pytest.mark.parametrize(
    ("leads", "winner", "settled"),
    [
        ([0, 1, 2, 3], 0, 0),  # ahead from the first turn on
        ([0, 1, -1, 2, 2], 0, 2),  # behind after two turns, and never again
        ([0, 1, 2, 3], 1, 3),  # the winner never led when a turn began
        ([0, 1, 1, -1, -1], -1, 2),  # nobody won: who led at the end
        ([0, 1, 0], -1, 3),  # nobody led: never
    ],
)
def test_a_game_is_settled_when_the_later_leader_leads_for_good(leads, winner, settled):
    points = lambda state, side: state["lead"] * (1 - side)  # noqa: E731
    replay: Any = Courses(leads, [0, 5])
    games: Any = [SimpleNamespace(winner=winner), SimpleNamespace(winner=0)]
    found = numbers._course(replay, points, games, 0)
    assert found.settled.tolist() == [settled, 0]
    assert found.turns.tolist() == [len(leads), 2]
    assert found.is_won.tolist() == [winner >= 0, True]


def test_shares_of_games_are_of_those_settled_and_won_in_time(monkeypatch):
    courses = numbers._Courses(
        np.array([40, 80, 60, 400]), np.array([True, True, True, False]), np.array([9, 71, 60, 70])
    )
    monkeypatch.setattr(numbers, "_courses", lambda played: courses)
    played: Any = None
    assert read(number(settled_within=70), played).value == 0.75
    assert read(number(won_within=70), played).value == 0.5
    assert read(number(won_after=70), played).value == 0.25


def test_a_difference_has_newcombes_interval():
    """Newcombe's example, of 56 in 70 and 48 in 80."""
    found = difference(proportion(56, 70), proportion(48, 80))
    assert found.low == pytest.approx(0.0524, abs=5e-5)
    assert found.high == pytest.approx(0.3339, abs=5e-5)


def test_a_difference_needs_both_numbers():
    known = Estimate(0.7, 0.6, 0.8)
    assert difference(known, Estimate(None)) == Estimate(None)
    assert difference(known, Estimate(0.7)) == Estimate(0.0)
