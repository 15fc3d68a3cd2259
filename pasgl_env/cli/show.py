"""``pasgl show``: show a position."""

from __future__ import annotations

from pasgl_env.cli.arguments import PositionText, Settings, Variant, read_ruleset, wrong_input
from pasgl_env.cli.boards import print_diagram, print_legal
from pasgl_env.cli.output import say, say_wrapped


def command(
    variant: Variant,
    text: PositionText = None,
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
        from pasgl_env.engine.position import Position
        from pasgl_env.render.words import question, result, turn_limit

        ruleset = read_ruleset(variant, settings, published=True)
        position = Position.from_text(ruleset, text)
    print_diagram(position)
    say(f"Text: {position.text}")
    defaults = {option.name: option.default for option in ruleset.game.options}
    changed = ruleset.unpublished.items()
    if words := [f"{name}={value} (not {defaults[name]})" for name, value in changed]:
        say(f"Options: {', '.join(words)}")
    say(f"Turn limit: {turn_limit(position)}")
    if note := ruleset.game.note:
        say_wrapped(f"Note: {note}.")
    say()
    if position.is_over:
        say(result(position))
        return
    say(f"To act: {question(position)}")
    print_legal(position)
