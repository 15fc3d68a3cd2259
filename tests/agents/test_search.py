"""A network as the search asks for it, and the player that searches with it."""

import warnings

import numpy as np
import pytest
import torch

from pasgl_env import Batch, players
from pasgl_env.agents.network import new_policy
from pasgl_env.agents.search import NetworkSearchPlayer, network_evaluator, search_player
from pasgl_env.variants import find

GAMES = 5


@pytest.fixture(scope="module", params=["pasgl312", "pachessi"], ids=["dense", "convolutional"])
def variant(request):
    return request.param


@pytest.fixture(scope="module")
def policy(variant):
    torch.manual_seed(5)
    return new_policy(variant, {}, 16)


@pytest.fixture
def batch(variant):
    batch = Batch(variant, GAMES, seed=1)
    for _ in range(10):
        batch.step(batch.sample())
    return batch


class TestEvaluator:
    @pytest.fixture
    def evaluator(self, variant):
        return lambda policy: network_evaluator(policy, find(variant))

    def test_it_says_what_the_network_says(self, evaluator, policy, batch):
        logits, values = evaluator(policy)(batch.observation, batch.action_mask)
        with torch.no_grad():
            features = policy.features_extractor(torch.tensor(batch.observation).float())
            wanted = policy.action_net(features), policy.value_net(features)[:, 0].tanh()
        assert (logits.dtype, values.dtype) == (np.float32, np.float32)
        assert logits == pytest.approx(wanted[0].numpy(), abs=1e-6)
        assert values == pytest.approx(wanted[1].numpy(), abs=1e-6)
        assert np.unique(values).size == GAMES, "the positions are worth something different"

    def test_values_are_at_most_a_won_game(self, evaluator, policy, batch):
        weights = list(policy.value_net.parameters())
        before = [weight.detach().clone() for weight in weights]
        with torch.no_grad():
            for weight in weights:
                weight.mul_(100)
        _, values = evaluator(policy)(batch.observation, batch.action_mask)
        with torch.no_grad():
            for weight, old in zip(weights, before, strict=True):
                weight.copy_(old)
        assert 0.9 < np.abs(values).max() <= 1

    def test_arrays_of_a_batch_are_taken_as_they_are(self, evaluator, policy, batch):
        assert not batch.observation.flags.writeable
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            evaluator(policy)(batch.observation, batch.action_mask)

    @pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
    def test_on_a_gpu_it_says_the_same(self, variant, evaluator, policy, batch):
        twin = new_policy(variant, {}, 16)
        twin.load_state_dict(policy.state_dict())
        here = evaluator(policy)(batch.observation, batch.action_mask)
        there = evaluator(twin.to("cuda"))(batch.observation, batch.action_mask)
        for one, other in zip(here, there, strict=True):
            assert one == pytest.approx(other, abs=1e-3)


class TestPlayer:
    def player(self, policy, variant, seed=1, **settings):
        return search_player(policy, variant, 8, "searcher", seed, **settings)

    def test_it_is_a_player_that_knows_its_network(self, policy, variant):
        player = self.player(policy, variant)
        assert isinstance(player, players.Player)
        assert isinstance(player, NetworkSearchPlayer)
        assert (player.name, player.policy, player.simulations) == ("searcher", policy, 8)

    def test_it_searches(self, policy, variant, batch):
        player = self.player(policy, variant)
        actions = players.choose(player, batch, np.arange(GAMES))
        assert (player.visits.sum(axis=1) == 8).all()
        assert (player.visits.argmax(axis=1) == actions).all()

    def test_the_same_seed_the_same_actions(self, policy, variant, batch):
        chosen = [
            self.player(policy, variant, seed, noise=0.5, temperature=1.0)
            .choose(batch, np.arange(GAMES))
            .tolist()
            for seed in (1, 1, 2)
        ]
        assert chosen[0] == chosen[1] != chosen[2]

    def test_an_impossible_setting(self, policy, variant):
        with pytest.raises(ValueError, match="noise"):
            self.player(policy, variant, noise=2.0)
        with pytest.raises(ValueError, match="no variant 'chess'"):
            self.player(policy, "chess")
