"""The commands of ``pasgl``. Each command is a function in its own module.

To add one, write its module, with examples at the end of the function's docstring, and add its name
to :data:`COMMANDS`.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from inspect import cleandoc
from types import CodeType
from typing import Annotated, Any

import typer

from pasgl_env.cli.complaints import Command, Commands
from pasgl_env.version import __version__

COMMANDS = (
    *("variants", "learn", "rules", "show", "draw", "play", "watch", "serve", "evaluate"),
    *("benchmark", "playtest", "compare", "balance", "strength", "depth", "tune"),
    *("first-moves", "judge"),
    *("replay", "check"),
    *("check-game", "convert", "dataset", "solve", "puzzles", "train", "exploit", "demo"),
    *("cache", "wasm"),
)


class ImportedWhenCalled(Commands):
    """The commands: listing them imports none of their modules, nor the rules that these need."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command as it is listed: with a docstring, but without parameters."""
        known = cmd_name in COMMANDS
        return Command(cmd_name, help=_docstring(_module(cmd_name))) if known else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        return name, _imported(name) if name else command, rest


def _module(name: str) -> str:
    return f"pasgl_env.cli.{name.replace('-', '_')}"


def _imported(name: str) -> Any:
    function = import_module(_module(name)).command
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command(name, help=_text(function.__doc__))(function)
    return typer.main.get_command(alone)


def _docstring(module: str) -> str:
    """The docstring of a module's function ``command``, without importing the module."""
    spec: Any = find_spec(module)
    for constant in spec.loader.get_code(module).co_consts:
        if isinstance(constant, CodeType) and constant.co_name == "command":
            return _text(constant.co_consts[0])
    raise ImportError(f"{module} has no function command")


def _text(docstring: object) -> str:
    """Format a docstring for typer: a real backspace before text that it must not wrap.

    ``python -OO`` removes docstrings.
    """
    return cleandoc(docstring).replace(r"\b", "\b") if isinstance(docstring, str) else ""


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


app = typer.Typer(
    cls=ImportedWhenCalled,
    name="pasgl",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
)
app.callback(invoke_without_command=True, help=_text(_root.__doc__))(_root)
