"""The action prior that networks observe."""

from itertools import pairwise

import numpy as np
import pytest

from pasgl_env import Batch, Position, players, variants
from pasgl_env.players import TreeSearchPlayer
from pasgl_env.players.values.action_prior import FAR, action_priors_in

EVERY = np.arange(8)


def some_games(variant):
    batch = Batch(variant, 8, seed=1)
    for _ in range(30):
        batch.step(batch.sample())
        yield batch


@pytest.mark.parametrize("prior", ["greedy", "td"])
@pytest.mark.parametrize("variant", ["pasgl312", "spalding", "chieftain", "pachessi"])
def test_what_the_player_chooses_is_held_best(variant, prior):
    for batch in some_games(variant):
        player = players.make(prior, variant, seed=1)  # it remembers no game
        told = action_priors_in(batch, EVERY, prior).actions
        assert (told[EVERY, players.choose(player, batch, EVERY)] == 0).all()
        assert (told.max(axis=1) == 0).all()
        assert told.min() >= -1


@pytest.mark.parametrize("prior", ["greedy", "td"])
def test_illegal_actions_are_worst(prior):
    for batch in some_games("pachessi"):
        assert (action_priors_in(batch, EVERY, prior).actions[batch.action_mask == 0] == -1).all()


def test_differences_are_in_units_of_what_decides():
    position, game = Position("chieftain"), variants.find("chieftain")
    batch = Batch("chieftain", 1)
    batch.states = position.state
    told = action_priors_in(batch, EVERY[:1], "greedy").actions[0]
    values = {}
    for action in position.legal_actions():
        after = position.copy().play_action(action)
        if game.is_quiescent(after.state[0]) and told[action] > -1:
            values[action] = game.evaluate(after.state[0], batch.options_record[0], 0)
    assert len(set(values.values())) > 2
    for one, other in pairwise(values):
        difference = (values[one] - values[other]) / game.decisive_lead
        assert told[one] - told[other] == pytest.approx(difference, abs=1e-6)


def test_differences_of_learned_values_are_those_of_a_search():
    batch = Batch("spalding", 1, seed=1)
    for _ in range(30):
        batch.step(batch.sample())
    search = players.make("search:1", "spalding", seed=1)
    players.choose(search, batch, EVERY[:1])
    assert isinstance(search, TreeSearchPlayer)
    values = search.action_values[0]
    told = action_priors_in(batch, EVERY[:1], "td")
    legal = batch.action_mask[0] == 1
    assert told.standing[0, 0] == pytest.approx(values[legal].max(), abs=1e-6)
    differences = np.maximum(values[legal] - values[legal].max(), -1)
    assert told.actions[0, legal] == pytest.approx(differences, abs=1e-6)


def test_without_learned_values_for_the_options_the_hand_written_evaluation_is_used():
    batch = Batch("pachessi", 8, seed=1, laps=2)
    for _ in range(20):
        batch.step(batch.sample())
    with pytest.warns(UserWarning, match="no values of pachessi were learned"):
        told = action_priors_in(batch, EVERY, "td").actions
    assert ((told == 0) == (action_priors_in(batch, EVERY, "greedy").actions == 0)).all()


@pytest.mark.parametrize("prior", ["greedy", "td"])
def test_only_the_games_that_are_asked_for(prior):
    batch = Batch("pachessi", 8, seed=1)
    batch.step(batch.sample())
    some = np.array([1, 5])
    for part, whole in zip(
        action_priors_in(batch, some, prior), action_priors_in(batch, EVERY, prior), strict=True
    ):
        assert (part == whole[some]).all()


@pytest.mark.parametrize("variant", ["pasgl312", "spalding", "chieftain", "pachessi"])
def test_standing_is_the_lead_of_whoever_is_to_act(variant):
    game = variants.find(variant)
    stand = game.potential or game.evaluate
    for batch in some_games(variant):
        standing = action_priors_in(batch, EVERY, "greedy").standing
        for row, state in enumerate(batch.states):
            lead = stand(state, batch.options_record[0], batch.to_move[row]) / game.decisive_lead
            assert standing[row, 0] == pytest.approx(np.clip(lead, -FAR, FAR), abs=1e-6)
