"""``pasgl rules``: a summary of the rules."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from pasgl_env.cli.arguments import Settings, Variant, read_ruleset, wrong_input
from pasgl_env.cli.output import say, say_wrapped

if TYPE_CHECKING:
    from pasgl_env.contract.ruleset import Ruleset


def command(variant: Variant, settings: Settings = None) -> None:
    r"""Print a summary of a variant's rules, with the options that you set, and how to play.

    \b
    Examples:
      pasgl rules pasgl312
      pasgl rules pasgl312 --set hunter_range=5
    """
    with wrong_input():
        say_rules(read_ruleset(variant, settings, published=True))


def say_rules(ruleset: Ruleset) -> None:
    """Print a summary of the rules, and how to play if the game has lessons."""
    from pasgl_env import render
    from pasgl_env.lessons import lesson

    say(render.summary(ruleset))
    with suppress(NotImplementedError):
        course = lesson(ruleset.name)
        say("\nHOW TO PLAY" + (" WITHOUT CHANGED RULES" if ruleset.unpublished else ""))
        say_wrapped(course.aim)
        for heading, text in course.how.items():
            say_wrapped(f"{heading}: {text}")
        say(f"\n`pasgl learn {ruleset.name}` teaches the game on the board.")
