"""Credit assignment: the rewards and advantages of each side's decisions.

The sides decide in turns, and a turn may be several decisions. The return of a decision is known
when the same side decides again, or when the game ends: its advantage must be linked to that
decision, not to the opponent's decision that comes next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

DiscountPer = Literal["action", "turn"]
MOST_SCALE = 10**6
"""The largest factor of rewards and of their shaping."""


class Credit(NamedTuple):
    """The results of a step of ``n`` games, with one decision each, for ``S`` sides.

    A side is a team: the players who win together. A step *closes* a side's last decision if that
    side is to act again, or if the game has ended and no more rewards can follow.

    Attributes:
        side: ``int64[n]``, the side that decided in this step.
        next_side: ``int64[n]``, the side to act next; in a finished game, the side that would have
            been.
        rewards: ``float32[n, S]``, each side's reward since its last decision, if this step closes
            that decision; otherwise 0.
        is_closed: ``bool[n, S]``, whether this step closes the side's last decision.
        discount: ``float32[n]``, the factor for the value of the side's next decision.
        done: ``bool[n]``, whether the game has ended.
    """

    side: np.ndarray
    next_side: np.ndarray
    rewards: np.ndarray
    is_closed: np.ndarray
    discount: np.ndarray
    done: np.ndarray


class Advantages(NamedTuple):
    """The advantages of the decisions of a rollout.

    Attributes:
        values: ``float32[T, n]``.
        is_known: ``bool[T, n]``; False for a side's last decision if it is still open: at the end
            of the rollout, or in a truncated game, with another side to act. There is no
            observation then that the critic was trained on. Such a decision only lends its own
            value to the one before it; do not learn from it.
    """

    values: np.ndarray
    is_known: np.ndarray


def estimate_advantages(
    credits: Sequence[Credit],
    values: np.ndarray,
    last_values: np.ndarray,
    gae_lambda: float = 0.95,
) -> Advantages:
    """Generalised advantage estimation (Schulman and others, 2015) along each side's decisions.

    Args:
        credits: the credits of ``T`` steps, in order.
        values: ``float32[T, n]``, the critic's value estimate at each decision.
        last_values: ``float32[n]``, its estimates after the last step.
        gae_lambda: λ.
    """
    rows = np.arange(last_values.size)
    # For each side's next decision: its value, its advantage, and the reward until then.
    value, gain, earned = np.zeros((3, *credits[0].rewards.shape), np.float32)
    is_known = np.zeros(value.shape, np.bool_)
    value[rows, credits[-1].next_side] = last_values
    is_known[rows, credits[-1].next_side] = True
    estimates = Advantages(np.empty_like(values), np.empty(values.shape, np.bool_))
    for step in reversed(range(len(credits))):
        side, _, rewards, is_closed, discount, done = credits[step]
        value[done] = gain[done] = earned[done] = 0
        is_known[done] = is_closed[done]
        earned += rewards
        own = rows, side
        surprise = earned[own] + discount * value[own] - values[step]
        advantage = surprise + discount * gae_lambda * gain[own]
        estimates.is_known[step] = is_known[own]
        estimates.values[step] = gain[own] = np.where(is_known[own], advantage, 0)
        value[own], earned[own], is_known[own] = values[step], 0, True
    return estimates
