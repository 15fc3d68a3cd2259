import numpy as np
import pytest

pytest.importorskip("scipy")

from scipy import stats

from pasgl_env.statistics.clustered import (
    count,
    paired_difference,
    quantile,
    ratio,
    score_of_pairs,
    share,
    sums_of,
)
from pasgl_env.statistics.estimates import Estimate, proportion
from pasgl_env.statistics.histograms import histogram


def of_pairs(estimate, counted, divisor=None):
    counted = np.array(counted, np.float64)
    by = np.full(counted.size, 2.0) if divisor is None else np.array(divisor, np.float64)
    return estimate(sums_of(counted, by), sums_of(by, by))


def test_a_mean_has_students_interval_over_pairs():
    pairs = np.random.default_rng(1).normal(10, 3, 30)
    known = stats.ttest_1samp(pairs / 2, 0).confidence_interval()
    found = of_pairs(ratio, pairs)
    assert found.value == pytest.approx(pairs.mean() / 2)
    assert (found.low, found.high) == pytest.approx((known.low, known.high))


def test_a_constant_ratio_is_certain_however_its_parts_vary():
    found = of_pairs(ratio, [6, 3, 12], [2, 1, 4])
    assert (found.value, found.low, found.high) == pytest.approx((3, 3, 3))


def test_a_share_of_independent_games_has_about_wilsons_interval():
    games = np.random.default_rng(2).random(4000) < 0.2
    found = of_pairs(share, games.reshape(-1, 2).sum(1))
    known = proportion(int(games.sum()), 4000)
    assert found.low == pytest.approx(known.low, abs=0.002)
    assert found.high == pytest.approx(known.high, abs=0.002)


def test_games_that_are_alike_count_once():
    pairs = np.repeat([2, 0], [30, 70])
    found, known = of_pairs(share, pairs), proportion(30, 100)
    assert (found.low, found.high) == pytest.approx((known.low, known.high), abs=0.01)


def test_games_that_are_opposed_count_no_more_than_independent_ones():
    found, known = of_pairs(share, np.ones(500)), proportion(500, 1000)
    assert (found.low, found.high) == pytest.approx((known.low, known.high), abs=0.001)


@pytest.mark.parametrize(("each", "value"), [(0, 0.0), (2, 1.0)])
def test_where_all_or_none_succeed_a_pair_counts_as_one(each, value):
    found, known = of_pairs(share, np.full(1000, each)), proportion(1000 * each // 2, 1000)
    assert found.value == value
    assert (found.low, found.high) == pytest.approx((known.low, known.high), abs=1e-4)


def test_too_few_games():
    assert of_pairs(ratio, []) == of_pairs(share, []) == Estimate(None)
    assert of_pairs(ratio, [3]) == Estimate(1.5)
    assert of_pairs(share, [1]) == Estimate(0.5)
    assert of_pairs(share, [0, 0], [0, 0]) == Estimate(None)
    assert quantile(histogram(np.zeros(0)), 0.5, 0) == Estimate(None)


@pytest.mark.parametrize("kind", ["independent", "alike", "opposed"])
def test_intervals_hold_what_is_true(kind):
    """2000 samples of 40 pairs; a tenth of the trials of a mean of 3 actions a game succeed."""
    rng = np.random.default_rng(3)
    held = {"share": 0, "mean": 0, "ratio": 0}
    for _ in range(2000):
        luck = rng.random((40, 2))
        if kind != "independent":
            luck[:, 1] = luck[:, 0] if kind == "alike" else 1 - luck[:, 0]
        lengths = rng.poisson(2, (40, 2)) + 1
        hits = rng.binomial(lengths, 0.1)
        for name, found, truth in (
            ("share", of_pairs(share, (luck < 0.3).sum(1)), 0.3),
            ("mean", of_pairs(ratio, luck.sum(1)), 0.5),
            ("ratio", of_pairs(share, hits.sum(1), lengths.sum(1)), 0.1),
        ):
            held[name] += found.low <= truth <= found.high
    assert min(held.values()) >= 0.93 * 2000


def test_what_never_happened_has_an_upper_end_and_what_is_common_has_students_interval():
    never = of_pairs(count, np.zeros(500))
    assert (never.value, never.low, never.high) == pytest.approx((0, 0, 3.689 / 500), rel=1e-3)
    common = np.random.default_rng(7).poisson(3, 300)
    assert of_pairs(count, common) == of_pairs(ratio, common)


def test_a_rare_count_has_the_exact_interval_of_its_events():
    found = of_pairs(count, np.repeat([1, 0], [4, 996]))
    assert (found.low, found.high) == pytest.approx((1.09 / 2000, 10.24 / 2000), rel=0.01)


def rare(rng, kind, pairs, events):
    """Counts of pairs in which this many events are expected, one at a time or several."""
    if kind == "independent":
        return rng.poisson(events / pairs, pairs)
    if kind == "alike":  # both games of a pair
        return 2 * rng.poisson(events / pairs / 2, pairs)
    return (rng.random(pairs) < events / pairs / 3) * rng.geometric(
        1 / 3, pairs
    )  # three on average


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "least"), [("independent", 0.95), ("alike", 0.95), ("bunched", 0.87)]
)
@pytest.mark.parametrize("pairs", [40, 500])
def test_intervals_of_rare_counts_hold_what_is_true(kind, least, pairs):
    rng = np.random.default_rng(8)
    for events in (0.2, 0.5, 1, 2, 5, 10, 20, 50):
        held = 0
        for _ in range(2000):
            found = of_pairs(count, rare(rng, kind, pairs, events))
            held += found.low <= events / pairs / 2 <= found.high
        print(f"{kind}, {pairs} pairs, {events} expected: {held / 2000:.1%}")
        assert held >= least * 2000


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["independent", "alike"])
def test_intervals_of_rare_shares_hold_what_is_true(kind):
    rng = np.random.default_rng(9)
    for events in (0.5, 1, 2, 5, 10, 20, 50):
        held = 0
        for _ in range(2000):
            hits = rng.random((500, 2)) < events / 1000
            hits[:, 1] = hits[:, 0] if kind == "alike" else hits[:, 1]
            found = of_pairs(share, hits.sum(1))
            held += found.low <= events / 1000 <= found.high
        print(f"{kind}, {events} expected: {held / 2000:.1%}")
        assert held >= 0.88 * 2000


def test_quantiles_and_their_intervals():
    lengths = np.random.default_rng(4).permutation(np.arange(1, 101))
    found = quantile(histogram(lengths), 0.5, 50)
    assert found == Estimate(50.0, 36.0, 66.0)


def test_a_quantile_beyond_the_games_has_no_interval():
    lengths = np.arange(1, 101)
    assert quantile(histogram(lengths), 0.95, 50) == Estimate(95.0)
    assert quantile(histogram(lengths), 0.95, 100) == Estimate(95.0, 90.0, 100.0)


def test_pairs_without_what_is_counted_per_do_not_count():
    """Something rare, in about 4 of 100 pairs, with a value around 20."""
    rng = np.random.default_rng(5)
    held, given = 0, 0
    for _ in range(2000):
        is_rare = rng.random(100) < 0.04
        found = of_pairs(ratio, np.where(is_rare, rng.normal(20, 5, 100), 0), is_rare)
        if found.low is not None and found.high is not None:
            given += 1
            held += found.low <= 20 <= found.high
    assert given > 1500
    assert held >= 0.93 * given


def test_of_pairs_that_all_score_alike_a_few_may_differ():
    """A score of 0.55 whose pairs differ so rarely that many samples hold drawn games only."""
    rng = np.random.default_rng(6)
    found = [
        score_of_pairs((1 + np.repeat(rng.random((16, 1)) < 0.1, 2, axis=1)) / 2)
        for _ in range(2000)
    ]
    held = sum((each.low or 0) <= 0.55 <= (each.high or 0) for each in found)
    assert held >= 0.93 * 2000


def test_the_score_of_a_match_has_the_interval_of_pairs():
    """Both games of a pair alike, or opposed: the first vary by pairs, the second not at all."""
    alike = score_of_pairs(np.array([[1, 1], [0, 0]] * 25))
    opposed = score_of_pairs(np.array([[1, 0]] * 50))
    assert alike.value == opposed.value == 0.5
    assert alike.low == pytest.approx(0.36, abs=0.01)
    assert opposed.low == pytest.approx(0.40, abs=0.01)


@pytest.mark.parametrize(
    "wins, draws, losses, low, high",
    [(50, 0, 50, 0.40, 0.60), (10, 80, 10, 0.45, 0.55), (100, 0, 0, 0.92, 1.0)],
)
def test_score_with_its_interval(wins, draws, losses, low, high):
    scores = np.repeat([1, 0.5, 0], [wins, draws, losses])
    share = score_of_pairs(np.random.default_rng(1).permutation(scores).reshape(-1, 2))
    assert share.value == (wins + draws / 2) / 100
    assert (share.low, share.high) == pytest.approx((low, high), abs=0.02)


@pytest.mark.parametrize("most, bound", [(1, "high"), (0, "low")])
def test_no_interval_goes_beyond_what_a_score_can_be(most, bound):
    scores = np.repeat([most, 0.5], [39, 1])
    assert getattr(score_of_pairs(scores.reshape(-1, 2)), bound) == most


def test_paired_intervals_hold_what_is_true():
    """Games whose lengths vary far more than they differ, with a divisor that varies, too."""
    rng, held = np.random.default_rng(1), 0
    for _ in range(1000):
        divisor = rng.integers(1, 4, (50, 1))
        before = np.hstack([divisor * rng.normal(40, 20, (50, 1)), divisor])
        after = before + np.hstack([divisor * rng.normal(2, 3, (50, 1)), 0 * divisor])
        found = paired_difference(before, after, 0.95)
        low, high = found.low or 0.0, found.high or 0.0
        held += low <= 2 <= high
        assert 0 < high - low < 4
    assert held >= 930


def games_of(hits):
    """The counts of pairs, and their two games."""
    return np.column_stack([hits.sum(axis=1), np.full(len(hits), 2.0)])


@pytest.mark.parametrize("pairs, rates", [(200, (0.001, 0.004)), (300, (0.003, 0.012))])
def test_paired_intervals_hold_what_is_true_of_rare_games_and_of_all_others(pairs, rates):
    """Decisive games are all but a few where draws are rare: the same difference, negated."""
    rng, held = np.random.default_rng(2), 0
    for _ in range(500):
        before, after = (rng.random((pairs, 2)) < rate for rate in rates)
        drawn = paired_difference(games_of(before), games_of(after), 0.95, is_share=True)
        won = paired_difference(games_of(~before), games_of(~after), 0.95, is_share=True)
        assert (won.low, won.high) == pytest.approx((-(drawn.high or 0), -(drawn.low or 0)))
        held += (drawn.low or 0) <= rates[1] - rates[0] <= (drawn.high or 0)
    assert held >= 465


def test_what_differs_in_few_pairs_has_bounds_if_it_is_a_share_of_as_many_games():
    before = games_of(np.zeros((100, 2)))
    after = before + np.repeat([[1, 0], [0, 0]], [5, 95], axis=0)
    assert paired_difference(before, after, 0.95) == Estimate(0.025)
    found = paired_difference(before, after, 0.95, is_share=True)
    assert (found.low, found.high) == pytest.approx((-3.689 / 100, 11.67 / 100), rel=1e-3)
    shifted = after + np.repeat([[0, 1], [0, 0]], [1, 99], axis=0)
    assert paired_difference(before, shifted, 0.95, is_share=True).low is None


def test_no_paired_difference_is_larger_than_a_share():
    one = np.array([[2.0, 2.0], [0.0, 2.0]])
    found = paired_difference(one, one[::-1], 0.95, is_share=True)
    assert (found.value, found.low, found.high) == (0.0, -1.0, 1.0)
