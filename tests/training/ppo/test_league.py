"""The league: how often each opponent is drawn."""

import numpy as np
import pytest
import torch

from pasgl_env import variants
from pasgl_env.players.networks.checkpoint import BadCheckpoint
from pasgl_env.players.networks.policy import NetworkPlayer, new_policy
from pasgl_env.training.ppo.league import GAMES_BELIEVED, LEAST_WEIGHT, SHARE_OF_SELF, League

FIXED = ("random", "greedy")


def player(name):
    return NetworkPlayer(new_policy(variants.ruleset("pachessi"), 4), name, seed=1)


@pytest.fixture
def league():
    return League(player("itself"), [player("past 1"), player("past 2")], FIXED, seed=1)


def lose(league, opponent, games=1000, outcome=-1.0):
    for _ in range(games):
        league.add_result(opponent, outcome)


def bias(player):
    return player.policy.action_net.others[-1].bias


class TestShares:
    def test_without_others_all_games_are_against_itself(self):
        league = League(player("itself"), [player("past 1")], (), seed=1)
        assert league.shares().tolist() == [1, 0]

    def test_nobody_known_all_are_met_alike(self, league):
        rest = (1 - SHARE_OF_SELF) / 2
        assert league.shares() == pytest.approx([SHARE_OF_SELF, 0, 0, rest, rest])

    def test_without_places_no_past_self_joins(self):
        league = League(player("itself"), [], FIXED, seed=1)
        league.add_self()
        assert league.to_dict()["selves"] == []
        rest = (1 - SHARE_OF_SELF) / 2
        assert league.shares() == pytest.approx([SHARE_OF_SELF, rest, rest])

    def test_a_past_self_is_met_from_when_it_joins(self, league):
        league.add_self()
        assert league.shares()[1] == pytest.approx((1 - SHARE_OF_SELF) / 3)
        assert league.shares()[2] == 0

    def test_whom_one_loses_to_is_met_most(self, league):
        lose(league, 3, outcome=1.0)
        lose(league, 4)
        shares = league.shares()
        least = (1 - SHARE_OF_SELF) * LEAST_WEIGHT
        assert 0.9 * least < shares[3] < 1.3 * least
        assert shares.sum() == pytest.approx(1)

    def test_draws_are_half_a_win(self, league):
        lose(league, 3, outcome=0.0)
        assert league.shares()[3] == pytest.approx(league.shares()[4])

    def test_a_few_results_tell_little(self, league):
        lose(league, 3, games=1)
        score = (GAMES_BELIEVED / 2) / (GAMES_BELIEVED + 1)
        wanted = (1 - score) ** 2 / ((1 - score) ** 2 + 0.25) * (1 - SHARE_OF_SELF)
        assert league.shares()[3] == pytest.approx(wanted)

    def test_opponents_are_drawn_so_often(self, league):
        lose(league, 4, games=30)
        drawn = np.bincount(league.draw(20_000), minlength=5) / 20_000
        assert drawn == pytest.approx(league.shares(), abs=0.02)


class TestPastSelves:
    def test_a_self_plays_on_as_it_was(self, league):
        with torch.no_grad():
            bias(league._itself).fill_(0.5)
        league.add_self()
        with torch.no_grad():
            bias(league._itself).fill_(2)
        assert bias(league._past[0]).eq(0.5).all()
        assert not bias(league._past[1]).eq(0.5).any()

    def test_a_full_league_gives_up_the_one_beaten_most(self, league):
        league.add_self()
        league.add_self()
        lose(league, 1)
        lose(league, 2, outcome=1.0)
        with torch.no_grad():
            bias(league._itself).fill_(0.5)
        league.add_self()
        assert bias(league._past[1]).eq(0.5).all()
        assert not bias(league._past[0]).eq(0.5).any()
        assert set(league.win_rates) == {"past 1"}  # what the other did is forgotten


class TestRestore:
    def test_it_goes_on(self, league):
        league.add_self()
        lose(league, 1, games=3, outcome=1.0)
        lose(league, 4, games=5)
        other = League(player("itself"), [player("past 1"), player("past 2")], FIXED, seed=1)
        other.restore(league.to_dict(), "file")
        assert other.shares() == pytest.approx(league.shares())
        assert other.win_rates == league.win_rates == {"past 1": 1, "greedy": 0}
        assert torch.equal(bias(other._past[0]), bias(league._past[0]))

    def test_another_league_is_refused(self, league):
        small = League(player("itself"), [], FIXED, seed=1)
        with pytest.raises(BadCheckpoint, match="file holds no training state"):
            small.restore(league.to_dict(), "file")
