"""Rollouts whose advantages are linked by side."""

from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from stable_baselines3.common.callbacks import BaseCallback

from pasgl_env.envs.both_sides import BothSidesVecEnv
from pasgl_env.envs.credit import estimate_advantages
from pasgl_env.envs.vec import SelfPlayVecEnv
from pasgl_env.training.ppo.rollout import SideRolloutBuffer

GAMES, STEPS = 4, 12


class Silent(BaseCallback):
    """A callback for ``collect_rollouts`` alone."""

    def _on_step(self) -> bool:
        return True


def rollout(env, buffer=SideRolloutBuffer, gamma=0.99):
    """A model with a rollout of an untrained policy whose values are not all the same."""
    known = {"env": env} if buffer is SideRolloutBuffer else {}
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=STEPS,
        batch_size=16,
        gamma=gamma,
        rollout_buffer_class=buffer,
        rollout_buffer_kwargs=known,
        policy_kwargs={"net_arch": [8]},
        seed=0,
    )
    collect(model)
    return model


def collect(model):
    """Let a model play a rollout from the start."""
    _, callback = model._setup_learn(1, Silent())
    model.collect_rollouts(model.env, callback, model.rollout_buffer, STEPS)


def test_one_side_discounted_by_actions_is_what_the_base_class_makes_of_it():
    def advantages(buffer):
        env = SelfPlayVecEnv("spalding", GAMES, seed=1, turn_limit=4, shaping=0.5)
        made: Any = rollout(env, buffer).rollout_buffer
        assert made.episode_starts[1:].any()
        return made.advantages, [batch.actions for batch in made.get(16)]

    (own, own_batches), (usual, usual_batches) = map(
        advantages, (SideRolloutBuffer, MaskableRolloutBuffer)
    )
    assert own == pytest.approx(usual, abs=1e-5)
    assert [len(batch) for batch in own_batches] == [len(batch) for batch in usual_batches]


def test_minibatches_have_every_decision_but_the_open_ones_once():
    env = BothSidesVecEnv("spalding", GAMES, seed=1, turn_limit=5, shaping=0.5)
    buffer: Any = rollout(env).rollout_buffer
    estimates = estimate_advantages(buffer._credits, buffer.values, np.zeros(GAMES))
    open_ = int((~estimates.is_known).sum())
    assert 0 < open_ <= 3 * GAMES
    advantages = torch.cat([batch.advantages for batch in buffer.get(16)])
    assert len(advantages) == GAMES * STEPS - open_
    known = buffer.advantages[buffer._is_known]
    assert sorted(advantages.tolist()) == sorted(known.flatten().tolist())


def test_where_a_game_was_truncated_who_is_to_act_gets_what_it_expects():
    env = BothSidesVecEnv("spalding", GAMES, seed=1, turn_limit=3, discount_per="turn")
    model = rollout(env, gamma=0.5)
    with torch.no_grad():
        for tensor in model.policy.value_net.parameters():
            tensor.zero_()
        model.policy.value_net.bias.fill_(8)
    collect(model)
    credits = model.rollout_buffer._credits
    truncated = 0
    for credit in credits:
        for game in np.flatnonzero(credit.done):
            next_side = credit.next_side[game]
            expected = np.where(np.arange(2) == next_side, 4, 0)
            assert credit.rewards[game].tolist() == expected.tolist()
            truncated += 1
    assert truncated
