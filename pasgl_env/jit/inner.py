"""Functions that only compiled functions call: they get no machine code of their own.

Numba makes machine code for every function that it compiles. But a caller takes over the code of
LLVM for all that it calls, from which its own machine code is made. For the same reason, only the
callers' code is optimised as a whole.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import Compiler

_ENVIRONMENT = "_ZN08NumbaEnv"  # begins the names of pointers to Python's constants


class InnerCompiler(Compiler):  # type: ignore[misc] # Numba has no types
    """Compiles a function to LLVM's code, for its callers."""

    def define_pipelines(self) -> Any:
        codegen, name = self.state.targetctx.codegen(), self.state.func_id.func_qualname
        self.state.library = _InnerLibrary(codegen, name)
        self.state.library.enable_object_caching()
        return super().define_pipelines()


class _InnerLibrary(JITCodeLibrary):  # type: ignore[misc] # Numba has no types
    _final_module: Any

    def _optimize_final_module(self) -> None:
        """Nothing: callers optimise their code with all that it calls."""

    def _finalize_final_module(self) -> None:
        whole = self._final_module
        variables = [each.name for each in whole.global_variables]
        # Functions that call each other find one another in machine code.
        if not any(name.startswith(RuntimeLinker.PREFIX) for name in variables):
            self._final_module = self._pointers(variables)
        super()._finalize_final_module()
        self._final_module = whole

    def _pointers(self, variables: list[str]) -> Any:
        """A module of nothing but the pointers to Python's constants, which Numba sets."""
        module = self._codegen._create_empty_module(self.name)
        for name in variables:
            if name.startswith(_ENVIRONMENT):
                pointer = ir.GlobalVariable(module, ir.IntType(8).as_pointer(), name)
                pointer.linkage, pointer.initializer = "common", pointer.type.pointee(None)
        return llvm.parse_assembly(str(module))
