"""The rules of a game, and the loops over them, as GPU functions.

A function compiled for the CPU keeps its Python function. Here that function is compiled for the
GPU, with the same rules as its globals.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import FunctionType
from typing import Any

from numba import cuda
from numba.core import config

from pasgl_env.contract.game import Game
from pasgl_env.engine.loops import HELPERS, rules_of
from pasgl_env.jit import compiled

SIMULATED = bool(config.ENABLE_CUDASIM)
"""Whether kernels run in Numba's simulator, as plain Python (``NUMBA_ENABLE_CUDASIM=1``)."""


def rebound(function: Any, namespace: Mapping[str, Any]) -> FunctionType:
    """A function whose globals come from a namespace, with device functions in place of rules."""
    return compiled.rebound(function, namespace, on_device)


@cache
def on_device(rule: Any) -> Any:
    """The device function of a rule; in the simulator, plain Python."""
    return _made(rebound(_no_clear if rule is compiled.clear else rule, {}))


def rules_on_device(game: Game) -> dict[str, Any]:
    """The free names of kernels in a game: its rules, and the helpers over them."""
    return dict(_namespace(tuple(rules_of(game).items())))


@cache
def _namespace(rules: tuple[tuple[str, Any], ...]) -> dict[str, Any]:
    namespace = {name: on_device(rule) if callable(rule) else rule for name, rule in rules}
    for helper in HELPERS:
        namespace[helper.__name__] = _made(rebound(helper, namespace))
    return namespace


def _no_clear(array: Any) -> None:
    """Replaces :func:`pasgl_env.jit.compiled.clear` where rows are clear already."""


def _made(function: FunctionType) -> Any:
    # Otherwise the simulator would replace the globals of each function in every call.
    return function if SIMULATED else cuda.jit(device=True)(function)
