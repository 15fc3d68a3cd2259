from typing import Any

import numpy as np
import pytest

pytest.importorskip("scipy")

from pasgl_env.evaluation.progress import Progress
from pasgl_env.playtest import play
from pasgl_env.playtest.pick import Pick
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.results import Results
from pasgl_env.playtest.run import play_here, run
from pasgl_env.playtest.stopping import StoppingRule
from pasgl_env.statistics.sequential import confidence_sequence
from pasgl_env.storage.runs import BadRun
from tests.statistics.simulated import sums

from .interrupted import Killed, killed_after

SCORE = StoppingRule.read("first_mover_score=0.45..0.55")
PLAN = Plan.of("pachessi", ("greedy", "random"), 5, turn_limit=12)
ALIKE, INDEPENDENT, OPPOSED = "alike", "independent", "opposed"


def simulated(score, kind, generator, pairs):
    """What the first mover scores in pairs of games, a share of them drawn."""

    def game(luck):
        return np.where(luck < score - 0.1, 1.0, np.where(luck < score + 0.1, 0.5, 0.0))

    luck = generator.random(pairs)
    other = {ALIKE: luck, OPPOSED: 1 - luck, INDEPENDENT: generator.random(pairs)}[kind]
    return game(luck) + game(other)


def verdicts(score, kind, runs, looks, seed):
    """The verdict of each simulated run, tested after every 40 games, and those games."""
    generator = np.random.default_rng(seed)
    for _ in range(runs):
        counted, divisor = np.zeros(3), np.zeros(3)
        for look in range(looks):  # noqa: B007
            more = sums(simulated(score, kind, generator, 20))
            counted, divisor = counted + more[0], divisor + more[1]
            if verdict := SCORE.verdict(counted, divisor):
                break
        yield verdict, 40 * (look + 1)


def wrong(score, found):
    """The share of wrong verdicts."""
    right = {"below": score < 0.45, "between": 0.45 < score < 0.55, "above": score > 0.55}
    return np.mean([verdict is not None and not right[verdict] for verdict, _ in found])


@pytest.mark.parametrize(("score", "kind"), [(0.45, OPPOSED), (0.55, INDEPENDENT)])
def test_error_rates_hold(score, kind):
    assert wrong(score, list(verdicts(score, kind, 60, 30, seed=1))) <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("score", [0.44, 0.45, 0.55])
@pytest.mark.parametrize("kind", [ALIKE, INDEPENDENT, OPPOSED])
def test_error_rates_hold_in_long_runs(score, kind):
    assert wrong(score, list(verdicts(score, kind, 300, 125, seed=2))) <= 0.05


@pytest.mark.parametrize(("score", "verdict"), [(0.3, "below"), (0.5, "between"), (0.7, "above")])
def test_clear_differences_are_found_soon(score, verdict):
    found = list(verdicts(score, OPPOSED, 5, 50, seed=3))
    assert {each for each, _ in found} == {verdict}
    assert max(games for _, games in found) <= 400


def test_the_interval_and_the_verdict_agree():
    both = sums(simulated(0.62, INDEPENDENT, np.random.default_rng(6), 400))
    found: Any = confidence_sequence(*both)
    assert StoppingRule(SCORE.pick, 0.4, found.low - 1e-6).verdict(*both) == "above"
    assert StoppingRule(SCORE.pick, 0.4, found.low + 1e-6).verdict(*both) != "above"
    assert StoppingRule(SCORE.pick, found.high + 1e-6, 0.9).verdict(*both) == "below"


def test_of_no_trials_there_is_no_verdict():
    assert SCORE.verdict(*sums([0, 0], [0, 0])) is None


def test_nothing_is_below_0_or_above_1():
    assert StoppingRule.read("draws=0..0.1").verdict(*sums(np.zeros(200))) == "between"
    assert StoppingRule.read("draws=0.9..1").verdict(*sums(np.full(200, 2))) == "between"


def test_with_one_limit_there_are_two_verdicts():
    rule = StoppingRule.read("draws=0.5")
    assert rule.verdict(*sums(np.zeros(200))) == "below"
    assert rule.verdict(*sums(np.ones(200))) is None
    assert rule.choices == "below or above 0.5"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("draws", "is MEASURE=LOW..HIGH or MEASURE=LIMIT"),
        ("draws=", "is MEASURE=LOW..HIGH or MEASURE=LIMIT"),
        ("=0.1..0.2", "is MEASURE=LOW..HIGH or MEASURE=LIMIT"),
        ("draws=0.1..", "is MEASURE=LOW..HIGH or MEASURE=LIMIT"),
        ("draws=few", "is MEASURE=LOW..HIGH or MEASURE=LIMIT"),
        ("draws=0.2..0.1", "the lower one first, such as .*, not draws=0.2..0.1"),
        ("draws=10..20", "limits from 0 to 1"),
        ("draws=nan..1", "limits from 0 to 1"),
        ("draws=0..1", "leaves nothing to test"),
        ("score[=0.5", "a measure is NAME or NAME"),
    ],
)
def test_malformed_rules_are_refused(text, reason):
    with pytest.raises(ValueError, match=reason):
        StoppingRule.read(text)


def test_rates_are_rates():
    with pytest.raises(ValueError, match=r"beta must be above 0 and below 0.5, not 0.5"):
        StoppingRule.read("draws=0.1", beta=0.5)


def test_a_cell_is_chosen_by_its_labels(tmp_path):
    results = Results.of(PLAN, run(PLAN, 4, tmp_path))
    for name in ("score[Yellow]", "score[Black]", "comebacks"):
        rule = StoppingRule.read(f"{name}=0.5")
        (figure,) = (each for each in results.figures() if rule.pick.fits(*each[:2]))
        assert results.totals.counts.sums[0, rule.cell(PLAN)] == figure.total


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("turns", "shares of games or of decisive games, not turns"),
        ("forced", "not forced"),
        ("marriages", "not marriages"),
        ("score", r"score takes \[\(Black, Yellow\)\], not score"),
        ("score[White]", r"not score\[White\]"),
        ("draws[White]", r"draws is one number: leave out \[White\]"),
    ],
)
def test_what_cannot_be_tested_is_refused_before_a_game(name, reason, tmp_path):
    with pytest.raises(ValueError, match=reason):
        run(PLAN, 4, tmp_path / "run", until=StoppingRule.read(f"{name}=0.5"))
    assert not (tmp_path / "run").exists()


@pytest.fixture
def small_shards(monkeypatch):
    monkeypatch.setattr(play, "SHARD", 8)


def content(folder):
    return [(folder / name).read_bytes() for name in ("games.pgb", "totals.npz", "manifest.json")]


WINS = StoppingRule.read("truncations=0.5")  # all of them are, within twelve turns


def test_a_run_stops_at_the_same_game_after_a_kill(tmp_path, small_shards):
    seen: list[Progress] = []
    totals = run(PLAN, 400, tmp_path / "whole", until=WINS, report=seen.append)
    assert 16 <= totals.counts.games < 80
    assert (seen[-1].done, seen[-1].games) == (totals.counts.games, totals.counts.games)
    with pytest.raises(Killed):
        run(PLAN, 400, tmp_path / "killed", until=WINS, play_shards=killed_after(1))
    run(PLAN, 400, tmp_path / "killed", until=WINS)
    assert content(tmp_path / "killed") == content(tmp_path / "whole")
    more = run(PLAN, 800, tmp_path / "whole", until=WINS, play_shards=killed_after(1))
    assert more.counts.games == totals.counts.games


def test_who_plays_is_told_that_there_is_enough(tmp_path, small_shards):
    closed = []

    def play_shards(shards, progress):
        try:
            yield from play_here(shards, progress)
        finally:
            closed.append(True)

    run(PLAN, 400, tmp_path, until=WINS, play_shards=play_shards)
    assert closed


def test_results_have_the_verdict_and_its_interval(tmp_path, small_shards):
    results = Results.of(PLAN, run(PLAN, 400, tmp_path, until=WINS), until=WINS)
    assert results.decision is not None
    assert results.decision.verdict == "above"
    assert results.figure("truncations").estimate == results.decision.estimate
    assert results.to_dict()["decision"]["verdict"] == "above"
    (warning,) = results.warnings()
    assert warning.startswith(
        "truncations is above 0.5. Its interval is valid whenever the run stops"
    )


def test_an_undecided_test_says_so(tmp_path):
    rule = StoppingRule.read("score[Yellow]=0.45..0.55")
    results = Results.of(PLAN, run(PLAN, 4, tmp_path, until=rule), until=rule)
    assert results.decision is not None
    assert results.decision.sentence == (
        "Undecided: these games do not show whether score[Yellow] is below 0.45, between 0.45 and"
        " 0.55 or above 0.55."
    )


@pytest.mark.parametrize("other", [None, StoppingRule.read("truncations=0.6")])
def test_a_run_with_another_rule_is_refused(other, tmp_path):
    run(PLAN, 4, tmp_path, until=WINS)
    with pytest.raises(BadRun, match=r"whose until is 'truncations=0.5"):
        run(PLAN, 4, tmp_path, until=other)


def test_a_pick_is_read_as_it_is_written():
    for text in ("turns", "score[White]", "points_by[Deer,White]"):
        assert str(Pick.read(text)) == text
