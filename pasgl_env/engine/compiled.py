"""Numba settings, the on-disk cache, and the binding of generic loops to one game's rules.

Every rule is a plain Python function marked with :func:`rule`. With ``NUMBA_DISABLE_JIT=1`` the
same functions run uncompiled, for debuggers and coverage.

Numba caches a compiled function on disk but does not notice a change in a function of another file
that it calls. Each function is therefore cached in a folder named by a hash of its own module and
of all that this imports, directly or not, so that a stale one is never looked at, and an edit
elsewhere recompiles nothing. Set ``PASGL_CACHE_DIR`` to move the cache.

An interrupt (Ctrl-C) while Numba loads or compiles a function waits until that is done: it would
leave Numba's own tables half filled.
"""

from __future__ import annotations

import ast
import hashlib
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import config as numba_config

from pasgl_env.engine.cache import CheckedCache, only_process
from pasgl_env.engine.interrupts import deferred_interrupts

Function = TypeVar("Function", bound=Callable[..., Any])

JIT = not numba_config.DISABLE_JIT
# Without Numba's run-time, views of arrays are not reference-counted: rules make thousands of them
# and allocate nothing. An observation takes a third of the time.
_SETTINGS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}
_PACKAGE = __name__.partition(".")[0]
_NOTHING = nullcontext()


def rule(function: Function) -> Function:
    """Compile a scalar rule function, cached on disk."""
    return cast(Function, _compiled(function, frozenset({function.__module__})))


def bind(template: Callable[..., Any], rules: str, namespace: Mapping[str, Any]) -> Any:
    """Turn a generic loop into a function of its own for one game, cached on disk.

    Args:
        template: a function whose free names are looked up in ``namespace`` (the game's rules).
        rules: :attr:`Game.rules`; part of the function's name, and so of its cache file.
        namespace: the names that the template uses as globals.
    """
    name = f"{template.__name__}_{rules}"
    code = template.__code__.replace(co_name=name, co_qualname=name)
    used = {key: value for key, value in namespace.items() if key in code.co_names}
    bound = FunctionType(code, {**template.__globals__, **used}, name)
    bound.__module__ = template.__module__
    bound.__qualname__ = name
    bound.compiled_from = modules = frozenset().union(  # type: ignore[attr-defined]
        {template.__module__}, *map(_modules_of, used.values())
    )
    return _compiled(bound, modules)


def _compiled(function: Callable[..., Any], modules: frozenset[str]) -> Any:
    """Numba's function that compiles when it is first called, cached in these modules' folder."""
    dispatcher = numba.njit(**_SETTINGS)(function)
    if not JIT:
        return dispatcher
    with _cache_folder_in_force(modules) as folder:
        if folder is not None:
            dispatcher._cache = CheckedCache(function)
    dispatcher._compile_for_args = _uninterrupted(dispatcher._compile_for_args)
    return dispatcher


def _uninterrupted(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        with deferred_interrupts():
            return function(*arguments)

    return call


def _modules_of(value: Any) -> frozenset[str]:
    """The modules that a compiled function was written in; none for other values."""
    function = getattr(value, "py_func", value)
    if not isinstance(function, FunctionType):
        return frozenset()
    return getattr(function, "compiled_from", frozenset({function.__module__}))


@cache
def cache_folder(modules: frozenset[str] = frozenset({__name__})) -> Path | None:
    """The folder of what is compiled from these modules, or None where nothing is writable."""
    for root in _cache_roots():
        folder = root / _sources_hash(modules)
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


@cache
def _sources_hash(modules: frozenset[str]) -> str:
    """A name for the sources of some modules and of all that they import, for Numba and Python."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for name, path in sorted(_with_imports(modules).items()):
        digest.update(name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _with_imports(modules: Iterable[str]) -> dict[str, Path]:
    """The files of some modules and of what they import, of this package and of their own."""
    files: dict[str, Path] = {}
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        path = None if name in files else _file_of(name)
        if path is not None:
            files[name] = path
            tops = (_PACKAGE, name.partition(".")[0])
            waiting += [found for found in _imports(path) if found.partition(".")[0] in tops]
    return files


def _file_of(module: str) -> Path | None:
    """Where a module's source is; None for what is no module, or has no source."""
    loaded = sys.modules.get(module)
    try:
        spec = find_spec(module) if loaded is None else None
    except ModuleNotFoundError:
        return None
    file = spec.origin if spec is not None else getattr(loaded, "__file__", None)
    return Path(file) if file is not None and file.endswith(".py") else None


@cache
def _imports(path: Path) -> tuple[str, ...]:
    """What a module imports at its top, absolutely; names from a package as if all were modules."""
    names: list[str] = []
    for node in ast.parse(path.read_bytes()).body:
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
            inside = [f"{node.module}.{alias.name}" for alias in node.names]
            submodules = [name for name in inside if _file_of(name) is not None]
            names += submodules if len(submodules) == len(inside) else [node.module, *submodules]
    return tuple(names)


@contextmanager
def _cache_folder_in_force(modules: frozenset[str]) -> Iterator[Path | None]:
    """Numba picks a function's folder when its cache is made; the user's own setting is kept."""
    before = numba_config.CACHE_DIR
    folder = cache_folder(modules)
    if folder is not None:
        numba_config.CACHE_DIR = str(folder)
    try:
        yield folder
    finally:
        numba_config.CACHE_DIR = before


def compile_once(what: str, warm_up: Callable[[], Any], loops: Iterable[Any]) -> None:
    """Run ``warm_up``, which compiles ``loops``, and say so, unless the cache has them.

    Args:
        what: their name, for the message.
        warm_up: calls each of them with the types that are used.
        loops: functions from :func:`bind`.
    """
    folder = cache_folder(frozenset().union(*map(_modules_of, loops)))
    stamp = folder / f"{what}.compiled" if folder else None
    if not JIT or _exists(stamp):
        return
    with only_process(folder, what):
        if _exists(stamp):  # another process has done it
            return
        where = f"once; kept in {folder}" if folder else "no folder for the cache is writable"
        print(f"pasgl_env: compiling {what} ({where}) ...", file=sys.stderr, flush=True)
        start = time.perf_counter()
        warm_up()
        print(f"pasgl_env: compiled {what} in {time.perf_counter() - start:.0f} s", file=sys.stderr)
        if stamp is not None:
            with suppress(OSError):  # a full disk
                stamp.touch()


def _exists(stamp: Path | None) -> bool:
    return stamp is not None and stamp.exists()


def wrapping() -> AbstractContextManager[Any]:
    """Context manager in which generators may wrap around, which is only felt without the JIT."""
    return _NOTHING if JIT else np.errstate(over="ignore")


@rule
def wide(value: Any) -> int:
    """Read a small integer as one of 64 bits, so that it cannot overflow uncompiled."""
    return np.int64(value)  # type: ignore[return-value]
