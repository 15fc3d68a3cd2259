"""The Gymnasium environments: one learner against opponents that act inside the environment.

>>> import gymnasium, pasgl_env.envs
>>> env = gymnasium.make("pasgl_env/Pasgl312-v0", opponent="greedy", learner=0)
>>> observation, info = env.reset(seed=1)
>>> observation.shape, int(info["action_mask"].sum())
((60, 8, 10), 36)
>>> action = env.action_space.sample(info["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)

And many games at once, on the fast path:

>>> envs = gymnasium.make_vec("pasgl_env/Pasgl312-v0", num_envs=64, opponent="random", threads=2)
>>> observations, infos = envs.reset(seed=1)
>>> actions = infos["action_mask"].argmax(axis=1)
>>> observations, rewards, terminations, truncations, infos = envs.step(actions)

Both take the same keyword arguments:

==================  ==========================================================================
``opponent``        the learner's opponent: a name (``"random"``, ``"greedy"``), a function
                    ``f(observation[k, C, H, W], action_mask[k, A]) -> actions[k]``, a policy with
                    Stable-Baselines3's ``predict``, or a :class:`pasgl_env.players.Player`
``learner``         the learner's side, 0 or 1, all of whose turns it plays; ``"alternate"``, the
                    default: the next one in each episode, beginning with ``seed % 2`` after
                    ``reset(seed=seed)``
``reward``          ``"outcome"``: +1 won, -1 lost, 0 otherwise, at the end; ``"points"``, in games
                    with scores: the change of the learner's lead
``illegal``         an illegal action makes the learner ``"lose"`` at once with reward -1 (the
                    default), or is an ``"error"``, which changes nothing
``render_mode``     ``"ansi"``: ``render()`` returns a text diagram; ``"rgb_array"``: an image,
                    ``uint8[H, W, 3]``; ``"human"``: a window shows the game after every reset and
                    step, with at most ``metadata["render_fps"]`` frames per second; None. The
                    vector environment returns a tuple of diagrams or images and has no window
``render_size``     the longer side of images, and of the window at first, in pixels
``render_theme``    ``"light"`` or ``"dark"``
``threads``         vector environment: the number of threads that share the work
``autoreset_mode``  vector environment: see :class:`DuelVectorEnv`
``copy``            vector environment: False returns the same read-only array of observations
                    wherever possible
all others          the variant's options; ``turn_limit`` truncates
==================  ==========================================================================

The opponents' actions are part of the learner's step. The reward of a step covers its action and
the opponents' replies; if opponents move first, they do so in ``reset``.

``turn_limit`` truncates where the learner is to act: opponents finish first. After every reset and
step ``info`` holds

- ``action_mask``, ``int8[A]`` as ``Discrete.sample`` takes it: the legal actions; all 0 once a game
  has terminated;
- ``side``, ``int64``: the learner's side;
- ``length``, ``int64``: the number of all players' actions in this episode so far;
- ``outcome``, ``float64``: +1 won, -1 lost, 0 drawn, truncated or not over yet;
- ``is_success``, ``bool``: whether the learner has won.

``action_masks()`` is the mask in the form that MaskablePPO expects.

With ``mask_in_observation=True`` observations are ``{"observation": uint8[C, H, W], "action_mask":
int8[A]}``, for frameworks that expect the mask there. ``observation_key`` and ``mask_key`` rename
these keys, for example to ``"observations"`` for RLlib. The mask in an observation is never all 0:
if nothing is legal because the game is over, it is all 1, so that masking with minus infinity gives
no NaN.

By default an illegal action loses. The environment checkers of Gymnasium and Stable-Baselines3
sample actions without a mask, and PettingZoo's standard wrappers do the same.

After a seeded reset everything is reproducible, if the opponent is a name, a player of this package
or deterministic. Environments may share such a player: each draws from its own generators.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Dict, Discrete, Space
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from pasgl_env.contract.game import OptionValue, brief
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.dice import checked_row, checked_seed
from pasgl_env.engine.errors import IllegalMove
from pasgl_env.engine.results import RewardKind
from pasgl_env.engine.sharing import CopiedWhole
from pasgl_env.envs.rendering import RENDER_MODES, Renderer
from pasgl_env.envs.selfplay import Duel, Episodes, LearnerSide, WhenIllegal, opponent_of
from pasgl_env.envs.start import playable

VECTOR_RENDER_MODES = ("ansi", "rgb_array")


class _Form:
    """The form of observations: the planes alone, or a dictionary of planes and mask."""

    def __init__(self, batch: Batch, has_mask: bool, observation_key: str, mask_key: str) -> None:
        if observation_key == mask_key:
            raise ValueError(f"observation_key and mask_key must differ, not both {mask_key!r}")
        self._has_mask = has_mask
        self._keys = observation_key, mask_key
        planes = Box(0, 1, batch.observation_shape, np.uint8)
        masks = Box(0, 1, (batch.num_actions,), np.int8)
        self.space: Space[Any] = Dict(self._named(planes, masks)) if has_mask else planes

    def form(self, planes: np.ndarray, mask: np.ndarray) -> Any:
        """The observation of planes and a mask, for one game or many."""
        if not self._has_mask:
            return planes
        safe = mask.astype(np.int8)
        safe[~safe.any(axis=-1)] = 1
        return self._named(planes, safe)

    def _named(self, planes: Any, mask: Any) -> dict[str, Any]:
        return dict(zip(self._keys, (planes, mask), strict=True))


class _Duels(CopiedWhole):
    """The common part of both environments, with the arguments that both take."""

    render_modes: tuple[str, ...]
    render_mode: str | None

    def _begin(
        self,
        variant: str,
        n: int,
        threads: int,
        /,
        *,
        opponent: Any = "random",
        learner: LearnerSide = "alternate",
        reward: RewardKind = "outcome",
        illegal: WhenIllegal = "lose",
        render_mode: str | None = None,
        render_size: int = 512,
        render_theme: str = "light",
        mask_in_observation: bool = False,
        observation_key: str = "observation",
        mask_key: str = "action_mask",
        **options: OptionValue,
    ) -> None:
        batch = Batch(variant, n, threads=threads, reward=reward, **options)
        self.duel = Duel(
            batch, [opponent_of(opponent, batch.variant)], learner=learner, illegal=illegal
        )
        self.render_mode = render_mode
        self._renderer = Renderer(
            batch.ruleset,
            render_mode,
            size=render_size,
            theme=render_theme,
            modes=self.render_modes,
        )
        self._form = _Form(batch, mask_in_observation, observation_key, mask_key)

    def _first_sides(self, options: dict[str, Any]) -> np.ndarray | None:
        """Remove the learner's sides from the options of a reset; return them, or None."""
        sides = options.pop("learner", None)
        return None if sides is None else self.duel.checked_sides(sides, len(self.duel.batch))

    def _first_states(self, options: dict[str, Any]) -> np.ndarray | None:
        """The record named by the options of a reset; None for the start."""
        if unknown := [key for key in options if key != "position"]:
            raise ValueError(
                f"reset has no option {brief(unknown[0])}; its options are 'position' and 'learner'"
            )
        if "position" not in options:
            return None
        return playable(self.duel.batch.ruleset, options["position"]).state


class DuelEnv(_Duels, gymnasium.Env[Any, np.int64]):
    """One game of a variant, a learner against an opponent; arguments as in the module's table.

    Attributes:
        duel: the :class:`pasgl_env.envs.selfplay.Duel` that plays.

    Raises:
        TypeError: for an opponent of an unknown kind.
        ValueError: for an unknown variant, opponent or option, or an invalid value.
        ImportError: if the render mode needs the extra ``render``, which is not installed.
    """

    metadata = {  # noqa: RUF012 (as the base class declares it)
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
    }

    render_modes = RENDER_MODES

    def __init__(self, variant: str, **settings: Any) -> None:
        self._begin(variant, 1, 1, **settings)
        self.metadata = self.metadata.copy()  # so that render_fps can be set for one environment
        self.observation_space = self._form.space
        self.action_space = Discrete(self.duel.batch.num_actions)
        self._last: Episodes | None = None
        self._is_begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode.

        Args:
            seed: seed of the dice, the opponent's generator and the alternation of sides; None
                keeps the current ones.
            options: ``{"position": text}`` starts from this position; ``{"learner": side}`` gives
                the learner this side in this episode.

        Raises:
            ValueError: for a seed that is negative or not an integer, another option, a side
                that does not exist, or a text where the game is over: nothing changes then. Also if
                the game ends before the learner can act: then the environment must be reset.
        """
        wanted = dict(options or {})
        sides, states = self._first_sides(wanted), self._first_states(wanted)
        seed = None if seed is None else checked_seed(seed)
        super().reset(seed=seed)
        # The duel has already begun the next episode.
        if self._last is None or not (seed is None and states is None and sides is None):
            self._last, self._is_begun = None, False  # until the reset has succeeded
            self.duel.reset(seeds=None if seed is None else [seed], states=states, sides=sides)
        self._last = None
        self._is_begun = True
        self._show()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play an action and the opponent's reply.

        Raises:
            IllegalMove: if the action is not legal and ``illegal`` is ``"error"``. Nothing changes
                then.
            ResetNeeded: if the episode has ended or none has begun.
        """
        if self._last is not None or not self._is_begun:
            raise ResetNeeded("no episode is running: call reset first")
        try:
            self.duel.step(np.array([action]))
            terminated, truncated = bool(self.duel.terminated[0]), bool(self.duel.truncated[0])
            if terminated or truncated:
                self._last = self.duel.ended
        except (IllegalMove, ValueError, RuntimeError):  # the duel knows whether it goes on
            raise
        except BaseException:
            self._is_begun = False
            raise
        self._show()
        reward = float(self.duel.reward[0])
        return self._observation(), reward, terminated, truncated, self._info()

    def action_masks(self) -> np.ndarray:
        """``bool[A]``: which actions are legal; none once the game has terminated."""
        if self._last is None:
            return self.duel.batch.action_mask[0].astype(np.bool_)
        return self._last.action_mask[0].astype(np.bool_)

    def render(self) -> str | np.ndarray | None:
        """Render the game by the render mode: a diagram, ``uint8[H, W, 3]``, or a window.

        Raises:
            RuntimeError: in mode ``human``, if there is no display.
        """
        batch = self.duel.batch
        state = batch.states[0] if self._last is None else self._last.state[0]
        return self._renderer.draw(state, fps=self.metadata["render_fps"])

    def close(self) -> None:
        """Close the window, if there is one."""
        self._renderer.close()

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _observation(self) -> Any:
        seen = self.duel.batch if self._last is None else self._last
        return self._form.form(seen.observation[0].copy(), seen.action_mask[0])

    def _info(self) -> dict[str, Any]:
        duel, last = self.duel, self._last
        if last is None:
            info = _described(duel.batch.action_mask, duel.side, duel.length, np.zeros(1))
        else:
            info = _described(last.action_mask, last.side, last.length, last.outcome)
        return {key: values[0] for key, values in info.items()} | {
            "is_success": bool(info["is_success"][0])  # of the type that Gymnasium expects
        }


class DuelVectorEnv(_Duels, gymnasium.vector.VectorEnv[Any, np.ndarray, np.ndarray]):
    """Many games of a variant at once; arguments as in the module's table.

    For the same seeds, and opponents that are built in or deterministic, it gives the same results
    as Gymnasium's ``SyncVectorEnv`` of :class:`DuelEnv`, but faster.

    ``autoreset_mode`` (https://farama.org/Vector-Autoreset-Mode) selects what follows the end of an
    episode:

    - ``"SameStep"``, the default: the game restarts in the same step; ``final_obs`` and
      ``final_info`` in ``infos`` describe the end. Every row of every step is a decision of the
      learner, so nothing has to be left out in learning.
    - ``"NextStep"``, the default of Gymnasium's own vector environments: the game restarts in the
      next step, which ignores the action for it.
    - ``"Disabled"``: the caller resets the game, with ``reset(options={"reset_mask": ...})``.
      Its ``infos`` describe all games, because the next step needs their masks; Gymnasium's own
      leave out those that were not reset.

    Attributes:
        duel: the :class:`pasgl_env.envs.selfplay.Duel` that plays.
        autoreset_mode: the mode, a ``gymnasium.vector.AutoresetMode``.

    Raises:
        TypeError: for an opponent of an unknown kind.
        ValueError: for an unknown variant, opponent or option, or an invalid value.
        ImportError: if the render mode needs the extra ``render``, which is not installed.
    """

    render_modes = VECTOR_RENDER_MODES

    def __init__(
        self,
        variant: str,
        num_envs: int = 1,
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
        threads: int = 1,
        copy: bool = True,
        **settings: Any,
    ) -> None:
        self._begin(variant, num_envs, threads, **settings)
        self.num_envs = len(self.duel.batch)
        self.autoreset_mode = _checked_mode(autoreset_mode)
        self.metadata = DuelEnv.metadata | {
            "render_modes": list(self.render_modes),
            "autoreset_mode": self.autoreset_mode,
        }
        self.single_observation_space = self._form.space
        self.single_action_space = Discrete(self.duel.batch.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._copy = copy
        # Games whose episodes have ended but whose next ones are not shown yet, with the ended
        # episodes.
        self._has_ended = np.zeros(self.num_envs, np.bool_)
        self._last = self.duel.ended

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Start episodes in all games.

        Args:
            seed: seed of the dice, the opponents' generators and the alternation of sides: a
                number, to which each game's index is added; a list with one for each game; None
                keeps the current ones.
            options: ``{"position": text}`` starts from this position; ``{"learner": side}`` gives
                the learner this side in these episodes, or a side for each game;
                ``{"reset_mask": bool[num_envs]}`` resets only these games.

        Raises:
            RuntimeError: for a ``reset_mask`` without all games before the first reset, or after
                an exception that left the environment to be reset; nothing changes then.
            ValueError: for another option, a text where the game is over, or sides, seeds or a
                mask that do not fit the number of games: nothing changes then. Also if a game ends
                before the learner can act: then the environment must be reset.
        """
        wanted = dict(options or {})
        games = self._games(wanted.pop("reset_mask", None))
        sides = self._first_sides(wanted)
        seeds = self._seeds(seed)
        states = self._first_states(wanted)
        if states is None and sides is None and self.duel.is_waiting:
            # The duel has already begun the next episodes of games that ended.
            begun = [game for game in games if self._has_ended[game] and seeds[game] is None]
            fresh = np.setdiff1d(games, begun)
        else:
            fresh = games
        if fresh.size:
            chosen = None if sides is None else sides[fresh]
            self.duel.reset(fresh, [seeds[game] for game in fresh], states, chosen)
        self._has_ended[games] = False
        super().reset(seed=int(seed) if isinstance(seed, int | np.integer) else None)
        return self._observation(), self._infos()

    def step(
        self, actions: np.ndarray
    ) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play an action in every game, and the opponents' replies.

        Raises:
            IllegalMove: if an action is not legal and ``illegal`` is ``"error"``. Nothing changes
                then.
            ResetNeeded: if an episode has ended that the caller has to reset.
            RuntimeError: before the first reset, and after an exception that left the environment
                to be reset.
        """
        duel = self.duel
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            duel.step(actions)
            last_infos = self._final_infos(duel.ended)
        else:
            self._step_games_that_go_on(actions)
            last_infos = {}
        rewards = duel.reward.astype(np.float64)
        infos = self._infos() | last_infos
        return self._observation(), rewards, duel.terminated.copy(), duel.truncated.copy(), infos

    def _step_games_that_go_on(self, actions: np.ndarray) -> None:
        """Step the games whose episodes have not ended; show the next episodes of the others."""
        if self.autoreset_mode is AutoresetMode.DISABLED and self._has_ended.any():
            raise ResetNeeded(
                f"the episodes of games {np.flatnonzero(self._has_ended).tolist()} have ended:"
                " reset them with options={'reset_mask': ...}"
            )
        if self._has_ended.any():
            going_on = np.flatnonzero(~self._has_ended)
            chosen = checked_row("actions", actions, self.num_envs)
            self.duel.step(chosen[going_on], going_on)
        else:
            self.duel.step(actions)
        self._last = self.duel.ended
        self._has_ended[:] = False
        self._has_ended[self._last.game] = True

    def action_masks(self) -> np.ndarray:
        """``bool[num_envs, A]``: which actions are legal; none where a game has terminated."""
        return self._masks().view(np.bool_)

    def render(self) -> tuple[Any, ...] | None:
        """A diagram of every game in mode ``ansi``, an image in mode ``rgb_array``."""
        batch = self.duel.batch
        if self.render_mode is None:
            self._renderer.draw(batch.states[0])  # logs a warning
            return None
        return tuple(map(self._renderer.draw, self._with_last(batch.states, "state")))

    def _observation(self) -> Any:
        seen = self._with_last(self.duel.batch.observation, "observation")
        if self._copy and seen is self.duel.batch.observation:
            seen = seen.copy()
        return self._form.form(seen, self._masks())

    def _masks(self) -> np.ndarray:
        """``int8[num_envs, A]``, a copy: the masks as ``Discrete.sample`` takes them."""
        return self._with_last(self.duel.batch.action_mask, "action_mask").astype(np.int8)

    def _with_last(self, values: np.ndarray, name: str) -> np.ndarray:
        """Values of the games, replaced by a field of the ended episode where one is still shown.

        The same array if there are none, otherwise a copy.
        """
        if not self._has_ended.any():
            return values
        shown = self._has_ended[self._last.game]
        values = values.copy()
        values[self._last.game[shown]] = getattr(self._last, name)[shown]
        return values

    def _infos(self) -> dict[str, Any]:
        described = _described(
            self._with_last(self.duel.batch.action_mask, "action_mask"),
            self._with_last(self.duel.side.copy(), "side"),
            self._with_last(self.duel.length.copy(), "length"),
            self._with_last(np.zeros(self.num_envs), "outcome"),
        )
        return _with_presence(described, np.ones(self.num_envs, np.bool_))

    def _final_infos(self, ended: Episodes) -> dict[str, Any]:
        """The infos of ended episodes, as in Gymnasium's own vector environments."""
        if ended.game.size == 0:
            return {}
        has_ended = np.zeros(self.num_envs, np.bool_)
        has_ended[ended.game] = True
        observations = np.full(self.num_envs, None, object)
        for row, game in enumerate(ended.game):
            observations[game] = self._form.form(ended.observation[row], ended.action_mask[row])
        final = {}
        described = _described(ended.action_mask, ended.side, ended.length, ended.outcome)
        for key, values in described.items():
            final[key] = np.zeros((self.num_envs, *values.shape[1:]), values.dtype)
            final[key][ended.game] = values
        return {
            "final_obs": observations,
            "_final_obs": has_ended,
            "final_info": _with_presence(final, has_ended),
            "_final_info": has_ended.copy(),
        }

    def _games(self, mask: Any) -> np.ndarray:
        """The indices of the games in a reset mask."""
        if mask is None:
            return np.arange(self.num_envs)
        chosen = np.asarray(mask)
        if chosen.shape != (self.num_envs,) or chosen.dtype != np.bool_ or not chosen.any():
            raise ValueError(
                f"reset_mask must be {self.num_envs} booleans, at least one of them true,"
                f" not {chosen.dtype} of shape {chosen.shape}"
            )
        return np.flatnonzero(chosen)

    def _seeds(self, seed: Any) -> Sequence[int | None]:
        """A seed for each game."""
        if seed is None:
            return [None] * self.num_envs
        if np.ndim(seed) == 0:
            first = checked_seed(seed)
            return range(first, first + self.num_envs)
        if len(seed) != self.num_envs:
            raise ValueError(f"{self.num_envs} games need {self.num_envs} seeds, not {len(seed)}")
        return [None if each is None else checked_seed(each) for each in seed]


def _described(
    mask: np.ndarray, side: np.ndarray, length: np.ndarray, outcome: np.ndarray
) -> dict[str, np.ndarray]:
    """The entries of ``info`` for some games."""
    return {
        "action_mask": mask.astype(np.int8),
        "side": side,
        "length": length,
        "outcome": outcome.astype(np.float64),
        "is_success": outcome > 0,
    }


def _with_presence(values: dict[str, Any], present: np.ndarray) -> dict[str, Any]:
    """The values, each with a Boolean ``_key`` for the games that have it."""
    infos = dict(values)
    for key in values:
        infos[f"_{key}"] = present.copy()
    return infos


def _checked_mode(mode: Any) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        modes = ", ".join(repr(each.value) for each in AutoresetMode)
        raise ValueError(f"autoreset_mode must be one of {modes}, not {brief(mode)}") from None
