"""A side is a team: no environment takes a player's number for that of its side.

A game whose sides are numbered otherwise is compared with the usual one, with the sides exchanged.
"""

from typing import Any

import numpy as np
import pytest

from pasgl_env.envs.aec import VariantEnv
from pasgl_env.envs.gym import DuelEnv, DuelVectorEnv

SHORT: dict[str, Any] = {"turn_limit": 12, "win_margin": 2}
NAMES = "pasgl312", "swapped"


def last(observation, action_mask):
    """Plays the legal actions with the highest numbers."""
    return action_mask.shape[1] - 1 - action_mask[:, ::-1].argmax(axis=1)


def same(one, other):
    """Whether two nested values hold the same numbers."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return np.array_equal(one, other)


@pytest.mark.parametrize("reward", ["outcome", "points"])
def test_aec(swapped, reward):
    envs = [VariantEnv(name, reward=reward, **SHORT) for name in NAMES]
    rng, paid = np.random.default_rng(1), 0.0
    for episode in range(3):
        for env in envs:
            env.reset(seed=episode)
        while envs[0].agents:
            assert envs[0].agent_selection == envs[1].agent_selection
            one, other = (env.last() for env in envs)
            assert same(one[0], other[0]) and one[1:] == other[1:]
            paid += abs(one[1])
            legal = np.flatnonzero(one[0]["action_mask"])
            action = None if one[2] or one[3] else rng.choice(legal)
            for env in envs:
                env.step(action)
    assert paid > 0


def test_aec_pays_a_forfeit_to_the_other_side(swapped):
    for name in NAMES:
        env = VariantEnv(name, **SHORT)
        env.forfeit()
        assert env.rewards == {"player_0": -1.0, "player_1": 1.0}


@pytest.mark.parametrize("learner", [0, 1])
@pytest.mark.parametrize("reward", ["outcome", "points"])
@pytest.mark.parametrize("opponent", [last, "random"])
def test_gymnasium(swapped, learner, reward, opponent):
    envs = [
        DuelEnv(name, opponent=opponent, learner=side, reward=reward, **SHORT)
        for name, side in zip(NAMES, (learner, 1 - learner), strict=True)
    ]
    rng = np.random.default_rng(1)
    for episode in range(4):
        (seen, info), (its, about) = (env.reset(seed=episode) for env in envs)
        done = False
        while not done:
            assert same(seen, its) and about["side"] == 1 - info["side"]
            legal = np.flatnonzero(info["action_mask"])
            action = rng.choice(legal) if rng.random() < 0.98 else info["action_mask"].size - 1
            mine, others = (env.step(action) for env in envs)
            seen, info, its, about = mine[0], mine[-1], others[0], others[-1]
            assert mine[1:4] == others[1:4]
            done = mine[2] or mine[3]
        assert same({**info, "side": 0}, {**about, "side": 0})


def test_gymnasium_vectors(swapped):
    envs = [DuelVectorEnv(name, 6, opponent=last, **SHORT) for name in NAMES]
    for env, sides in zip(envs, ([0, 1] * 3, [1, 0] * 3), strict=True):
        env.reset(seed=1, options={"learner": np.array(sides)})
    mine, others = (env.step(env.action_masks().argmax(axis=1)) for env in envs)
    assert same(mine[0], others[0]) and same(mine[1], others[1])
    assert mine[-1]["side"].tolist() == [0, 1] * 3
    assert others[-1]["side"].tolist() == [1, 0] * 3


@pytest.mark.parametrize("adjudicate", [False, True])
def test_stable_baselines3(swapped, adjudicate):
    pytest.importorskip("stable_baselines3")
    from pasgl_env.envs.vec import SelfPlayVecEnv

    how: Any = {"shaping": 0.5, "adjudicate": adjudicate, "opponents": [last], "seed": 1, **SHORT}
    envs = [SelfPlayVecEnv(name, 4, learner=side, **how) for side, name in enumerate(NAMES)]
    assert same(*(env.reset() for env in envs))
    ended = 0
    for _ in range(60):
        actions = envs[0].sample()
        mine, others = (env.step(actions) for env in envs)
        assert all(map(same, mine[:3], others[:3]))
        for info, about in zip(mine[3], others[3], strict=True):
            if info:
                assert (info["side"], about["side"]) == (0, 1)
                assert info["outcome"] == about["outcome"]
                assert same(info["terminal_observation"], about["terminal_observation"])
                ended += 1
    assert ended > 4


@pytest.mark.parametrize("adjudicate", [False, True])
def test_both_sides(swapped, adjudicate):
    pytest.importorskip("stable_baselines3")
    from pasgl_env.envs.both_sides import BothSidesVecEnv

    how: Any = {"shaping": 0.5, "adjudicate": adjudicate, "seed": 1, "reward": "points", **SHORT}
    envs = [BothSidesVecEnv(name, 4, **how) for name in NAMES]
    assert same(*(env.reset() for env in envs))
    total = np.zeros((4, 2))
    ended = 0
    for _ in range(120):
        assert np.array_equal(envs[0].side, 1 - envs[1].side)
        actions = envs[0].sample()
        mine, others = (env.step(actions) for env in envs)
        assert all(map(same, mine[:3], others[:3]))
        assert np.array_equal(envs[0].credit.rewards, envs[1].credit.rewards[:, ::-1])
        total += envs[0].batch.reward
        for game, (info, about) in enumerate(zip(mine[3], others[3], strict=True)):
            if info:
                assert info["outcomes"] == about["outcomes"][::-1]
                returns = info["episode"]["r"], about["episode"]["r"]
                assert returns == pytest.approx(total[game], abs=1e-4)
                total[game] = 0
                ended += 1
    assert ended > 4
