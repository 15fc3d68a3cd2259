"""Numba settings, the on-disk cache, and the binding of generic loops to one game's rules.

Every rule is a plain Python function marked with :func:`rule`. With ``NUMBA_DISABLE_JIT=1`` the
same functions run uncompiled, for debuggers and coverage.

Numba caches a compiled function on disk, but does not notice changes in functions of other files
that it calls. So the name of each function's file depends on everything that is compiled into it
(see :mod:`pasgl_env.jit.cache_key`): outdated code is never loaded, and edits elsewhere
recompile nothing. Set ``PASGL_CACHE_DIR`` to move the cache, to a folder that only you can change.

An interrupt (Ctrl-C) while Numba loads or compiles a function waits until that is done, because it
would leave Numba's own tables half filled.
"""

from __future__ import annotations

import dis
import gc
import os
import sys
import tempfile
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cache, cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numpy as np
from numba.core import config as numba_config
from numba.core import types
from numba.core.compiler import Compiler
from numba.core.dispatcher import OmittedArg
from numba.core.errors import NumbaNotImplementedError
from numba.core.registry import CPUDispatcher
from numba.core.types.misc import unliteral
from numba.core.typing.typeof import typeof_impl
from numba.np.numpy_support import from_dtype, map_layout

from pasgl_env.jit.cache import CheckedCache, only_process, say_once, used
from pasgl_env.jit.cache_key import key_of
from pasgl_env.jit.inner import InnerCompiler
from pasgl_env.jit.interrupts import deferred_signals
from pasgl_env.jit.processor import Processor, baseline, target
from pasgl_env.storage.private import NotPrivate, private_folder, user_folders

Function = TypeVar("Function", bound=Callable[..., Any])

PACKED = Path(__file__).parents[1] / "compiled"
"""The package's folder of compiled code; most wheels have none."""
JIT = not numba_config.DISABLE_JIT
# Without Numba's run-time, views of arrays are not reference-counted: rules create thousands of
# them and allocate nothing. An observation takes a third of the time.
SETTINGS: dict[str, Any] = {
    "nopython": True,
    "nogil": True,
    "error_model": "numpy",
    "_nrt": False,
    "no_cfunc_wrapper": True,
    # Stated, because otherwise a rule is inlined everywhere if its first caller is inlined.
    "forceinline": False,
}
_NOTHING = nullcontext()


def rule(function: Function) -> Function:
    """Compile a scalar rule function, cached on disk."""
    return cast(Function, _compiled(function, _Rule))


def inlined_rule(function: Function) -> Function:
    """Like :func:`rule`, but inlined in each caller, where passing arguments takes long."""
    return cast(Function, _compiled(function, _Rule, forceinline=True))


def bind(template: Callable[..., Any], rules: str, namespace: Mapping[str, Any]) -> Any:
    """Turn a generic loop into a function of its own for one game, cached on disk.

    Args:
        template: a function whose free names are looked up in ``namespace`` (the game's rules).
        rules: :attr:`Game.cache_name`; part of the function's name, and so of its cache file.
        namespace: the names that the template uses as globals.
    """
    return _compiled(_bound(template, rules, namespace), CompiledFunction)


def with_helpers(
    namespace: Mapping[str, Any],
    rules: str,
    *helpers: Callable[..., Any],
    inlined: Container[Callable[..., Any]] = (),
    **named: Callable[..., Any],
) -> dict[str, Any]:
    """A namespace with templates bound for one game that other templates call.

    Args:
        namespace: the names that the templates use as globals.
        rules: as for :func:`bind`.
        helpers: templates, each after those that it calls.
        inlined: those that become part of each caller, as :func:`inlined_rule` does.
        named: templates under other names than their own, after the others.
    """
    known = dict(namespace)
    for name, helper in ({each.__name__: each for each in helpers} | named).items():
        settings = {"forceinline": True} if helper in inlined else {}
        known[name] = _compiled(_bound(helper, rules, known), _Rule, **settings)
    return known


def _bound(template: Callable[..., Any], rules: str, namespace: Mapping[str, Any]) -> FunctionType:
    name = f"{template.__name__}_{rules}"
    code = template.__code__.replace(co_name=name, co_qualname=name)
    used = {key: value for key, value in namespace.items() if key in code.co_names}
    bound = FunctionType(code, {**template.__globals__, **used}, name)
    bound.__module__ = template.__module__
    bound.__qualname__ = name
    return bound


def rebound(
    function: Any, namespace: Mapping[str, Any], retargeted: Callable[[Any], Any]
) -> FunctionType:
    """A rule, or a template, as a plain function for another target.

    Args:
        function: a compiled function, or a plain one.
        namespace: names that take precedence over its own globals.
        retargeted: called with each compiled function among its globals; returns its form there.
    """
    plain = function.py_func if isinstance(function, CPUDispatcher) else function
    known = {**plain.__globals__, **namespace}
    used = {name: known[name] for name in _globals_of(plain) if name in known}
    called = {
        name: retargeted(value) for name, value in used.items() if isinstance(value, CPUDispatcher)
    }
    names, defaults = {**plain.__globals__, **used, **called}, plain.__defaults__
    return FunctionType(plain.__code__, names, plain.__name__, defaults)


def _globals_of(function: FunctionType) -> Iterator[str]:
    """The names that a function looks up as globals; ``co_names`` also includes attributes."""
    for step in dis.get_instructions(function):
        if step.opname == "LOAD_GLOBAL":
            yield step.argval


class CompiledFunction(CPUDispatcher):  # type: ignore[misc] # Numba has no types
    """A function that compiles when it is first called, and is cached on disk."""

    def __init__(
        self,
        function: FunctionType,
        settings: Mapping[str, Any],
        compiler: type[Compiler] = Compiler,
    ) -> None:
        super().__init__(function, targetoptions=settings, pipeline_class=compiler)
        name = partial(_file_name, function.__name__, [function], settings)
        self._cache = CheckedCache(function, name, cache_folder, packed_folder, _prepare)
        self._missed_at = 0
        self._compiler.fold_argument_types = partial(_folded, self._compiler.fold_argument_types)

    def _compile_for_args(self, *arguments: Any) -> Any:
        """The compiled form for arguments, or the plain function: which Numba then calls."""
        if _round and self._missed_at == _round:
            return self._plain
        try:
            with deferred_signals():
                return super()._compile_for_args(*arguments)
        except _NotCompiled:
            self._missed_at = _round
            return self._plain

    @cached_property
    def _plain(self) -> Callable[..., Any]:
        """The plain function for arguments as Numba passes them, with objects for defaults."""
        function = self.py_func
        return _with_defaults(function) if function.__defaults__ else function

    def get_call_template(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """The compiled form for a caller: the same for all constants and widths of integers."""
        return super().get_call_template(tuple(map(_widened, arguments)), named)


def _with_defaults(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        return function(
            *(each.value if isinstance(each, OmittedArg) else each for each in arguments)
        )

    return call


def _widened(kind: Any) -> Any:
    """The type as which a compiled function takes an argument from another one.

    Unsigned numbers stay as they are: to an array, they are indices without a sign to look at.
    """
    kind = unliteral(kind)
    is_signed = isinstance(kind, types.Integer) and kind.signed  # type: ignore[attr-defined] # no types
    return types.int64 if is_signed else kind


class _NotCompiled(Exception):
    """A function is not compiled, and this process leaves compiling to others."""


_round = 0  # of looking for code that others have compiled; 0 in processes that compile


def leave_compiling_to_others() -> None:
    """Run what is not compiled as plain Python from now on; for processes that show positions.

    What others compile later is used after :func:`use_new_code`.
    """
    global _round
    _round = max(_round, 1)


def use_new_code() -> None:
    """Use what other processes have compiled, in a process that leaves compiling to them."""
    global _round
    if _round:
        _round += 1


def _prepare() -> None:
    """Prepare for compiling."""
    if _round:
        raise _NotCompiled
    _load_numba_without_scipy()


def _folded(fold: Callable[..., Any], *arguments: Any) -> tuple[Any, tuple[Any, ...]]:
    """The types of a call's arguments; those of ``*arrays`` as Python's calls pass them.

    Numba has two types of tuples for them, and would compile a function that is called from both.
    """
    signature, kinds = fold(*arguments)
    return signature, tuple(map(_as_from_python, kinds))


def _as_from_python(kind: Any) -> Any:
    stars = types.StarArgTuple, types.StarArgUniTuple  # type: ignore[attr-defined] # no types
    return types.Tuple(kind.types) if isinstance(kind, stars) else kind  # type: ignore[attr-defined]


@cache
def _load_numba_without_scipy() -> None:
    """Load Numba's array functions, which load SciPy's linear algebra to see whether it is there.

    No rule uses it, and it takes a quarter of a second and 17 MB. Functions that do use it still
    load it when they are compiled.
    """
    from numba.np import linalg

    ensure_blas = linalg.ensure_blas
    linalg.ensure_blas = _find_scipy
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        linalg.ensure_blas = ensure_blas


def _find_scipy() -> None:
    if find_spec("scipy") is None:
        raise ImportError("no SciPy")


class _Rule(CompiledFunction):
    """A function that mostly compiled functions call.

    Python calls another form of it, compiled separately: a wrapper that converts Python's arguments
    takes longer to compile than most rules.
    """

    @cached_property
    def _unwrapped(self) -> CompiledFunction:
        settings = {**self.targetoptions, "no_cpython_wrapper": True}
        return CompiledFunction(self.py_func, settings, InnerCompiler)

    @property
    def _numba_type_(self) -> types.Dispatcher:
        """The form that compiled functions call."""
        return types.Dispatcher(self._unwrapped)


_usual_type_of = typeof_impl.dispatch(np.ndarray)


@typeof_impl.register(np.ndarray)
def _type_of(array: np.ndarray, context: Any) -> Any:
    """The type of an array: as Numba does, which first loads masked arrays, more than 1 MB."""
    if type(array) is np.ndarray:
        with suppress(NumbaNotImplementedError):
            element, layout = from_dtype(array.dtype), map_layout(array)
            return types.Array(element, array.ndim, layout, readonly=not array.flags.writeable)
    return _usual_type_of(array, context)


def _compiled(function: Any, kind: type[CompiledFunction], **settings: Any) -> Any:
    return kind(function, {**SETTINGS, **settings}) if JIT else function


def _file_name(
    name: str, functions: Iterable[FunctionType], settings: Mapping[str, Any] = SETTINGS
) -> str:
    """The name, without a suffix, of the files of compiled functions."""
    word = "".join(sign if sign.isalnum() or sign in "_-" else "" for sign in name)
    return f"{word}-{key_of(functions, str(settings))}"


@cache
def cache_folder() -> Path | None:
    """The folder of compiled code; None if there is none that only the user can write to.

    Compiled code is unpickled, so anybody who can write to its folder could run any code.
    """
    for folder in _cache_folders():
        try:
            private = private_folder(folder)
            with tempfile.TemporaryFile(dir=private):
                return private
        except NotPrivate as error:
            say_once(f"compiled code is not kept in {folder}: {error.strerror}")
        except OSError:
            continue
    return None


@cache
def packed_folder() -> Path | None:
    """The folder of the code that this package brings compiled, in wheels for a platform.

    None if there is none, if this machine's processor is too old for it, or if others than the user
    and root can change it.
    """
    if not PACKED.is_dir() or baseline() is None:
        return None
    try:
        return private_folder(PACKED)
    except OSError as error:
        say_once(f"compiled code in {PACKED} is not used: {error.strerror}")
        return None


def _cache_folders() -> Iterable[Path]:
    """Possible folders of the cache, best first."""
    wanted = os.path.expanduser(os.environ.get("PASGL_CACHE_DIR", ""))
    # A path that still begins with ~ belongs to a user without a home folder.
    return [Path(wanted)] if wanted and wanted[0] != "~" else user_folders("cache")


_is_quiet = False


def compile_quietly() -> None:
    """Compile without messages, in a process whose parent shows the progress."""
    global _is_quiet
    _is_quiet = True


_only_binds = False


@contextmanager
def only_binding() -> Iterator[None]:
    """Bind loops without compiling them here, to compile them for another target."""
    global _only_binds
    _only_binds = True
    try:
        yield
    finally:
        _only_binds = False


_begun: list[tuple[str, tuple[Any, ...]]] = []


def in_use() -> set[str]:
    """The names, without suffixes, of the files of compiled code that this process uses."""
    loops = (loop._cache.name for _, bound in _begun for loop in bound)
    return {*used, *loops, *(name for name, _ in _begun)}


def compile_once(what: str, warm_up: Callable[[], Any], loops: Iterable[Any]) -> None:
    """Run ``warm_up`` to compile ``loops``, with a message, unless they are cached.

    Args:
        what: name of the loops, for the message.
        warm_up: calls each of them with the argument types in use.
        loops: functions from :func:`bind`.
    """
    if not JIT or _only_binds:
        return
    folder = cache_folder()
    name = _file_name(what, [loop.py_func for loop in loops])
    _begun.append((name, tuple(loops)))
    if _round or _is_compiled(name):
        return
    with only_process(folder, what):
        if _is_compiled(name):  # another process has done it
            return
        where = f"once; kept in {folder}" if folder else "there is no folder to keep it in"
        _tell(f"compiling {what} ({where}) ...")
        start = time.perf_counter()
        with _without_garbage_collection():
            warm_up()
        _tell(f"compiled {what} in {time.perf_counter() - start:.0f} s")
        if folder is not None:
            with suppress(OSError):  # a full disk
                _stamp(folder, name, target()).touch()


def _tell(message: str) -> None:
    if not _is_quiet:
        print(f"pasgl_env: {message}", file=sys.stderr, flush=True)


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Compile a seventh faster, and take some 100 MB more meanwhile."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _is_compiled(name: str) -> bool:
    """Whether the user's folder or the package has code that runs on this processor."""
    folders = filter(None, (cache_folder(), packed_folder()))
    processors = list(filter(None, (target(), baseline())))
    return any(_stamp(folder, name, each).exists() for folder in folders for each in processors)


def _stamp(folder: Path, name: str, processor: Processor) -> Path:
    """The file that says that all is compiled for a processor."""
    return folder / f"{name}.{processor.key}.compiled"


def wrapping() -> AbstractContextManager[Any]:
    """Context manager that allows generators to overflow, which only matters without the JIT."""
    return _NOTHING if JIT and not _round else np.errstate(over="ignore")


wide: Callable[[Any], int] = np.int64  # type: ignore[assignment]
"""Convert a small integer to 64 bits, so that it cannot overflow uncompiled."""


@rule
def clear(array: np.ndarray) -> None:
    """Set a row to 0: a mask or planes before they are written.

    Callers whose rows are already clear may replace it by a function that does nothing.
    """
    array[:] = 0
