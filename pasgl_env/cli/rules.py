"""``pasgl rules``: a summary of the rules."""

from __future__ import annotations

from pasgl_env import render
from pasgl_env.cli.arguments import Settings, Variant, read_ruleset, wrong_input
from pasgl_env.cli.output import say


def command(variant: Variant, settings: Settings = None) -> None:
    r"""Print a summary of a variant's rules, with the options that you set.

    \b
    Examples:
      pasgl rules pasgl312
      pasgl rules pasgl312 --set hunter_range=5
    """
    with wrong_input():
        page = render.summary(read_ruleset(variant, settings, published=True))
    say(page)
