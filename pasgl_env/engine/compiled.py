"""Numba settings, the on-disk cache, and the binding of generic loops to one game's rules.

Every rule is a plain Python function marked with :func:`rule`. With ``NUMBA_DISABLE_JIT=1`` the
same functions run uncompiled, for debuggers and coverage.

Numba caches a compiled function on disk but does not notice a change in a function of another file
that it calls. The cache therefore lives in a folder named by a hash of the package's sources: a
stale one is never looked at. Set ``PASGL_CACHE_DIR`` to move it.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import config as numba_config

Function = TypeVar("Function", bound=Callable[..., Any])

JIT = not numba_config.DISABLE_JIT
# Without Numba's run-time, views of arrays are not reference-counted: rules make thousands of them
# and allocate nothing. An observation takes a third of the time.
_SETTINGS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}
_PACKAGE = Path(__file__).resolve().parent.parent
_RULES = ("engine", "games")
_ALL = (*_RULES, "players")


def rule(function: Function) -> Function:
    """Compile a scalar rule function, cached on disk."""
    with _cache_folder_in_force(_parts_below(function.__module__)):
        return cast(Function, numba.njit(cache=_caching(), **_SETTINGS)(function))


def bind(template: Callable[..., Any], rules: str, namespace: Mapping[str, Any]) -> Any:
    """Turn a generic loop into a function of its own for one game, cached on disk.

    Args:
        template: a function whose free names are looked up in ``namespace`` (the game's rules).
        rules: :attr:`Game.rules`; part of the function's name, and so of its cache file.
        namespace: the names that the template uses as globals.
    """
    name = f"{template.__name__}_{rules}"
    code = template.__code__.replace(co_name=name, co_qualname=name)
    bound = FunctionType(code, {**template.__globals__, **namespace}, name)
    bound.__module__ = template.__module__
    bound.__qualname__ = name
    with _cache_folder_in_force(_parts_below(template.__module__)):
        return numba.njit(cache=_caching(), **_SETTINGS)(bound)


@cache
def cache_folder(parts: tuple[str, ...] = _ALL) -> Path | None:
    """The folder of compiled code for exactly these sources, or None where nothing is writable."""
    for root in _cache_roots():
        folder = root / _sources_hash(parts)
        try:
            root.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.mkdir(exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return None


def _cache_roots() -> Iterator[Path]:
    """Where the cache may lie; not in a folder of another user, who could put code there."""
    wanted = os.environ.get("PASGL_CACHE_DIR")
    if wanted:
        yield Path(wanted)
        return
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    yield Path(home) / "pasgl_env"
    user = os.getuid() if hasattr(os, "getuid") else 0
    shared = Path(tempfile.gettempdir()) / f"pasgl_env-{user}"
    if not shared.exists() or shared.stat().st_uid == user:
        yield shared


def _parts_below(module: str) -> tuple[str, ...]:
    """What a module's compiled code depends on: players are built upon rules, not rules on them."""
    return _ALL if module.startswith("pasgl_env.players.") else _RULES


def _sources_hash(parts: tuple[str, ...] = _ALL) -> str:
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for part in parts:
        for path in sorted((_PACKAGE / part).rglob("*.py")):
            digest.update(path.relative_to(_PACKAGE).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _caching() -> bool:
    return JIT and cache_folder() is not None


@contextmanager
def _cache_folder_in_force(parts: tuple[str, ...] = _ALL) -> Iterator[None]:
    """Numba picks a function's folder when it is decorated; the user's own setting is kept."""
    before = numba_config.CACHE_DIR
    if cache_folder(parts) is not None:
        numba_config.CACHE_DIR = str(cache_folder(parts))
    try:
        yield
    finally:
        numba_config.CACHE_DIR = before


def compile_once(what: str, warm_up: Callable[[], None]) -> None:
    """Run ``warm_up``, which compiles ``what``, and say so, unless the cache has it."""
    folder = cache_folder()
    stamp = folder / f"{what}.compiled" if folder else None
    if not JIT or (stamp is not None and stamp.exists()):
        return
    where = f"once; kept in {folder}" if folder else "no folder for the cache is writable"
    print(f"pasgl_env: compiling {what} ({where}) ...", file=sys.stderr, flush=True)
    start = time.perf_counter()
    warm_up()
    print(f"pasgl_env: compiled {what} in {time.perf_counter() - start:.0f} s", file=sys.stderr)
    if stamp is not None:
        stamp.touch()


@rule
def wide(value: Any) -> int:
    """Read a small integer as one of 64 bits, so that it cannot overflow uncompiled."""
    return np.int64(value)  # type: ignore[return-value]
