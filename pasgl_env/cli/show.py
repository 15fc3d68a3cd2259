"""``pasgl show``: show a position."""

from __future__ import annotations

from typing import Annotated

import typer

from pasgl_env.cli.arguments import Settings, Variant, read_position, wrong_input
from pasgl_env.cli.output import print_diagram, print_legal, say, say_wrapped
from pasgl_env.contract import variants
from pasgl_env.engine.position import Position
from pasgl_env.records.game import changed_options
from pasgl_env.render.words import question, result, turn_limit


def command(
    variant: Variant,
    text: Annotated[
        str | None,
        typer.Argument(metavar="TEXT", help="Position text, in quotes; default: the start."),
    ] = None,
    settings: Settings = None,
) -> None:
    r"""Show a position and its legal actions.

    \b
    Examples:
      pasgl show pasgl312
      pasgl show pasgl312 --set hunter_range=5
      pasgl show pasgl312 "4b3/8/8/8/8/8/8/4B3 ./././. T/. 3 w 7:5 0 42"
    """
    with wrong_input():
        position = read_position(variant, text, settings)
    print_diagram(position)
    say(f"Text: {position.text}")
    if changed := _changed_options(position):
        say(f"Options: {', '.join(changed)}")
    say(f"Turn limit: {turn_limit(position)}")
    if note := variants.find(variant).note:
        say_wrapped(f"Note: {note}.")
    say()
    if position.is_over:
        say(result(position))
        return
    say(f"To act: {question(position)}")
    print_legal(position)


def _changed_options(position: Position) -> list[str]:
    defaults = {option.name: option.default for option in variants.find(position.variant).options}
    changed = changed_options(position.variant, position.options)
    return [f"{name}={value} (not {defaults[name]})" for name, value in changed.items()]
