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


@pytest.mark.parametrize("chosen", [1, 40, ACTIONS])
def test_scores_and_gradients(features, chosen):
    head = nn.Linear(FEATURES, ACTIONS)
    actions = torch.randint(ACTIONS, (ROWS, chosen))  # some of them several times, as padding is
    own, all_scores = scores_of(head, features, actions), head(features)
    assert torch.allclose(own, all_scores.gather(1, actions), atol=1e-5)
    pairs = zip(
        gradients(own, features, *head.parameters()),
        gradients(all_scores.gather(1, actions), features, *head.parameters()),
        strict=True,
    )
    assert all(torch.allclose(each, other, atol=1e-4) for each, other in pairs)


def test_a_head_that_does_not_learn_passes_gradients_on(features):
    head = nn.Linear(FEATURES, ACTIONS).requires_grad_(False)
    actions = torch.randint(ACTIONS, (ROWS, 5))
    (own,) = gradients(scores_of(head, features, actions), features)
    (usual,) = gradients(head(features).gather(1, actions), features)
    assert torch.allclose(own, usual, atol=1e-5)


def test_a_head_of_several_layers(features):
    head = nn.Sequential(nn.ReLU(), nn.Linear(FEATURES, ACTIONS))
    actions = torch.randint(ACTIONS, (ROWS, 5))
    assert torch.equal(scores_of(head, features, actions), head(features).gather(1, actions))
