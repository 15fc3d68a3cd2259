"""Observations hold the position, whole, and only in the planes that are documented."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pasgl_env import Batch, Position
from pasgl_env.variants import find

from . import steering
from .suites import Suite, over_all_games


def observations(position: Position) -> list[np.ndarray]:
    """What each player sees."""
    return [position.observation(player) for player in range(len(position.seats))]


@over_all_games
def test_the_table_has_every_plane_once_in_order(suite: Suite):
    for variant in suite.variants:
        planes = find(variant).planes
        ends = [plane.first + plane.length for plane in planes]
        assert [plane.first for plane in planes] == [0, *ends[:-1]]
        assert Batch(variant, 1).observation_shape[0] == ends[-1]
        assert all(plane.meaning for plane in planes)


@over_all_games
def test_every_player_sees_binary_planes_of_one_shape(suite: Suite):
    for position, _ in steering.games(suite, 5, 9, most_actions=30):
        shape = Batch(position.variant, 1, **position.options).observation_shape
        for seen in observations(position):
            assert seen.shape == shape
            assert seen.dtype == np.uint8
            assert seen.max() <= 1
        if not (position.is_chance or position.is_over):
            own = position.observation(position.to_move)
            assert (position.observation() == own).all()


@over_all_games
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_the_position_is_decoded_from_every_players_observation(suite: Suite, seed):
    for position, _ in steering.games(suite, seed, 15, most_actions=100):
        for player in range(len(position.seats)):
            suite.decoding.check(position, player)


@over_all_games
def test_a_position_read_from_its_text_looks_and_acts_the_same(suite: Suite):
    """However it was reached: nothing that cannot be seen numbers the pieces."""
    for position, _ in steering.games(suite, 20, 12, most_actions=80):
        if steering.has_history(position.variant):
            continue
        again = steering.Beginning.at(position).position()
        for seen, seen_again in zip(observations(position), observations(again), strict=True):
            assert (seen == seen_again).all(), position.text
        assert position.legal_actions() == again.legal_actions()
        labels = [
            [each.label(action) for action in each.legal_actions()] for each in (position, again)
        ]
        assert labels[0] == labels[1]


@over_all_games
def test_a_batch_shows_what_its_positions_show(suite: Suite):
    for seed in range(10):
        games = steering.games(suite, 40 + seed, 1, most_actions=60)
        positions = [position.copy() for position, _ in games]
        positions = [each for each in positions if not (each.is_over or each.is_chance)]
        batch = Batch(positions[0].variant, len(positions), **positions[0].options)
        batch.states = np.concatenate([position.state for position in positions])
        for row, position in enumerate(positions):
            assert batch.to_move[row] == position.to_move
            assert (batch.action_mask[row] == position.action_mask).all()
            assert (batch.observation[row] == position.observation()).all()


@pytest.mark.slow
@over_all_games
def test_every_plane_is_set_and_clear_over_steered_games(suite: Suite):
    count = sum(plane.length for plane in find(suite.variants[0]).planes)
    set_somewhere: Any = np.zeros(count, bool)
    clear_somewhere: Any = np.zeros(count, bool)
    for position, _ in steering.games(suite, 10, 400, most_actions=60):
        for seen in observations(position):
            set_somewhere |= seen.any(axis=(1, 2))
            clear_somewhere |= ~seen.all(axis=(1, 2))
    assert set_somewhere.all(), np.flatnonzero(~set_somewhere)
    assert clear_somewhere.all(), np.flatnonzero(~clear_somewhere)
