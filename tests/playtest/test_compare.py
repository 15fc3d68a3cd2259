"""What a rule changes: paired differences, and what must not be compared."""

import numpy as np
import pytest

pytest.importorskip("scipy")
pytest.importorskip("jinja2")
pytest.importorskip("pyarrow")

from pasgl_env.playtest.compare import Comparison
from pasgl_env.playtest.pick import Pick
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.retrain import Retraining
from pasgl_env.records import read_records
from pasgl_env.statistics.estimates import Estimate

GREEDY = "greedy", "greedy"


def comparison(*values, players=GREEDY, option="turn_limit", games=40, retrain=None, **options):
    plan = Plan.of("pachessi", players, 3, **{"turn_limit": 40, **options})
    retraining = retrain and Retraining.read(retrain)
    changes = {f"{option}={each}": {option: each} for each in values}
    return Comparison(plan, games, changes, retraining)


@pytest.fixture(scope="module")
def longer(tmp_path_factory):
    """Games of 40 turns beside the same games of 50: more turns, and nothing else before."""
    return comparison(40, 50).run(tmp_path_factory.mktemp("compare"))


def test_a_difference_is_that_of_the_same_games(longer):
    name = "turn_limit=50"
    turns = next(each for each in longer.differences(name) if each.counter.name == "turns")
    one, other = (run.counted("turns") for run in longer.runs.values())
    assert turns.change.value == pytest.approx((other - one).mean())
    assert turns.is_shown
    apart = np.hypot(*(each.high - each.low for each in (turns.before, turns.after))) / 2
    assert turns.change.high - turns.change.value < apart or np.ptp(one) == 0
    assert turns.sentence == "Turns: 9.80 (9.41 to 10.19) more (40 and 49.80)."


def test_examples_are_games_that_part_where_the_rule_matters(longer):
    (name,) = longer.others
    assert 0 <= longer.unchanged(name) < 1
    for each in longer.examples(name):
        assert each.turns[0] != each.turns[1]
        assert each.shared >= 39
    assert "greedy against greedy, 40 games under each rule" in longer.to_markdown()
    found = longer.to_dict()["differences"][name]
    assert len(found["sentences"]) >= 10


def test_rules_that_change_nothing_show_no_difference(tmp_path):
    """Range 0 stands for half the board."""
    found = comparison(0, 3, option="elephant_range", size=7).run(tmp_path)
    (name,) = found.others
    assert found.unchanged(name) == 1
    assert not any(each.is_shown for each in found.differences(name))
    assert found.examples(name) == []
    assert any(each.startswith("Turns: the same (") for each in found.sentences(name))


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (lambda: comparison(40), "two different rules or more"),
        (lambda: comparison(40, 40.0), "turn_limit"),
        (lambda: comparison(7, 9, option="size", players=("td", "td")), "td has learned"),
        (lambda: comparison(40, 50, games=3), "must be even"),
        (lambda: comparison(40, 50, retrain="1"), "neither greedy nor greedy learns values"),
        (lambda: comparison(40, 50, retrain="0"), "a number of minutes, such as 2"),
    ],
)
def test_what_cannot_be_compared_is_refused(made, reason):
    with pytest.raises(ValueError, match=reason):
        made()


def test_every_rule_is_played_by_two_players_that_learned_it(tmp_path):
    """What is learned is kept, marked everywhere, and not learned again."""
    learners = {"players": ("td", "greedy"), "retrain": "4games"}
    retrained = comparison(7, 9, option="size", games=80, **learners)
    found = retrained.run(tmp_path)
    kept = sorted((tmp_path / "runs" / "values").iterdir())
    assert [each.name for each in kept] == [
        *("size=9,seed=0", "size=9,seed=1", "usual,seed=0", "usual,seed=1")
    ]
    times = [(each / "values.safetensors").stat().st_mtime_ns for each in kept]
    for run in found.runs.values():
        assert [about["games"] for about in run.plan.learning] == ["4", "4"]
        assert not run.plan.untrained
        turns = run.trained_numbers(Pick.read("turns"))
        assert np.mean(turns) == pytest.approx(run.estimate("turns").value)
        assert turns[0] == run.counted("turns").reshape(-1, 2, run.plan.shard)[:, 0].mean()
        records = list(read_records(run.folder / "games.pgb"))
        for shard, record in enumerate(records[::20]):
            assert str(run.plan.learned[shard % 2]) in (record.players[0] or "")
    assert "td (trained for these rules) against greedy" in found.to_markdown()
    report = (tmp_path / "runs" / "size=9" / "report.html").read_text()
    assert "4 games in 0.0 minutes (seed 1)" in report
    assert len(found.differences("size=9")[0].by_training) == 2
    assert retrained.run(tmp_path).to_dict() == found.to_dict()
    assert times == [(each / "values.safetensors").stat().st_mtime_ns for each in kept]


def test_a_difference_within_that_of_two_trainings_is_not_shown(longer):
    turns = next(each for each in longer.differences("turn_limit=50") if each.is_shown)
    assert turns.noise == 0
    assert turns._replace(by_training=((40, 49), (41, 51))).is_shown
    noisy = turns._replace(by_training=((40, 41), (40, 58)))
    assert not noisy.is_shown
    assert "as two trainings of one rule differ by 17" in noisy.sentence


def test_a_difference_of_scores_is_shown_however_the_games_cut_off_had_ended(longer):
    differences = longer.differences("turn_limit=50")
    score = next(each for each in differences if each.counter.name == "first_mover_score")
    assert score.cut_off == tuple(run.estimate("truncations").value for run in longer.runs.values())
    assert score.cut_off[0] > 0.05
    apart = score._replace(change=Estimate(0.2, 0.1, 0.3))
    assert not apart.is_shown
    assert "could explain" in apart.sentence
    assert apart._replace(cut_off=(0.08, 0.1)).bounds.low == pytest.approx(0.01)
    assert apart._replace(cut_off=(0.08, 0.1)).is_shown
    turns = next(each for each in differences if each.counter.name == "turns")
    assert turns.bounds == turns.change
