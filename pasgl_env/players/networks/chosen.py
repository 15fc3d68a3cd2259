"""The scores of a few chosen actions by a network's head, without those of all others.

A position has some 40 legal actions among the 1,165 of PASGL 312 Chess, or 90 among the 7,874 of
Chieftain. Learning needs the scores of these only, and their gradients are as sparse.
"""

from __future__ import annotations

from typing import Any, TypeGuard
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


def scores_of(
    head: nn.Module, features: torch.Tensor, rows: torch.Tensor, actions: torch.Tensor
) -> torch.Tensor:
    """Scores ``float32[m]`` by a head, from features ``float32[k, F]``.

    Args:
        head: scores all actions, ``float32[k, A]``.
        features: its input.
        rows: ``int64[m]``: rows of the features.
        actions: ``int64[m]``: an action in each of these rows. No pair occurs twice, and pairs are
            in ascending order.
    """
    if not (_is_plain(head, features) and _FEW * rows.numel() <= len(features) * len(head.weight)):
        return head(features)[rows, actions]
    scores: torch.Tensor = _Chosen.apply(  # type: ignore[no-untyped-call]
        features, head.weight, head.bias, rows, actions
    )
    return scores


def _is_plain(head: nn.Module, features: torch.Tensor) -> TypeGuard[nn.Linear]:
    """Whether a head is a layer with a bias, in main memory, of the same numbers as its input."""
    is_linear = isinstance(head, nn.Linear) and head.bias is not None
    return is_linear and features.device.type == "cpu" and features.dtype == head.weight.dtype


class _Chosen(torch.autograd.Function):
    """Chosen elements of ``features @ weight.T + bias``."""

    @staticmethod
    def forward(
        ctx: Any,
        features: torch.Tensor,
        weight: torch.Tensor,
        bias: torch.Tensor,
        rows: torch.Tensor,
        actions: torch.Tensor,
    ) -> torch.Tensor:
        starts = torch.zeros(len(features) + 1, dtype=torch.int64)
        torch.cumsum(rows.bincount(minlength=len(features)), 0, out=starts[1:])
        ctx.save_for_backward(features, weight, starts, actions)
        added = _sparse(starts, actions, bias[actions], len(weight))
        return torch.sparse.sampled_addmm(added, features, weight.t()).values()

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        features, weight, starts, actions = ctx.saved_tensors
        of_scores = _sparse(starts, actions, gradient, len(weight))
        of_weight = of_bias = None
        if ctx.needs_input_grad[1]:  # not while the critic learns alone
            of_weight = of_scores.t().to_sparse_csr() @ features
        if ctx.needs_input_grad[2]:
            of_bias = gradient.new_zeros(len(weight)).index_add_(0, actions, gradient)
        return of_scores @ weight, of_weight, of_bias, None, None


def _sparse(
    starts: torch.Tensor, actions: torch.Tensor, values: torch.Tensor, columns: int
) -> torch.Tensor:
    """The sparse matrix with values ``[m]``, of which each row's begin at ``starts[k + 1]``."""
    size = len(starts) - 1, columns
    return torch.sparse_csr_tensor(starts, actions, values, size, check_invariants=False)
