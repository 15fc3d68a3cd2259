"""Seeds and actions of wrong types raise one exception in every interface, and change nothing.

Those of NumPy's types count as the numbers that they are.
"""

import json
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from pasgl_env import Batch, Dice, IllegalMove, Position, players
from pasgl_env.envs import pachessi_v0, pasgl312_v0
from pasgl_env.envs.both_sides import BothSidesVecEnv
from pasgl_env.envs.gym import DuelEnv, DuelVectorEnv
from pasgl_env.envs.vec import SelfPlayVecEnv
from pasgl_env.evaluation import play_match

NAME = "pasgl_env/Pachessi-v0"
NO_SEEDS = [1.5, True, "1", -1, np.float64(1), {}]


def vector(n) -> Any:
    return gymnasium.make_vec(NAME, n, opponent="random")


def single() -> Any:
    return gymnasium.make(NAME, opponent="random").unwrapped


def resets():
    """A way to reset with a seed, for each interface."""
    return {
        "dice": Dice,
        "player": lambda seed: players.make("search:2", "pachessi", seed=seed),
        "batch": Batch("pachessi", 1).reset,
        "reseed": lambda seed: Batch("pachessi", 1).reseed([0], [seed]),
        "aec": lambda seed: pachessi_v0.env().reset(seed=seed),
        "aec_raw": lambda seed: pachessi_v0.raw_env().reset(seed=seed),
        "gym": lambda seed: single().reset(seed=seed),
        "vector": lambda seed: vector(2).reset(seed=seed),
        "vector_each": lambda seed: vector(1).reset(seed=[seed]),
    }


@pytest.mark.parametrize("seed", NO_SEEDS, ids=str)
@pytest.mark.parametrize("interface", resets())
def test_what_is_no_seed(interface, seed):
    with pytest.raises(ValueError, match="seed must be a non-negative integer or None, not"):
        resets()[interface](seed)


@pytest.mark.parametrize("interface", ["dice", "player", "batch", "aec", "gym"])
def test_a_list_is_no_seed_of_one_game(interface):
    with pytest.raises(ValueError, match="seed must be a non-negative integer or None, not"):
        resets()[interface]([1])


@pytest.mark.parametrize("seeds", [5, [1, 2], None, "1"], ids=str)
def test_seeds_are_as_many_as_games(seeds):
    batch = Batch("pachessi", 2, seed=1)
    before = batch.first_dice.tolist()
    with pytest.raises(ValueError):
        batch.reseed([0], seeds)
    assert batch.first_dice.tolist() == before


def test_seeds_of_numpy():
    pachessi_v0.env().reset(seed=np.int64(1))
    for made in (single(), vector(2)):
        same = data_equivalence(made.reset(seed=np.uint8(3)), made.reset(seed=3), exact=True)
        assert same


@pytest.mark.parametrize("action", [True, 1.0, "1", None], ids=str)
def test_what_is_no_action(action):
    position = Position("pasgl312")
    before = position.text
    with pytest.raises(IllegalMove):
        position.play_action(action)
    with pytest.raises(IllegalMove):
        position.label(action)
    assert position.text == before
    env = pasgl312_v0.raw_env()
    env.reset()
    if action is not None:  # PettingZoo's way to leave a game
        with pytest.raises(IllegalMove):
            env.step(action)


def test_a_bool_is_no_action_even_where_numpy_or_a_space_takes_it_for_one():
    batch, made = Batch("pachessi", 2, seed=1), vector(2)
    made.reset(seed=1)
    steps = (batch.step, lambda actions: batch.step_some([0, 1], actions), made.step)
    for step in steps:
        with pytest.raises(ValueError, match="integers, not"):
            step([True, 0])
    env = pasgl312_v0.env()
    env.reset(seed=1)
    with pytest.raises(IllegalMove):
        env.step(True)
    assert not any(env.terminations.values())


def self_play(n, seed, opening):
    env = SelfPlayVecEnv("pachessi", n, opponents=["random", "greedy"], seed=seed, opening=opening)
    opponents = [vars(player)["_entropy"] for player in env.duel.opponents]
    return [opponents, env.num_envs, env.reset(), env.duel.length, *env.step(env.sample())[:3]]


def both_sides(n, seed, shaping):
    env = BothSidesVecEnv("pachessi", n, seed=seed, shaping=shaping)
    return [env.num_envs, env.reset(), *env.step(env.sample())[:3]]


def vectors(n, seed):
    env = DuelVectorEnv("pachessi", n)
    observations, _ = env.reset(seed=seed)
    return [env.num_envs, observations, *env.step(env.action_masks().argmax(axis=1))[:3]]


def match(games, batch_size, seed):
    result = play_match(
        "pachessi", "random", "random", games=games, batch_size=batch_size, seed=seed
    )
    return [json.dumps(result.seed), result.games]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("made", "numbers"),
    [
        (self_play, (np.uint8(2), np.uint8(255), np.uint8(200))),
        (self_play, (np.int8(2), np.int64(2**63 - 1), np.uint8(255))),
        (both_sides, (np.uint8(200), np.uint8(255), np.float16(0.5))),
        (vectors, (np.uint8(200), 100)),
        (vectors, (np.uint8(200), np.uint8(255))),
        (vectors, (np.int8(2), np.int64(2**63 - 1))),
        (match, (np.uint8(200), np.uint8(100), np.uint8(255))),
    ],
)
def test_numbers_of_numpy_count_as_those_of_python(made, numbers):
    plain = [number if isinstance(number, int) else number.item() for number in numbers]
    for mine, wanted in zip(made(*numbers), made(*plain), strict=True):
        assert np.array_equal(mine, wanted)


HUGE = np.uint64(2**64 - 1)


def one(env):
    env.reset()
    return env.step


@pytest.mark.parametrize(
    "step",
    [
        lambda: Batch("pachessi", 1).step,
        lambda: lambda actions: Batch("pachessi", 1).step_some([0], actions),
        lambda: one(DuelVectorEnv("pachessi", 1, illegal="error")),
        lambda: one(DuelVectorEnv("pachessi", 1, illegal="error", opponent="greedy")),
        lambda: one(SelfPlayVecEnv("pachessi", 1)),
        lambda: one(BothSidesVecEnv("pachessi", 1)),
        lambda: lambda actions: one(DuelEnv("pachessi", illegal="error"))(actions[0]),
    ],
)
def test_an_action_too_large_for_the_rules_is_named_as_it_was_given(step):
    with pytest.raises(IllegalMove, match=f"action {HUGE} is not legal"):
        step()(np.array([HUGE]))


def test_an_action_too_large_for_the_rules_loses_like_any_other():
    env = DuelVectorEnv("pachessi", 2)
    env.reset(seed=1)
    actions = env.action_masks().argmax(axis=1).astype(np.uint64)
    actions[0] = HUGE
    _, rewards, terminations, *_ = env.step(actions)
    assert (rewards.tolist(), terminations.tolist()) == ([-1, 0], [True, False])


def test_a_game_too_large_for_a_batch_is_named_as_it_was_given():
    with pytest.raises(ValueError, match=f"below 2; {HUGE} is not"):
        Batch("pachessi", 2).step_some(np.array([HUGE]), [0])
