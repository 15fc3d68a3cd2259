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
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from pasgl_env.contract.game import OptionValue
from pasgl_env.engine.batch import Batch, RewardKind
from pasgl_env.envs.batch_vec import BatchVecEnv, Truncations
from pasgl_env.envs.credit import Credit, DiscountPer
from pasgl_env.envs.selfplay import Duel, Episodes, LearnerSeat, WhenIllegal
from pasgl_env.players import as_player
from pasgl_env.players.potential import potential, standings

if TYPE_CHECKING:
    from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn


class SelfPlayVecEnv(BatchVecEnv):
    """``n`` games with a learner in each; batched opponents act inside the environment.

    Observations are ``uint8[n, C, H, W]``, actions ``int[n]``, masks ``bool[n, A]``; the learner
    sees every game from its own side. When a game ends, its ``infos`` hold
    ``terminal_observation`` and ``TimeLimit.truncated`` as Stable-Baselines3 expects, ``episode``
    as a ``Monitor`` writes it (``r`` the learner's reward without shaping, ``l`` its decisions,
    ``t`` seconds since this object was made), ``is_success``, ``outcome`` (+1, 0, -1), ``opponent``
    (its index) and ``seat``.

    Attributes:
        batch: the games.
        duel: the learner and its opponents; assign ``duel.assignment`` to choose each game's next
            opponent.
        credit: of the last step, with the learner as the only seat: reward and discount.
        seconds: time spent in this class, including the opponents' choices.

    Args:
        variant: a name of :func:`pasgl_env.contract.variants.names`.
        n: number of games.
        opponents: names, players, functions or policies, see :func:`pasgl_env.players.as_player`;
            assigned to the games in turn.
        learner: the learner's player, or its team in games of four, or ``"alternate"``.
        illegal: an illegal action of the learner is an ``"error"``, which changes nothing, or makes
            it ``"lose"`` at once with reward -1, for learners without masks.
        opening: every game begins with up to this many uniformly random actions of all players.
        reward: as for :class:`pasgl_env.Batch`.
        reward_scale: factor by which rewards are multiplied.
        shaping: weight of shaping, 0 for none. It adds ``shaping`` × (``discount`` × the new
            potential - the old one) to every reward. The potential is the learner's standing by the
            game's evaluation, -1 to 1 (:func:`pasgl_env.players.potential.potential`), and 0 once a
            game has ended by its rules, so the best policy stays the same.
        standing_counts: if True, a game that the option ``turn_limit`` cuts off is over, the
            learner's standing is its result, and the shaping rewards stay. If False, the game
            counts as unfinished, and ``TimeLimit.truncated`` makes the learner bootstrap.
        discount: the learner's discount factor, for shaping and for ``credit.discount``.
        discount_per: the unit of the discount: every ``"action"``, as in Stable-Baselines3, or each
            ``"turn"`` of the learner, however many actions it has. The latter is for learners that
            use ``credit.discount``, as ``pasgl train`` does.
        threads: number of threads of the batch.
        render_mode: ``"rgb_array"``, which needs the extra ``render``: :meth:`render` returns one
            image, ``uint8[H, W, 3]``, of all games side by side; None.
        render_size: the longer side of a game's picture in pixels.
        render_theme: ``"light"`` or ``"dark"``.
        seed: seed of the dice, the opponents, the openings and :meth:`sample`.
        options: the variant's options.

    Raises:
        ValueError: for an invalid argument.
        IllegalMove: from :meth:`step`, if the learner's action is not legal and ``illegal`` is
            ``"error"``; nothing changes then.
    """

    def __init__(
        self,
        variant: str,
        n: int,
        *,
        opponents: Sequence[Any] = ("random",),
        learner: LearnerSeat = "alternate",
        illegal: WhenIllegal = "error",
        opening: int = 0,
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
        if isinstance(opponents, str):
            raise ValueError(f"opponents must be a list, such as [{opponents!r}]")
        players = [
            as_player(opponent, variant, None if seed is None else seed + 1 + index)
            for index, opponent in enumerate(opponents)
        ]
        self.duel = Duel(
            batch, players, learner=learner, illegal=illegal, opening=opening, seed=seed
        )
        self._potential = np.zeros(n, np.float32)
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
    def truncations(self) -> Truncations:
        ended = self.duel.ended
        rows = np.flatnonzero(ended.action_mask.any(axis=1))
        return Truncations(ended.game[rows], ended.state[rows], ended.action_mask[rows])

    @property
    def seconds_in_opponents(self) -> float:
        return self.duel.seconds_in_opponents

    def reset(self) -> np.ndarray:
        start = perf_counter()
        seeds = [seed for seed in self._seeds if seed is not None]
        self.duel.reset(seeds=seeds or None)
        self._turns = self.batch.turns
        if self._shaping:
            self._potential = potential(self.batch, self.duel.seat)
        self.seconds += perf_counter() - start
        self._reset_seeds()
        return self.batch.observation.copy()

    def step_wait(self) -> VecEnvStepReturn:
        start, duel = perf_counter(), self.duel
        duel.step(self._actions)
        ended = duel.ended
        done = duel.terminated | duel.truncated
        discount = self._discounts(done)
        reward = duel.reward * self._reward_scale + self._shaped(ended, discount)
        # One learner in any seat: each of its decisions is closed by the next step.
        alone = np.zeros(self.num_envs, np.int64)
        closed = np.ones((self.num_envs, 1), np.bool_)
        self.credit = Credit(alone, alone, reward[:, None], closed, discount, done)
        observation = self.batch.observation.copy()
        infos = self._infos(ended)
        self.seconds += perf_counter() - start
        return observation, reward.copy(), done, infos

    def _infos(self, ended: Episodes) -> list[dict[str, Any]]:
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row, game in enumerate(ended.game.tolist()):
            was_cut = bool(self.duel.truncated[game])
            infos[game] = {
                "terminal_observation": ended.observation[row],
                "TimeLimit.truncated": was_cut and not self._standing_counts,
                "episode": self._episode(ended.total_reward[row], ended.decisions[row]),
                "is_success": bool(ended.outcome[row] > 0),
                "outcome": float(ended.outcome[row]),
                "opponent": int(ended.opponent[row]),
                "seat": int(ended.seat[row]),
            }
        return infos

    def _shaped(self, ended: Episodes, discount: np.ndarray) -> np.ndarray:
        """The shaping rewards of a step after which these episodes have ended."""
        if self._shaping == 0:
            return self._potential
        before, now = self._potential, potential(self.batch, self.duel.seat)
        self._potential = now
        reached = now.copy()
        last = standings(self._game, ended.state, self.batch.options_record, ended.seat)
        reached[ended.game] = np.where(self.duel.truncated[ended.game], last, 0)
        return self._shaping * (discount * reached - before)
