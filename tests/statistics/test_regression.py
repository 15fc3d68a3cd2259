from typing import Any

import numpy as np
import pytest

pytest.importorskip("scipy")

from pasgl_env.statistics.regression import fit_linear, fit_logistic

LINE = np.array([[1.0, x] for x in (0, 1, 2, 3) for _ in range(50)])


def test_a_line_is_found_with_what_it_says_beyond_the_points():
    noise = np.random.default_rng(1).normal(0, 0.5, len(LINE))
    fit = fit_linear(LINE, LINE @ [2.0, 0.3] + noise, np.arange(len(LINE)))
    found: Any
    for found, truth in ((fit.estimate(1), 0.3), (fit.predict(np.array([1.0, 5.0])), 3.5)):
        assert found.low < truth < found.high
        assert found.high - found.low < 1


def test_rows_of_the_same_cluster_count_once():
    noise, cluster = np.random.default_rng(2).normal(0, 1, 200), np.arange(200)
    once = fit_linear(LINE, noise, cluster)
    copied = fit_linear(np.tile(LINE, (4, 1)), np.tile(noise, 4), np.tile(cluster, 4))
    assert copied.covariance == pytest.approx(once.covariance)


def test_a_single_event_is_no_error():
    columns = np.column_stack([np.ones(600), np.repeat(np.arange(3.0), 200)])
    cluster = np.tile(np.arange(200) // 2, 3)
    for place in range(200, 400):  # a variance that is 0 but for rounding
        estimate = fit_logistic(columns, 1.0 * (np.arange(600) == place), cluster).estimate(1)
        assert estimate.value is None or estimate.low is not None
