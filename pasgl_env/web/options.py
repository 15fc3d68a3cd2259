"""The options of games on the web page: as in environments, unless they are given."""

from __future__ import annotations

from collections.abc import Mapping

from pasgl_env import variants
from pasgl_env.games.contract import OptionValue


def usual(variant: str) -> dict[str, OptionValue]:
    """All options with their values in the variant's environments."""
    game = variants.find(variant)
    return {option.name: option.default for option in game.options} | dict(game.environment_options)


def completed(variant: str, given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """The given options, and the usual values of the others."""
    return {**usual(variant), **given}


def unusual(variant: str, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """The options whose values are not the usual ones."""
    known = usual(variant)
    return {name: value for name, value in options.items() if known[name] != value}
