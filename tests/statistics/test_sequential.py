from math import exp
from typing import Any

import numpy as np
import pytest

pytest.importorskip("scipy")

from pasgl_env.statistics.clustered import share, sums_of
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.ratings import expected_score
from pasgl_env.statistics.sequential import confidence_sequence, failures, log_evidence
from tests.statistics.simulated import simulated_pairs, sums

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


@pytest.mark.parametrize("elo", [-300, 0])
def test_the_interval_holds_the_truth_at_every_look(elo):
    pairs = simulated_pairs(np.random.default_rng(4), elo, 2000, draws=0.5)
    for number in range(20, 2001, 180):
        found: Any = confidence_sequence(*sums(pairs[:number]))
        assert found.low < expected_score(elo) < found.high


def test_the_interval_is_wider_than_that_of_a_fixed_number_of_games():
    both = sums(simulated_pairs(np.random.default_rng(5), 0, 500, draws=0.2))
    always: Any = confidence_sequence(*both)
    fixed: Any = share(*both)
    assert always.value == fixed.value
    assert always.low < fixed.low < fixed.high < always.high < fixed.high + 0.05


@pytest.mark.parametrize("each", [0, 2])
def test_where_all_or_none_succeed_there_is_an_interval(each):
    found: Any = confidence_sequence(*sums(np.full(200, each)))
    ends = (found.low, found.high) if each else (1 - found.high, 1 - found.low)
    assert 0.95 < ends[0] < ends[1] == 1


def test_of_no_trials_nothing_is_known():
    assert confidence_sequence(*sums([0, 0], [0, 0])) == Estimate(None)
