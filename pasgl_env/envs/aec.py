"""The PettingZoo AEC environment: one class for all variants, and the wrappers around it."""

from __future__ import annotations

import warnings
from typing import Any, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

from pasgl_env.engine.batch import RewardKind, is_by_points
from pasgl_env.engine.dice import Dice
from pasgl_env.engine.errors import IllegalMove
from pasgl_env.engine.position import Position
from pasgl_env.envs.rendering import RENDER_MODES, Renderer
from pasgl_env.envs.start import playable
from pasgl_env.games.contract import OptionValue
from pasgl_env.variants import VARIANTS, find

Env: TypeAlias = AECEnv[str, Any, Any]
Observation: TypeAlias = dict[str, np.ndarray]


class VariantEnv(Env):  # type: ignore[misc] # PettingZoo ships no types
    """One game of a variant, agents ``player_0``, ``player_1`` ... in the order of its players.

    Dice are rolled by the environment as soon as they have to be, so that an agent is always to
    act.

    ==================  =====================================================================
    observation         ``{"observation": uint8[C, H, W], "action_mask": int8[A]}``, 0 and 1,
                        as the agent sees the board; the mask is all 0 unless it is to act
    action              ``Discrete(A)``; a turn may be several actions by the same agent, then
                        ``agent_selection`` stays
    reward              see ``reward`` below, the same for all of a team; ``last()`` gives an agent
                        all that came since its own last action
    end                 ``terminations`` by the rules, ``truncations`` at ``turn_limit``, of all
                        agents at once; the agent that acted last is the first to step out
    ``state()``         ``uint8[C, H, W]``: the position as ``player_0`` sees it, complete
    ``infos``           empty
    ==================  =====================================================================

    Arrays handed out are the caller's own. An environment can be pickled and copied in mid-game.

    >>> env = VariantEnv("pasgl312", turn_limit=200)
    >>> env.step(env.position.action("Th1h2"))
    >>> env.agent_selection, env.position.turns
    ('player_1', 1)

    Args:
        variant: a name of :func:`pasgl_env.variants.names`.
        render_mode: what :meth:`render` gives: ``"ansi"``: a diagram in characters;
            ``"rgb_array"``: an image; ``"human"``: nothing, but a window shows the game, after
            every reset and step too, ``metadata["render_fps"]`` pictures in a second at most; None.
            The last two need the extra ``render``.
        render_size: the longer of width and height of the image, and of the window at first, in
            pixels.
        render_theme: ``"light"`` or ``"dark"``.
        reward: ``"outcome"``: +1 won, -1 lost, 0 otherwise, at the end of the game; ``"points"``,
            in games with scores: at every step how much a player's lead over the others' mean has
            grown.
        options: the variant's options.

    Raises:
        ValueError: for an unknown variant, render mode, reward or option, or an impossible value.
        ImportError: if the extra ``render`` is needed and not installed.
    """

    agents: list[str]
    agent_selection: str
    rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, dict[str, Any]]
    _cumulative_rewards: dict[str, float]

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
        game = find(variant)
        self._by_points = is_by_points(game.name, game.has_points, reward)
        self._start = Position(variant, **{**game.environment_options, **options})
        self._dice = Dice()
        self.metadata: dict[str, Any] = {
            "name": f"{variant}_v{VARIANTS[variant].environment}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.render_mode = render_mode
        self._renderer = Renderer(variant, render_mode, size=render_size, theme=render_theme)
        seats = range(len(self._start.points))
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
        """A copy of the position: texts, labels, scores; a search can play on it."""
        return self._position.copy()

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: of the dice, in variants that have any; None goes on with those there are.
            options: ``{"position": text}`` begins there and not at the start. Unknown keys are
                ignored with a warning.

        Raises:
            ValueError: if the seed is no whole number from 0 up, or the text no position text, or
                nothing can be played there. Nothing has changed then.
        """
        position = self._first_position(options or {})
        if seed is not None:
            self._dice = Dice(seed)
        self._begin(position)
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Play an action of ``agent_selection``; None for an agent whose game has ended.

        Raises:
            IllegalMove: if the action is not legal. Nothing has changed then.
        """
        agent = self.agent_selection
        if not self.agents:
            raise IllegalMove("the game has ended for all agents; reset begins another")
        if self._has_ended(agent):
            self._was_dead_step(action)
            return
        self.rewards = self._play(action)
        self._cumulative_rewards[agent] = 0.0
        self._accumulate_rewards()
        self._pass_on()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What an agent sees now."""
        mask = self._position.action_mask
        if agent != self.agent_selection or self._has_ended(agent):
            mask[:] = 0
        planes = self._position.observation(self.agent_name_mapping[agent])
        return {"observation": planes, "action_mask": mask.view(np.int8)}

    def state(self) -> np.ndarray:
        """The position as ``player_0`` sees it; nothing is hidden from it."""
        return self._position.observation(0)

    def render(self) -> str | np.ndarray | None:
        """The position as the render mode has it: a diagram, ``uint8[H, W, 3]``, or a window.

        Raises:
            RuntimeError: in mode ``human``, if there is no display.
        """
        position = self._position
        return self._renderer.draw(
            position.state[0],
            position.options_record[0],
            position=position,
            fps=self.metadata["render_fps"],
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
                    # int8, for Discrete.sample takes no other mask.
                    "action_mask": Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def _has_ended(self, agent: str) -> bool:
        return self.terminations.get(agent, True) or self.truncations[agent]

    def _first_position(self, options: dict[str, Any]) -> Position:
        if unknown := [key for key in options if key != "position"]:
            # No error, for PettingZoo's own test of the interface passes a key that means nothing.
            warnings.warn(
                f"reset of {self} has one option, 'position'; ignored: {unknown}", stacklevel=3
            )
        if "position" not in options:
            return self._start.copy()
        return playable(self._start.variant, options["position"], self._start.options)

    def _begin(self, position: Position) -> None:
        self._position = position
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._pass_on()

    def _play(self, action: Any) -> dict[str, float]:
        """Play the action; return the rewards."""
        position = self._position
        if not self._by_points:
            position.play_action(action)
            returns = position.returns or [0.0] * len(self.agents)
            return dict(zip(self.agents, returns, strict=True))
        before = position.points
        after = position.play_action(action).points
        gains = [now - then for now, then in zip(after, before, strict=True)]
        others = len(gains) - 1
        leads = [gain - (sum(gains) - gain) / others for gain in gains]
        return dict(zip(self.agents, leads, strict=True))

    def _pass_on(self) -> None:
        """Hand the game to the agent that acts next, once chance has acted, or end it for all."""
        position = self._position
        while position.is_chance:
            position.roll(self._dice)
        mover = position.to_move
        if mover is None:
            self.terminations = dict.fromkeys(self.agents, True)
        elif position.is_cut:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[mover]


def with_standard_wrappers(env: Env) -> Env:
    """An illegal action ends the game with -1 for its agent; wrong use is an error."""
    env = TerminateIllegalWrapper(env, illegal_reward=-1)
    env = AssertOutOfBoundsWrapper(env)
    return OrderEnforcingWrapper(env)
