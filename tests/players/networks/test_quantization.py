"""Quantized weights: close to the originals, and refused with wrong scales."""

import pytest
import torch

from pasgl_env.players.networks.quantization import dequantized, quantized

GENERATOR = torch.Generator().manual_seed(1)
SHAPES = {"wide": (3, 50), "tall": (50, 3), "kernels": (4, 5, 3, 3), "bias": (7,), "trust": ()}
WEIGHTS = {name: torch.randn(shape, generator=GENERATOR) for name, shape in SHAPES.items()}


def test_weights_come_back_within_half_a_scale():
    small, scales = quantized(WEIGHTS)
    assert {name: scale.shape for name, scale in scales.items()} == {
        "wide": (3, 1),
        "tall": (1, 3),
        "kernels": (4, 1),
    }
    again = dequantized(small, scales)
    for name, scale in scales.items():
        error = (again[name] - WEIGHTS[name]).flatten(1).abs()
        assert (error <= 0.501 * scale).all(), name
    assert all(torch.equal(again[name], WEIGHTS[name].half()) for name in ("bias", "trust"))


def test_quantizing_again_changes_nothing():
    small, scales = quantized(WEIGHTS)
    again, _ = quantized(dequantized(small, scales))
    assert all(torch.equal(again[name], small[name]) for name in WEIGHTS)


def test_a_row_of_zeros_stays_one():
    small, scales = quantized({"head": torch.zeros(2, 3)})
    assert torch.equal(dequantized(small, scales)["head"], torch.zeros(2, 3))


def test_shared_weights_stay_shared():
    small, scales = quantized({"one": WEIGHTS["wide"], "other": WEIGHTS["wide"]})
    assert small["one"] is small["other"] and scales["one"] is scales["other"]


@pytest.mark.parametrize(
    "scales",
    [
        {},
        {"wide": torch.ones(3, 1), "bias": torch.ones(7, 1)},
        {"wide": torch.ones(3)},
        {"wide": torch.ones(3, 50)},
        {"wide": torch.ones(9, 3, 1)},
    ],
    ids=["none", "of another", "a row", "of each weight", "stretching"],
)
def test_scales_that_do_not_fit(scales):
    weights = {"wide": torch.ones(3, 50, dtype=torch.int8), "bias": torch.ones(7)}
    with pytest.raises(ValueError, match="scales"):
        dequantized(weights, scales)
