"""The commands of ``pasgl``. Each command is a function in its own module.

To add one, write its module, with examples at the end of the function's docstring, and add a line
at the end of this file.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import getdoc
from typing import Annotated, Any

import typer

from pasgl_env.cli import (
    balance,
    check,
    check_game,
    convert,
    demo,
    draw,
    evaluate,
    first_moves,
    judge,
    play,
    playtest,
    replay,
    rules,
    serve,
    show,
    strength,
    train,
    variants,
    watch,
)
from pasgl_env.cli.complaints import Commands
from pasgl_env.version import __version__

app = typer.Typer(
    cls=Commands,
    name="pasgl",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
)


def _help(function: Callable[..., Any]) -> str:
    """Format a docstring for typer: a real backspace before text that it must not wrap."""
    return (getdoc(function) or "").replace(r"\b", "\b")


def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    r"""Play, watch and measure chess variants, and train agents on them.

    \b
    Examples:
      pasgl variants
      pasgl serve
      pasgl play pasgl312
      pasgl evaluate pasgl312 greedy random --games 400
      pasgl train pasgl312 --minutes 30
    """
    if version:
        typer.echo(f"pasgl_env {__version__}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


app.callback(invoke_without_command=True, help=_help(_root))(_root)
for name, command in (
    ("variants", variants.command),
    ("rules", rules.command),
    ("show", show.command),
    ("draw", draw.command),
    ("play", play.command),
    ("watch", watch.command),
    ("serve", serve.command),
    ("evaluate", evaluate.command),
    ("playtest", playtest.command),
    ("balance", balance.command),
    ("strength", strength.command),
    ("first-moves", first_moves.command),
    ("judge", judge.command),
    ("replay", replay.command),
    ("check", check.command),
    ("check-game", check_game.command),
    ("convert", convert.command),
    ("train", train.command),
    ("demo", demo.command),
):
    app.command(name, help=_help(command))(command)
