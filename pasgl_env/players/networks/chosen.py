"""The scores of a few chosen actions by a network's head, without those of all others.

A position has some 40 legal actions among the 1,165 of PASGL 312 Chess, or 90 among the 7,874 of
Chieftain. Learning needs the scores of these only, and their gradients are as sparse.
"""

from __future__ import annotations

from typing import Any
from warnings import catch_warnings, simplefilter

import torch
from torch import nn
from torch.autograd.function import once_differentiable

with catch_warnings():
    # PyTorch says once that its sparse tensors are in beta; that is not the user's concern.
    simplefilter("ignore")
    torch.zeros(1, 1).to_sparse_csr()

_FEW = 4
"""Chosen actions are few if all actions are at least this many times as many."""


def scores_of(head: nn.Module, features: torch.Tensor, actions: torch.Tensor) -> torch.Tensor:
    """Scores ``float32[k, n]`` by a head, from features ``float32[k, F]``.

    Args:
        head: scores all actions, ``float32[k, A]``.
        features: its input.
        actions: ``int64[k, n]``, in any order.
    """
    is_few = isinstance(head, nn.Linear) and _FEW * actions.shape[1] <= head.out_features
    if not (is_few and features.device.type == "cpu"):
        return head(features).gather(1, actions)
    scores: torch.Tensor = _Chosen.apply(  # type: ignore[no-untyped-call]
        features, head.weight, head.bias, actions
    )
    return scores


class _Chosen(torch.autograd.Function):
    """Chosen elements of ``features @ weight.T + bias``."""

    @staticmethod
    def forward(
        ctx: Any,
        features: torch.Tensor,
        weight: torch.Tensor,
        bias: torch.Tensor,
        actions: torch.Tensor,
    ) -> torch.Tensor:
        ctx.save_for_backward(features, weight, actions)
        added = _sparse(actions, bias[actions], len(weight))
        chosen = torch.sparse.sampled_addmm(added, features, weight.t())
        return chosen.values().reshape(actions.shape)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        features, weight, actions = ctx.saved_tensors
        of_scores = _sparse(actions, gradient, len(weight))
        of_weight = of_bias = None
        if ctx.needs_input_grad[1]:  # not while the critic learns alone
            of_weight = of_scores.t().to_sparse_csr() @ features
            of_bias = torch.zeros(len(weight)).index_add_(0, actions.flatten(), gradient.flatten())
        return of_scores @ weight, of_weight, of_bias, None


def _sparse(actions: torch.Tensor, values: torch.Tensor, columns: int) -> torch.Tensor:
    """The sparse matrix ``[k, columns]`` with values ``[k, n]`` at columns ``actions[k, n]``."""
    rows, chosen = actions.shape
    starts = torch.arange(0, rows * chosen + 1, chosen)
    return torch.sparse_csr_tensor(
        starts, actions.flatten(), values.flatten(), (rows, columns), check_invariants=False
    )
