"""Distributions over the legal actions, which are few compared with all actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from sb3_contrib.common.maskable.distributions import (
    MaskableCategorical,
    MaskableCategoricalDistribution,
    MaybeMasks,
)

Score = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


class NotFinite(ValueError):
    """The scores of a network are not finite numbers."""

    def __init__(self) -> None:
        super().__init__("a network's scores are not finite numbers: its training has failed")


class Legal(NamedTuple):
    """The legal actions of each row, padded to the same length.

    Attributes:
        actions: ``int64[k, n]``, ascending.
        is_filling: ``bool[k, n]``: which entries are padding.
        log_chances: ``float32[k, n]``: log-probabilities; 0 for padding.
    """

    actions: torch.Tensor
    is_filling: torch.Tensor
    log_chances: torch.Tensor

    @property
    def chances(self) -> torch.Tensor:
        """``float32[k, n]``: probabilities; the sum of each row is 1."""
        return self.log_chances.exp().masked_fill(self.is_filling, 0)


class LegalDistribution(MaskableCategoricalDistribution):
    """The base class's distribution, computed over the legal actions only.

    The base class exponentiates huge negative numbers in place of the scores of illegal
    actions. With the 15,746 actions of Overlord, of which about 160 are legal, that took 40% of the
    time of learning. A mask is applied at once; without one, the scores of all actions are
    computed when they are first needed. In a row without legal actions, all are.

    Args:
        action_dim: number of actions, ``A``.
    """

    def proba_distribution(self, action_logits: torch.Tensor) -> LegalDistribution:
        """Set the scores ``float32[k, A]``; all actions are legal until some are masked."""
        scores = action_logits.view(-1, self.action_dim)
        return self.scored_by(
            lambda rows, actions: scores[rows, actions], len(scores), scores.device
        )

    def scored_by(self, score: Score, rows: int, device: torch.device) -> LegalDistribution:
        """Set the function that scores actions; all are legal until some are masked.

        Args:
            score: gives ``float32[m]`` for rows and actions, both ``int64[m]``, in ascending order.
            rows: number of rows, ``k``.
            device: device of the actions and scores.
        """
        self._score, self._with_gradients = score, torch.is_grad_enabled()
        self._everything = torch.ones(1, dtype=torch.bool, device=device).expand(
            rows, self.action_dim
        )
        self.apply_masking(None)
        return self

    def apply_masking(self, masks: MaybeMasks) -> None:
        """Set the legal actions, ``bool[k, A]``; None for all."""
        self._mask, self._worked_out = self._everything, None
        if masks is not None:
            given = torch.as_tensor(masks, dtype=torch.bool, device=self._everything.device)
            given = given.reshape(self._everything.shape)
            self._mask = given | ~given.any(1, keepdim=True)  # a copy
            self._worked_out = self._among_legal()

    @property
    def distribution(self) -> MaskableCategorical:  # type: ignore[override]
        """The base class's form, over all actions: for its probabilities and logits."""
        rows, actions = self._everything.nonzero(as_tuple=True)
        with torch.set_grad_enabled(self._with_gradients):
            scores = self._score(rows, actions).reshape(self._everything.shape)
            return MaskableCategorical(logits=scores, masks=self._mask)

    def log_prob(self, actions: torch.Tensor) -> torch.Tensor:
        """Log-probabilities ``float32[k]`` of actions ``int64[k]``; -inf for illegal ones."""
        is_it = (self._legal.actions == actions[:, None]) & ~self._legal.is_filling
        chosen = torch.where(is_it, self._legal.log_chances, 0).sum(1)
        return chosen.masked_fill(~is_it.any(1), -torch.inf)

    def entropy(self) -> torch.Tensor:
        """``float32[k]``."""
        return -(self._legal.chances * self._legal.log_chances).sum(1)

    def sample(self) -> torch.Tensor:
        """Legal actions ``int64[k]``, drawn by probability; ``NotFinite`` without any."""
        return self._action_at(self._chances().multinomial(1))

    def mode(self) -> torch.Tensor:
        """The most probable actions, ``int64[k]``; ``NotFinite`` without probabilities."""
        return self._action_at(self._chances().argmax(1, keepdim=True))

    def _chances(self) -> torch.Tensor:
        chances = self._legal.chances
        if not bool(chances.isfinite().all()):
            raise NotFinite
        return chances

    def _action_at(self, places: torch.Tensor) -> torch.Tensor:
        return self._legal.actions.gather(1, places).squeeze(1)

    @property
    def _legal(self) -> Legal:
        if self._worked_out is None:
            self._worked_out = self._among_legal()
        return self._worked_out

    def _among_legal(self) -> Legal:
        with torch.set_grad_enabled(self._with_gradients):
            return legal_among(self._score, self._mask)


def legal_among(score: Score, mask: torch.Tensor) -> Legal:
    """The legal actions of a mask ``bool[k, A]``, with their probabilities by a score function."""
    rows, actions = mask.nonzero(as_tuple=True)
    counts = rows.bincount(minlength=len(mask))
    before = counts.cumsum(0) - counts
    places = torch.arange(rows.numel(), device=mask.device) - before[rows]
    is_filling = torch.arange(int(counts.max()), device=mask.device) >= counts[:, None]
    side_by_side = torch.zeros_like(is_filling, dtype=torch.int64)
    side_by_side[rows, places] = actions
    scores = score(rows, actions)
    heights = scores.new_full(is_filling.shape, -torch.inf).index_put((rows, places), scores)
    log_chances = heights.log_softmax(1).masked_fill(is_filling, 0)
    return Legal(side_by_side, is_filling, log_chances)
