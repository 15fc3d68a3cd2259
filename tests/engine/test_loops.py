"""The loops that step, look and count, and the generators behind `sample`."""

import numpy as np
import pytest

from pasgl_env import Batch
from pasgl_env.contract.variants import find
from pasgl_env.engine.loops import (
    NOTHING,
    Buffers,
    first_illegal,
    loops_of,
    random_bits,
    sample,
)
from pasgl_env.jit.compiled import JIT

# SplitMix64 with state 0 (Vigna's C program): the high halves of its first outputs.
SPLITMIX = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]


def draw(mask, draws, seed=0):
    """Actions that `sample` draws repeatedly with one mask."""
    action_mask = np.zeros((draws, -(-len(mask) // 8) * 8), np.uint8)
    action_mask[:, : len(mask)] = mask
    legal_count = np.full(draws, np.count_nonzero(mask), np.int32)
    generators = np.random.SeedSequence(seed).generate_state(draws, np.uint64)
    actions = np.full(draws, -1)
    with np.errstate(over="ignore"):
        drawn = np.full(draws, NOTHING)
        sample(0, draws, action_mask, legal_count, generators, drawn, actions)
    return actions


@pytest.mark.jitfree
def test_the_generator_is_splitmix64():
    generators = np.zeros(2, np.uint64)
    with np.errstate(over="ignore"):
        drawn = [random_bits(generators, 1) for _ in SPLITMIX]
    assert drawn == [bits >> 32 for bits in SPLITMIX]
    assert generators[0] == 0


@pytest.mark.parametrize("length", [1, 7, 8, 9, 64, 1165, 15746])
def test_the_only_legal_action_is_drawn(length):
    for action in {0, length // 2, length - 1}:
        mask = np.zeros(length, np.uint8)
        mask[action] = 1
        assert (draw(mask, 3) == action).all()


@pytest.mark.parametrize("seed", range(3))
def test_all_legal_actions_are_drawn_equally_often(seed):
    rng = np.random.default_rng(seed)
    legal = np.sort(rng.choice(1165, 40, replace=False))
    mask = np.zeros(1165, np.uint8)
    mask[legal] = 1
    draws = 40_000 if JIT else 4_000
    drawn, counts = np.unique(draw(mask, draws, seed), return_counts=True)
    assert drawn.tolist() == legal.tolist()
    expected = draws / legal.size
    # Chi-square with 39 degrees of freedom exceeds 72 once in a thousand times.
    assert ((counts - expected) ** 2 / expected).sum() < 72


@pytest.mark.parametrize("length", [16, 512, 1165])
def test_a_full_mask_is_drawn_from(length):
    actions = draw(np.ones(length, np.uint8), 20 * length)
    assert set(actions.tolist()) == set(range(length))


MASK = np.zeros((3, 8), np.uint8)
MASK[:, [1, 6]] = 1


@pytest.mark.jitfree
@pytest.mark.parametrize(
    ("games", "actions", "row"),
    [
        ([0, 1, 2], [1, 6, 1], -1),
        ([], [], -1),
        ([2], [6], -1),
        ([0, 1, 2], [1, 2, 3], 1),
        ([0, 2], [1, 8], 1),
        ([0], [-1], 0),
        ([0], [-2], 0),
        ([0, 0], [1, 1], 1),
        ([1, 0], [1, 1], 1),
        ([3], [1], 0),
        ([-1], [1], 0),
        ([0], [2**62], 0),
    ],
)
def test_the_first_wrong_row_is_found(games, actions, row):
    rows = np.array(games, np.int64), np.array(actions, np.int64)
    assert first_illegal(MASK, np.full(len(MASK), NOTHING), *rows) == row


def test_a_games_loops_are_bound_once(variant):
    assert loops_of(find(variant)) is loops_of(find(variant))


def test_placing_the_same_states_again_changes_nothing():
    """A step's outputs equal those computed from the states alone."""
    batch = Batch("pasgl312", 32, seed=1)
    for _ in range(60):
        batch.step(batch.sample())
        game, zeros = find("pasgl312"), np.zeros(32, np.uint64)
        buffers = Buffers.of(game, batch.options_record, 32)
        loops_of(game).place(0, 32, np.arange(32), batch.states, zeros, zeros, *buffers)
        assert (buffers.observation == batch.observation).all()
        assert (buffers.action_mask[:, :1165] == batch.action_mask).all()
        assert (buffers.legal_count == batch.legal_count).all()
        assert (buffers.to_move == batch.to_move).all()
