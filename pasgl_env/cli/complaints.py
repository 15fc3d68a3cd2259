"""Reports wrong input in one line, where typer would print a box."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from pasgl_env.cli.arguments import WrongInput, describe
from pasgl_env.cli.output import complain


class Commands(TyperGroup):
    """A group of commands that reports wrong input in one line."""

    def main(self, *args: Any, **settings: Any) -> NoReturn:
        _run(super().main, *args, **settings)


class Command(TyperCommand):
    """A single command that reports wrong input in one line."""

    def main(self, *args: Any, **settings: Any) -> NoReturn:
        _run(super().main, *args, **settings)


def program(main: Callable[..., None]) -> typer.Typer:
    """A program of one command, whose arguments are those of a function."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(cls=Command)(main)
    return app


def _run(main: Callable[..., Any], *args: Any, **settings: Any) -> NoReturn:
    settings["standalone_mode"] = False
    try:
        code = main(*args, **settings)
        sys.stdout.flush()
    except typer.TyperException as error:
        complain(error)
        code = error.exit_code
    except OSError as error:
        complain(WrongInput(describe(error)))
        code = WrongInput.exit_code
        _give_up_unwritten_output()
    sys.exit(code or 0)


def _give_up_unwritten_output() -> None:
    """Discard unwritten output, which Python would otherwise try to write again on exit."""
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
