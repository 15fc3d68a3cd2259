"""``pasgl variants``: list the variants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from pasgl_env.cli.arguments import MaybeVariant, wrong_input
from pasgl_env.cli.output import out, say, say_wrapped

if TYPE_CHECKING:
    from pasgl_env.contract.game import AnyOption, Game
    from pasgl_env.contract.ruleset import Ruleset

_AS_GOOD_AS_ENDLESS = 10**6
_MOST_SIGNS = 12


def command(
    variant: MaybeVariant = None,
) -> None:
    r"""List the variants, or one with its options.

    \b
    Examples:
      pasgl variants
      pasgl variants pasgl312
    """
    from pasgl_env.contract import variants

    if variant is None:
        out.print(_all())
        return
    with wrong_input():
        ruleset = variants.published_ruleset(variant)
    _tell(ruleset)
    say()
    out.print(_options(ruleset.game))


def _table(*headings: str) -> Table:
    return Table(*headings, box=None, padding=(0, 2, 0, 0), pad_edge=False)


def _all() -> Table:
    from pasgl_env.contract import variants

    table = _table("variant", "players", "what it is")
    for name in variants.loadable():
        ruleset = variants.published_ruleset(name)
        what = ": ".join(filter(None, (ruleset.game.title, ruleset.game.summary)))
        table.add_row(name, str(ruleset.spaces.players), what)
    return table


def _tell(ruleset: Ruleset) -> None:
    game, spaces = ruleset.game, ruleset.spaces
    planes, height, width = spaces.observation
    say(game.title, "bold")
    if game.summary:
        say_wrapped(f"{game.summary}.")
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
    from pasgl_env.contract.game import Option

    if not isinstance(option, Option):
        return option.allowed
    upward = option.high >= _AS_GOOD_AS_ENDLESS
    return f"{option.low} up" if upward else f"{option.low} to {option.high}"
