"""Random games that reach rare states: unusual starts, and each game's own steering.

Everything is drawn from a `random.Random`, so a seed names a game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from pasgl_env import Position
from pasgl_env.contract.base import always_has_room
from pasgl_env.contract.game import AnyOption, Choice, Option
from pasgl_env.contract.variants import find

if TYPE_CHECKING:
    from .suites import Suite


# Options that change no rule: the environments' limit, and what observations show.
NO_RULES = ("turn_limit", "more_planes")
# Numbers are drawn from the lowest ones of their range: few ranges mean anything beyond.
FEW = 41


def odd_options(
    rng: Random, variant: str, share: float, texts: Mapping[str, Sequence[str]] | None = None
) -> dict[str, Any]:
    """Some of a variant's options with values from their own ranges, choices or these texts.

    The game has to mend values that do not go together.
    """
    return {
        option.name: odd_value(rng, option, texts or {})
        for option in find(variant).options
        if option.name not in NO_RULES and rng.random() < share
    }


def odd_value(rng: Random, option: AnyOption, texts: Mapping[str, Sequence[str]]) -> Any:
    if isinstance(option, Option):
        return rng.randint(option.low, min(option.high, option.low + FEW - 1))
    return rng.choice(option.values if isinstance(option, Choice) else texts[option.name])


class Beginning(NamedTuple):
    """The start of a game, and its options."""

    variant: str
    text: str
    options: dict[str, Any]

    @classmethod
    def at(cls, position: Position) -> Beginning:
        """From this position on; a limit of turns, which is no rule, is left out."""
        defaults = {option.name: option.default for option in find(position.variant).options}
        defaults["turn_limit"] = position.turn_limit
        options = {
            name: value for name, value in position.options.items() if value != defaults[name]
        }
        return cls(position.variant, position.text, options)

    def position(self) -> Position:
        return Position.from_text(self.variant, self.text, **self.options)


class Recipe(NamedTuple):
    """The recipe of a playthrough: its start, its players' aims, its length."""

    about: str
    seed: int
    mood: int
    beginning: Beginning
    most_actions: int = 10**9


def games(
    suite: Suite, seed: int, number: int, most_actions: int = 200
) -> Iterator[tuple[Position, int | None]]:
    """Every position of some steered games, with the action that is played next (None: no more).

    The position is played on in place: copy what is to be kept.
    """
    moods = suite.steering.MOODS
    for game in range(number):
        rng = Random(f"{seed}/{game}")
        position = suite.steering.beginning(rng).position()
        for _ in range(most_actions):
            if position.is_over:
                break
            action = suite.steering.steered(position, rng.random(), moods[game % len(moods)])
            yield position, action
            position.play_action(action)
        yield position, None


def has_history(variant: str) -> bool:
    """Whether the legal actions depend on more than the position text."""
    return find(variant).has_no_room is not always_has_room
