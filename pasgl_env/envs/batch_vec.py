"""The common base of the ``VecEnv`` classes for Stable-Baselines3: a batch of games."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from time import perf_counter
from typing import Any, NamedTuple, get_args

import numpy as np
from gymnasium import spaces

from pasgl_env.contract.game import OptionValue, brief, checked_number
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.dice import checked_seed
from pasgl_env.engine.errors import IllegalMove
from pasgl_env.engine.results import RewardKind
from pasgl_env.engine.sharing import CopiedWhole
from pasgl_env.envs.credit import MOST_SCALE, Credit, DiscountPer
from pasgl_env.envs.rendering import Renderer

try:
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecEnv
    from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn
except ImportError as error:
    raise ImportError(
        "SelfPlayVecEnv and BothSidesVecEnv need the extra: pip install 'pasgl-env[train]'"
    ) from error


class Truncations(NamedTuple):
    """The games truncated by the last step, one row each.

    Attributes:
        game: ``int64[k]``, the games' indices.
        state: records ``[k]``, the last states.
        action_mask: ``uint8[k, A]``, the legal actions there.
    """

    game: np.ndarray
    state: np.ndarray
    action_mask: np.ndarray


class BatchVecEnv(CopiedWhole, VecEnv):
    """The games of a batch as one ``VecEnv``, with masks in the form that MaskablePPO expects.

    Attributes:
        batch: the games.
        credit: the last step's results for the decisions of each side.
        seconds: time spent in this class, including the opponents' choices.

    Args:
        variant: a name of :func:`pasgl_env.contract.variants.names`, or a ruleset.
        n: number of games.
        reward: as for :class:`pasgl_env.Batch`.
        reward_scale: factor by which rewards are multiplied.
        shaping: weight of shaping, 0 for none. It adds ``shaping`` × (``discount`` × the new
            potential - the old one) to every reward. The potential is that of the side that
            decides, by the game's evaluation, -1 to 1
            (:func:`pasgl_env.players.potential.potential`), and 0 once a game has ended by its
            rules, so the best policy stays the same.
        adjudicate: if True, a game that the option ``turn_limit`` truncates is over, the potential
            is its result, and the shaping rewards stay. If False, the game counts as unfinished:
            ``TimeLimit.truncated`` makes the learner bootstrap.
        discount: the learner's discount factor, for shaping and for ``credit.discount``.
        discount_per: the unit of the discount: every ``"action"``, as in Stable-Baselines3, or each
            ``"turn"`` of a side, however many actions it has. The latter is for learners that use
            ``credit.discount``, as ``pasgl train`` does.
        threads: number of threads of the batch.
        render_mode: ``"rgb_array"``, which needs the extra ``render``: :meth:`render` returns one
            image, ``uint8[H, W, 3]``, of all games side by side; None.
        render_size: the longer side of a game's picture in pixels.
        render_theme: ``"light"`` or ``"dark"``.
        seed: seed of the dice and :meth:`sample`.
        options: the variant's options.

    Raises:
        ValueError: for an invalid argument.
    """

    credit: Credit

    def __init__(
        self,
        variant: str | Ruleset,
        n: int,
        *,
        reward: RewardKind = "outcome",
        reward_scale: float = 1.0,
        shaping: float = 0.0,
        adjudicate: bool = False,
        discount: float = 0.99,
        discount_per: DiscountPer = "action",
        threads: int = 1,
        render_mode: str | None = None,
        render_size: int = 512,
        render_theme: str = "light",
        seed: int | None = None,
        **options: OptionValue,
    ) -> None:
        if discount_per not in get_args(DiscountPer):
            raise ValueError(f"discount_per must be 'action' or 'turn', not {brief(discount_per)}")
        self._reward_scale = np.float32(
            checked_number("reward_scale", reward_scale, 0.0, MOST_SCALE)
        )
        self._shaping = np.float32(checked_number("shaping", shaping, 0.0, MOST_SCALE))
        self._discount = np.float32(checked_number("discount", discount, 0.0, 1.0))
        batch = Batch(variant, n, threads=threads, seed=seed, reward=reward, **options)
        self.batch = batch
        self.render_mode = render_mode
        self._renderer = Renderer(
            batch.ruleset, render_mode, size=render_size, theme=render_theme, modes=("rgb_array",)
        )
        self._members = np.array(batch.ruleset.members)
        self._rows = np.arange(len(batch))
        self._adjudicates = adjudicate
        self._discounts_actions = discount_per == "action"
        self._turns = np.zeros(len(batch), np.int64)
        self._actions = np.zeros(len(batch), np.int64)
        # Before the first reset, and after an exception, such as a signal's, in a step or a reset.
        self._must_reset = True
        self.seconds = 0.0
        self._made = perf_counter()
        super().__init__(
            len(batch),
            spaces.Box(0, 1, batch.observation_shape, np.uint8),
            spaces.Discrete(batch.num_actions),
        )
        self.metadata: dict[str, Any] = {**self.metadata, "render_fps": 1}

    @property
    @abstractmethod
    def truncations(self) -> Truncations:
        """The games truncated by the last step with a learner to act."""

    @property
    def seconds_in_opponents(self) -> float:
        """The part of ``seconds`` that opponents took to choose."""
        return 0.0

    def action_masks(self) -> np.ndarray:
        """``bool[n, A]``: the legal actions."""
        return self.batch.action_mask.astype(np.bool_)

    def sample(self) -> np.ndarray:
        """Legal actions ``int64[n]``, drawn uniformly."""
        return self.batch.sample()

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seed the games at the next reset: ``seed``, ``seed + 1``, ...; None draws a seed.

        Raises:
            ValueError: if the seed is negative or not an integer; nothing changes then.
        """
        return super().seed(None if seed is None else checked_seed(seed))

    def reset(self) -> np.ndarray:
        start = perf_counter()
        must_reset, self._must_reset = self._must_reset, True  # until the end, if interrupted
        try:
            self._restart([seed for seed in self._seeds if seed is not None])
        except (ValueError, RuntimeError):  # the games know whether they go on
            self._must_reset = must_reset
            raise
        self._turns = self.batch.turns
        self._must_reset = False
        self.seconds += perf_counter() - start
        self._reset_seeds()
        return self.batch.observation.copy()

    @abstractmethod
    def _restart(self, seeds: list[int]) -> None:
        """Begin new games, with these seeds or, if there are none, the current generators."""

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = np.array(actions)

    def step_wait(self) -> VecEnvStepReturn:
        if self._must_reset:
            raise RuntimeError(
                "reset the environment first: no games have begun, or a step was interrupted"
            )
        start = perf_counter()
        try:
            result = self._step(self._actions)
        except (IllegalMove, ValueError, RuntimeError):  # the games know whether they go on
            raise
        except BaseException:
            self._must_reset = True
            raise
        self.seconds += perf_counter() - start
        return result

    @abstractmethod
    def _step(self, actions: np.ndarray) -> VecEnvStepReturn:
        """Play an action in every game.

        Raises:
            IllegalMove: if an action is not legal; nothing changes then.
        """

    def _discounts(self, done: np.ndarray) -> np.ndarray:
        """``float32[n]``: the discounts of the last decisions.

        Games that have ended, ``bool[n]``, ended with a turn.
        """
        if self._discounts_actions:
            return np.full(self.num_envs, self._discount)
        before, self._turns = self._turns, self.batch.turns
        return np.where((self._turns != before) | done, self._discount, np.float32(1))

    def _end(self, observation: np.ndarray, truncated: bool, reward: float, decisions: int) -> Any:
        """What ``infos`` hold of an ended game: its last view, and what a ``Monitor`` writes."""
        return {
            "terminal_observation": observation,
            "TimeLimit.truncated": truncated and not self._adjudicates,
            "episode": {
                "r": float(reward * self._reward_scale),
                "l": int(decisions),
                "t": round(perf_counter() - self._made, 6),
            },
        }

    def get_images(self) -> Sequence[np.ndarray | None]:
        """A picture of every game, ``uint8[H, W, 3]``."""
        images: list[Any] = [self._renderer.draw(state) for state in self.batch.states]
        return images

    def set_options(self, options: list[dict[str, Any]] | dict[str, Any] | None = None) -> None:
        """Raise ``ValueError`` for any options: a reset takes none."""
        if any(options) if isinstance(options, list) else options:
            raise ValueError(
                f"the reset of {type(self).__name__} takes no options, not {brief(options)}"
            )

    def close(self) -> None:
        """Do nothing: there are no processes and no windows."""

    def has_attr(self, attr_name: str) -> bool:
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Raise an error: the games have no attributes of their own."""
        raise AttributeError(
            f"the games of {type(self).__name__} have no attribute {attr_name!r} to set"
        )

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        if method_name != "action_masks":
            raise AttributeError(
                f"the games of {type(self).__name__} have no method {method_name!r}"
            )
        start = perf_counter()
        masks = self.action_masks()
        rows = [masks[index] for index in self._get_indices(indices)]
        self.seconds += perf_counter() - start
        return rows

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Whether games have a wrapper: a ``Monitor``, because ``infos`` hold its ``episode``."""
        wanted: Iterable[int] = self._get_indices(indices)
        return [wrapper_class is Monitor for _ in wanted]
