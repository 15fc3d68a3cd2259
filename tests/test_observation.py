"""Observations contain the whole position, in the documented planes only."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pasgl_env import Batch, Position
from pasgl_env.contract.game import Game
from pasgl_env.contract.variants import find

from . import steering
from .suites import Suite, over_all_games


def observations(position: Position) -> list[np.ndarray]:
    """Each player's view."""
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


def shown_number(seen: np.ndarray, game: Game, meaning: str) -> np.ndarray:
    """``int64[H, W]``: what planes with such a meaning say in binary on each square."""
    (run,) = (plane for plane in game.more_planes if meaning in plane.meaning)
    bits = seen[run.first : run.first + run.length].astype(np.int64)
    return np.asarray((bits << np.arange(run.length)[:, None, None]).sum(axis=0))


@over_all_games
def test_more_planes_follow_the_usual_ones_and_show_the_turns_left(suite: Suite):
    for position, _ in steering.games(suite, 60, 10, most_actions=60):
        game = find(position.variant)
        options = {**position.options, "turn_limit": 40, "more_planes": True}
        more = Position.from_state(position.variant, position.state[0], **options)
        assert game.more_planes[0].first == position.observation(0).shape[0]
        unlimited = Position.from_state(
            position.variant, position.state[0], **{**options, "turn_limit": 0}
        )
        for player, seen in enumerate(observations(more)):
            assert seen.shape[0] == sum(game.more_planes[-1][:2])
            assert (seen[: game.more_planes[0].first] == position.observation(player)).all()
            assert (shown_number(seen, game, "turns left") == max(0, 40 - more.turns)).all()
            forever = shown_number(unlimited.observation(player), game, "turns left")
            assert (forever == 1023).all()


def test_more_planes_show_every_lap_of_pachessi():
    position = Position("pachessi", more_planes=True)
    record = position.state.copy()
    record["laps"][0, 1], record["laps"][0, 2] = -7, 100
    there = Position.from_state("pachessi", record[0], more_planes=True)
    for player in range(2):
        shown = shown_number(there.observation(player), find("pachessi"), "laps of the piece")
        signed = np.where(shown > 127, shown - 256, shown)
        assert sorted(signed[signed != 0].tolist()) == [-7, 100]


def test_more_planes_show_the_passes_in_a_row_of_pasgl():
    for passes in (17, 39):
        text = f"4b3/8/8/8/8/8/8/4B3 ./././. ./. 1 w 0:0 {passes} 40"
        position = Position.from_text("pasgl312", text, more_planes=True)
        seen = shown_number(position.observation(), find("pasgl312"), "passes in a row")
        assert (seen == passes).all()


def test_more_planes_of_spalding_show_where_earlier_positions_differ():
    position = Position("spalding", more_planes=True)
    (past,) = (plane for plane in find("spalding").more_planes if "held something" in plane.meaning)
    random, boards = np.random.default_rng(3), [position.state[0].board[:64].copy()]
    while position.turns < 40 and not position.is_over:
        position.play_action(int(random.choice(position.legal_actions())))
        board = position.state[0].board[:64]
        if not position.in_turn:
            boards.append(board.copy())
        began = boards if position.in_turn else boards[:-1]
        known = position.state[0].history - 1
        for player in range(2):
            seen = position.observation(player)[past.first :].reshape(past.length, 64)
            for back in range(past.length):
                differs = np.zeros(64, bool)
                if back < known:
                    differs = began[-2 - back if position.in_turn else -1 - back] != board
                turned = differs[::-1] if player else differs
                assert (seen[back] == turned).all()


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
