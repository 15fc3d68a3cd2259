"""What people type at a prompt: reading it, completing it, and the actions that it may mean."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from difflib import get_close_matches
from typing import TYPE_CHECKING

from pasgl_env.cli.output import printable, say, say_wrapped

if TYPE_CHECKING:
    from pasgl_env.contract.description import Action
    from pasgl_env.engine.position import Position

HELP = "? lists the legal actions, help shows all commands"
HOW_TO_TYPE = """\
Type the label of an action. From and to squares are enough (f1h5), in upper
or lower case. Tab completes labels.
"""
_MOST_NEAR = 6


def read_line(prompt: str) -> str:
    """A line that was typed, without white space around it."""
    if sys.stdin is None:
        raise EOFError
    line = input(prompt)
    if not sys.stdin.isatty():
        say(printable(line))  # so that the transcript of a script is readable
    return line.strip()


def complete(words: Callable[[], list[str]]) -> None:
    """Enable Tab completion of words at the prompt, together with line editing and history."""
    with suppress(ImportError):
        import readline

        def completed(text: str, number: int) -> str | None:
            small = text.casefold()
            fitting = [word for word in words() if word.casefold().startswith(small)]
            return fitting[number] if number < len(fitting) else None

        readline.set_completer(completed)
        readline.set_completer_delims("")
        readline.parse_and_bind("tab: complete")


def chosen(typed: str, position: Position) -> str | None:
    """The label of the action that is :func:`meant`; without one, prints why and returns None."""
    found = meant(typed, position.choices)
    if len(found) == 1:
        return found[0].label
    if found:
        say("Which? Type its label:")
        for action in found:
            say(f"  {action.label}  {action.words}")
    elif not typed:
        say(f"{HELP}.")
    else:
        near = _near(typed, position)
        hint = f"Near: {' '.join(near)}" if near else HELP
        say(f"'{printable(typed[:20])}' is not legal here. {hint}.")
    return None


def meant(typed: str, legal: list[Action]) -> list[Action]:
    """The legal actions that may be meant: only the squares may be typed, and in any case.

    >>> from pasgl_env import Position
    >>> legal = Position("pasgl312").choices
    >>> [action.label for action in meant("h1h2", legal)], meant("h2", legal)
    (['Th1h2'], [])
    """
    small = typed.casefold()
    readings: tuple[Callable[[Action], bool], ...] = (
        lambda action: action.label == typed,
        lambda action: action.label.casefold() == small,
        lambda action: action.origin != "" and f"{action.origin}{action.target}" == small,
    )
    found = (list(filter(is_meant, legal)) for is_meant in readings)
    return next(filter(None, found), [])


def _near(typed: str, position: Position) -> list[str]:
    """Legal labels that are similar."""
    legal = {known.casefold(): known for known in position.legal_moves()}
    small = typed.casefold()
    near = [known for folded, known in legal.items() if folded.startswith(small[:3])]
    return (near or [legal[folded] for folded in get_close_matches(small, legal)])[:_MOST_NEAR]


def say_pieces(position: Position) -> None:
    """List the pieces and their moves."""
    from pasgl_env.web import guides

    for piece in guides.pieces(position.ruleset):
        say_wrapped(f"{piece.symbol.split('-')[-1]}  {piece.name}: {piece.move}")
