"""The commands of ``pasgl``. Each command is a function in its own module.

To add one, write its module, with examples at the end of the function's docstring, and add its name
to :data:`COMMANDS`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from inspect import getdoc
from typing import Annotated, Any

import typer

from pasgl_env.cli.complaints import Commands
from pasgl_env.version import __version__

COMMANDS = (
    *("variants", "learn", "rules", "show", "draw", "play", "watch", "serve", "evaluate"),
    *("playtest", "balance", "strength", "first-moves", "judge", "replay", "check"),
    *("check-game", "convert", "dataset", "train", "demo"),
)

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
for name in COMMANDS:
    command = import_module(f"pasgl_env.cli.{name.replace('-', '_')}").command
    app.command(name, help=_help(command))(command)
