"""An exception at any line, as from a handler of a signal, leaves no environment half changed."""

import copy

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from pasgl_env.engine import position
from pasgl_env.envs import aec, batch_vec, both_sides, gym, selfplay, vec
from pasgl_env.envs.both_sides import BothSidesVecEnv
from pasgl_env.envs.gym import DuelEnv, DuelVectorEnv
from pasgl_env.envs.vec import SelfPlayVecEnv

from ..alarms import torn
from .test_aec import BLACK_WINS, PUSH, snapshot


def begun(variant, text=None, **arguments):
    env = aec.standard_env(variant, **arguments)
    env.reset(seed=1, options=None if text is None else {"position": text})
    return env


def step_first(env):
    position = env.unwrapped.position
    env.step(position.legal_actions()[0] if env.unwrapped.agents and not ended(env) else None)


def ended(env):
    return env.unwrapped.terminations[env.agent_selection]


def over():
    env = begun("pasgl312", BLACK_WINS[0])
    env.step(env.unwrapped.position.action(BLACK_WINS[1]))
    return env


def told(env):
    raw = env.unwrapped
    return snapshot(env), raw.agents[:], raw._dice.generator.item(), raw.position.history


@pytest.mark.parametrize(
    ("make", "change"),
    [
        (lambda: begun("pachessi"), step_first),
        (lambda: begun("pasgl312", PUSH, reward="points"), step_first),
        (lambda: begun("pasgl312", BLACK_WINS[0]), lambda env: env.step(0)),  # not legal
        (over, step_first),
        (lambda: begun("pachessi"), lambda env: env.reset(seed=2)),
    ],
    ids=["dice", "points", "forfeit", "stepping out", "reset"],
)
def test_an_aec_environment_is_as_before_or_after(make, change):
    before, after = make(), make()
    change(after)
    whole = [told(before), told(after)]
    at = 0
    for at, env in torn(make, change, aec, position):
        assert told(env) in whole, at
    assert at > 10


def duel():
    env = DuelEnv("pachessi", opponent="greedy", turn_limit=4)
    env.reset(seed=1)
    return env


def duels(mode):
    env = DuelVectorEnv("pachessi", 3, opponent="greedy", autoreset_mode=mode, turn_limit=4)
    env.reset(seed=1)
    return env


def stable_baselines(kind):
    env = kind("pachessi", 3, seed=1, shaping=0.5, turn_limit=4)
    env.reset()
    return env


def play_on(env):
    """Play the first legal actions for some steps; all that is told."""
    seen = []
    for _ in range(6):
        masks = np.atleast_2d(env.action_masks())
        actions = masks.argmax(axis=1)
        results = env.step(int(actions[0]) if isinstance(env, DuelEnv) else actions)
        seen.append([np.asarray(each).tolist() for each in results[:3]])
        if isinstance(env, DuelEnv) and (results[2] or results[3]):
            env.reset()
    return seen


def step_once(env):
    masks = np.atleast_2d(env.action_masks())
    actions = masks.argmax(axis=1)
    env.step(int(actions[0]) if isinstance(env, DuelEnv) else actions)


@pytest.mark.parametrize(
    "make",
    [
        duel,
        lambda: duels("SameStep"),
        lambda: duels("NextStep"),
        lambda: stable_baselines(SelfPlayVecEnv),
        lambda: stable_baselines(BothSidesVecEnv),
    ],
    ids=["gymnasium", "vector", "vector, next step", "self-play", "both sides"],
)
def test_others_continue_as_before_or_after_or_are_refused_until_reset(make):
    before, after = make(), make()
    step_once(after)
    whole = [play_on(before), play_on(after)]
    refused = 0
    for at, env in torn(make, step_once, gym, selfplay, vec, batch_vec, both_sides):
        again = copy.deepcopy(env)
        try:
            seen = play_on(env)
        except (RuntimeError, ResetNeeded):
            refused += 1
            env = again
            env.reset(**({"seed": 5} if "Duel" in type(env).__name__ else {}))
            play_on(env)
        else:
            assert seen in whole, at
    assert refused > 10
