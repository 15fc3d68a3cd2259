"""Imitation: decisions are stored, and learned."""

import numpy as np
import pytest
import torch

from pasgl_env import Batch, players, variants
from pasgl_env.players import choose, make
from pasgl_env.players.networks.policy import features_of, new_policy
from pasgl_env.training.ppo.imitation import MOST_GAMES, Imitation, costs_of, visits_of
from pasgl_env.training.ppo.replay import expected_cost_of


def scores_of(policy, minibatch):
    with torch.no_grad():
        return policy.action_net(features_of(policy, minibatch.parts))


def remembered(teaching):
    """All that it has seen so far, as a minibatch."""
    replay = teaching._replay
    return teaching._positions.minibatch(replay._records[: replay._size])


def agreement(policy, minibatch):
    """The share of a network's first choices that are the teacher's."""
    scores = scores_of(policy, minibatch).masked_fill(~minibatch.mask, -1e9)
    return (scores.argmax(1) == minibatch.action[:, 0]).float().mean().item()


def test_the_network_comes_to_choose_what_the_teacher_chooses():
    policy = new_policy(variants.ruleset("spalding"))
    teaching = Imitation(policy, variants.ruleset("spalding"), "greedy", seed=1)
    for _ in range(16):
        teaching._watch()
    minibatch = remembered(teaching)
    before = agreement(policy, minibatch)
    for _ in range(60):
        teaching.step()
    assert agreement(policy, minibatch) > 2 * before


def test_the_teacher_is_asked_in_half_of_the_games_and_plays_there(monkeypatch):
    teaching = Imitation(
        new_policy(variants.ruleset("spalding")),
        variants.ruleset("spalding"),
        "greedy",
        seed=1,
        games=9,
    )
    batch, asked = Batch("spalding", 9), {}

    def chosen(player, batch, games):
        actions = choose(player, batch, games)
        asked[player.name] = (games, actions)
        return actions

    monkeypatch.setattr(players, "choose", chosen)
    assert teaching.step() == 5
    (taught, shown), (alone, own) = asked["greedy"], asked["pupil"]
    assert sorted([*taught, *alone]) == list(range(9))
    actions = np.zeros(9, np.int64)
    actions[taught], actions[alone] = shown, own
    batch.step(actions)
    assert np.array_equal(batch.states, teaching._batch.states)
    minibatch = remembered(teaching)
    assert sorted(minibatch.action[:, 0].tolist()) == sorted(shown.tolist())


@pytest.fixture(scope="module")
def teaching():
    """For a network with action priors, taught by a search."""
    policy = new_policy(variants.ruleset("pachessi"), action_prior="greedy")
    return Imitation(policy, variants.ruleset("pachessi"), "mcts:30", seed=1, temperature=1.0)


class TestBySearch:
    """A network with action priors learns from the values of actions in a search."""

    def test_it_doubts_what_the_action_prior_holds_best(self, teaching):
        teaching.begin()
        assert teaching._policy.action_net.trust.tolist() == [20.0, 0.0]

    def test_it_comes_to_lose_less(self, teaching):
        teaching.begin()
        for _ in range(4):
            teaching._watch()
        minibatch = remembered(teaching)
        before = expected_cost_of(scores_of(teaching._policy, minibatch), minibatch)
        for _ in range(40):
            teaching._learn()
        assert expected_cost_of(scores_of(teaching._policy, minibatch), minibatch) < 0.8 * before

    def test_at_another_rate_it_learns_as_much_as_that(self, teaching):
        weights = [
            weight for group in teaching._optimizer.param_groups for weight in group["params"]
        ]
        before = [weight.detach().clone() for weight in weights]
        teaching._watch()
        teaching.set_rate(0.0)
        teaching._learn()
        assert all(map(torch.equal, before, weights))
        teaching.set_rate(1e-3)
        teaching._learn()
        assert not all(map(torch.equal, before, weights))

    def test_decisions_without_a_choice_are_not_learned_from(self, teaching):
        decisions = sum(teaching.step() for _ in range(10))
        assert MOST_GAMES < decisions < 10 * MOST_GAMES
        assert (remembered(teaching).mask.sum(1) > 1).all()


class TestWhatAPlayerShows:
    @pytest.fixture
    def batch(self):
        batch = Batch("spalding", 3, seed=1)
        for _ in range(10):
            batch.step(batch.sample())
        return batch

    def test_a_search_shows_its_visits_and_what_they_cost(self, batch):
        teacher = make("mcts:50", "spalding", seed=1)
        chosen = choose(teacher, batch, np.arange(3))
        visits, costs = visits_of(teacher, chosen, batch.num_actions), costs_of(teacher)
        assert (visits.argmax(1) == chosen).all() and (visits.sum(1) == 50).all()
        assert (~np.isnan(costs) == batch.action_mask.astype(bool)).all()
        assert (np.nanmin(costs, axis=1) == 0).all() and (np.nanmax(costs, axis=1) <= 2).all()

    def test_any_other_shows_its_choice(self, batch):
        teacher = make("greedy", "spalding", seed=1)
        chosen = choose(teacher, batch, np.arange(3))
        visits = visits_of(teacher, chosen, batch.num_actions)
        assert (visits.argmax(1) == chosen).all() and (visits.sum(1) == 1).all()
