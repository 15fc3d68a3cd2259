"""Every variant as an OpenSpiel game, with the extra ``openspiel``.

>>> from pasgl_env.adapters import openspiel
>>> game = openspiel.load("pachessi", players=4, first="black", turn_limit=200)
>>> state = game.new_initial_state()
>>> state.is_chance_node(), len(state.chance_outcomes())
(True, 15)
>>> state.apply_action(state.chance_outcomes()[0][0])
>>> state.current_player(), state.action_to_string(state.legal_actions()[0])
(0, '2:...')
>>> game.num_players(), game.observation_tensor_shape()
(4, [65, 7, 7])

Importing this module registers the games with OpenSpiel, so that ``pyspiel.load_game`` knows them
by the names ``pasgl_env_VARIANT``, with the variant's options as parameters:
``pyspiel.load_game("pasgl_env_pachessi(players=4)")``.

- Actions have the same numbers as in the environments. A turn may be several actions by the
  same player. Dice are chance nodes with explicit probabilities.
- ``observation_tensor(player)`` is the environments' observation, ``observation_string`` and
  ``str(state)`` the position text.
- Returns are +1, -1 or 0 for each player at the end; players of a team get the same. A game is of
  general sum for OpenSpiel if they do not add up to 0, as with three teams. OpenSpiel has no
  truncation: after ``turn_limit`` turns the game is a draw.
- OpenSpiel reads the value ``-`` in a game's text as a number, so pass it to :func:`load` or
  ``pyspiel.load_game`` as a parameter. Pickle such games, not their states.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from pasgl_env.contract import variants
from pasgl_env.contract.game import Choice, OptionValue, TextOption
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.errors import IllegalMove
from pasgl_env.engine.position import Position
from pasgl_env.engine.results import returns_of

try:
    import pyspiel
except ImportError as error:
    raise ImportError(
        "OpenSpiel games need the extra: pip install 'pasgl-env[openspiel]'"
    ) from error

# More than the actions and rolls of any turn of any variant.
_MOST_ACTIONS_IN_A_TURN = 100
# OpenSpiel counts actions in a C int.
_LONGEST_GAME = 2**31 - 1


def load(variant: str, **options: OptionValue) -> VariantGame:
    """The OpenSpiel game of a variant.

    Args:
        variant: a name of :func:`pasgl_env.contract.variants.names`.
        options: the variant's options; ``turn_limit`` must be at least 1, since OpenSpiel's games
            have to end.

    Raises:
        ValueError: for an unknown variant or option, or an invalid value.
    """
    ruleset = checked_ruleset(variant, options)  # OpenSpiel itself would end the process
    # As the ruleset has them: OpenSpiel knows Python's numbers, but not NumPy's.
    return _load(ruleset.name, {name: ruleset.options[name] for name in options})


def checked_ruleset(variant: str, options: Mapping[str, OptionValue]) -> Ruleset:
    """The variant with these options.

    Raises:
        ValueError: for an unknown variant or option, an invalid value, or no turn limit.
    """
    ruleset = variants.ruleset(variant, **options)
    if ruleset.options["turn_limit"] == 0:
        raise ValueError("turn_limit must be at least 1: OpenSpiel's games have to end")
    return ruleset


class VariantGame(pyspiel.Game):  # type: ignore[misc] # OpenSpiel's types are incomplete
    """A variant with its options; made by :func:`load`.

    Attributes:
        start: the initial position.
    """

    def __init__(
        self, variant: str, game_type: pyspiel.GameType, params: Mapping[str, Any] | None = None
    ) -> None:
        self._given = dict(params or {})
        self.start = Position(checked_ruleset(variant, self._given))
        info = pyspiel.GameInfo(
            num_distinct_actions=self.start.action_mask.size,
            max_chance_outcomes=self.start.ruleset.game.chance.outcomes,
            num_players=self.start.num_players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if is_zero_sum(self.start.ruleset) else None,
            max_game_length=min(self.start.turn_limit * _MOST_ACTIONS_IN_A_TURN, _LONGEST_GAME),
        )
        super().__init__(game_type, info, self._given)

    def __reduce__(self) -> tuple[Any, ...]:
        # Not by OpenSpiel's text for the game: a value of "-" would be read back as a number.
        return _load, (self.start.variant, self._given)

    def new_initial_state(self) -> VariantState:
        return VariantState(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Any = None
    ) -> _Observer:
        return _Observer(self.start.observation(0).shape)


@contextmanager
def _errors_of_openspiel() -> Iterator[None]:
    """Raise the error that OpenSpiel's own games raise for an illegal action."""
    try:
        yield
    except IllegalMove as error:
        raise pyspiel.SpielError(str(error)) from error


class VariantState(pyspiel.State):  # type: ignore[misc] # OpenSpiel's types are incomplete
    """A state of a :class:`VariantGame`.

    Attributes:
        position: the current position; play with ``apply_action``, not on it.
    """

    def __init__(self, game: VariantGame) -> None:
        super().__init__(game)
        self.position = game.start.copy()

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        # -1 means a chance node in both interfaces.
        return int(self.position.to_move)  # type: ignore[arg-type] # None is terminal

    def is_terminal(self) -> bool:
        return self.position.is_over or self.position.is_truncated

    def returns(self) -> list[float]:
        position = self.position
        return list(position.returns or (0.0,) * position.num_players)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.position.chance_outcomes()

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal_actions()

    def _apply_action(self, action: int) -> None:
        if self.is_terminal():  # of a game cut off by its turn limit, the position is not
            raise pyspiel.SpielError(f"action {action} is not legal here; the game is over")
        with _errors_of_openspiel():
            self.position.play_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        with _errors_of_openspiel():
            return self.position.label(action)

    def __str__(self) -> str:
        return self.position.text


class _Observer:
    """OpenSpiel's source of tensors and texts; the texts are the same for all players."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: VariantState, player: int) -> None:
        self.dict["observation"][:] = state.position.observation(player)

    def string_from(self, state: VariantState, player: int) -> str:
        return state.position.text


def _load(variant: str, options: dict[str, OptionValue]) -> VariantGame:
    """The game; pickles call this, and import this module first, which registers the games."""
    game: VariantGame = pyspiel.load_game(f"pasgl_env_{variant}", options)
    return game


def with_all_players(ruleset: Ruleset) -> list[Ruleset]:
    """A ruleset with each value of its option ``players``, if it has one."""
    option = next((each for each in ruleset.game.options if each.name == "players"), None)
    if option is None or isinstance(option, TextOption):
        return [ruleset]
    values = option.values if isinstance(option, Choice) else range(option.low, option.high + 1)
    return [Ruleset.of(ruleset.game, {**ruleset.options, "players": value}) for value in values]


def is_zero_sum(ruleset: Ruleset) -> bool:
    """Whether returns add up to 0, whoever wins; not so with three teams of one player."""
    teams = ruleset.teams
    return all(sum(returns_of(teams, best)) == 0 for best in range(len(teams)))


def _register(variant: str) -> None:
    """Register a variant with OpenSpiel."""
    ruleset = variants.ruleset(variant)
    game, rulesets = ruleset.game, with_all_players(ruleset)
    numbers = [each.spaces.players for each in rulesets]
    are_zero_sum = all(map(is_zero_sum, rulesets))
    game_type = pyspiel.GameType(
        short_name=f"pasgl_env_{variant}",
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=(
            pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
            if game.chance.outcomes
            else pyspiel.GameType.ChanceMode.DETERMINISTIC
        ),
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=(
            pyspiel.GameType.Utility.ZERO_SUM
            if are_zero_sum
            else pyspiel.GameType.Utility.GENERAL_SUM
        ),
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(numbers),
        min_num_players=min(numbers),
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=dict(ruleset.options),
    )

    class RegisteredGame(VariantGame):
        """The class that OpenSpiel calls with parameters only."""

        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            super().__init__(variant, game_type, params)

    pyspiel.register_game(game_type, RegisteredGame)


def _register_all() -> None:
    """Register all variants; a warning names those of other distributions that cannot be used."""
    for variant in variants.loadable():
        try:
            _register(variant)
        except Exception as error:  # whatever another distribution's game raises
            warnings.warn(f"{variant} is not a game of OpenSpiel: {error}", stacklevel=2)


_register_all()
