"""Finding rules, among games whose measures are known."""

from itertools import count

import pytest

pytest.importorskip("scipy")
pytest.importorskip("optuna")

from pasgl_env.evaluation.openings import Openings
from pasgl_env.playtest.lab import PlayedRun
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.run import play_here
from pasgl_env.playtest.swept import Swept
from pasgl_env.playtest.tune import Aim, Tuning
from pasgl_env.statistics.estimates import Estimate


def search_of(*aims, trials=12, games=160, values="turn_limit=20,30,40,50,60"):
    plan = Plan.of("pachessi", ("random", "random"), 3, turn_limit=100)
    swept = (Swept.read("pachessi", values),)
    return Tuning(plan, games, swept, tuple(map(Aim.read, aims)), trials)


def test_the_rule_that_is_aimed_at_is_found_and_played_again(tmp_path):
    """Games of random players end at the limit, so the limit is their length."""
    search = search_of("turns=38..42")
    found = search.run(tmp_path)
    (best,) = found.front
    assert best.values == (40,)
    assert best.again is not None
    assert best.again.plan.seed == search.plan.seed + 1
    assert any("met" in cell for cell in found.table.rows[1])
    assert search.run(tmp_path).to_dict() == found.to_dict()


def test_rules_that_are_clearly_worse_get_few_games(tmp_path):
    found = search_of("turns=38..42").run(tmp_path)
    games = {each.values[0]: each.run.games for each in found.tried}
    assert sorted(games) == [20, 30, 40, 50, 60, 100], "so few are all tried"
    assert games[40] == 160
    assert 80 in games.values()


def test_after_an_interrupt_rules_are_judged_by_as_many_games_as_without_it(tmp_path):
    plan = Plan.of("pasgl312", ("greedy", "greedy"), 3, openings=Openings(turns=(2, 2)))
    swept = (Swept.read("pasgl312", "win_margin=22,30"),)
    search = Tuning(plan, 400, swept, (Aim.read("turns=90"),), 2)
    left = count(-13)  # shards of 40 games; the last are of the second rule

    def interrupted(shards, progress):
        for each in play_here(shards, progress):
            if next(left) >= 0:
                raise KeyboardInterrupt
            yield each

    with pytest.raises(KeyboardInterrupt):
        search.run(tmp_path, play_shards=interrupted)
    found = search.run(tmp_path)
    assert [each.run.games for each in found.tried] == [400, 160]


def test_the_front_has_rules_that_are_better_in_one_aim_each(tmp_path):
    found = search_of("turns<25", "actions>90").run(tmp_path)
    limits = [each.values[0] for each in found.front]
    assert {20, 40} <= set(limits) or {20, 50} <= set(limits)


def test_aims_may_be_sums_and_shares_of_games(tmp_path):
    found = search_of("turns[38..42]>0.9", "dice_used>1").run(tmp_path)
    best = found.front[0]
    assert best.values == (40,)
    assert best.verdicts(found.search.aims) == ["met", "met"]
    turns, dice = best.estimates(found.search.aims)
    assert turns.value == 1
    assert dice.value == pytest.approx(
        sum(
            each.total or 0 for each in best.played.results.figures() if each.measure == "dice_used"
        )
        / best.played.games
    )


def test_games_that_were_cut_off_leave_an_aim_open(tmp_path):
    """They count half, so the score is 50%, but could have ended in any way."""
    found = search_of("first_mover_score=0.4..0.6", trials=1).run(tmp_path)
    assert found.usual.estimates(found.search.aims)[0].value == 0.5
    assert found.usual.verdicts(found.search.aims) == ["open"]


def test_too_few_games_leave_all_aims_open_and_say_so(tmp_path):
    found = search_of("turns=20", games=16, trials=1).run(tmp_path)
    assert found.usual.verdicts(found.search.aims) == ["open"]
    assert next(found.sentences()) == (
        "As it is: turns=20 is open. 8 pairs of games are too few for a verdict: 20 are needed."
    )


def test_trainings_that_disagree_leave_an_aim_open(tmp_path, monkeypatch):
    (best,) = search_of("turns=38..42").run(tmp_path).front
    aims = (Aim.read("turns=38..42"), Aim.read("turns<30"))
    assert best.verdicts(aims) == ["met", "missed"]
    monkeypatch.setattr(PlayedRun, "trained_numbers", lambda self, pick: [40.0, 20.0])
    assert best.verdicts(aims) == ["open", "open"]


def test_the_usual_rule_is_played_again_too(tmp_path):
    found = search_of("turns=20", "actions<1").run(tmp_path)
    assert found.usual.values == (100,)
    assert found.usual not in found.front
    assert found.usual.played.plan.seed == found.search.plan.seed + 1
    assert next(found.sentences()) == "As it is: turns=20, actions<1 are missed."


def test_values_that_do_not_go_together_are_not_tried(tmp_path):
    """A hole of 3 leaves no rings on a board of 5."""
    plan = Plan.of("pachessi", ("random", "random"), turn_limit=20)
    swept = tuple(Swept.read("pachessi", text) for text in ("size=5,7,9", "hole=1,3"))
    found = Tuning(plan, 80, swept, (Aim.read("turns=20"),), 12).run(tmp_path)
    assert (5, 3) not in [each.values for each in found.tried]
    assert len(found.tried) > 2


@pytest.mark.parametrize(
    ("text", "number", "distance"),
    [
        ("turns=40..80", 90, 10),
        ("turns=40", 30, 10),
        ("draws<0.05", 0.02, 0),
        ("draws>=0.05", 0.02, 0.03),
    ],
)
def test_an_aim_is_a_number_a_range_or_a_bound(text, number, distance):
    aim = Aim.read(text)
    assert aim.distance(number) == pytest.approx(distance)
    assert aim.distances(Estimate(number, number - 100, number + 100))[1] == 0


@pytest.mark.parametrize(
    ("aims", "reason"),
    [
        (("turns",), "an aim is MEASURE=TARGET"),
        (("turns=80..40",), "the lower end comes first"),
        (("turnz=40",), "did you mean 'turns'"),
        (("score>0.4",), "score is several numbers: aim at one, such as score"),
        (("score[1..2]>0.4",), "score takes"),
        (("draws=2",), "draws is a share, from 0 to 1: no rules reach draws=2"),
        (("turns[1..5]>1.5",), "is a share, from 0 to 1"),
        ((), "needs options that vary and aims"),
    ],
)
def test_impossible_aims_are_refused(aims, reason):
    with pytest.raises(ValueError, match=reason):
        search_of(*aims)
