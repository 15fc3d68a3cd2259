"""``pasgl rules``: a summary of the rules."""

from __future__ import annotations

from pasgl_env import render
from pasgl_env.cli.arguments import Settings, Variant, wrong_input
from pasgl_env.cli.output import say
from pasgl_env.contract import variants
from pasgl_env.engine.position import Position


def command(variant: Variant, settings: Settings = None) -> None:
    r"""Print a summary of a variant's rules, with the options that you set.

    \b
    Examples:
      pasgl rules pasgl312
      pasgl rules pasgl312 --set hunter_range=5
    """
    with wrong_input():
        position = Position(variant, **variants.read_options(variant, settings))
        page = render.summary(variant, position.options_record[0])
    say(page)
