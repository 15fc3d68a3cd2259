"""Games of people beside those of machines."""

import numpy as np
import pytest

pytest.importorskip("scipy")

from pasgl_env import Position
from pasgl_env.contract import variants
from pasgl_env.playtest import generic
from pasgl_env.playtest.people import People, PeopleAndMachines
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.results import Results
from pasgl_env.playtest.run import run
from pasgl_env.records import GameRecord, read_records, write_records


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    """A run of Pachessi, whose dice the records of people do not have."""
    folder = tmp_path_factory.mktemp("machines")
    plan = Plan.of("pachessi", ("greedy", "random"), turn_limit=30)
    return plan, run(plan, 8, folder), list(read_records(folder / "games.pgb"))


def people_of(plan, records, place, **changes):
    games = [
        GameRecord(each.ruleset, each.choices, each.start, ("Ann", "random"), **changes)
        for each in records
    ]
    write_records(place / "games.pgr", games)
    return People.of(plan.ruleset, read_records(place / "games.pgr"))


def test_the_same_games_have_the_same_measures(machines, tmp_path):
    """Replayed with their rolls, which come from no generator."""
    plan, totals, records = machines
    people = people_of(plan, records, tmp_path)
    np.testing.assert_allclose(
        people.tallies().sum(axis=0)[: generic.CELLS],
        totals.counts.sums[0][: generic.CELLS],
    )
    beside = PeopleAndMachines(people, Results.of(plan, totals))
    for _, _, _, own, machine in beside.rows():
        assert own.value == pytest.approx(machine.value)
    assert "No game has clocks" in beside.table.to_markdown()


def test_a_game_that_was_resigned_counts_as_won():
    plan = Plan.of("pasgl312", ("random", "random"))
    game = GameRecord.of(Position("pasgl312"), ["Th1h2", "wg8g6"])
    resigned = GameRecord(game.ruleset, game.choices, resigned=0)
    people = People.of(plan.ruleset, [resigned, game])
    assert people.left_out == {"not ended": 1}
    (counts,) = people.tallies()
    assert counts[generic.SCORE : generic.SCORE + 2].tolist() == [0, 1]
    assert counts[[generic.DECISIVE, generic.ENDINGS, generic.TRUNCATIONS]].tolist() == [1, 1, 0]
    assert counts[generic.TURNS] == 2


def test_clocks_ratings_and_comments_are_measured(machines, tmp_path):
    plan, totals, records = machines
    comments = {
        1: ("[%emt 0:00:06]",),
        2: ("[%emt 0:00:02] Well!",),
        3: ("[%emt 0:20:00]", "Rated 2 of 5 by Ann, too long. The end drags."),
    }
    people = people_of(plan, records[:1], tmp_path, comments=comments)
    beside = PeopleAndMachines(people, Results.of(plan, totals))
    each, game = beside.pace() or pytest.fail("there are clocks")
    second = list(people.games[0].turns())[1]  # the first is of a program, the third too long
    decisions = len(second.labels) - 1  # she rolls before
    assert each.value == pytest.approx(2 / decisions)
    assert game.value == pytest.approx(2 / decisions * people.tallies()[0, generic.ACTIONS] / 60)
    said = people.said()
    assert said.ratings == {2: 1}
    assert said.lengths == {"too long": 1}
    assert said.comments == [(1, "Well!"), (1, "The end drags.")]
    assert "1 rating, 2.0 of 5 on average" in beside.table.to_markdown()


def test_minutes_vary_with_the_lengths_of_games_however_even_the_clocks(
    machines, tmp_path, monkeypatch
):
    plan, totals, records = machines
    beside = PeopleAndMachines(people_of(plan, records, tmp_path), Results.of(plan, totals))
    ones = np.ones(len(records))
    monkeypatch.setattr(People, "times", lambda self: (2 * ones, ones))
    each, game = beside.pace() or pytest.fail("there are clocks")
    actions = beside.people.tallies()[:, generic.ACTIONS]
    assert each.low == each.high == 2
    assert game.value == pytest.approx(actions.mean() * 2 / 60)
    assert game.low is not None
    assert game.low < (actions.mean() - actions.std() / len(actions) ** 0.5) * 2 / 60


def test_other_games_are_left_out_with_the_reason(machines):
    plan, _, records = machines
    for rules, given, reason in (
        (plan.ruleset, records, "8 between programs"),
        (variants.ruleset("pachessi", size=9), records, "8 with size=7"),
        (variants.ruleset("pasgl312"), records, "8 of other variants"),
        (plan.ruleset, [], "no game at all"),
    ):
        with pytest.raises(ValueError, match=f"no game to measure: {reason}"):
            People.of(rules, given)
