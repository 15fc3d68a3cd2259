"""Who has earned what by which decision, and how much better than expected that was.

A game's players decide in turns, and a turn may be several decisions. What a decision has brought
is known when the same seat decides again, or when the game ends: its advantage must be chained to
that decision, not to the opponent's that comes next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

DiscountPer = Literal["action", "turn"]


class Credit(NamedTuple):
    """What a step of ``n`` games, with a decision in each, says about the decisions of ``S`` seats.

    A seat is a player or, in games of teams, a team. A step *closes* a seat's last decision when
    that seat is to act again, or when the game has ended and nothing is left to expect.

    Attributes:
        seat: ``int64[n]``, who decided in this step.
        heir: ``int64[n]``, who is to act next; in a game that has ended, who would have been.
        rewards: ``float32[n, S]``, what each seat has earned from its last decision on, if this
            step closes that; else 0.
        is_closed: ``bool[n, S]``, whose last decision this step closes.
        discount: ``float32[n]``, what the value of the seat's next decision is multiplied with.
        done: ``bool[n]``, whether the game has ended.
    """

    seat: np.ndarray
    heir: np.ndarray
    rewards: np.ndarray
    is_closed: np.ndarray
    discount: np.ndarray
    done: np.ndarray


class Advantages(NamedTuple):
    """The advantages of the decisions of a rollout.

    Attributes:
        values: ``float32[T, n]``.
        is_known: ``bool[T, n]``; False for a seat's last decision where it is still open: at the
            end of the rollout, or where a game was truncated, and another seat is to act. There is
            no observation then that a critic is trained on. Such a decision only lends its own
            value to the one before; do not learn from it.
    """

    values: np.ndarray
    is_known: np.ndarray


def estimate_advantages(
    credits: Sequence[Credit],
    values: np.ndarray,
    last_values: np.ndarray,
    gae_lambda: float = 0.95,
) -> Advantages:
    """Generalised advantage estimation (Schulman and others, 2015) along each seat's decisions.

    Args:
        credits: those of ``T`` steps, in order.
        values: ``float32[T, n]``, what the critic expected at each decision.
        last_values: ``float32[n]``, what it expects where the last step has led to.
        gae_lambda: λ.
    """
    rows = np.arange(last_values.size)
    # Of each seat's next decision: its value, its advantage, the reward until then.
    value, gain, earned = np.zeros((3, *credits[0].rewards.shape), np.float32)
    is_known = np.zeros(value.shape, np.bool_)
    value[rows, credits[-1].heir] = last_values
    is_known[rows, credits[-1].heir] = True
    estimates = Advantages(np.empty_like(values), np.empty(values.shape, np.bool_))
    for step in reversed(range(len(credits))):
        seat, _, rewards, is_closed, discount, done = credits[step]
        value[done] = gain[done] = earned[done] = 0
        is_known[done] = is_closed[done]
        earned += rewards
        own = rows, seat
        surprise = earned[own] + discount * value[own] - values[step]
        advantage = surprise + discount * gae_lambda * gain[own]
        estimates.is_known[step] = is_known[own]
        estimates.values[step] = gain[own] = np.where(is_known[own], advantage, 0)
        value[own], earned[own], is_known[own] = values[step], 0, True
    return estimates
