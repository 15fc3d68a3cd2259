"""Numba's cache on disk, made to survive full disks, damaged files and several processes."""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, cached_property, partial
from itertools import chain
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

import llvmlite.binding as llvm
from numba import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.core.codegen import RuntimeLinker
from numba.core.compiler import compile_result

from pasgl_env.jit.processor import baseline
from pasgl_env.storage.private import who_else_writes

try:
    import fcntl
except ImportError:  # Windows: each process compiles for itself
    fcntl = None  # type: ignore[assignment]

_DIGEST = hashlib.sha256().digest_size

used: set[str] = set()
"""The names of the functions that this process has loaded or compiled."""


class UnusableFile(ValueError):
    """A file of the cache that others can change, or that does not match its checksum."""


class CheckedFiles(IndexDataCacheFile):  # type: ignore[misc] # Numba has no types
    """The index and the data of one function; every file begins with the checksum of the rest."""

    def _load_index(self) -> dict[Any, str]:
        try:
            stamp, overloads, *fields = pickle.loads(read_checked(self._index_path))
        except (FileNotFoundError, AttributeError, ImportError):
            return {}  # it does not exist, or the class of an argument no longer does
        is_current = stamp == self._source_stamp and fields == _fields_of(overloads)
        return overloads if is_current else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        content = self._source_stamp, overloads, *_fields_of(overloads)
        self._write(self._index_path, self._dump(content))

    def _load_data(self, name: str) -> Any:
        return pickle.loads(read_checked(self._data_path(name)))

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), self._dump(data))

    def _write(self, path: str, content: bytes) -> None:
        with self._open_for_write(path) as file:
            file.write(with_checksum(content))

    def remove_index(self) -> None:
        """Forget all compiled code."""
        with suppress(OSError):
            os.unlink(self._index_path)


def _fields_of(overloads: Iterable[Any]) -> list[tuple[str, ...]]:
    """The fields of all named tuples among the arguments; the key of a function leaves them out."""
    return list(chain.from_iterable(_fields_in(signature) for signature, *_ in overloads))


def _fields_in(kinds: Iterable[Any]) -> Iterator[tuple[str, ...]]:
    """The fields of named tuples, and of those in them."""
    for each in kinds:
        if isinstance(each, types.BaseNamedTuple):
            yield each.instance_class._fields
            yield from _fields_in(each)


def _calls_numba(data: tuple[Any, ...]) -> bool:
    """Whether code calls what Numba defines when it is about to compile, which no rule needs."""
    (_, _, (code, _)), *_ = data
    return any(name in code for name in (b"NRT_", b"_numba_hashsecret"))


def _is_bound(result: Any) -> bool:
    """Whether code calls functions by pointers that exist in this process only.

    Functions that call each other do: the code of one is not there when the other is compiled.
    """
    return RuntimeLinker.PREFIX.encode() in result.library._get_compiled_object()


def with_checksum(content: bytes) -> bytes:
    """What is written into a file of the cache."""
    return hashlib.sha256(content).digest() + content


def read_checked(path: str | Path) -> bytes:
    """The content of a file of the cache.

    Raises:
        OSError: if it cannot be read.
        UnusableFile: if others can change it, or it does not match its checksum.
    """
    with open(path, "rb") as file:
        if reason := who_else_writes(os.fstat(file.fileno())):
            raise UnusableFile(reason)
        content = file.read()
    if hashlib.sha256(content[_DIGEST:]).digest() != content[:_DIGEST]:
        raise UnusableFile("is damaged")
    return content[_DIGEST:]


class _Results(CompileResultCacheImpl):  # type: ignore[misc] # Numba has no types
    """Converts compiled code to bytes, at a path that the cache chooses."""

    def __init__(self, function: FunctionType) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._locator = SimpleNamespace(
            _py_file=function.__code__.co_filename, ensure_cache_path=lambda: None
        )

    def reduce(self, result: Any) -> tuple[Any, ...]:
        # To load an environment imports its module, and it is only used for Python's constants.
        *rest, environments = super().reduce(result)
        return *rest, tuple(each for each in environments if each.consts)

    def rebuild(self, target_context: Any, data: tuple[Any, ...]) -> Any:
        # Not as Numba does, which parses LLVM's code, megabytes that only new callers need.
        (name, _, (code, bitcode)), description, environment, *rest, environments = data
        codegen = target_context.codegen()
        library = codegen.create_library(name)
        library.enable_object_caching()
        library._set_compiled_object(code)
        library._get_module_for_linking = cache(partial(llvm.parse_bitcode, bitcode))
        library._finalize_final_module()
        wrapper = description.llvm_cpython_wrapper_name
        if wrapper.encode() in code:
            codegen._engine._defined_symbols.add(wrapper)
        for each in environments:
            codegen.set_env(each.env_name, each)
        signature, is_object_mode, lifted, *_ = rest
        return compile_result(
            target_context=target_context,
            typing_context=target_context.typing_context,
            signature=signature,
            objectmode=is_object_mode,
            lifted=lifted,
            fndesc=description,
            environment=environment,
            library=library,
            entry_point=target_context.get_executable(library, description, environment),
            referenced_envs=environments,
        )


class CheckedCache(FunctionCache):  # type: ignore[misc] # Numba has no types
    """The cache of one function.

    Code is looked for in the user's folder, then in the package, which has some in wheels for a
    platform. What cannot be read is compiled again, and what cannot be written is not stored; a
    message says so once per folder.

    Args:
        function: the function to compile.
        locate: returns the name of the function's files, without their suffixes. Called when the
            function is first compiled or loaded: only then do all the functions that it calls
            exist.
        own: returns the user's folder, or None if nothing can be stored.
        packed: returns the package's folder, or None.
        prepare: called before the function is compiled; may raise an error instead.
    """

    def __init__(
        self,
        function: FunctionType,
        locate: Callable[[], str],
        own: Callable[[], Path | None],
        packed: Callable[[], Path | None],
        prepare: Callable[[], None],
    ) -> None:
        self._name = repr(function)
        self._py_func = function
        self._impl = _Results(function)
        self._locate, self._own, self._packed, self._prepare = locate, own, packed, prepare
        self.enable()

    @cached_property
    def name(self) -> str:
        """The name of the function's files, without their suffixes."""
        return self._locate()

    @cached_property
    def _cache_file(self) -> CheckedFiles | None:
        return self._files_in(self._own())

    def _files_in(self, folder: Path | None) -> CheckedFiles | None:
        # The path identifies the compiled code: no other stamp is needed.
        return CheckedFiles(str(folder), self.name, "") if folder is not None else None

    @property
    def cache_path(self) -> str:
        return self._cache_file._cache_path if self._cache_file is not None else ""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        # Not as Numba does, which first loads all that it can compile: 30 MB and 0.1 s.
        keys = self._keys(sig, target_context.codegen())
        used.add(self.name)
        for files in (self._cache_file, self._files_in(self._packed())):
            data = self._loaded(files, keys) if files is not None else None
            if data is not None:
                if _calls_numba(data):
                    target_context.refresh()
                return self._impl.rebuild(target_context, data)
        self._prepare()
        return None

    def _keys(self, sig: Any, codegen: Any) -> list[Any]:
        """The keys of code that runs here: for this processor, and for the baseline."""
        keys, usual = [self._index_key(sig, codegen)], baseline()
        if usual is not None:
            magic = codegen.magic_tuple()[0], *usual
            keys.append(self._index_key(sig, SimpleNamespace(magic_tuple=lambda: magic)))
        return keys

    def _loaded(self, files: CheckedFiles, keys: Iterable[Any]) -> Any:
        try:
            return next(filter(None, map(files.load, keys)), None)
        except (UnusableFile, OSError) as error:
            fault = f"failed: {error.strerror}" if isinstance(error, OSError) else str(error)
            say_once(f"a file of compiled code in {files._cache_path} {fault}; compiling it anew")
            if files is self._cache_file:
                files.remove_index()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        if self._cache_file is None or _is_bound(data):
            return
        try:
            super().save_overload(sig, data)
        except OSError as error:
            say_once(f"cannot keep compiled code in {self.cache_path}: {error.strerror}")


@cache
def say_once(message: str) -> None:
    """Print a message on standard error, once per process."""
    print(f"pasgl_env: {message}", file=sys.stderr, flush=True)


@contextmanager
def only_process(folder: Path | None, what: str) -> Iterator[None]:
    """Wait while another process is in this block for the same folder and name."""
    lock = _opened(folder / f"{what}.lock") if folder is not None and fcntl is not None else None
    if lock is None:
        yield
        return
    try:
        _wait_for(lock, what)
        yield
    finally:
        os.close(lock)


def _opened(file: Path) -> int | None:
    with suppress(OSError):
        return os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    return None


def _wait_for(lock: int, what: str) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say_once(f"waiting for another process that compiles {what}")
        fcntl.flock(lock, fcntl.LOCK_EX)
    except OSError:  # a file system without locks: each process compiles for itself
        return
