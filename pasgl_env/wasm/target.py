"""WebAssembly as a target of Numba, for which rules are compiled again.

A function compiled for this machine keeps its Python function. Here that function is compiled for
WebAssembly, with the same rules as its globals. The code is the same on whatever machine it is
compiled.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from types import FunctionType
from typing import Any

import llvmlite.binding as llvm
from numba.core import config
from numba.core.caching import NullCache
from numba.core.callconv import MinimalCallConv
from numba.core.codegen import AOTCPUCodegen
from numba.core.cpu import CPUContext
from numba.core.registry import CPUTarget, cpu_target
from numba.core.target_extension import CPU, dispatcher_registry, jit_registry, target_registry

from pasgl_env.jit.compiled import SETTINGS, CompiledFunction, rebound

NAME = "wasm"
TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint"
"""What all browsers since 2023 have."""


class _Codegen(AOTCPUCodegen):  # type: ignore[misc] # Numba has no types
    """Compiles modules for WebAssembly; there is no engine that could run them here."""

    def _init(self, llvm_module: Any) -> None:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        self._tm_features = FEATURES
        self._tm = llvm.Target.from_triple(TRIPLE).create_target_machine(
            cpu="generic", features=FEATURES, opt=config.OPT, reloc="static", codemodel="default"
        )
        self._target_data = self._tm.target_data
        self._data_layout = str(self._target_data)
        self._loopvect, self._opt_level = False, 0

    @property
    def target_data(self) -> Any:
        return self._target_data

    def _create_empty_module(self, name: str) -> Any:
        module = super()._create_empty_module(name)
        module.triple = TRIPLE
        return module


class _Context(CPUContext):  # type: ignore[misc] # Numba has no types
    """Lowers functions for WebAssembly: numbers and records are as on a machine of 64 bits."""

    def init(self) -> None:
        self.is32bit = False
        self._internal_codegen = _Codegen("pasgl_env")

    def load_additional_registries(self) -> None:
        cpu_target.target_context.refresh()  # it compiles Numba's run-time, unless that exists
        super().load_additional_registries()

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> Any:
        """What stands for a function in Numba's tables: nothing here can call it."""
        return fndesc

    @cached_property
    def call_conv(self) -> Any:
        """Errors are numbers."""
        return MinimalCallConv(self)


class _Descriptor(CPUTarget):  # type: ignore[misc] # Numba has no types
    @cached_property
    def _toplevel_target_context(self) -> Any:
        return _Context(self.typing_context, self._target_name)


class Wasm(CPU):  # type: ignore[misc] # Numba has no types
    """The target, for Numba's registries: what suits a CPU suits it too."""


target_registry[NAME] = Wasm
TARGET = _Descriptor(NAME)


class WasmFunction(CompiledFunction):
    """A function compiled for WebAssembly, for the callers among such functions."""

    targetdescr = TARGET

    def __init__(self, function: FunctionType, settings: Mapping[str, Any]) -> None:
        super().__init__(function, {**settings, "no_cpython_wrapper": True})
        self._cache = NullCache()

    def add_overload(self, cres: Any) -> None:
        self.overloads[tuple(cres.signature.args)] = cres


def _jit(*arguments: Any, **settings: Any) -> Any:
    """Numba's decorator for this target: of the functions with which it implements NumPy's."""
    settings = {key: value for key, value in settings.items() if key != "target"}
    if arguments:
        return WasmFunction(arguments[0], {**SETTINGS, **settings})
    return lambda function: WasmFunction(function, {**SETTINGS, **settings})


dispatcher_registry[Wasm] = WasmFunction
jit_registry[Wasm] = _jit


@cache
def on_wasm(rule: Any) -> WasmFunction:
    """The form of a compiled rule, or of a bound loop, for WebAssembly."""
    return WasmFunction(rebound(rule, {}, on_wasm), rule.targetoptions)
