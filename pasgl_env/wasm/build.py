"""The compiled loops of a game, as a WebAssembly module and a description of how to call them."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.core.target_extension import target_override

from pasgl_env.contract.game import Option, options_dtype
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.loops import USES, Buffers, Loops, loops_of, sample
from pasgl_env.jit.compiled import JIT
from pasgl_env.storage.files import write_whole
from pasgl_env.wasm.module import data_end, module_of
from pasgl_env.wasm.target import NAME, on_wasm

GLUE = Path(__file__).parent / "static" / "glue.js"
"""The ES module that calls modules."""

LEFT_OUT = {"reseed", "observe_all"}
"""Loops that no page needs."""


class _Noted:
    """Stands in for a compiled function, and notes the types with which it is called."""

    def __init__(self, function: Any) -> None:
        self.function = function
        self.kinds: tuple[Any, ...] = ()

    def __call__(self, *arguments: Any) -> int:
        self.kinds = tuple(map(numba.typeof, arguments))
        return 0


def write(ruleset: Ruleset, folder: Path) -> list[Path]:
    """Write a variant's module and description, and the glue, into a folder; return the files.

    Variants that share their rules, such as those of the Chieftain family, have one module.

    Raises:
        OSError: if a file cannot be written.
        ValueError: without Numba's compiler.
    """
    if not JIT:
        raise ValueError("WebAssembly needs Numba's compiler: unset NUMBA_DISABLE_JIT")
    folder.mkdir(parents=True, exist_ok=True)
    module, described = build(ruleset)
    described["module"] = f"{ruleset.game.cache_name}.wasm"
    content = {
        described["module"]: module,
        f"{ruleset.name}.json": json.dumps(described, separators=(",", ":")).encode(),
        GLUE.name: GLUE.read_bytes(),
    }
    for name, each in content.items():
        write_whole(folder / name, each)
    return [folder / name for name in content]


def build(ruleset: Ruleset) -> tuple[bytes, dict[str, Any]]:
    """A variant's module, and the description of its rules and functions for the glue."""
    called = _called(ruleset)
    with target_override(NAME):
        compiled = {name: _compiled(noted) for name, noted in called.items()}
    module = module_of(compiled)
    functions = {name: _function(called[name].function, each) for name, each in compiled.items()}
    return module, {**_rules(ruleset), "dataEnd": data_end(module), "functions": functions}


def _called(ruleset: Ruleset) -> dict[str, _Noted]:
    """The functions of a module by name, with the types of their arguments."""
    game = ruleset.game
    loops = loops_of(game)._asdict()
    noted = Loops(**{name: _Noted(loop) for name, loop in loops.items()})
    for use in ("batch", "positions", "records"):
        warm_up, _ = USES[use]
        warm_up(game, noted)
    found = {name: each for name, each in noted._asdict().items() if name not in LEFT_OUT}
    found["sample"] = _Noted(sample)
    buffers = Buffers.of(game, ruleset.record, 1)
    mask, count = buffers.action_mask, buffers.legal_count
    found["sample"](0, 1, mask, count, buffers.generators, buffers.drawn, np.zeros(1, np.int64))
    return {name: each for name, each in found.items() if each.kinds}  # no roll without dice


def _compiled(noted: _Noted) -> Any:
    function = on_wasm(noted.function)
    function.get_call_template(noted.kinds, {})
    (result,) = function.overloads.values()
    return result


def _rules(ruleset: Ruleset) -> dict[str, Any]:
    """The sizes and records of a variant under options."""
    game, spaces = ruleset.game, ruleset.spaces
    buffers = Buffers.of(game, ruleset.record, 1)
    arrays = {
        name: [array.dtype.name if array.dtype.names is None else name, *array.shape[1:]]
        for name, array in buffers._asdict().items()
    }
    return {
        "variant": ruleset.name,
        "players": spaces.players,
        "actions": spaces.actions,
        "observation": spaces.observation,
        "teams": ruleset.teams,
        "outcomes": game.chance.outcomes,
        "state": _record(game.state),
        "options": {
            **_record(options_dtype(game)),
            "values": dict(ruleset.options),
            "ranges": {
                each.name: [each.low, each.high] if isinstance(each, Option) else each.allowed
                for each in game.options
            },
            "content": base64.b64encode(ruleset.record.tobytes()).decode(),
        },
        "buffers": arrays,
    }


def _record(dtype: np.dtype[Any]) -> dict[str, Any]:
    """The size of a record in bytes, and the type, the shape and the offset of its fields."""
    fields: Any = dtype.fields
    return {
        "size": dtype.itemsize,
        "fields": {
            name: {"type": kind.base.name, "shape": kind.shape, "offset": offset}
            for name, (kind, offset, *_) in fields.items()
        },
    }


def _function(function: Any, compiled: Any) -> dict[str, Any]:
    """The arguments of a function, in order, and the types and offsets of its results."""
    slots, parameters = 0, []
    for name, kind in _arguments(function, compiled.signature.args):
        parameters.append([name, *_kind(kind)])
        slots += 5 + 2 * kind.ndim if isinstance(kind, types.Array) else 1
    result = compiled.signature.return_type
    return {"parameters": parameters, "slots": slots, "results": list(_results(result))}


def _arguments(function: Any, kinds: Iterable[Any]) -> Any:
    """The names and types of the arguments; of ``*arrays``, the fields of ``Buffers``."""
    given = signature(function.py_func).parameters.values()
    for parameter, kind in zip(given, kinds, strict=True):
        if parameter.kind is Parameter.VAR_POSITIONAL:
            names = (f"{parameter.name}.{field}" for field in Buffers._fields)
            yield from zip(names, kind.types, strict=True)
        else:
            yield parameter.name, kind


def _kind(kind: Any) -> list[Any]:
    if isinstance(kind, types.Array):
        is_record = isinstance(kind.dtype, types.Record)
        return ["record" if is_record else str(kind.dtype), kind.ndim]
    return [str(kind)]


def _results(kind: Any) -> Any:
    """The type and the offset of each number of a result, as C lays them out."""
    if kind == types.none:
        return
    offset = 0
    for each in getattr(kind, "types", [kind]):
        size = 1 if isinstance(each, types.Boolean) else each.bitwidth // 8
        offset = -(-offset // size) * size
        yield [str(each), offset]
        offset += size
