"""Advantages along each side's own decisions."""

import numpy as np
import pytest

from pasgl_env.envs.credit import Credit, estimate_advantages


def credit(side, next_side, rewards, closed, *, discount=1.0, done=False):
    """The credit of a step of a single game."""
    return Credit(
        np.array([side]),
        np.array([next_side]),
        np.array([rewards], np.float32),
        np.array([closed]),
        np.array([discount], np.float32),
        np.array([done]),
    )


def estimated(credits, values, last_value, gae_lambda):
    column = np.array(values, np.float32)[:, None]
    last = np.array([last_value], np.float32)
    estimates = estimate_advantages(credits, column, last, gae_lambda)
    return estimates.values[:, 0].tolist(), estimates.is_known[:, 0].tolist()


def test_by_hand_where_sides_alternate_irregularly_and_the_game_ends():
    """Side 0 decides twice, side 1 once, side 0 once more and wins."""
    credits = [
        credit(0, 0, [2, 0], [True, False]),
        credit(0, 1, [0, 0], [False, False], discount=0.5),
        credit(1, 0, [3, 0], [True, False], discount=0.5),
        credit(0, 1, [8, -8], [True, True], done=True),
    ]
    values, known = estimated(credits, [1, 2, 4, 6], 100, 0.5)
    last = 8 - 6
    second = 3 + 0.5 * 6 - 2 + 0.5 * 0.5 * last
    assert values == [2 + 2 - 1 + 0.5 * second, second, -8 - 4, last]
    assert known == [True] * 4


def test_at_the_end_of_a_rollout_who_is_not_to_act_only_lends_its_value():
    credits = [
        credit(1, 0, [0, 0], [False, False]),
        credit(0, 1, [0, 5], [False, True]),
        credit(1, 0, [7, 0], [True, False]),
    ]
    values, known = estimated(credits, [1, 2, 3], 10, 1.0)
    assert known == [True, True, False]
    assert values == [5 + 3 - 1, 7 + 10 - 2, 0]


def test_a_truncated_game_is_open_but_for_who_is_to_act():
    """The side to act has its reward and the value of its observation."""
    credits = [
        credit(0, 1, [0, 0], [False, False]),
        credit(1, 0, [9, 0], [True, False], done=True),
        credit(1, 1, [0, 1], [False, True]),
    ]
    values, known = estimated(credits, [1, 2, 4], 50, 1.0)
    assert known == [True, False, True]
    assert values == [9 - 1, 0, 1 + 50 - 4]


@pytest.mark.parametrize("gae_lambda", [0.0, 0.9, 1.0])
def test_one_side_alone_is_the_usual_estimate(gae_lambda):
    random = np.random.default_rng(1)
    rewards, values = random.normal(size=(2, 6)).astype(np.float32)
    credits = [credit(0, 0, [reward], [True], discount=0.9) for reward in rewards]
    expected: list[float] = []
    following, gain = 3.0, 0.0
    for reward, value in zip(rewards[::-1], values[::-1], strict=True):
        gain = reward + 0.9 * following - value + 0.9 * gae_lambda * gain
        expected, following = [gain, *expected], value
    estimates, _ = estimated(credits, values, 3.0, gae_lambda)
    assert estimates == pytest.approx(expected, abs=1e-5)
