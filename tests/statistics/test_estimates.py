import math

import numpy as np
import pytest

from pasgl_env.statistics.estimates import Estimate, mean, proportion


@pytest.mark.parametrize(("successes", "trials"), [(0, 1), (1, 1), (0, 400), (37, 400), (400, 400)])
def test_wilson_as_scipy_has_it(successes, trials):
    stats = pytest.importorskip("scipy.stats")
    known = stats.binomtest(successes, trials).proportion_ci(method="wilson")
    estimate = proportion(successes, trials)
    assert estimate.value == successes / trials
    assert (estimate.low, estimate.high) == pytest.approx((known.low, known.high))


def test_means():
    assert mean(np.array([])) == Estimate(None)
    assert mean(np.array([3])) == Estimate(3.0)
    estimate = mean(np.array([2, 4] * 50))
    half = 1.959964 * math.sqrt(100 / 99) / 10
    assert (estimate.low, estimate.high) == pytest.approx((3 - half, 3 + half))
    assert proportion(0, 0) == Estimate(None)
