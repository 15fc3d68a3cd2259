"""Stable-Baselines3: many self-play games as one ``VecEnv``, for an unmodified MaskablePPO.

This avoids two problems of two-player games in a library made for single agents:

- A vectorised environment cannot use ``ActionMasker``. This one answers
  ``env_method("action_masks")`` and ``has_attr("action_masks")`` itself, which is all that
  ``MaskablePPO`` needs.
- When both players' decisions are in one rollout, the advantage of a decision is bootstrapped from
  the *opponent's* next observation, and credit goes to the wrong player. Here a rollout holds only
  the learner's decisions: opponents act inside :meth:`SelfPlayVecEnv.step`, as part of the
  transition.

>>> from sb3_contrib import MaskablePPO
>>> env = SelfPlayVecEnv("pasgl312", 8, opponents=["random"], seed=1)
>>> model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, n_epochs=1)
>>> _ = model.learn(128)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.dice import checked_seed
from pasgl_env.envs.batch_vec import BatchVecEnv, Truncations
from pasgl_env.envs.credit import Credit
from pasgl_env.envs.selfplay import Duel, Episodes, LearnerSide, WhenIllegal, opponent_of
from pasgl_env.players.potential import potential, potentials

if TYPE_CHECKING:
    from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn


class SelfPlayVecEnv(BatchVecEnv):
    """``n`` games with a learner in each; batched opponents act inside the environment.

    Observations are ``uint8[n, C, H, W]``, actions ``int[n]``, masks ``bool[n, A]``; the learner
    sees every game from its own side. When a game ends, its ``infos`` hold
    ``terminal_observation`` and ``TimeLimit.truncated`` as Stable-Baselines3 expects, ``episode``
    as a ``Monitor`` writes it (``r`` the learner's reward without shaping, ``l`` its decisions,
    ``t`` seconds since this object was made), ``is_success``, ``outcome`` (+1, 0, -1), ``opponent``
    (its index) and ``side``.

    Attributes:
        duel: the learner and its opponents; assign ``duel.assignment`` to choose each game's next
            opponent.
        credit: of the last step, with the learner as the only side: reward and discount.

    Args:
        variant: a name of :func:`pasgl_env.contract.variants.names`, or a ruleset.
        n: number of games.
        opponents: names, players, functions or policies, see :func:`pasgl_env.players.as_player`;
            assigned to the games in turn.
        learner: the learner's side, or ``"alternate"``.
        illegal: an illegal action of the learner is an ``"error"``, which changes nothing, or makes
            it ``"lose"`` at once with reward -1, for learners without masks.
        opening: every game begins with up to this many uniformly random actions of all players.
        seed: seed of the dice, the opponents, the openings and :meth:`sample`.
        settings: as for :class:`BatchVecEnv`, and the variant's options.

    Raises:
        ValueError: for an invalid argument.
        IllegalMove: from :meth:`step`, if the learner's action is not legal and ``illegal`` is
            ``"error"``; nothing changes then.
    """

    def __init__(
        self,
        variant: str | Ruleset,
        n: int,
        *,
        opponents: Sequence[Any] = ("random",),
        learner: LearnerSide = "alternate",
        illegal: WhenIllegal = "error",
        opening: int = 0,
        seed: int | None = None,
        **settings: Any,
    ) -> None:
        seed = None if seed is None else checked_seed(seed)
        super().__init__(variant, n, seed=seed, **settings)
        if isinstance(opponents, str):
            raise ValueError(f"opponents must be a list, such as [{opponents!r}]")
        players = [
            opponent_of(opponent, self.batch.variant, None if seed is None else seed + 1 + index)
            for index, opponent in enumerate(opponents)
        ]
        self.duel = Duel(
            self.batch, players, learner=learner, illegal=illegal, opening=opening, seed=seed
        )
        self._potential = np.zeros(self.num_envs, np.float32)

    @property
    def truncations(self) -> Truncations:
        ended = self.duel.ended
        rows = np.flatnonzero(ended.action_mask.any(axis=1))
        return Truncations(ended.game[rows], ended.state[rows], ended.action_mask[rows])

    @property
    def seconds_in_opponents(self) -> float:
        return self.duel.seconds_in_opponents

    def _restart(self, seeds: list[int]) -> None:
        self.duel.reset(seeds=seeds or None)
        if self._shaping:
            self._potential = self._potential_now()

    def _step(self, actions: np.ndarray) -> VecEnvStepReturn:
        duel = self.duel
        duel.step(actions)
        ended = duel.ended
        done = duel.terminated | duel.truncated
        discount = self._discounts(done)
        reward = duel.reward * self._reward_scale + self._shaped(ended, discount)
        # One learner on any side: each of its decisions is closed by the next step.
        alone = np.zeros(self.num_envs, np.int64)
        closed = np.ones((self.num_envs, 1), np.bool_)
        self.credit = Credit(alone, alone, reward[:, None], closed, discount, done)
        observation = self.batch.observation.copy()
        infos = self._infos(ended)
        return observation, reward.copy(), done.copy(), infos

    def _infos(self, ended: Episodes) -> list[dict[str, Any]]:
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row, game in enumerate(ended.game.tolist()):
            infos[game] = {
                **self._end(
                    ended.observation[row],
                    bool(self.duel.truncated[game]),
                    ended.total_reward[row],
                    ended.decisions[row],
                ),
                "is_success": bool(ended.outcome[row] > 0),
                "outcome": float(ended.outcome[row]),
                "opponent": int(ended.opponent[row]),
                "side": int(ended.side[row]),
            }
        return infos

    def _potential_now(self) -> np.ndarray:
        """The learners' potentials, ``float32[n]``."""
        return potential(self.batch, self._members[self.duel.side])

    def _shaped(self, ended: Episodes, discount: np.ndarray) -> np.ndarray:
        """The shaping rewards of a step after which these episodes have ended."""
        if self._shaping == 0:
            return self._potential
        before, self._potential = self._potential, self._potential_now()
        reached = self._potential.copy()
        last = potentials(self.batch.ruleset, ended.state, self._members[ended.side])
        reached[ended.game] = np.where(self.duel.truncated[ended.game], last, 0)
        return self._shaping * (discount * reached - before)
