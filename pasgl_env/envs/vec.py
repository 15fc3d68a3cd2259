"""Stable-Baselines3: many self-play games as one ``VecEnv``, for MaskablePPO as it is.

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

from collections.abc import Iterable, Sequence
from time import perf_counter
from typing import Any

import numpy as np
from gymnasium import spaces

from pasgl_env import variants
from pasgl_env.engine.batch import Batch, RewardKind
from pasgl_env.envs.rendering import Renderer
from pasgl_env.envs.selfplay import Duel, Episodes, LearnerSeat, WhenIllegal
from pasgl_env.games.contract import OptionValue, brief
from pasgl_env.players import as_player
from pasgl_env.players.potential import potential, standings

try:
    from stable_baselines3.common.vec_env import VecEnv
    from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn
except ImportError as error:
    raise ImportError("SelfPlayVecEnv needs the extra: pip install 'pasgl-env[train]'") from error


class SelfPlayVecEnv(VecEnv):
    """``n`` games with a learner in each, against opponents that act inside, in batches.

    Observations are ``uint8[n, C, H, W]``, actions ``int[n]``, masks ``bool[n, A]``; the learner
    sees every game from its own side. When a game ends, its ``infos`` hold
    ``terminal_observation`` and ``TimeLimit.truncated`` as Stable-Baselines3 expects, ``episode``
    as a ``Monitor`` writes it (``r`` the learner's reward without shaping, ``l`` its decisions,
    ``t`` seconds since this object was made), ``is_success``, ``outcome`` (+1, 0, -1), ``opponent``
    (its index) and ``seat``.

    Attributes:
        duel: the learner and its opponents; assign ``duel.assignment`` to choose each game's next
            opponent.
        seconds: time spent in this class, including the opponents' choices.

    Args:
        variant: a name of :func:`pasgl_env.variants.names`.
        n: number of games.
        opponents: names, players, functions or policies, see :func:`pasgl_env.players.as_player`;
            assigned to the games in turn.
        learner: the learner's player, or its team in games of four, or ``"alternate"``.
        illegal: an illegal action of the learner is an ``"error"``, which changes nothing, or makes
            it ``"lose"`` at once with reward -1, for learners without masks.
        reward: as for :class:`pasgl_env.Batch`.
        reward_scale: factor by which rewards are multiplied.
        shaping: weight of shaping, 0 for none. ``shaping`` times (``discount`` times the new
            potential minus the old one) is added to every reward. The potential is the learner's
            standing by the game's evaluation, -1 to 1
            (:func:`pasgl_env.players.potential.potential`), and 0 once a game has ended by its
            rules, so the best policy stays the same.
        standing_counts: if True, a game that the option ``turn_limit`` cuts off is over, the
            learner's standing is its result, and the shaping rewards stay. If False, the game
            counts as unfinished, and ``TimeLimit.truncated`` makes the learner bootstrap.
        discount: the learner's discount factor, for shaping.
        threads: number of threads of the batch.
        render_mode: ``"rgb_array"``, which needs the extra ``render``: :meth:`render` returns one
            image, ``uint8[H, W, 3]``, of all games side by side; None.
        render_size: the longer side of a game's picture in pixels.
        render_theme: ``"light"`` or ``"dark"``.
        seed: seed of the dice, the opponents and :meth:`sample`.
        options: the variant's options.

    Raises:
        ValueError: for an argument that is not possible.
        IllegalMove: from :meth:`step`, if the learner's action is not legal and ``illegal`` is
            ``"error"``; nothing has changed.
    """

    def __init__(
        self,
        variant: str,
        n: int,
        *,
        opponents: Sequence[Any] = ("random",),
        learner: LearnerSeat = "alternate",
        illegal: WhenIllegal = "error",
        reward: RewardKind = "outcome",
        reward_scale: float = 1.0,
        shaping: float = 0.0,
        standing_counts: bool = False,
        discount: float = 0.99,
        threads: int = 1,
        render_mode: str | None = None,
        render_size: int = 512,
        render_theme: str = "light",
        seed: int | None = None,
        **options: OptionValue,
    ) -> None:
        batch = Batch(variant, n, threads=threads, seed=seed, reward=reward, **options)
        players = [
            as_player(opponent, variant, None if seed is None else seed + 1 + index)
            for index, opponent in enumerate(opponents)
        ]
        self.duel = Duel(batch, players, learner=learner, illegal=illegal)
        self.render_mode = render_mode
        self._renderer = Renderer(
            variant, render_mode, size=render_size, theme=render_theme, modes=("rgb_array",)
        )
        self._reward_scale = np.float32(reward_scale)
        self._game = variants.find(variant)
        self._shaping = np.float32(shaping)
        self._standing_counts = standing_counts
        self._discount = np.float32(discount)
        self._potential = np.zeros(n, np.float32)
        self._actions = np.zeros(n, np.int64)
        self.seconds = 0.0
        self._made = perf_counter()
        super().__init__(
            n,
            spaces.Box(0, 1, batch.observation_shape, np.uint8),
            spaces.Discrete(batch.num_actions),
        )
        self.metadata: dict[str, Any] = {**self.metadata, "render_fps": 1}

    @property
    def batch(self) -> Batch:
        """The games."""
        return self.duel.batch

    def action_masks(self) -> np.ndarray:
        """``bool[n, A]``: the learner's legal actions."""
        return self.batch.action_mask.astype(np.bool_)

    def sample(self) -> np.ndarray:
        """Legal actions ``int64[n]`` for the learner, drawn uniformly."""
        return self.batch.sample()

    def reset(self) -> np.ndarray:
        start = perf_counter()
        seeds = [seed for seed in self._seeds if seed is not None]
        self.duel.reset(seeds=seeds or None)
        self._shaped(self.duel.ended)
        self.seconds += perf_counter() - start
        self._reset_seeds()
        return self.batch.observation.copy()

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = np.array(actions)

    def step_wait(self) -> VecEnvStepReturn:
        start, duel = perf_counter(), self.duel
        duel.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = duel.ended
        for row, game in enumerate(ended.game.tolist()):
            infos[game] = {
                "terminal_observation": ended.observation[row],
                "TimeLimit.truncated": bool(duel.truncated[game]) and not self._standing_counts,
                "episode": {
                    "r": float(ended.total_reward[row] * self._reward_scale),
                    "l": int(ended.decisions[row]),
                    "t": round(perf_counter() - self._made, 6),
                },
                "is_success": bool(ended.outcome[row] > 0),
                "outcome": float(ended.outcome[row]),
                "opponent": int(ended.opponent[row]),
                "seat": int(ended.seat[row]),
            }
        done = duel.terminated | duel.truncated
        reward = duel.reward * self._reward_scale + self._shaped(ended)
        observation = self.batch.observation.copy()
        self.seconds += perf_counter() - start
        return observation, reward, done, infos

    def _shaped(self, ended: Episodes) -> np.ndarray:
        """What shaping adds to the rewards of a step, after which these episodes have ended."""
        if self._shaping == 0:
            return self._potential
        before, now = self._potential, potential(self.batch, self.duel.seat)
        self._potential = now
        reached = now.copy()
        last = standings(self._game, ended.state, self.batch.options_record, ended.seat)
        reached[ended.game] = np.where(self.duel.truncated[ended.game], last, 0)
        return self._shaping * (self._discount * reached - before)

    def get_images(self) -> Sequence[np.ndarray | None]:
        """A picture of every game, ``uint8[H, W, 3]``."""
        options = self.batch.options_record[0]
        images: list[Any] = [self._renderer.draw(state, options) for state in self.batch.states]
        return images

    def set_options(self, options: list[dict[str, Any]] | dict[str, Any] | None = None) -> None:
        """Refused, unless there are none: a reset takes no options."""
        if any(options) if isinstance(options, list) else options:
            raise ValueError(f"the reset of SelfPlayVecEnv takes no options, not {brief(options)}")

    def close(self) -> None:
        """Nothing to close: there are no processes and no windows."""

    def has_attr(self, attr_name: str) -> bool:
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refused: the games have no attributes of their own."""
        raise AttributeError(f"the games of SelfPlayVecEnv have no attribute {attr_name!r} to set")

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        if method_name != "action_masks":
            raise AttributeError(f"the games of SelfPlayVecEnv have no method {method_name!r}")
        start = perf_counter()
        masks = self.action_masks()
        rows = [masks[index] for index in self._get_indices(indices)]
        self.seconds += perf_counter() - start
        return rows

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        wanted: Iterable[int] = self._get_indices(indices)
        return [False for _ in wanted]
