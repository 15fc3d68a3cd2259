"""Self-play for networks that observe an action prior."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnvWrapper
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from pasgl_env.envs.batch_vec import BatchVecEnv
from pasgl_env.players.networks.policy import observation_space, parts_of
from pasgl_env.players.values.action_prior import Prior, action_priors, action_priors_in

Observations = dict[str, np.ndarray]


class ActionPriorVecEnv(VecEnvWrapper):
    """Adds the action prior to the learner's observations.

    Observations are ``{"planes": uint8[n, C, H, W], "action_prior": float32[n, A], "standing":
    float32[n, 1]}``. In a truncated game, ``terminal_observation`` has the action prior of the
    last position. In a terminated game there is nothing left to choose, and the action prior is
    all zeros.
    """

    def __init__(self, env: BatchVecEnv, prior: Prior) -> None:
        assert isinstance(env.observation_space, spaces.Box)
        assert isinstance(env.action_space, spaces.Discrete)
        space = observation_space(env.observation_space, int(env.action_space.n))
        super().__init__(env, space)
        self._env, self._prior = env, prior
        self._batch, self._all = env.batch, np.arange(env.num_envs)
        self._none = {
            name: np.zeros(space[name].shape or (), np.float32)
            for name in ("action_prior", "standing")
        }

    def reset(self) -> Observations:
        return self._with_prior(np.asarray(self.venv.reset()))

    def step_wait(self) -> VecEnvStepReturn:
        planes, reward, done, infos = self.venv.step_wait()
        for info in infos:
            if "terminal_observation" in info:
                info["terminal_observation"] = {
                    "planes": info["terminal_observation"],
                    **self._none,
                }
        self._add_to_truncated(infos)
        return self._with_prior(np.asarray(planes)), reward, done, infos

    def _add_to_truncated(self, infos: list[dict[str, Any]]) -> None:
        truncated = self._env.truncations
        if truncated.game.size == 0:
            return
        actions, standing = action_priors(
            self._batch, truncated.state, truncated.action_mask, self._prior
        )
        for row, number in enumerate(truncated.game):
            last = infos[number]["terminal_observation"]
            last |= {"action_prior": actions[row], "standing": standing[row]}

    def _with_prior(self, planes: np.ndarray) -> Any:
        return parts_of(planes, action_priors_in(self._batch, self._all, self._prior))
