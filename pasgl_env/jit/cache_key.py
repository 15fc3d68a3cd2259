"""A key for compiled code: equal if and only if the functions compile to the same code.

It depends on the functions themselves, not on their files: on a function's byte code, on the values
of the globals that it uses, and on the compiled functions that it calls, directly or not. Editing a
comment, a docstring or anything else leaves it unchanged.
"""

from __future__ import annotations

import dis
import hashlib
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import MAGIC_NUMBER
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import numba
import numpy as np

_CONSTANTS = frozenset(dis.hasconst)  # instructions with the number of a constant
_HAS_DOCSTRING = 0x4000000  # among the flags of code, from Python 3.14 on
_PLAIN = (bool, int, float, complex, str, bytes, type(None))


class _Content(NamedTuple):
    """The content of one function.

    Attributes:
        text: equal for equal functions, except for the functions that they call.
        calls: the compiled functions that it calls.
    """

    text: str
    calls: tuple[FunctionType, ...]


def key_of(functions: Iterable[FunctionType], settings: str = "") -> str:
    """The key of functions compiled under these settings, with this Numba and Python.

    Releases of a Python that differ in the last number have the same byte code and interfaces.
    """
    python = f"{sys.implementation.cache_tag} {MAGIC_NUMBER.hex()}"
    digest = hashlib.sha256(f"{numba.__version__} {python} {settings}".encode())
    for text in sorted(_content(function).text for function in _with_calls(functions)):
        digest.update(text.encode())
    return digest.hexdigest()[:16]


def _with_calls(functions: Iterable[FunctionType]) -> set[FunctionType]:
    """Functions and all compiled functions that they call, directly or not."""
    found: set[FunctionType] = set()
    waiting = list(functions)
    while waiting:
        function = waiting.pop()
        if function not in found:
            found.add(function)
            waiting += _content(function).calls
    return found


@cache
def _content(function: FunctionType) -> _Content:
    calls: list[FunctionType] = []
    names = set(_names(function.__code__))
    values = {name: function.__globals__[name] for name in names & function.__globals__.keys()}
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    parts = [
        function.__module__,
        function.__qualname__,
        _code(function.__code__),
        _value(function.__defaults__, names, calls),
        _value(tuple(cells), names, calls),
        *(f"{name}={_value(values[name], names, calls)}" for name in sorted(values)),
    ]
    return _Content("\n".join(parts), tuple(calls))


def _names(code: CodeType) -> Iterator[str]:
    """The names of globals and attributes that code uses."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _code(code: CodeType) -> str:
    """A text for code: a docstring is a constant that no instruction loads, and left out."""
    instructions = list(_instructions(code))
    named = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    counts = code.co_argcount, code.co_kwonlyargcount, code.co_flags & ~_HAS_DOCSTRING
    return f"{instructions} {named} {counts}"


def _instructions(code: CodeType) -> Iterator[tuple[int, int | str]]:
    """Operations with their arguments: with constants instead of their numbers."""
    high = 0
    for operation, low in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        argument = high | low
        high = argument << 8 if operation == dis.EXTENDED_ARG else 0
        loads = operation in _CONSTANTS
        yield operation, _constant(code.co_consts[argument]) if loads else argument


def _constant(value: Any) -> str:
    return _code(value) if isinstance(value, CodeType) else f"{type(value)} {value!r}"


def _value(value: Any, names: set[str], calls: list[FunctionType]) -> str:
    """A text for a value that is compiled in; notes the compiled functions that it contains."""
    called = getattr(value, "py_func", None)
    if isinstance(called, FunctionType):
        calls.append(called)
        inlined = getattr(value, "targetoptions", {}).get("forceinline", False)
        return f"{called.__module__}.{called.__qualname__}{' inlined' * inlined}"
    definition = getattr(value, "_defn", None)
    if isinstance(definition, FunctionType):  # an intrinsic, whose globals are Numba's
        return f"{definition.__qualname__} {_code(definition.__code__)}"
    if isinstance(value, _PLAIN):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, np.ndarray | np.generic):
        content = hashlib.sha256(value.tobytes()).hexdigest()
        return f"{value.dtype.descr} {value.shape} {value.flags.c_contiguous} {content}"
    if isinstance(value, np.dtype):
        return f"{value.descr}"
    if isinstance(value, tuple | list):
        return f"{type(value).__name__}({[_value(each, names, calls) for each in value]})"
    if isinstance(value, ModuleType):
        used = sorted(name for name in names if hasattr(value, name))
        return f"{value.__name__} {[_value(getattr(value, name), names, calls) for name in used]}"
    # Numba ignores the content of other values: classes, functions of libraries.
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', type(value))}"
