"""Self-play in which one learner makes the decisions of all players, and learns from all of them.

A rollout then holds the decisions of several sides, which alternate irregularly, because a turn may
be several actions. The next observation is often another side's, so a learner must link each
decision to the same side's next one. :attr:`BothSidesVecEnv.credit` holds what is needed, and
:func:`pasgl_env.envs.credit.estimate_advantages` does it. MaskablePPO's own rollout buffer does
not: use :class:`pasgl_env.training.ppo.rollout.SideRolloutBuffer`.

>>> env = BothSidesVecEnv("pasgl312", 8, seed=1)
>>> _ = env.reset()
>>> for _ in range(3):
...     sides = env.side.copy()
...     observation, reward, done, infos = env.step(env.sample())
...     assert (env.credit.side == sides).all()
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.envs.batch_vec import BatchVecEnv, Truncations
from pasgl_env.envs.credit import Credit
from pasgl_env.players.potential import potential, potentials

if TYPE_CHECKING:
    from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn


class BothSidesVecEnv(BatchVecEnv):
    """``n`` games in which a learner makes every decision, each time for the player to act.

    Observations are ``uint8[n, C, H, W]``, actions ``int[n]``, masks ``bool[n, A]``: the view and
    the legal actions of the player to act. The reward ``float32[n]`` of a step is that of the *side
    to act next* since its own last decision, including those of others in between, like ``last()``
    in PettingZoo. In a finished game, it is that of the side that would have acted next; those of
    the others are in ``credit.rewards``. Others' actions before a side's first decision earn it
    nothing.

    A side is a team: the players who win together, often a single one. There are ``S`` of them.
    The option ``turn_limit`` truncates a game for any player to act; unless ``adjudicate`` is set,
    the learner then adds its value estimate for the side to act, and the last decisions of the
    others stay open. The ``infos`` of a finished game hold ``terminal_observation`` (of the player
    who would have acted next), ``TimeLimit.truncated``, ``outcomes`` (+1, 0 or -1 for each side)
    and ``episode`` (``r`` the reward of side 0 without shaping, ``l`` the decisions of all sides,
    ``t`` seconds since this object was created).

    Attributes:
        side: ``int64[n]``, the side to act.

    Args:
        variant: a name of :func:`pasgl_env.contract.variants.names`, or a ruleset.
        n: number of games.
        settings: as for :class:`BatchVecEnv`, and the variant's options.

    Raises:
        ValueError: for an invalid argument.
        IllegalMove: from :meth:`step`, if an action is not legal; nothing changes then.
    """

    def __init__(self, variant: str | Ruleset, n: int, **settings: Any) -> None:
        super().__init__(variant, n, **settings)
        shape = self.num_envs, self.num_sides
        self.side = np.zeros(self.num_envs, np.int64)
        self._has_decided = np.zeros(shape, np.bool_)
        # Since each side's last decision: its reward, its potential then, and its discount.
        self._earned = np.zeros(shape, np.float32)
        self._potential = np.zeros(shape, np.float32)
        self._discount_of = np.zeros(shape, np.float32)
        self._total = np.zeros(self.num_envs, np.float32)  # total reward of side 0

    @property
    def num_sides(self) -> int:
        """S, the number of sides."""
        return self._members.size

    @property
    def truncations(self) -> Truncations:
        ended = self.batch.ended
        rows = np.flatnonzero(self.batch.truncated[ended])
        states, masks = self.batch.final_states, self.batch.final_action_mask
        return Truncations(ended[rows], states[rows], masks[rows])

    def _restart(self, seeds: list[int]) -> None:
        if seeds:
            self.batch.reseed(self._rows, seeds)
        self.batch.reset()
        self._forget(self._rows)
        self._look()

    def _step(self, actions: np.ndarray) -> VecEnvStepReturn:
        batch, side = self.batch, self.side
        batch.step(actions)
        done = batch.terminated | batch.truncated
        discount = self._discounts(done)
        self._has_decided[self._rows, side] = True
        self._discount_of[self._rows, side] = discount
        rewards = batch.reward[:, self._members]
        self._earned += rewards
        self._total += rewards[:, 0]
        ended, to_move = batch.ended, batch.ruleset.game.to_move
        last = np.array([max(0, to_move(state)) for state in batch.final_states], int)
        following = batch.teams[batch.to_move]
        following[ended] = batch.teams[last]
        infos = self._infos(ended, last)
        is_closed = self._closed(following, ended)
        rewards = np.where(is_closed, self._earned * self._reward_scale, np.float32(0))
        if self._shaping:
            rewards += self._shaped(is_closed, following, ended)
        self._earned[self._rows, following] = 0
        self._forget(ended)
        self._look()
        self.credit = Credit(side, following, rewards, is_closed, discount, done)
        observation = batch.observation.copy()
        return observation, rewards[self._rows, following], done.copy(), infos

    def _closed(self, following: np.ndarray, ended: np.ndarray) -> np.ndarray:
        """``bool[n, S]``: the sides whose last decisions the step has closed."""
        is_closed = np.zeros_like(self._has_decided)
        is_closed[self._rows, following] = True
        is_closed[ended] |= (self.batch.terminated | self._adjudicates)[ended, None]
        return is_closed & self._has_decided

    def _shaped(
        self, is_closed: np.ndarray, following: np.ndarray, ended: np.ndarray
    ) -> np.ndarray:
        """``float32[n, S]``: shaping rewards of the decisions that are closed."""
        batch = self.batch
        reached = np.zeros_like(self._potential)
        reached[self._rows, following] = potential(batch, batch.to_move)
        for side, member in enumerate(self._members):
            last = potentials(batch.ruleset, batch.final_states, np.full(ended.size, member))
            reached[ended, side] = np.where(batch.truncated[ended], last, 0)
        growth = self._discount_of * reached - self._potential
        return np.where(is_closed, self._shaping * growth, np.float32(0))

    def _forget(self, games: np.ndarray) -> None:
        """Reset the accounts of these games."""
        self._has_decided[games] = False
        self._earned[games] = 0
        self._total[games] = 0

    def _look(self) -> None:
        """Note the sides to act and their potentials."""
        self.side = self.batch.teams[self.batch.to_move]
        if self._shaping:
            self._potential[self._rows, self.side] = potential(self.batch, self.batch.to_move)

    def _infos(self, ended: np.ndarray, last: np.ndarray) -> list[dict[str, Any]]:
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if ended.size == 0:
            return infos
        batch = self.batch
        seen, outcomes = batch.final_observation, batch.outcome[:, self._members]
        for row, game in enumerate(ended.tolist()):
            infos[game] = {
                **self._end(
                    seen[row, last[row]],
                    bool(batch.truncated[game]),
                    self._total[game],
                    batch.final_length[row],
                ),
                "outcomes": tuple(outcomes[row].tolist()),
            }
        return infos
