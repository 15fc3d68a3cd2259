"""Self-play in which one learner makes the decisions of all players, and learns from all of them.

A rollout then holds the decisions of several seats, which alternate irregularly, because a turn may
be several actions. The next observation is often another seat's, so a learner must link each
decision to the same seat's next one. :attr:`BothSidesVecEnv.credit` holds what is needed, and
:func:`pasgl_env.envs.credit.estimate_advantages` does it. MaskablePPO's own rollout buffer does
not: use :class:`pasgl_env.training.ppo.rollout.SeatRolloutBuffer`.

>>> env = BothSidesVecEnv("pasgl312", 8, seed=1)
>>> _ = env.reset()
>>> for _ in range(3):
...     seats = env.seat.copy()
...     observation, reward, done, infos = env.step(env.sample())
...     assert (env.credit.seat == seats).all()
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from pasgl_env.contract.game import OptionValue
from pasgl_env.engine.batch import Batch, RewardKind
from pasgl_env.envs.batch_vec import BatchVecEnv, Truncations
from pasgl_env.envs.credit import Credit, DiscountPer
from pasgl_env.players.potential import potential, standings

if TYPE_CHECKING:
    from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn


class BothSidesVecEnv(BatchVecEnv):
    """``n`` games in which a learner makes every decision, each time for the player to act.

    Observations are ``uint8[n, C, H, W]``, actions ``int[n]``, masks ``bool[n, A]``: the view and
    the legal actions of the player to act. The reward ``float32[n]`` of a step is that of the *seat
    to act next* since its own last decision, including those of others in between, like ``last()``
    in PettingZoo. In a finished game, it is that of the seat that would have acted next; those of
    the others are in ``credit.rewards``. Others' actions before a seat's first decision earn it
    nothing.

    A seat is a player or, in games of teams, a team: ``S`` seats. The option ``turn_limit``
    truncates a game for any player to act. The ``infos`` of a finished game hold
    ``terminal_observation`` (of the player who would have acted next), ``TimeLimit.truncated``,
    ``outcomes`` (+1, 0 or -1 for each seat) and ``episode`` (``r`` the reward of seat 0 without
    shaping, ``l`` the decisions of all seats, ``t`` seconds since this object was created).

    Attributes:
        batch: the games.
        seat: ``int64[n]``, the seat to act.
        credit: the last step's results for the decisions of each seat.
        seconds: time spent in this class.

    Args:
        variant: a name of :func:`pasgl_env.contract.variants.names`.
        n: number of games.
        reward: as for :class:`pasgl_env.Batch`.
        reward_scale: factor for rewards.
        shaping: as for :class:`pasgl_env.envs.vec.SelfPlayVecEnv`, for each seat.
        standing_counts: likewise. If False, a truncated game counts as unfinished:
            ``TimeLimit.truncated`` makes the learner add its value estimate for the seat to act,
            and the last decisions of the others stay open.
        discount: the learner's discount factor, for shaping and for ``credit.discount``.
        discount_per: the unit of the discount: every ``"action"``, or each ``"turn"`` of a seat,
            however many actions it has.
        threads: number of threads of the batch.
        render_mode: ``"rgb_array"``, which needs the extra ``render``, or None.
        render_size: the longer of width and height of a game's picture in pixels.
        render_theme: ``"light"`` or ``"dark"``.
        seed: seed of the dice and :meth:`sample`.
        options: the variant's options.

    Raises:
        ValueError: for an invalid argument.
        IllegalMove: from :meth:`step`, if an action is not legal; nothing changes then.
    """

    def __init__(
        self,
        variant: str,
        n: int,
        *,
        reward: RewardKind = "outcome",
        reward_scale: float = 1.0,
        shaping: float = 0.0,
        standing_counts: bool = False,
        discount: float = 0.99,
        discount_per: DiscountPer = "action",
        threads: int = 1,
        render_mode: str | None = None,
        render_size: int = 512,
        render_theme: str = "light",
        seed: int | None = None,
        **options: OptionValue,
    ) -> None:
        batch = Batch(variant, n, threads=threads, seed=seed, reward=reward, **options)
        teams: list[int] = batch.teams.tolist()
        self._member = np.array([teams.index(team) for team in range(max(teams) + 1)])
        shape = n, self._member.size
        self.seat = np.zeros(n, np.int64)
        self._has_decided = np.zeros(shape, np.bool_)
        # Since each seat's last decision: its reward, its potential then, and its discount.
        self._earned = np.zeros(shape, np.float32)
        self._potential = np.zeros(shape, np.float32)
        self._discount_of = np.zeros(shape, np.float32)
        self._total = np.zeros(n, np.float32)  # total reward of seat 0
        super().__init__(
            batch,
            reward_scale=reward_scale,
            shaping=shaping,
            standing_counts=standing_counts,
            discount=discount,
            discount_per=discount_per,
            render_mode=render_mode,
            render_size=render_size,
            render_theme=render_theme,
        )

    @property
    def num_seats(self) -> int:
        """S, the number of players or teams."""
        return self._member.size

    @property
    def truncations(self) -> Truncations:
        ended = self.batch.ended
        rows = np.flatnonzero(self.batch.truncated[ended])
        states, masks = self.batch.final_states, self.batch.final_action_mask
        return Truncations(ended[rows], states[rows], masks[rows])

    def reset(self) -> np.ndarray:
        start = perf_counter()
        if seeds := [seed for seed in self._seeds if seed is not None]:
            self.batch.reseed(self._rows, seeds)
        self.batch.reset()
        self._forget(self._rows)
        self._turns = self.batch.turns
        self._look()
        self.seconds += perf_counter() - start
        self._reset_seeds()
        return self.batch.observation.copy()

    def step_wait(self) -> VecEnvStepReturn:
        start, batch, seat = perf_counter(), self.batch, self.seat
        batch.step(self._actions)
        done = batch.terminated | batch.truncated
        discount = self._discounts(done)
        self._has_decided[self._rows, seat] = True
        self._discount_of[self._rows, seat] = discount
        self._earned += batch.reward[:, self._member]
        self._total += batch.reward[:, 0]
        ended = batch.ended
        last = np.array([max(0, self._game.to_move(state)) for state in batch.final_states], int)
        heir = batch.teams[batch.to_move]
        heir[ended] = batch.teams[last]
        infos = self._infos(ended, last)
        is_closed = self._closed(heir, ended)
        rewards = np.where(is_closed, self._earned * self._reward_scale, np.float32(0))
        if self._shaping:
            rewards += self._shaped(is_closed, heir, ended)
        self._earned[self._rows, heir] = 0
        self._forget(ended)
        self._look()
        self.credit = Credit(seat, heir, rewards, is_closed, discount, done)
        observation = batch.observation.copy()
        self.seconds += perf_counter() - start
        return observation, rewards[self._rows, heir], done, infos

    def _closed(self, heir: np.ndarray, ended: np.ndarray) -> np.ndarray:
        """``bool[n, S]``: the seats whose last decisions the step has closed."""
        is_closed = np.zeros_like(self._has_decided)
        is_closed[self._rows, heir] = True
        is_closed[ended] |= (self.batch.terminated | self._standing_counts)[ended, None]
        return is_closed & self._has_decided

    def _shaped(self, is_closed: np.ndarray, heir: np.ndarray, ended: np.ndarray) -> np.ndarray:
        """``float32[n, S]``: shaping rewards of the decisions that are closed."""
        reached = np.zeros_like(self._potential)
        reached[self._rows, heir] = potential(self.batch, self.batch.to_move)
        states, options = self.batch.final_states, self.batch.options_record
        for seat, member in enumerate(self._member):
            stand = standings(self._game, states, options, np.full(ended.size, member))
            reached[ended, seat] = np.where(self.batch.truncated[ended], stand, 0)
        growth = self._discount_of * reached - self._potential
        return np.where(is_closed, self._shaping * growth, np.float32(0))

    def _forget(self, games: np.ndarray) -> None:
        """Reset the accounts of these games."""
        self._has_decided[games] = False
        self._earned[games] = 0
        self._total[games] = 0

    def _look(self) -> None:
        """Note the seats to act and their standings."""
        self.seat = self.batch.teams[self.batch.to_move]
        if self._shaping:
            self._potential[self._rows, self.seat] = potential(self.batch, self.batch.to_move)

    def _infos(self, ended: np.ndarray, last: np.ndarray) -> list[dict[str, Any]]:
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if ended.size == 0:
            return infos
        batch = self.batch
        seen, outcomes = batch.final_observation, batch.outcome[:, self._member]
        for row, game in enumerate(ended.tolist()):
            infos[game] = {
                "terminal_observation": seen[row, last[row]],
                "TimeLimit.truncated": bool(batch.truncated[game]) and not self._standing_counts,
                "outcomes": tuple(outcomes[row].tolist()),
                "episode": self._episode(self._total[game], batch.final_length[row]),
            }
        return infos
