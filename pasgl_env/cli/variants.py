"""``pasgl variants``: list the variants."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from pasgl_env.cli.arguments import complete_variant, wrong_input
from pasgl_env.cli.output import out, say, say_wrapped
from pasgl_env.contract import variants
from pasgl_env.contract.game import AnyOption, Game, Option, options_array

_AS_GOOD_AS_ENDLESS = 10**6
_MOST_SIGNS = 12


def command(
    variant: Annotated[
        str | None,
        typer.Argument(
            metavar="VARIANT",
            help="Describe this variant and its options.",
            autocompletion=complete_variant,
        ),
    ] = None,
) -> None:
    r"""List the variants, or one with its options.

    \b
    Examples:
      pasgl variants
      pasgl variants pasgl312
    """
    if variant is None:
        out.print(_all())
        return
    with wrong_input():
        game = variants.find(variant)
    _tell(game)
    say()
    out.print(_options(game))


def _table(*headings: str) -> Table:
    return Table(*headings, box=None, padding=(0, 2, 0, 0), pad_edge=False)


def _all() -> Table:
    table = _table("variant", "players", "what it is")
    for name in variants.loadable():
        game = variants.find(name)
        players = game.spaces(options_array(game, {})[0]).players
        table.add_row(name, str(players), f"{game.title}: {variants.table()[name].summary}")
    return table


def _tell(game: Game) -> None:
    spaces = game.spaces(options_array(game, {})[0])
    planes, height, width = spaces.observation
    say(game.title, "bold")
    say_wrapped(f"{variants.table()[game.name].summary}.")
    say_wrapped(
        f"{spaces.players} players; {spaces.actions} actions;"
        f" observations of {planes} planes, {height} by {width}."
    )
    if game.note:
        say_wrapped(f"Note: {game.note}.")


def _options(game: Game) -> Table:
    table = _table("option", "default", "allowed", "meaning")
    for option in game.options:
        table.add_row(option.name, _default(option), _allowed(option), option.meaning)
    return table


def _default(option: AnyOption) -> str:
    """The default, shortened if it is long: `pasgl show` shows a whole setup."""
    text = str(option.default)
    return text if len(text) <= _MOST_SIGNS else f"{text[:_MOST_SIGNS]}..."


def _allowed(option: AnyOption) -> str:
    if not isinstance(option, Option):
        return option.allowed
    upward = option.high >= _AS_GOOD_AS_ENDLESS
    return f"{option.low} up" if upward else f"{option.low} to {option.high}"
