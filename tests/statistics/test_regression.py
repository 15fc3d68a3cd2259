from typing import Any

import numpy as np
import pytest

pytest.importorskip("scipy")

from pasgl_env.statistics.regression import fit_linear

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
