"""Python files of users, which are run."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from functools import cache
from pathlib import Path
from types import ModuleType

_PREFIX = "pasgl_env program "
"""The names of their modules begin with it."""


@cache
def module_of(file: Path) -> ModuleType:
    """The module of a file, which is run once, with its folder to import from.

    Raises:
        ValueError: if it is no Python, or ends the program.
        OSError: if it cannot be read.
    """
    spec = importlib.util.spec_from_file_location(f"{_PREFIX}{file}", file)
    assert spec is not None and spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    sys.path.append(str(file.parent))
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise ValueError(f"{error.filename}, line {error.lineno}: {error.msg}") from error
    except SystemExit as error:
        raise ValueError(f"{file} ends the program instead of defining a player") from error
    return module


def line_of(error: BaseException) -> str:
    """The last line of such a file that an error passed; empty if there is none."""
    lines = [
        f"{frame.f_code.co_filename}, line {line}"
        for frame, line in traceback.walk_tb(error.__traceback__)
        if str(frame.f_globals.get("__name__")).startswith(_PREFIX)
    ]
    return lines[-1] if lines else ""
