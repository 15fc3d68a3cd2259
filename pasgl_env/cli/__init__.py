"""The command ``pasgl``. Needs typer and rich, of the extra ``cli``."""

from __future__ import annotations

import io
import os
import re
import sys
import warnings
from contextlib import suppress

_SIZES = "COLUMNS", "LINES", "TERMINAL_WIDTH"
INSTALL = "pasgl needs typer and rich: pip install 'pasgl-env[cli]'"


def main() -> None:
    """Run the command line; never returns.

    Output to a stream that the caller has closed (``>&-``) is dropped.
    """
    with suppress(FileNotFoundError):  # the working directory may be gone
        if os.getcwd() not in map(os.path.abspath, sys.path):
            # Child processes do not import modules from there either.
            os.environ["PYTHONSAFEPATH"] = "1"
    ignore_impossible_sizes()
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - until the end
    try:
        from pasgl_env.cli.app import app
        from pasgl_env.cli.output import show_warning
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("typer", "rich"):
            raise
        print(INSTALL, file=sys.stderr)
        sys.exit(2)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # Undecodable bytes, or a terminal that lacks a character, must not stop the command.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace" if stream is sys.stdin else "backslashreplace")
    warnings.showwarning = show_warning
    app()


def ignore_impossible_sizes() -> None:
    """Unset sizes of a terminal that Rich and typer could not take for a number of characters."""
    for name in _SIZES:
        if not re.fullmatch("[1-9][0-9]{0,3}", os.environ.get(name, "80"), re.ASCII):
            del os.environ[name]
