"""The PettingZoo AEC environment: one class for all variants, and the wrapper around it."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial, wraps
from operator import attrgetter
from typing import Any, Concatenate, ParamSpec, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from pasgl_env.contract import variants
from pasgl_env.contract.game import OptionValue
from pasgl_env.engine.dice import Dice
from pasgl_env.engine.errors import IllegalMove, over_at_start
from pasgl_env.engine.position import Position
from pasgl_env.engine.results import RewardKind, forfeit_rewards, is_by_points
from pasgl_env.engine.sharing import CopiedWhole
from pasgl_env.envs.rendering import RENDER_MODES, Renderer
from pasgl_env.envs.start import playable

Env: TypeAlias = AECEnv[str, Any, Any]
Observation: TypeAlias = dict[str, np.ndarray]

Arguments = ParamSpec("Arguments")

_CHANGING = (
    "agents",
    "agent_selection",
    "rewards",
    "terminations",
    "truncations",
    "infos",
    "_cumulative_rewards",
    "_skip_agent_selection",
    "_position",
    "_dice",
)
"""The attributes that a step or a reset may change."""
_changing = attrgetter(*_CHANGING)

_MASK_DTYPE = np.dtype(np.int8)  # the only mask that Discrete.sample accepts


def _whole(
    method: Callable[Concatenate[VariantEnv, Arguments], None],
) -> Callable[Concatenate[VariantEnv, Arguments], None]:
    """Go back to where a method began if an exception ends it, such as that of a signal's handler.

    The method may assign the attributes of :data:`_CHANGING`, but not change what they hold.
    """

    @wraps(method)
    def call(self: VariantEnv, /, *arguments: Arguments.args, **named: Arguments.kwargs) -> None:
        position, dice = self._position, self._dice.generator
        mark, before, rolled = position.mark(), _changing(self), dice.item()
        try:
            method(self, *arguments, **named)
        except BaseException:
            dice[0] = rolled
            for name, value in zip(_CHANGING, before, strict=True):
                setattr(self, name, value)
            position.return_to(mark)
            raise

    return call


class VariantEnv(CopiedWhole, Env):  # type: ignore[misc] # PettingZoo ships no types
    """One game of a variant, with agents ``player_0``, ``player_1`` ... in player order.

    The environment rolls dice as soon as they are due, so an agent is always to act.

    ==================  =====================================================================
    observation         ``{"observation": uint8[C, H, W], "action_mask": int8[A]}``, 0 and 1,
                        as the agent sees the board; the mask is all 0 unless it is to act
    action              ``Discrete(A)``; a turn may be several actions by the same agent;
                        ``agent_selection`` then stays the same
    reward              see ``reward`` below, the same within a team; ``last()`` gives an agent
                        everything since its own last action
    end                 ``terminations`` by the rules, ``truncations`` at ``turn_limit``, for all
                        agents at once; the agent that acted last is the first to step out
    ``state()``         ``uint8[C, H, W]``: the position as ``player_0`` sees it, complete
    ``infos``           empty
    ==================  =====================================================================

    Returned arrays belong to the caller. Environments can be pickled and copied in mid-game.

    >>> env = VariantEnv("pasgl312", turn_limit=200)
    >>> env.step(env.position.action("Th1h2"))
    >>> env.agent_selection, env.position.turns
    ('player_1', 1)

    Args:
        variant: a name of :func:`pasgl_env.contract.variants.names`.
        render_mode: the result of :meth:`render`. ``"ansi"``: a text diagram; ``"rgb_array"``: an
            image; ``"human"``: nothing, but a window shows the game after every reset and step,
            with at most ``metadata["render_fps"]`` frames per second; None. Images and windows
            need the extra ``render``.
        render_size: the longer side of the image, and initially of the window, in pixels.
        render_theme: ``"light"`` or ``"dark"``.
        reward: ``"outcome"``: +1 won, -1 lost, 0 otherwise, at the end of the game; ``"points"``,
            in games with scores: the change of a player's lead over the others' mean, at every
            step.
        options: the variant's options.

    Raises:
        ValueError: for an unknown variant, render mode, reward or option, or an invalid value.
        ImportError: if the extra ``render`` is needed but not installed.
    """

    agents: list[str]
    agent_selection: str
    rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, dict[str, Any]]
    _cumulative_rewards: dict[str, float]
    _skip_agent_selection: str | None = None

    def __init__(
        self,
        variant: str,
        *,
        render_mode: str | None = None,
        render_size: int = 512,
        render_theme: str = "light",
        reward: RewardKind = "outcome",
        **options: OptionValue,
    ) -> None:
        ruleset = variants.ruleset(variant, **options)
        game = ruleset.game
        self._by_points = is_by_points(game.name, game.has_points, reward)
        self._start = Position(ruleset)
        if self._start.is_over:
            raise over_at_start(ruleset)
        self._dice = Dice()
        self.metadata: dict[str, Any] = {
            "name": f"{game.name}_v{variants.table()[game.name].environment}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.render_mode = render_mode
        self._renderer = Renderer(ruleset, render_mode, size=render_size, theme=render_theme)
        seats = range(self._start.num_players)
        self.possible_agents = [f"player_{seat}" for seat in seats]
        self.agent_name_mapping = dict(zip(self.possible_agents, seats, strict=True))
        self._make_spaces(self._start.observation(0).shape, self._start.action_mask.size)
        self._begin(self._start.copy())

    def observation_space(self, agent: str) -> Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        return self.action_spaces[agent]

    @property
    def position(self) -> Position:
        """A copy of the position, with texts, labels and scores; a search can play on it."""
        return self._position.copy()

    @_whole
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game.

        Args:
            seed: seed of the dice, in variants with dice; None keeps the current generator.
            options: ``{"position": text}`` starts from this position. Unknown keys are ignored
                with a warning.

        Raises:
            ValueError: if the seed is negative or not an integer, the text is not a position
                text, or the game is over there. Nothing changes then.
        """
        position = self._first_position(options or {})
        if seed is not None:
            self._dice = Dice(seed)
        self._begin(position)
        if self.render_mode == "human":
            self.render()

    @_whole
    def step(self, action: int | None) -> None:
        """Play an action of ``agent_selection``; None for an agent whose game has ended.

        Raises:
            IllegalMove: if the action is not legal. Nothing changes then.
        """
        agent = self.agent_selection
        if self._has_ended(agent):
            if not self.agents:
                raise IllegalMove("the game has ended for all agents: call reset to start another")
            self._own_attributes()
            self._was_dead_step(action)
            return
        self.rewards = self._play(action)
        self._forget_reward(agent)
        self._pass_on()
        if self._by_points or self._has_ended(agent):
            self._accumulate_rewards()  # otherwise all are zero
        if self.render_mode == "human":
            self.render()

    @_whole
    def forfeit(self) -> None:
        """End the game as a loss for ``agent_selection`` and its team, and a win for the others.

        By points, the agent ends as far behind as the game allows.

        Raises:
            IllegalMove: if the game has ended. Nothing changes then.
        """
        agent = self.agent_selection
        if self._has_ended(agent):
            raise IllegalMove("the game has ended: call reset to start another")
        self._forget_reward(agent)
        position = self._position
        rewards = forfeit_rewards(
            position.ruleset.game,
            position.state[0],
            position.ruleset.record[0],
            self.agent_name_mapping[agent],
            self._by_points,
        )
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self._deads_step_first()

    def observe(self, agent: str) -> Observation:
        """The current observation of an agent."""
        position = self._position
        mask = position.action_mask.view(_MASK_DTYPE)
        if agent != self.agent_selection or self._has_ended(agent):
            mask[:] = 0
        planes = position.observation(self.agent_name_mapping[agent])
        return {"observation": planes, "action_mask": mask}

    def state(self) -> np.ndarray:
        """The position as ``player_0`` sees it.

        For what it leaves out, see docs/interfaces.md, "What observations leave out".
        """
        return self._position.observation(0)

    def render(self) -> str | np.ndarray | None:
        """Render the position by the render mode: a diagram, ``uint8[H, W, 3]``, or a window.

        Raises:
            RuntimeError: in mode ``human``, if there is no display.
        """
        position = self._position
        return self._renderer.draw(
            position.state[0], position=position, fps=self.metadata["render_fps"]
        )

    def close(self) -> None:
        """Close the window, if there is one."""
        self._renderer.close()

    def _make_spaces(self, planes: tuple[int, ...], actions: int) -> None:
        self.state_space = Box(0, 1, planes, np.uint8)
        self.action_spaces = {agent: Discrete(actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(0, 1, planes, np.uint8),
                    "action_mask": Box(0, 1, (actions,), _MASK_DTYPE),
                }
            )
            for agent in self.possible_agents
        }

    def _has_ended(self, agent: str) -> bool:
        return self.terminations.get(agent, True) or self.truncations[agent]

    def _first_position(self, options: dict[str, Any]) -> Position:
        if unknown := [key for key in options if key != "position"]:
            # No error: PettingZoo's own test of the interface passes a meaningless key.
            warnings.warn(
                f"reset of {self} has one option, 'position'; ignored: {unknown}", stacklevel=3
            )
        if "position" not in options:
            return self._start.copy()
        return playable(self._start.ruleset, options["position"])

    def _begin(self, position: Position) -> None:
        self._position = position
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._pass_on()

    def _forget_reward(self, agent: str) -> None:
        if self._cumulative_rewards[agent]:
            self._cumulative_rewards = self._cumulative_rewards | {agent: 0.0}

    def _accumulate_rewards(self) -> None:
        totals, rewards = self._cumulative_rewards, self.rewards
        self._cumulative_rewards = {agent: totals[agent] + rewards[agent] for agent in totals}

    def _own_attributes(self) -> None:
        """Copy what PettingZoo changes in place when an agent leaves the game."""
        self.agents = self.agents.copy()
        self.rewards = self.rewards.copy()
        self._cumulative_rewards = self._cumulative_rewards.copy()
        self.terminations = self.terminations.copy()
        self.truncations = self.truncations.copy()
        self.infos = self.infos.copy()

    def _play(self, action: Any) -> dict[str, float]:
        """Play the action and return the rewards."""
        position = self._position
        if self._by_points:
            before = position.points
            gains = np.subtract(position.play_action(action).points, before).tolist()
            others = len(gains) - 1
            leads = [gain - (sum(gains) - gain) / others for gain in gains]
            return dict(zip(self.agents, leads, strict=True))
        returns = position.play_action(action).returns
        if returns is None:
            return dict.fromkeys(self.agents, 0.0)
        return dict(zip(self.agents, returns, strict=True))

    def _pass_on(self) -> None:
        """Let the agent to act next observe, or end the game for all agents."""
        position = self._position
        while position.is_chance:
            position.roll(self._dice)
        mover = position.to_move
        if mover is None:
            self.terminations = dict.fromkeys(self.agents, True)
        elif position.is_truncated:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[mover]


class StandardEnv(OrderEnforcingWrapper[str, Any, Any]):  # type: ignore[misc]
    """An environment with the checks of PettingZoo's standard wrappers, in one layer.

    These are ``TerminateIllegalWrapper``, ``AssertOutOfBoundsWrapper`` and
    ``OrderEnforcingWrapper``. Unlike there, the rewards for an illegal action are zero-sum and
    count for the whole team. Each of those wrappers forwards every call and attribute to the next,
    and the first one computes each observation twice to read its mask: together they take longer
    than the games.
    """

    env: VariantEnv

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if not self._has_reset:
            return super().last(observe)  # raises an error
        return self.env.last(observe)

    def step(self, action: Any) -> None:
        """Play an action of ``agent_selection``; None for an agent whose game has ended.

        An action that is not legal loses the game: see :meth:`VariantEnv.forfeit`.

        Raises:
            AssertionError: if the action is not in the action space, or before the first reset.
            ValueError: for a ``bool``.
        """
        env = self.env
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        self._has_updated = True
        if not env.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = env.agent_selection
        has_ended = env.terminations[agent] or env.truncations[agent]
        try:
            if has_ended or not isinstance(action, int | np.integer):
                self._assert_within_bounds(action, has_ended)
            env.step(action)
        except IllegalMove:
            if isinstance(action, bool):  # no action, though Gymnasium's spaces contain it
                raise
            # Only here, because ``contains`` takes as long as a step.
            self._assert_within_bounds(action, has_ended)
            EnvLogger.warn_on_illegal_move()
            env.forfeit()

    def _assert_within_bounds(self, action: Any, has_ended: bool) -> None:
        may_be_none = action is None and has_ended
        assert may_be_none or self.env.action_space(self.env.agent_selection).contains(action), (
            "action is not in action space"
        )

    def __str__(self) -> str:
        return str(self.env)


def standard_env(variant: str, **arguments: Any) -> StandardEnv:
    """The environment of a variant with PettingZoo's standard checks.

    Args:
        variant: a name of :func:`pasgl_env.contract.variants.names`.
        arguments: as for :class:`VariantEnv`.
    """
    return StandardEnv(VariantEnv(variant, **arguments))


def constructors(variant: str) -> tuple[Callable[..., StandardEnv], Callable[..., VariantEnv]]:
    """The functions ``env`` and ``raw_env`` of a variant's module, as PettingZoo expects them.

    >>> from pasgl_env.envs import pasgl312_v0
    >>> str(pasgl312_v0.env(turn_limit=100))
    'pasgl312_v0'

    Returns:
        :func:`standard_env` and :class:`VariantEnv` without the argument ``variant``.
    """
    return partial(standard_env, variant), partial(VariantEnv, variant)
