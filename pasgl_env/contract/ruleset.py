"""A variant under options, as one value: what plans, matches, records and players hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

import numpy as np

from pasgl_env.contract.base import FREE_OPTIONS
from pasgl_env.contract.game import (
    Game,
    OptionValue,
    Spaces,
    environment_values,
    options_array,
    options_dict,
)


@dataclass(frozen=True, eq=False)
class Ruleset:
    """A variant under options. Equal rulesets have equal names and options.

    Made by :func:`pasgl_env.contract.variants.ruleset`. Copies and pickles are equal to the
    original.

    Attributes:
        game: the rules.
        options: all options with their values.
        record: the options as compiled rules take them, an array of one record. Not to be written
            to.
    """

    game: Game
    options: Mapping[str, OptionValue]
    record: np.ndarray

    @classmethod
    def of(cls, game: Game, options: Mapping[str, OptionValue]) -> Ruleset:
        """A game under options; those that are not given have the game's own defaults.

        Raises:
            ValueError: for an unknown option, an impossible value, or values that do not go
                together.
        """
        record = options_array(game, options)
        return cls(game, MappingProxyType(options_dict(game, record)), record)

    @property
    def name(self) -> str:
        """The variant's name."""
        return self.game.name

    @cached_property
    def spaces(self) -> Spaces:
        """The number of players and the sizes of actions and observations."""
        return self.game.spaces(self.record[0])

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the players, in the order of their numbers."""
        return self.game.texts.seats(self.record[0])

    @cached_property
    def teams(self) -> tuple[int, ...]:
        """The team of each player."""
        return tuple(int(self.game.team(player)) for player in range(self.spaces.players))

    @cached_property
    def members(self) -> tuple[int, ...]:
        """The first player of each team, whose rewards and results are the team's."""
        return tuple(self.teams.index(team) for team in range(max(self.teams) + 1))

    def check_two_sides(self, what: str) -> None:
        """Check, before anything compiles, that the game is between two sides.

        Raises:
            ValueError: if it is not; begins with ``what``.
        """
        if len(self.members) != 2:
            raise ValueError(f"{what} two sides, but {self.name} has {len(self.members)}")

    @property
    def unusual(self) -> dict[str, OptionValue]:
        """The options that differ from the defaults of environments."""
        return self._other_than(environment_values(self.game))

    @property
    def unpublished(self) -> dict[str, OptionValue]:
        """The options that differ from the inventor's game."""
        return self._other_than({option.name: option.default for option in self.game.options})

    def differing(self, other: Ruleset) -> dict[str, OptionValue]:
        """The options that are rules and differ from those of another ruleset of the variant."""
        different = self._other_than(other.options).items()
        return {name: value for name, value in different if name not in FREE_OPTIONS}

    def _other_than(self, usual: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        return {name: value for name, value in self.options.items() if value != usual[name]}

    def changed(self, **options: OptionValue) -> Ruleset:
        """The same variant with some options changed.

        Raises:
            ValueError: as in :meth:`of`.
        """
        return Ruleset.of(self.game, {**self.options, **options})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ruleset):
            return NotImplemented
        return self.name == other.name and self.options == other.options

    def __hash__(self) -> int:
        return hash((self.name, tuple(self.options.items())))

    def __reduce__(self) -> tuple[Any, ...]:
        from pasgl_env.contract import variants  # which makes rulesets

        return partial(variants.ruleset, self.name, **self.options), ()

    def __deepcopy__(self, memo: Any) -> Ruleset:
        return self

    def __repr__(self) -> str:
        shown = "".join(f", {name}={value!r}" for name, value in self.unusual.items())
        return f"ruleset({self.name!r}{shown})"


class HasRuleset:
    """What is played under a ruleset.

    Attributes:
        ruleset: the variant under its options.
    """

    ruleset: Ruleset

    @property
    def variant(self) -> str:
        """The variant's name."""
        return self.ruleset.name

    @property
    def options(self) -> dict[str, OptionValue]:
        """All options with their values."""
        return dict(self.ruleset.options)

    @property
    def num_players(self) -> int:
        """P, the number of players."""
        return self.ruleset.spaces.players

    @property
    def options_record(self) -> np.ndarray:
        """All options as the rules take them: an array of one record. A copy."""
        return self.ruleset.record.copy()
