"""Compact weights: matrices of int8 with scales, the rest in half precision.

A matrix has one scale per row or per column, whichever are fewer: its largest weight there is 127
times the scale. Convolution kernels count as matrices with one row per output channel.

>>> weights, scales = quantized({"head": torch.tensor([[1.0, -0.5, 0.25], [0.0, 0.0, 0.0]])})
>>> weights["head"].tolist(), scales["head"].shape
([[127, -64, 32], [0, 0, 0]], torch.Size([2, 1]))
>>> dequantized(weights, scales)["head"][0].tolist()
[1.0, -0.5039..., 0.2519...]
"""

from __future__ import annotations

from collections.abc import Mapping

import torch

LARGEST = 127


def quantized(
    weights: Mapping[str, torch.Tensor],
) -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
    """Weights as int8 or float16, and the scales ``float32[rows, 1]`` or ``float32[1, columns]``.

    Weights that share memory still share it.
    """
    small: dict[int, tuple[torch.Tensor, torch.Tensor | None]] = {}
    for weight in weights.values():
        if weight.data_ptr() not in small:
            matrix = weight.dim() > 1
            small[weight.data_ptr()] = _quantized(weight) if matrix else (weight.half(), None)
    pairs = {name: small[weight.data_ptr()] for name, weight in weights.items()}
    scales = {name: scale for name, (_, scale) in pairs.items() if scale is not None}
    return {name: weight for name, (weight, _) in pairs.items()}, scales


def dequantized(
    weights: Mapping[str, torch.Tensor], scales: Mapping[str, torch.Tensor]
) -> dict[str, torch.Tensor]:
    """The inverse of :func:`quantized`, exact up to half a scale for each weight.

    Raises:
        ValueError: if the scales do not belong to the int8 matrices.
    """
    whole = {name for name, weight in weights.items() if weight.dtype == torch.int8}
    if scales.keys() != whole:
        raise ValueError("scales are missing, or are of other weights")
    return {
        name: _scaled(weight, scales[name]) if name in whole else weight
        for name, weight in weights.items()
    }


def _quantized(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    matrix = weight.float().flatten(1)
    rows, columns = matrix.shape
    largest = matrix.abs().amax(dim=1 if rows <= columns else 0, keepdim=True)
    scale = torch.where(largest > 0, largest / LARGEST, 1.0)
    return (matrix / scale).round().to(torch.int8).reshape(weight.shape), scale


def _scaled(weight: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    matrix = weight.flatten(1)
    rows, columns = matrix.shape
    # Other shapes would be refused, or broadcast the matrix to a size not in the file.
    if scale.shape not in ((rows, 1), (1, columns)):
        raise ValueError("scales fit neither the rows nor the columns of their weights")
    return (matrix * scale).reshape(weight.shape)
