"""Rollout buffers that link each decision to the same side's next one, and discount by turns.

Stable-Baselines3's own buffers link a decision to the next row of the rollout, with one discount
factor. If a rollout holds the decisions of several sides, the next row is often an opponent's.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.buffers import MaskableDictRolloutBuffer, MaskableRolloutBuffer

from pasgl_env.envs.batch_vec import BatchVecEnv
from pasgl_env.envs.credit import Credit, estimate_advantages


class SideRolloutBuffer(MaskableRolloutBuffer):
    """A rollout for MaskablePPO whose advantages follow :attr:`BatchVecEnv.credit`.

    A decision whose advantage is unknown (see :class:`pasgl_env.envs.credit.Advantages`) is left
    out of the minibatches.

    ``MaskablePPO(..., rollout_buffer_class=SideRolloutBuffer, rollout_buffer_kwargs={"env": env})``

    Args:
        arguments: as for the base class.
        env: the games of the rollouts.
        named: as for the base class.
    """

    observations: Any
    generator_ready: bool

    def __init__(self, *arguments: Any, env: BatchVecEnv, **named: Any) -> None:
        self._env = env
        self._credits: list[Credit] = []
        super().__init__(*arguments, **named)

    def reset(self) -> None:
        self._credits = []
        super().reset()

    def add(self, *row: Any, **named: Any) -> None:
        credit = self._env.credit
        rewards = credit.rewards.copy()
        # The values in the row are those that MaskablePPO expects for a truncated game.
        rewards[np.arange(self.n_envs), credit.next_side] = row[2]
        self._credits.append(credit._replace(rewards=rewards))
        super().add(*row, **named)

    def compute_returns_and_advantage(self, last_values: torch.Tensor, dones: np.ndarray) -> None:
        last = last_values.cpu().numpy().flatten()
        estimates = estimate_advantages(self._credits, self.values, last, self.gae_lambda)
        self.advantages = estimates.values
        self.returns = self.advantages + self.values
        self._is_known = estimates.is_known

    def get(self, batch_size: int | None = None) -> Generator[Any, None, None]:
        """Minibatches of about this size, of all decisions with known advantages."""
        if not self.generator_ready:
            self._flatten()
            self.generator_ready = True
        order = np.random.permutation(np.flatnonzero(self._is_known))
        parts = max(1, round(order.size / (batch_size or order.size)))
        for indices in np.array_split(order, parts):
            yield self._get_samples(indices)

    def _flatten(self) -> None:
        """Concatenate the steps of each game."""
        flat = self.swap_and_flatten
        if isinstance(self.observations, dict):
            self.observations = {name: flat(part) for name, part in self.observations.items()}
        else:
            self.observations = flat(self.observations)
        for name in ("actions", "values", "log_probs", "advantages", "returns", "action_masks"):
            setattr(self, name, flat(getattr(self, name)))
        self._is_known = flat(self._is_known)


class SideDictRolloutBuffer(SideRolloutBuffer, MaskableDictRolloutBuffer):
    """:class:`SideRolloutBuffer` for observations that are dictionaries."""

    _get_samples = MaskableDictRolloutBuffer._get_samples  # type: ignore[assignment]
