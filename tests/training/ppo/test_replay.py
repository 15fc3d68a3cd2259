"""The replay buffer of a teacher's decisions."""

import numpy as np
import pytest
import torch

from pasgl_env import Batch
from pasgl_env.players.values.action_prior import action_priors_in
from pasgl_env.training.ppo.replay import Positions, Replay


def positions_of(batch, most=8):
    return Positions(batch.observation_shape, batch.num_actions, most)


def recorded(batch, positions, visits=None):
    """Records of all games."""
    games = np.arange(len(batch))
    if visits is None:
        visits = np.zeros((len(batch), batch.num_actions), np.int32)
    return positions.recorded(batch, games, visits)


class TestPositions:
    @pytest.fixture
    def batch(self):
        batch = Batch("pachessi", 3, seed=1)
        for _ in range(20):
            batch.step(batch.sample())
        return batch

    def test_a_minibatch_is_what_was_recorded(self, batch):
        positions = positions_of(batch)
        visits = np.zeros((3, batch.num_actions), np.int32)
        visits[0, [5, 392]] = 1, 3
        visits[1, 0] = 60_000
        minibatch = positions.minibatch(positions.recorded(batch, np.arange(3), visits))
        assert (minibatch.parts["planes"].numpy() == batch.observation).all()
        assert (minibatch.mask.numpy() == batch.action_mask).all()
        shares = torch.zeros(3, batch.num_actions).scatter_add(1, minibatch.action, minibatch.share)
        assert shares[0, [5, 392]].tolist() == [0.25, 0.75]
        assert shares.sum(1).tolist() == [1, 1, 0]

    def test_an_action_prior_is_remembered_to_a_part_in_255(self, batch):
        positions = Positions(batch.observation_shape, batch.num_actions, 8, action_prior="greedy")
        minibatch = positions.minibatch(recorded(batch, positions))
        told = action_priors_in(batch, np.arange(3), "greedy")
        held = minibatch.parts["action_prior"].numpy()
        assert held == pytest.approx(told.actions, abs=1 / 255)
        assert ((held == 0) == (told.actions == 0)).all()
        assert (minibatch.parts["standing"].numpy() == told.standing).all()


class TestReplay:
    @staticmethod
    def numbered(*numbers):
        records = np.zeros(len(numbers), [("number", np.int64)])
        records["number"] = numbers
        return records

    @pytest.fixture
    def replay(self):
        return Replay(5, self.numbered().dtype)

    @pytest.mark.parametrize("together", [1, 2, 5, 8])
    @pytest.mark.parametrize("added", [3, 5, 8])
    def test_the_newest_are_kept_and_drawn(self, replay, added, together):
        for first in range(1, added + 1, together):
            replay.add(self.numbered(*range(first, min(first + together, added + 1))))
        drawn = replay.sample(500, np.random.default_rng(1))["number"]
        assert set(drawn.tolist()) == set(range(max(1, added - 4), added + 1))
