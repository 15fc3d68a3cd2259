import math

import numpy as np
import pytest

pytest.importorskip("scipy")

from pasgl_env.statistics.sprt import POINTS, Sprt, count_pairs

from .simulated import KINDS, simulated_pairs


def test_the_bounds_are_walds():
    low, high = Sprt(0, 10, alpha=0.05, beta=0.1).bounds
    assert (low, high) == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))


def test_the_ratio_of_wins_and_losses_is_the_binomial_one():
    """Where only 0 and 2 points come, the probabilities are those of a coin: known in closed form.

    In 10,000 pairs those results that never come hardly count.
    """
    wins, losses, elo0, elo1 = 5300, 4700, 0.0, 30.0
    ratio = Sprt(elo0, elo1).log_likelihood_ratio([losses, 0, 0, 0, wins])
    scores = [1 / (1 + 10 ** (-elo / 400)) for elo in (elo0, elo1)]
    known = [wins * math.log(score) + losses * math.log(1 - score) for score in scores]
    assert ratio == pytest.approx(known[1] - known[0], rel=1e-3)


def test_the_ratio_is_near_the_normal_one_for_many_pairs():
    counts = np.array([900, 2300, 4000, 2500, 1000])
    mean = counts @ POINTS / counts.sum()
    variance = counts @ (POINTS - mean) ** 2 / counts.sum()
    means = [2 / (1 + 10 ** (-elo / 400)) for elo in (0.0, 8.0)]
    known = counts.sum() * (means[1] - means[0]) * (2 * mean - sum(means)) / (2 * variance)
    assert Sprt(0, 8).log_likelihood_ratio(counts.tolist()) == pytest.approx(known, rel=0.02)


def test_swapping_players_and_hypotheses_turns_the_ratio_round():
    counts = [3, 7, 20, 11, 5]
    one = Sprt(-10, 40).log_likelihood_ratio(counts)
    assert Sprt(-40, 10).log_likelihood_ratio(counts[::-1]) == pytest.approx(-one)


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        ([0, 0, 0, 0, 0], None),
        ([0, 0, 0, 0, 1], None),
        ([0, 0, 0, 0, 100], "H1"),
        ([100, 0, 0, 0, 0], "H0"),
        ([0, 0, 10**9, 0, 0], "H0"),
    ],
)
def test_verdicts_where_nothing_varies(counts, verdict):
    assert Sprt(0, 50).verdict(counts) == verdict


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"elo0": 5, "elo1": 5}, "elo0 must be below elo1"),
        ({"elo0": math.nan}, "elo0 and elo1 must be between"),
        ({"elo1": math.inf}, "elo0 and elo1 must be between"),
        ({"elo1": 1e5}, "between -2000 and 2000"),
        ({"alpha": 0}, "alpha must be"),
        ({"beta": 0.5}, "beta must be"),
        ({"beta": math.nan}, "beta must be"),
    ],
)
def test_wrong_arguments(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        Sprt(**{"elo0": 0, "elo1": 10, **arguments})


@pytest.mark.parametrize("counts", [[1, 2], [0, 0, -1, 0, 0]])
def test_wrong_counts(counts):
    with pytest.raises(ValueError, match="the five counts"):
        Sprt(0, 10).log_likelihood_ratio(counts)


def share_of_h1(test, elo, tests, draws, kind):
    """How often simulated matches of such players end in H1."""
    rng = np.random.default_rng(1)
    accepted = 0
    for _ in range(tests):
        counts = np.zeros(5, np.int64)
        while (verdict := test.verdict(counts)) is None:
            counts += count_pairs(simulated_pairs(rng, elo, 20, draws=draws, kind=kind))
        accepted += verdict == "H1"
    return accepted / tests


def test_errors_are_rare():
    test = Sprt(0, 80)
    assert share_of_h1(test, 0, 100, 0.4, "independent") < 0.12
    assert share_of_h1(test, 80, 100, 0.4, "independent") > 0.88


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("draws", [0.0, 0.6])
def test_error_rates_are_those_stated(draws, kind):
    """Measured to within 0.5 to 0.7 percent, one standard error."""
    test = Sprt(0, 60, alpha=0.05, beta=0.1)
    assert share_of_h1(test, 0, 1000, draws, kind) < 0.05 + 0.015
    assert share_of_h1(test, 60, 1000, draws, kind) > 0.9 - 0.02
