"""What is refused until all games are reset, and what an environment refuses without a change."""

import copy

import numpy as np
import pytest

from pasgl_env import Batch, players
from pasgl_env.envs.both_sides import BothSidesVecEnv
from pasgl_env.envs.gym import DuelVectorEnv
from pasgl_env.envs.selfplay import Duel
from pasgl_env.envs.vec import SelfPlayVecEnv

MODES = ("SameStep", "NextStep", "Disabled")
KINDS = (SelfPlayVecEnv, BothSidesVecEnv)
ONE = {"reset_mask": np.array([False, True, False])}
ALL = {"reset_mask": np.ones(3, np.bool_)}


class Away(Exception):
    """What an opponent raises whose server is away."""


class Remote:
    """An opponent that plays the first legal action, or raises an error while it is away."""

    is_away = False

    def __call__(self, observation, action_mask):
        if self.is_away:
            raise Away
        return action_mask.argmax(axis=1)


def first_legal(env):
    return env.action_masks().argmax(axis=1)


def begun(mode, opponent):
    """Three games in which the learner's next action ends its turn."""
    env = DuelVectorEnv("pasgl312", 3, opponent=opponent, learner=0, autoreset_mode=mode)
    env.reset(seed=2)
    env.step(first_legal(env))
    return env


def torn(mode):
    """Three games, in which an opponent has failed in the step in which game 0 is forfeited."""
    opponent = Remote()
    env = begun(mode, opponent)
    actions = first_legal(env)
    actions[0] = -1
    opponent.is_away = True
    with pytest.raises(Away):
        env.step(actions)
    opponent.is_away = False
    return env


def told(env):
    duel = env.duel
    seen = duel.batch.states, duel.side, duel.opponent, duel.length, duel.reward, duel.terminated
    return [each.tobytes() for each in seen], env.action_masks().tobytes(), env.np_random.random()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", [None, 5])
def test_after_an_opponent_has_failed_some_games_cannot_be_reset_alone(mode, seed):
    env = torn(mode)
    before = told(copy.deepcopy(env))
    with pytest.raises(RuntimeError, match="reset all 3 games first, not 1 of them"):
        env.reset(seed=seed, options=ONE)
    with pytest.raises(RuntimeError, match="reset the duel first"):
        env.step(first_legal(env))
    assert told(env) == before


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("options", [None, ALL], ids=["no mask", "all"])
def test_after_an_opponent_has_failed_all_games_can_be_reset(mode, options):
    env = torn(mode)
    _, infos = env.reset(options=options)
    assert not infos["length"].any()
    env.step(first_legal(env))


def test_a_game_that_had_ended_is_reset_with_those_in_which_an_opponent_failed():
    opponent = Remote()
    env = DuelVectorEnv("pasgl312", 3, opponent=opponent, learner=0, autoreset_mode="NextStep")
    env.reset(seed=2)
    assert env.step(np.array([-1, *first_legal(env)[1:]]))[2].tolist() == [True, False, False]
    opponent.is_away = True
    with pytest.raises(Away):
        env.step(first_legal(env))
    opponent.is_away = False
    _, infos = env.reset()
    assert not infos["length"].any()
    env.step(first_legal(env))


@pytest.mark.parametrize("mode", MODES)
def test_the_first_reset_is_of_all_games(mode):
    env = DuelVectorEnv("pasgl312", 3, learner=1, autoreset_mode=mode)
    with pytest.raises(RuntimeError, match="reset all 3 games first, not 1 of them"):
        env.reset(options=ONE)
    with pytest.raises(RuntimeError, match="reset the duel first"):
        env.step(first_legal(env))
    _, infos = env.reset(options=ALL)
    assert infos["side"].tolist() == [1, 1, 1]


def test_the_first_reset_of_a_duel_is_of_all_games():
    duel = Duel(Batch("pasgl312", 3), [players.make("random", "pasgl312")], learner=1)
    with pytest.raises(RuntimeError, match="reset all 3 games first, not 2 of them"):
        duel.reset(np.array([0, 2]))
    assert not duel.is_waiting
    duel.reset(np.arange(3))
    assert duel.is_waiting


@pytest.mark.parametrize("kind", KINDS)
def test_the_games_of_stable_baselines_are_not_stepped_before_the_first_reset(kind):
    env = kind("pasgl312", 2, seed=1)
    with pytest.raises(RuntimeError, match="reset the environment first"):
        env.step(env.sample())
    env.reset()
    env.step(env.sample())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [-3, 1.5, True, "1"], ids=str)
def test_stable_baselines_are_told_of_a_wrong_seed_at_once_and_go_on(kind, seed):
    env, undisturbed = (kind("pachessi", 2, seed=1) for _ in range(2))
    for each in (env, undisturbed):
        each.reset()
        each.seed(7)
    with pytest.raises(ValueError, match="seed must be a non-negative integer or None, not"):
        env.seed(seed)
    actions = undisturbed.sample()
    for mine, others in zip(env.step(actions), undisturbed.step(actions), strict=True):
        assert np.array_equal(mine, others)
    assert (env.reset() == undisturbed.reset()).all()
    assert env.batch.first_dice.tolist() == undisturbed.batch.first_dice.tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_seeds_of_numpy_count_on_from_game_to_game(kind):
    env = kind("pachessi", 2, seed=1)
    assert env.seed(np.uint8(255)) == [255, 256]


def test_an_impossible_assignment_is_refused_before_a_reset_changes_anything():
    env = SelfPlayVecEnv("pasgl312", 2, opponents=["random", "greedy"], seed=1)
    env.reset()
    env.step(env.sample())
    before = env.batch.states.tobytes()
    env.duel.assignment[:] = 7
    with pytest.raises(ValueError, match="assignment must be 2 integers from 0 to 1"):
        env.reset()
    assert env.batch.states.tobytes() == before
    env.duel.assignment[:] = 1
    env.step(env.sample())
