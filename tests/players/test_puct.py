"""Search with a policy-value network: what it asks, what it plays, what it tells."""

from typing import Any

import numpy as np
import pytest

from pasgl_env import Batch, Position, players, variants

from ..games.pachessi.positions import Seat, turned
from ..games.pasgl312.positions import place

ALL = np.arange


def know_nothing(observation, action_mask):
    return np.zeros(action_mask.shape), np.zeros(len(action_mask))


class Notebook:
    """Knows nothing, and remembers what it was asked."""

    def __init__(self):
        self.asked = []

    def __call__(self, observation, action_mask):
        self.asked.append((observation.copy(), action_mask.copy()))
        return know_nothing(observation, action_mask)


def search(variant, evaluator=know_nothing, simulations=64, seed=1, **rest):
    return players.SearchPlayer(variants.find(variant), evaluator, simulations, seed, **rest)


def choice(position, **rest):
    return position.label(players.choose_one(search(position.variant, **rest), position))


class TestFinds:
    @pytest.mark.jitfree
    def test_a_win_in_one(self):
        position = Position.from_text("pasgl312", place("Ha4 ba6"))
        assert choice(position, simulations=100) == "Ha4:a6"

    def test_a_win_for_the_partner(self):
        """What the next of the team wins counts for all of it."""
        player, values = search("pachessi", simulations=6000), []
        matches: tuple[dict[str, Any], ...] = (
            {"foe": "Ra1", "friend": turned("Hc7:1 R* E*", 2, 7)},
            {"foe": turned("Hc7:1 R* E*", 1, 7), "friend": "Rg1"},
        )
        for others in matches:
            position = Seat(4, "black").position("Ra6", dice="2", last="Rg7", **others)
            players.choose_one(player, position)
            values.append(player.values[0])
        assert values[0] > 0
        assert values[1] < 0


class TestEvaluator:
    def test_leaves_of_all_games_are_one_question(self):
        notebook, batch = Notebook(), Batch("pachessi", 5, seed=1)
        search("pachessi", notebook, 8).choose(batch, ALL(5))
        observation, action_mask = notebook.asked[0]
        assert (observation == batch.observation).all()
        assert (action_mask == batch.action_mask).all()
        assert len(notebook.asked) == 9

    def test_the_likeliest_action_is_visited_most(self):
        batch = Batch("pasgl312", 2)
        favourite = np.flatnonzero(batch.action_mask[0])[7]

        def policy(observation, action_mask):
            logits, values = know_nothing(observation, action_mask)
            logits[:, favourite] = 4
            return logits, values

        assert search("pasgl312", policy).choose(batch, ALL(2)).tolist() == [favourite] * 2

    def test_values_are_those_of_the_player_to_act(self):
        """Who is to act likes it: so the one before, whose turn it was, does not."""

        def content(observation, action_mask):
            return np.zeros(action_mask.shape), np.ones(len(action_mask))

        player = search("pasgl312", content, 20)
        player.choose(Batch("pasgl312", 1), ALL(1))
        assert player.values[0] < 0

    def test_logits_of_illegal_actions_do_not_count(self):
        def careless(observation, action_mask):
            return np.where(action_mask, 0.0, np.inf), np.zeros(len(action_mask))

        batch = Batch("pachessi", 3, seed=1)
        batch.step(players.choose(search("pachessi", careless), batch, ALL(3)))

    @pytest.mark.parametrize(
        "answer",
        [
            None,
            3,
            (np.zeros((3, 393)),),
            (np.zeros((3, 4)), np.zeros(3)),
            (np.zeros((3, 393)), np.zeros((3, 1))),
            (np.zeros((3, 393)), np.full(3, np.nan)),
            (np.full((3, 393), np.nan), np.zeros(3)),
            ("abc", "def"),
        ],
        ids=str,
    )
    def test_an_answer_that_is_none(self, answer):
        player = search("pachessi", lambda observation, action_mask: answer)
        with pytest.raises(ValueError, match="evaluator"):
            player.choose(Batch("pachessi", 3, seed=1), ALL(3))


class TestVisits:
    def test_they_are_of_legal_actions_and_add_up(self):
        batch, player = Batch("pachessi", 6, seed=1), search("pachessi", simulations=30)
        for _ in range(5):
            actions = players.choose(player, batch, ALL(6)[1:])
            assert player.visits.shape == (5, batch.num_actions)
            assert (player.visits.sum(axis=1) == 30).all()
            assert not player.visits[batch.action_mask[1:] == 0].any()
            assert (player.visits[ALL(5), actions] == player.visits.max(axis=1)).all()
            batch.step_some(ALL(6)[1:], actions)

    def test_temperature_spreads_the_choices(self):
        batch = Batch("pasgl312", 200)
        cold, warm, late = (
            np.unique(
                search("pasgl312", simulations=20, temperature=t, warm_turns=turns).choose(
                    batch, ALL(200)
                )
            ).size
            for t, turns in ((0.0, None), (1.0, None), (1.0, 0))
        )
        assert cold == late == 1
        assert warm > 10

    def test_noise_changes_what_is_tried(self):
        batch = Batch("pasgl312", 20)
        plain, noisy = (search("pasgl312", noise=noise) for noise in (0.0, 0.25))
        for player in (plain, noisy):
            player.choose(batch, ALL(20))
        assert (plain.visits == plain.visits[0]).all()
        assert len(np.unique(noisy.visits, axis=0)) == 20


class TestVisitsWithoutNoise:
    def test_without_noise_they_are_all_visits(self):
        player = search("pasgl312")
        player.choose(Batch("pasgl312", 3), ALL(3))
        assert (player.visits_without_noise == player.visits).all()

    def test_of_what_is_worth_the_same_those_are_left_that_the_plain_priors_ask_for(self):
        """The network prefers one action and thinks nothing of values: then visits are priors."""
        favoured = int(Batch("pasgl312", 1).action_mask[0].argmax())

        def prefer(observation, action_mask):
            logits = np.zeros(action_mask.shape)
            logits[:, favoured] = 20.0
            return logits, np.zeros(len(action_mask))

        player = search("pasgl312", prefer, simulations=60, noise=0.5)
        player.choose(Batch("pasgl312", 20), ALL(20))
        others = np.delete(player.visits_without_noise, favoured, axis=1)
        assert np.delete(player.visits, favoured, axis=1).any(axis=1).all()
        liked = player.visits.argmax(axis=1) == favoured
        assert liked.sum() >= 10
        assert not others[liked].any()
        assert (
            player.visits_without_noise[liked, favoured] == player.visits[liked, favoured]
        ).all()

    def test_what_noise_has_found_to_be_good_is_kept(self):
        """An action that no prior asks for, and after which its player has as good as won."""
        batch = Batch("pasgl312", 20)
        good = int(batch.action_mask[0].argmax())
        after = Batch("pasgl312", 1)
        after.step(np.array([good]))
        (found,) = after.observation
        value = 1.0 if after.to_move[0] == batch.to_move[0] else -1.0

        def know(observation, action_mask):
            is_after = (observation == found).all(axis=(1, 2, 3))
            logits = np.zeros(action_mask.shape)
            logits[:, good] = -20.0
            return logits, np.where(is_after, value, 0.0)

        player = search("pasgl312", know, simulations=30, noise=0.5)
        player.choose(batch, ALL(20))
        tried = player.visits[:, good] > 0
        assert tried.any()
        left = player.visits_without_noise
        assert (left[tried, good] == player.visits[tried, good]).all()
        assert (left <= player.visits).all() and (left.max(axis=1) > 0).all()


class TestReproducible:
    def test_a_game_is_the_same_whichever_games_are_beside_it(self):
        settings = {"noise": 0.25, "temperature": 1.0}
        together, alone = (search("pachessi", **settings) for _ in range(2))
        batch = Batch("pachessi", 4, seed=2)
        for _ in range(6):
            actions = players.choose(together, batch, ALL(4))
            assert players.choose(alone, batch, ALL(4)[2:3]) == actions[2]
            batch.step(actions)


@pytest.mark.parametrize(
    "wrong",
    [
        {"simulations": 0},
        {"exploration": -1.0},
        {"noise": 1.5},
        {"concentration": 0.0},
        {"temperature": -1.0},
        {"warm_turns": -1},
    ],
    ids=str,
)
def test_wrong_settings(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        search("pachessi", **wrong)


def test_another_variants_games():
    with pytest.raises(ValueError, match="plays pachessi, not grand_pachessi"):
        search("pachessi").choose(Batch("grand_pachessi", 1), ALL(1))
