"""The distribution over legal actions equals that over all actions with a mask."""

import numpy as np
import pytest
import torch
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution

from pasgl_env.players.networks.distribution import LegalDistribution

ACTIONS, ROWS = 300, 40


@pytest.fixture
def scores():
    torch.manual_seed(1)
    return (3 * torch.randn(ROWS, ACTIONS)).requires_grad_()


@pytest.fixture
def masks():
    """Rows of one legal action, of few, of many, of all."""
    generator = np.random.default_rng(1)
    mask = generator.random((ROWS, ACTIONS)) < np.linspace(0, 1, ROWS)[:, None]
    mask[np.arange(ROWS), generator.integers(ACTIONS, size=ROWS)] = True
    return mask


def both(scores, masks):
    pair = [kind(ACTIONS) for kind in (LegalDistribution, MaskableCategoricalDistribution)]
    for distribution in pair:
        distribution.proba_distribution(scores)
        distribution.apply_masking(masks)
    return pair


@pytest.mark.parametrize("is_masked", [True, False])
def test_chances_entropies_and_their_gradients(scores, masks, is_masked):
    actions = torch.as_tensor(masks.argmax(1))
    gradients = []
    own, usual = both(scores, masks if is_masked else None)
    assert torch.allclose(own.log_prob(actions), usual.log_prob(actions), atol=1e-5)
    assert torch.allclose(own.entropy(), usual.entropy(), atol=1e-5)
    for each in (own, usual):
        (gradient,) = torch.autograd.grad(
            each.log_prob(actions).sum() + each.entropy().sum(), scores
        )
        gradients.append(gradient)
    assert torch.allclose(gradients[0], gradients[1], atol=1e-5)
    assert gradients[0].abs().sum() > 1


def test_the_likeliest_action(scores, masks):
    own, usual = both(scores, masks)
    assert torch.equal(own.mode(), usual.mode())


def test_legal_actions_are_drawn_with_their_chances():
    own = LegalDistribution(4).proba_distribution(torch.tensor([[0.0, 5.0, 1.0, 0.0]] * 20_000))
    own.apply_masking(np.tile([True, False, True, False], (20_000, 1)))
    torch.manual_seed(1)
    shares = torch.bincount(own.sample(), minlength=4) / 20_000
    wanted = np.array([1, 0, np.e, 0]) / (1 + np.e)
    assert shares.numpy() == pytest.approx(wanted, abs=0.02)
    assert shares[1] == shares[3] == 0


def test_an_illegal_action_has_no_chance(scores, masks):
    illegal = torch.as_tensor(masks.argmin(1))[1:-1]
    own, _ = both(scores[1:-1], masks[1:-1])
    assert (own.log_prob(illegal) == -torch.inf).all()


def test_a_new_mask_replaces_the_last(scores, masks):
    own, _ = both(scores, masks)
    before = own.entropy()
    own.apply_masking(None)
    assert (own.entropy() > before + 1e-3).any()
    own.apply_masking(masks)
    assert torch.equal(own.entropy(), before)


def test_all_probabilities(scores, masks):
    own, usual = both(scores, masks)
    assert torch.allclose(own.distribution.probs, usual.distribution.probs, atol=1e-6)
    own, usual = both(scores, None)
    assert torch.allclose(own.distribution.logits, usual.distribution.logits, atol=1e-5)


def test_a_mask_that_changes_afterwards_does_not_matter(scores, masks):
    own, _ = both(scores, masks)
    before = own.entropy()
    own, _ = both(scores, masks)
    masks[:] = True
    assert torch.equal(own.entropy(), before)


@pytest.mark.parametrize("is_masked", [True, False])
def test_what_is_made_without_gradients_has_none(scores, masks, is_masked):
    with torch.no_grad():
        own, _ = both(scores, masks if is_masked else None)
    assert not own.entropy().requires_grad
    assert not own.distribution.probs.requires_grad


def test_without_a_legal_action_all_are_legal(scores, masks):
    masks[3] = False
    (own, _), (free, _) = both(scores, masks), both(scores, None)
    assert own.entropy()[3].detach() == pytest.approx(free.entropy()[3].detach())
    assert own.entropy()[2] < free.entropy()[2]
    assert own.log_prob(own.sample()).isfinite().all()
