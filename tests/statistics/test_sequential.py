from math import exp

import numpy as np
import pytest

pytest.importorskip("scipy")

from pasgl_env.statistics.clustered import sums_of
from pasgl_env.statistics.sequential import failures, log_evidence
from tests.statistics.simulated import sums

LIMITS = [0.01, 0.2, 0.45, 0.5, 0.8, 0.99]


def evidence(counted, divisor, limit):
    return exp(log_evidence(*sums([counted], [divisor]), limit))


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("trials", [1, 2])
def test_evidence_does_not_grow_on_average_where_there_is_none(limit, trials):
    at_limit = limit * evidence(trials, trials, limit) + (1 - limit) * evidence(0, trials, limit)
    assert at_limit <= 1
    half = min(limit, 1 - limit)  # the share is the limit again: limit - half, limit + half
    halves = [evidence(trials * (limit + sign * half), trials, limit) for sign in (-1, 1)]
    assert np.mean(halves) <= 1


def test_a_higher_limit_has_no_more_evidence_against_it():
    for counted in np.linspace(0, 2, 9):
        found = [evidence(counted, 2, limit) for limit in np.linspace(0, 1, 41)]
        assert (np.diff(found) <= 0).all()


def test_failures_are_the_trials_that_did_not_succeed():
    counted, divisor = np.array([0, 1, 0.5, 2, 0]), np.array([1, 2, 1, 2, 0])
    assert failures(*sums(counted, divisor)) == pytest.approx(
        sums_of(divisor - counted, divisor.astype(np.float64))
    )
