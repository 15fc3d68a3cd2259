"""The scores of chosen actions, and their gradients, equal those among all scores."""

import pytest
import torch
from torch import nn

from pasgl_env.players.networks.chosen import scores_of

ROWS, FEATURES, ACTIONS = 30, 16, 200


def gradients(scores, *inputs):
    torch.manual_seed(2)
    return torch.autograd.grad((scores * torch.randn(scores.shape)).sum(), inputs)


@pytest.fixture
def features():
    torch.manual_seed(1)
    return torch.randn(ROWS, FEATURES, requires_grad=True)


def drawn(share):
    """Some pairs of rows and actions; not of each row."""
    torch.manual_seed(3)
    return (torch.rand(ROWS, ACTIONS) < share).nonzero(as_tuple=True)


def both(head, features, chosen):
    """The scores of chosen actions, and these among the scores of all."""
    return scores_of(head, features, *chosen), head(features)[chosen]


@pytest.mark.parametrize("share", [0.01, 0.2, 1.0])
@pytest.mark.parametrize("learns", [("weight", "bias"), ("bias",), ()])
def test_scores_and_gradients(features, share, learns):
    head = nn.Linear(FEATURES, ACTIONS).requires_grad_(False)
    weights = [getattr(head, name).requires_grad_() for name in learns]
    own, usual = both(head, features, drawn(share))
    assert torch.allclose(own, usual, atol=1e-5)
    pairs = zip(
        gradients(own, features, *weights), gradients(usual, features, *weights), strict=True
    )
    assert all(torch.allclose(each, other, atol=1e-4) for each, other in pairs)


def test_double_precision(features):
    head = nn.Linear(FEATURES, ACTIONS).double()
    own, usual = both(head, features.double(), drawn(0.1))
    assert own.dtype == torch.float64
    pairs = zip(gradients(own, head.bias), gradients(usual, head.bias), strict=True)
    assert all(torch.allclose(*pair) for pair in pairs)


def test_pytorch_finds_its_sparse_matrices_sound(features):
    with torch.sparse.check_sparse_tensor_invariants():
        own, usual = both(nn.Linear(FEATURES, ACTIONS), features, drawn(0.1))
        (of_own,), (of_usual,) = gradients(own, features), gradients(usual, features)
        assert torch.allclose(of_own, of_usual, atol=1e-5)


@pytest.mark.parametrize(
    "head",
    [
        nn.Linear(FEATURES, ACTIONS, bias=False),
        nn.Sequential(nn.ReLU(), nn.Linear(FEATURES, ACTIONS)),
    ],
)
def test_other_heads(features, head):
    own, usual = both(head, features, drawn(0.1))
    assert torch.equal(own, usual)


def test_mixed_precision(features):
    head = nn.Linear(FEATURES, ACTIONS)
    with torch.autocast("cpu", torch.bfloat16):
        own, usual = both(head, features.bfloat16(), drawn(0.1))
    assert torch.equal(own, usual)
