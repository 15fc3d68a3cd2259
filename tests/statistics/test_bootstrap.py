import numpy as np
import pytest

from pasgl_env.statistics.bootstrap import aggregate, interquartile_mean, mean_score


def test_the_outer_quarters_do_not_count():
    assert interquartile_mean(np.array([0.0, 0.4, 0.6, 99.0])) == pytest.approx(0.5)
    assert interquartile_mean(np.array([[3.0, 1.0, 2.0]])) == pytest.approx([2.0])


def test_runs_that_differ_widen_the_interval():
    alike = [np.full(20, 0.5), np.full(20, 0.5)]
    apart = [np.full(20, 0.2), np.full(20, 0.8)]
    same, wide = (aggregate([runs, runs], mean_score) for runs in (alike, apart))
    assert (same.low, same.high) == pytest.approx((0.5, 0.5))
    assert (wide.low, wide.high) == pytest.approx((0.2, 0.8))


def test_the_interval_of_one_run_covers_what_its_games_estimate():
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(100):
        tasks = [[rng.binomial(2, p, 40) / 2] for p in (0.2, 0.5, 0.9)]
        found = aggregate(tasks, mean_score)
        low, high = found.low or 0.0, found.high or 0.0
        covered += low <= 1.6 / 3 <= high
    assert covered >= 88
