"""Merging the changes of several workers."""

import numpy as np
import pytest

from pasgl_env.players.values.network import Network
from pasgl_env.training.td.loops import move
from pasgl_env.training.td.merging import change_of, merge

FEATURES = 3


def steps(network, squares, gradients, rate=0.03):
    """Adagrad's steps by these gradients, in every weight of the bias; copies of both."""
    mine, sums = (Network(*(array.copy() for array in part)) for part in (network, squares))
    for gradient in gradients:
        for unit in range(mine.bias.size):
            move(mine.bias, sums.bias, unit, np.float32(gradient), np.float32(rate))
    return mine, sums


@pytest.fixture
def start():
    random = np.random.default_rng(1)
    network = Network(
        *(random.normal(size=a.shape).astype(np.float32) for a in Network.zeros(FEATURES, 31))
    )
    squares = Network(*(np.full(a.shape, 0.5, np.float32) for a in network))
    return network, squares


def test_a_single_workers_change_gives_its_own_weights(start):
    network, squares = start
    mine, sums = steps(network, squares, [0.3, -0.1, 0.2])
    merge(network, squares, change_of(network, squares, mine, sums))
    for got, wanted in zip((*network, *squares), (*mine, *sums), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-5)
    assert (mine.bias != start[0].rows[0]).all()


@pytest.mark.parametrize("begun", [0.0, 0.5])
def test_workers_with_equal_gradients_move_as_far_as_one_after_another(start, begun):
    network, squares = start
    squares.bias[:] = begun
    gradients = [0.2] * 50
    one_after_another, _ = steps(network, squares, 4 * gradients)
    change = change_of(network, squares, *steps(network, squares, gradients))
    merged, sums = steps(network, squares, [])
    for _ in range(4):
        merge(merged, sums, change)
    wanted = one_after_another.bias - network.bias
    np.testing.assert_allclose(merged.bias - network.bias, wanted, rtol=0.1)
    np.testing.assert_allclose(sums.bias, begun + 4 * 50 * 0.04, rtol=1e-4)


def test_the_order_of_changes_hardly_matters_for_opposite_ones(start):
    network, squares = start
    up, down = (
        change_of(network, squares, *steps(network, squares, [sign * 0.2] * 50)) for sign in (1, -1)
    )
    merged, sums = steps(network, squares, [])
    merge(merged, sums, up)
    half_way = merged.bias - network.bias
    merge(merged, sums, down)
    assert (np.abs(merged.bias - network.bias) < 0.5 * half_way).all()


def test_weights_that_no_game_touched_stay(start):
    network, squares = start
    before = network.rows.copy()
    merge(network, squares, change_of(network, squares, *steps(network, squares, [1.0])))
    assert (network.rows == before).all()
