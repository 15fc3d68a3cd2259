"""Wrong input is told in one line, where typer would draw a box around several."""

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
    """Several commands that tell wrong input in one line."""

    def main(self, *args: Any, **settings: Any) -> NoReturn:
        _run(super().main, *args, **settings)


class Command(TyperCommand):
    """A command on its own that tells wrong input in one line."""

    def main(self, *args: Any, **settings: Any) -> NoReturn:
        _run(super().main, *args, **settings)


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
    """Where nothing can be written, Python would try and fail again as it exits."""
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
