"""The Gymnasium environments: one learner against opponents that act inside.

>>> import gymnasium, pasgl_env.envs
>>> env = gymnasium.make("pasgl_env/Pasgl312-v0", opponent="greedy", learner=0)
>>> observation, info = env.reset(seed=1)
>>> observation.shape, int(info["action_mask"].sum())
((60, 8, 10), 36)
>>> action = env.action_space.sample(info["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)

and many games at once, on the fast path:

>>> envs = gymnasium.make_vec("pasgl_env/Pasgl312-v0", num_envs=64, opponent="random", threads=2)
>>> observations, infos = envs.reset(seed=1)
>>> actions = infos["action_mask"].argmax(axis=1)
>>> observations, rewards, terminations, truncations, infos = envs.step(actions)

Both take the same keyword arguments:

==================  ==========================================================================
``opponent``        whom the learner meets: a name (``"random"``, ``"greedy"``), a function
                    ``f(observation[k, C, H, W], action_mask[k, A]) -> actions[k]``, a policy with
                    Stable-Baselines3's ``predict``, or a :class:`pasgl_env.players.Player`
``learner``         which player the learner is, 0 or 1 (of four players: which team, all of whose
                    turns it plays); ``"alternate"``, the default: the next one in each episode,
                    after ``reset(seed=seed)`` first ``seed % 2``
``reward``          ``"outcome"``: +1 won, -1 lost, 0 otherwise, at the end; ``"points"``, in games
                    with scores: how much the learner's lead has grown
``illegal``         what an illegal action is: it makes the learner ``"lose"`` at once with reward
                    -1, the default; or an ``"error"``, which changes nothing
``render_mode``     ``"ansi"``: ``render()`` returns a diagram in characters; ``"rgb_array"``: an
                    image, ``uint8[H, W, 3]``; ``"human"``: a window shows the game, after every
                    reset and step too, ``metadata["render_fps"]`` pictures in a second at most;
                    None. The vector environment returns a tuple of diagrams or images and has no
                    window
``render_size``     the longer of width and height of images, and of the window at first, in pixels
``render_theme``    ``"light"`` or ``"dark"``
``threads``         of the vector environment: how many share the work
``copy``            of the vector environment: False hands out the same read-only array of
                    observations at every step
all others          the variant's options; ``turn_limit`` truncates
==================  ==========================================================================

What opponents do is part of the learner's step. The reward of a step is all that its action and the
opponents' answers brought; a game's first moves, if opponents make them, belong to ``reset``.

``turn_limit`` truncates where the learner is to act: opponents finish first. ``info`` holds
``action_mask`` (``int8[A]``, as ``Discrete.sample`` takes it; all 0 once a game has terminated),
``seat`` (which player or team the learner is) and, at the end, ``outcome`` (+1, -1 or 0) and
``length`` (the number of all players' actions). ``action_masks()`` is the mask as MaskablePPO asks
for it.

By default an illegal action loses. The environment checkers of Gymnasium and Stable-Baselines3
sample actions without a mask, as an agent that knows none does, and PettingZoo's standard wrappers
answer in the same way.

A seeded reset makes all that follows reproducible, if the opponent is a name, a player of this
package or deterministic. Environments may share such a player: each draws from generators of its
own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from pasgl_env.engine.batch import Batch, RewardKind
from pasgl_env.engine.dice import checked_seed
from pasgl_env.envs.rendering import RENDER_MODES, Renderer
from pasgl_env.envs.selfplay import Duel, Episodes, LearnerSeat, WhenIllegal
from pasgl_env.envs.start import playable
from pasgl_env.games.contract import OptionValue, brief
from pasgl_env.players import Player, as_player
from pasgl_env.players.player import SeededPlayer

VECTOR_RENDER_MODES = ("ansi", "rgb_array")


class DuelEnv(gymnasium.Env[np.ndarray, np.int64]):
    """One game of a variant, a learner against an opponent; arguments as in the module's table.

    Attributes:
        duel: what plays.

    Raises:
        TypeError: for an opponent of no known kind.
        ValueError: for an unknown variant, opponent or option, or an impossible value.
        ImportError: if the render mode needs the extra ``render``, and it is not installed.
    """

    metadata = {  # noqa: RUF012 (as the base class declares it)
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
    }

    def __init__(
        self,
        variant: str,
        *,
        opponent: Any = "random",
        learner: LearnerSeat = "alternate",
        reward: RewardKind = "outcome",
        illegal: WhenIllegal = "lose",
        render_mode: str | None = None,
        render_size: int = 512,
        render_theme: str = "light",
        **options: OptionValue,
    ) -> None:
        batch = Batch(variant, 1, reward=reward, **options)
        self.duel = Duel(batch, [_own_player(opponent, variant)], learner=learner, illegal=illegal)
        self.metadata = self.metadata.copy()  # so that render_fps can be set for one environment
        self.render_mode = render_mode
        self._renderer = Renderer(variant, render_mode, size=render_size, theme=render_theme)
        self.observation_space = Box(0, 1, batch.observation_shape, np.uint8)
        self.action_space = Discrete(batch.num_actions)
        self._last: Episodes | None = None
        self._is_begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: of the dice, the opponent's generator and the alternation of seats; None goes on
                with them.
            options: ``{"position": text}`` begins there and not at the start.

        Raises:
            ValueError: for a seed that is no whole number from 0 up, another option, or a text
                where nothing can be played: nothing has changed then. Or if the game ends before
                the learner can act: then the environment must be reset.
        """
        states = _first_states(self.duel.batch, options or {})
        seed = None if seed is None else checked_seed(seed)
        super().reset(seed=seed)
        # The duel has begun the next episode when the last one ended.
        if self._last is None or seed is not None or states is not None:
            self._is_begun = False  # until the reset has succeeded
            self.duel.reset(seeds=None if seed is None else [seed], states=states)
        self._last = None
        self._is_begun = True
        self._show()
        return self.duel.batch.observation[0].copy(), self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play an action, and the opponent's answer to it.

        Raises:
            IllegalMove: if the action is not legal and ``illegal`` is ``"error"``. Nothing has
                changed then.
            ResetNeeded: if the episode has ended or none has begun.
        """
        if self._last is not None or not self._is_begun:
            raise ResetNeeded("no episode is under way: call reset first")
        self.duel.step(np.array([action]))
        terminated, truncated = bool(self.duel.terminated[0]), bool(self.duel.truncated[0])
        observation = self.duel.batch.observation[0]
        if terminated or truncated:
            self._last = self.duel.ended
            observation = self._last.observation[0]
        self._show()
        reward = float(self.duel.reward[0])
        return observation.copy(), reward, terminated, truncated, self._info()

    def action_masks(self) -> np.ndarray:
        """``bool[A]``: which actions are legal; none once the game has terminated."""
        if self._last is None:
            return _masks(self.duel)[0].view(np.bool_)
        return self._last.action_mask[0].astype(np.bool_)

    def render(self) -> str | np.ndarray | None:
        """The game as the render mode has it: a diagram, ``uint8[H, W, 3]``, or a window.

        Raises:
            RuntimeError: in mode ``human``, if there is no display.
        """
        batch = self.duel.batch
        state = batch.states[0] if self._last is None else self._last.state[0]
        fps = self.metadata["render_fps"]
        return self._renderer.draw(state, batch.options_record[0], fps=fps)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._renderer.close()

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _info(self) -> dict[str, Any]:
        if self._last is None:
            mask = self.duel.batch.action_mask[0].astype(np.int8)
            return {"action_mask": mask, "seat": int(self.duel.seat[0])}
        return {
            "action_mask": self._last.action_mask[0].astype(np.int8),
            "seat": int(self._last.seat[0]),
            "outcome": float(self._last.outcome[0]),
            "length": int(self._last.length[0]),
        }


class DuelVectorEnv(gymnasium.vector.VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """Many games of a variant at once; arguments as in the module's table.

    For the same seeds, and opponents that are built in or deterministic, it gives what Gymnasium's
    ``SyncVectorEnv`` of :class:`DuelEnv` gives in the same-step autoreset mode, faster.

    Attributes:
        duel: what plays.

    Raises:
        TypeError: for an opponent of no known kind.
        ValueError: for an unknown variant, opponent or option, or an impossible value.
        ImportError: if the render mode needs the extra ``render``, and it is not installed.
    """

    def __init__(
        self,
        variant: str,
        num_envs: int = 1,
        *,
        opponent: Any = "random",
        learner: LearnerSeat = "alternate",
        reward: RewardKind = "outcome",
        illegal: WhenIllegal = "lose",
        render_mode: str | None = None,
        render_size: int = 512,
        render_theme: str = "light",
        threads: int = 1,
        copy: bool = True,
        **options: OptionValue,
    ) -> None:
        batch = Batch(variant, num_envs, threads=threads, reward=reward, **options)
        self.duel = Duel(batch, [_own_player(opponent, variant)], learner=learner, illegal=illegal)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self._renderer = Renderer(
            variant,
            render_mode,
            size=render_size,
            theme=render_theme,
            modes=VECTOR_RENDER_MODES,
        )
        self.metadata = DuelEnv.metadata | {
            "render_modes": list(VECTOR_RENDER_MODES),
            "autoreset_mode": AutoresetMode.SAME_STEP,
        }
        self.single_observation_space = Box(0, 1, batch.observation_shape, np.uint8)
        self.single_action_space = Discrete(batch.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._copy = copy

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin episodes in all games.

        Args:
            seed: of the dice, the opponents' generators and the alternation of seats: a number, to
                which each game's index is added; a list with one for each game; None goes on with
                them.
            options: ``{"position": text}`` begins there and not at the start; ``{"reset_mask":
                bool[num_envs]}`` resets these games only.

        Raises:
            ValueError: for another option, a text where nothing can be played, seeds or a mask that
                do not fit the number of games: nothing has changed then. Or if a game ends before
                the learner can act: then the environment must be reset.
        """
        wanted = dict(options or {})
        games = self._games(wanted.pop("reset_mask", None))
        seeds = self._seeds(seed)
        states = _first_states(self.duel.batch, wanted)
        super().reset(seed=int(seed) if isinstance(seed, int | np.integer) else None)
        self.duel.reset(games, [seeds[game] for game in games], states)
        return self._observation(), self._infos()

    def step(
        self, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play an action in every game, and the opponents' answers.

        Raises:
            IllegalMove: if an action is not legal and ``illegal`` is ``"error"``. Nothing has
                changed then.
            RuntimeError: without a reset before it.
        """
        duel = self.duel
        duel.step(actions)
        rewards = duel.reward.astype(np.float64)
        infos = self._infos() | self._final_infos(duel.ended)
        return self._observation(), rewards, duel.terminated.copy(), duel.truncated.copy(), infos

    def action_masks(self) -> np.ndarray:
        """``bool[num_envs, A]``: which actions are legal."""
        return _masks(self.duel).view(np.bool_)

    def render(self) -> tuple[Any, ...] | None:
        """A diagram of every game in mode ``ansi``, an image in mode ``rgb_array``."""
        batch = self.duel.batch
        if self.render_mode is None:
            self._renderer.draw(batch.states[0], batch.options_record[0])  # warns
            return None
        return tuple(self._renderer.draw(state, batch.options_record[0]) for state in batch.states)

    def _observation(self) -> np.ndarray:
        observation = self.duel.batch.observation
        return observation.copy() if self._copy else observation

    def _infos(self) -> dict[str, Any]:
        everyone = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": _masks(self.duel),
            "_action_mask": everyone,
            "seat": self.duel.seat.copy(),
            "_seat": everyone.copy(),
        }

    def _final_infos(self, ended: Episodes) -> dict[str, Any]:
        """As Gymnasium's own vector environments tell of episodes that ended in the step."""
        if ended.game.size == 0:
            return {}
        has_ended = np.zeros(self.num_envs, np.bool_)
        has_ended[ended.game] = True
        observations = np.full(self.num_envs, None, object)
        for game, observation in zip(ended.game, ended.observation, strict=True):
            observations[game] = observation
        final: dict[str, Any] = {}
        for key, values in (
            ("action_mask", ended.action_mask.astype(np.int8)),
            ("seat", ended.seat),
            ("outcome", ended.outcome.astype(np.float64)),
            ("length", ended.length),
        ):
            final[key] = np.zeros((self.num_envs, *values.shape[1:]), values.dtype)
            final[key][ended.game] = values
            final[f"_{key}"] = has_ended.copy()
        return {
            "final_obs": observations,
            "_final_obs": has_ended,
            "final_info": final,
            "_final_info": has_ended.copy(),
        }

    def _games(self, mask: Any) -> np.ndarray:
        """The games that a reset mask names."""
        if mask is None:
            return np.arange(self.num_envs)
        chosen = np.asarray(mask)
        if chosen.shape != (self.num_envs,) or chosen.dtype != np.bool_ or not chosen.any():
            raise ValueError(
                f"reset_mask must be {self.num_envs} booleans, one of them true at least,"
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
            raise ValueError(f"{self.num_envs} games take as many seeds, not {len(seed)}")
        return [None if each is None else checked_seed(each) for each in seed]


def _first_states(batch: Batch, options: dict[str, Any]) -> np.ndarray | None:
    """The record that the options of a reset name; None for the start."""
    if unknown := [key for key in options if key != "position"]:
        raise ValueError(f"reset has no option {brief(unknown[0])}; its option is 'position'")
    if "position" not in options:
        return None
    return playable(batch.variant, options["position"], batch.options).state


def _own_player(opponent: Any, variant: str) -> Player:
    """The opponent, with generators of its own: another environment may have the same player."""
    player = as_player(opponent, variant)
    return player.with_own_generators() if isinstance(player, SeededPlayer) else player


def _masks(duel: Duel) -> np.ndarray:
    """``int8[n, A]``, a copy: what ``Discrete.sample`` takes."""
    return duel.batch.action_mask.astype(np.int8)
