"""The compiled loops of a game, as a WebAssembly module and a description of how to call them."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import types
from numba.core.target_extension import target_override

from pasgl_env.contract import description, editing, events, parts, scene
from pasgl_env.contract.game import Game, Option, options_dtype
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.loops import USES, Buffers, Loops, loops_of, sample
from pasgl_env.jit.cache import UnusableFile, only_process, read_checked, with_checksum
from pasgl_env.jit.cache_key import key_of
from pasgl_env.jit.compiled import JIT, bind, cache_folder, only_binding
from pasgl_env.players import greedy
from pasgl_env.players.search import tree, tree_search
from pasgl_env.players.search.player import MAX_NODES, SLICE, SLICE_SECONDS, draw_seeds
from pasgl_env.players.values import memory, one_ply
from pasgl_env.players.values.calibration import calibration_of
from pasgl_env.players.values.network import ValueScratch, features_of
from pasgl_env.players.values.weights import SUFFIX, shipped_or_unlearned, write_network, zeros
from pasgl_env.storage.files import write_whole
from pasgl_env.wasm.module import data_end, module_of
from pasgl_env.wasm.target import NAME, on_wasm

STATIC = Path(__file__).parent / "static"
"""The ES modules that call the compiled functions."""

LEFT_OUT = {"reseed", "observe_all"}
"""Loops that no page needs."""

_SHOWN = {"points", "describe", "events", "scene", "edit", "symbol_on"}
POSITION = frozenset(
    {"restart", "advance", "observe_one", "outcomes", "first_unplayable", "roll"} | _SHOWN
)
"""The functions of the glue's ``Position``."""


class _Noted:
    """Stands in for a compiled function, and notes the types with which it is called."""

    def __init__(self, function: Any) -> None:
        self.function = function
        self.kinds: tuple[Any, ...] = ()

    def __call__(self, *arguments: Any) -> int:
        self.kinds = tuple(map(numba.typeof, arguments))
        return 0


def write(ruleset: Ruleset, folder: Path) -> list[Path]:
    """Write all that a page needs of a variant into a folder; return the files.

    They are the module, its description, learned values and the glue. Variants that share their
    rules, such as those of the Chieftain family, have one module.

    Raises:
        OSError: if a file cannot be written.
        ValueError: without Numba's compiler.
    """
    if not JIT:
        raise ValueError("WebAssembly needs Numba's compiler: unset NUMBA_DISABLE_JIT")
    folder.mkdir(parents=True, exist_ok=True)
    module, described = build(ruleset)
    described["module"] = f"{ruleset.game.cache_name}.wasm"
    content = {described["module"]: module}
    if ruleset.game.features:
        described["values"]["file"] = f"{ruleset.name}{SUFFIX}"
        network = shipped_or_unlearned(ruleset)
        content[described["values"]["file"]] = write_network(network, ruleset, {})
    content[f"{ruleset.name}.json"] = json.dumps(described, separators=(",", ":")).encode()
    content |= {file.name: file.read_bytes() for file in sorted(STATIC.iterdir())}
    for name, each in content.items():
        write_whole(folder / name, each)
    return [folder / name for name in content]


def build(ruleset: Ruleset, names: frozenset[str] | None = None) -> tuple[bytes, dict[str, Any]]:
    """A variant's module, and the description of its rules and functions for the glue.

    Args:
        names: the functions that the module has; by default all. Those of :data:`POSITION` play and
            show a game, without players.
    """
    module, functions = _module(ruleset.game, names)
    described = {**_rules(ruleset), "dataEnd": data_end(module), "functions": functions}
    described["records"] = _records(ruleset.game)
    described |= edited(ruleset)
    if ruleset.game.features and names is None:
        described["values"] = _values(ruleset)
    return module, described


def edited(ruleset: Ruleset) -> dict[str, Any]:
    """The ``fields`` that people edit, and the ``text`` of positions, in games with such a part."""
    found: dict[str, Any] = {}
    with suppress(NotImplementedError):
        part, option = parts.editing(ruleset.game), ruleset.record[0]
        found["fields"] = _forms(part.fields(option))
        if hasattr(part, "text"):
            text: editing.Text = part.text(option)
            found["text"] = {"names": text.names, "forms": _forms(text.forms)}
    return found


def _forms(fields: Mapping[str, editing.Field | editing.Ranks | editing.Pieces]) -> dict[str, Any]:
    """Forms of fields as plain data."""
    return {
        name: {
            key: dict(value) if isinstance(value, Mapping) else value
            for key, value in each._asdict().items()
        }
        for name, each in fields.items()
    }


@cache
def _module(game: Game, names: frozenset[str] | None = None) -> tuple[bytes, dict[str, Any]]:
    """The module of a game's rules, and the forms of its functions.

    Compiled once: it is kept in the folder of the code that is compiled for this machine.
    """
    whole, folder = _called(game), cache_folder()
    called = {name: each for name, each in whole.items() if names is None or name in names}
    if folder is None:
        return _compiled(called)
    file = folder / f"{game.cache_name}-{_key(called)}.wasm"
    with only_process(folder, f"{game.cache_name} for browsers"):
        with suppress(OSError, UnusableFile):
            forms, _, module = read_checked(file).partition(b"\0")
            return module, json.loads(forms)
        module, found = _compiled(called)
        with suppress(OSError):
            content = json.dumps(found).encode() + b"\0" + module
            write_whole(file, with_checksum(content), 0o600)
        return module, found


def _key(called: Mapping[str, _Noted]) -> str:
    """A key of what is compiled, for which types, and of the code here that does it."""
    sources = (file.read_bytes() for file in sorted(Path(__file__).parent.glob("*.py")))
    kinds = (f"{name} {each.kinds}" for name, each in called.items())
    settings = hashlib.sha256(b"".join((*sources, *(each.encode() for each in kinds))))
    functions = (each.function.py_func for each in called.values())
    return key_of(functions, f"{llvmlite.__version__} {settings.hexdigest()}")


def _compiled(called: Mapping[str, _Noted]) -> tuple[bytes, dict[str, Any]]:
    """A module of functions, and their forms."""
    with target_override(NAME):
        results = {name: _result(noted) for name, noted in called.items()}
    forms = {name: _form(called[name].function, each) for name, each in results.items()}
    return module_of(results), forms


def _called(game: Game) -> dict[str, _Noted]:
    """The functions of a module by name, with the types of their arguments."""
    loops = Loops(*map(_Noted, loops_of(game)))
    for use in ("batch", "positions", "records"):
        warm_up, _ = USES[use]
        warm_up(game, loops)
    found = loops._asdict() | _parts(game) | _players(game)
    called = {name: each for name, each in found.items() if each.kinds}  # no roll without dice
    return {name: each for name, each in called.items() if name not in LEFT_OUT}


def _noted(function: Any, *arguments: Any) -> _Noted:
    """A function that was called with arguments of these types."""
    noted = _Noted(function)
    noted(*arguments)
    return noted


def _parts(game: Game) -> dict[str, _Noted]:
    """What shows and edits a position: points and, in games that have them, the parts of pages."""
    ruleset = Ruleset.of(game, {})
    buffers, record = Buffers.of(game, ruleset.record, 1), ruleset.record
    states, numbers, one = buffers.states, np.zeros(1, np.int64), 0
    found = {
        "points": _noted(bind(_points, game.cache_name, {"points": game.points}), states, numbers)
    }
    with suppress(NotImplementedError):
        rule = description.writer(parts.description(game).describe, game.cache_name)
        out = np.zeros(1, description.ACTION)
        found["describe"] = _noted(rule, states, record, numbers, out)
        rule = events.teller(parts.events(game).events, game.cache_name)
        found["events"] = _noted(rule, states, record, one, states, np.zeros(1, events.EVENT))
    with suppress(NotImplementedError):
        rule = scene.shower(parts.drawing(game).scene, game.cache_name)
        mask, out = np.zeros(1, np.uint8), np.zeros(1, scene.SPRITE)
        found["scene"] = _noted(rule, states, record, one, mask, out)
    with suppress(NotImplementedError):
        found["edit"] = _noted(editing.editor(game), states, record, one, one)
        if hasattr(parts.editing(game), "symbol_on"):
            found["symbol_on"] = _noted(editing.finder(game), states, record, one, one)
    return found


points: Any = None  # the game's, in the template below


def _points(states: np.ndarray, out: np.ndarray) -> None:
    """Write the points of each player."""
    for player in range(out.size):
        out[player] = points(states[0], player)


def _players(game: Game) -> dict[str, _Noted]:
    """The loops of players: random, greedy and, in games with features, those with values."""
    buffers = Buffers.of(game, Ruleset.of(game, {}).record, 1)
    mask, bits, numbers = buffers.action_mask, buffers.generators, np.zeros(1, np.int64)
    found = {
        "sample": _noted(sample, 0, 1, mask, buffers.legal_count, bits, buffers.drawn, numbers)
    }
    with only_binding():
        found["choose_best"] = _Noted(greedy.loop_of(game))
        if game.features:
            found["choose_all"] = _Noted(one_ply.loop_of(game))
            found["retrace"] = _Noted(memory.retrace_of(game))
            found["find_state"] = _Noted(tree.find_state_of(game))
            search = tree_search.SearchLoops(*map(_Noted, tree_search.loops_of(game)))
    greedy.warm_up(game, found["choose_best"])
    if game.features:
        one_ply.warm_up(game, found["choose_all"])
        memory.warm_up(game, found["retrace"])
        tree.warm_up(game, found["find_state"])
        tree_search.warm_up(game, search)
        nodes = np.zeros(1, tree.NODE)
        found |= search._asdict()
        found["copy_below"] = _noted(tree.copy_below, nodes, 0, nodes)
        found["draw_seeds"] = _noted(draw_seeds, bits, numbers, bits)
    return found


def _result(noted: _Noted) -> Any:
    """Numba's result of compiling a function for the types with which it was called."""
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


def _records(game: Game) -> dict[str, Any]:
    """The records with which a game shows a position, and the largest numbers of them."""
    found: dict[str, Any] = {"action": _record(description.ACTION)}
    with suppress(NotImplementedError):
        found["event"] = {**_record(events.EVENT), "most": parts.events(game).MOST}
    with suppress(NotImplementedError):
        found["sprite"] = {**_record(scene.SPRITE), "most": parts.drawing(game).MOST}
    return found


def _values(ruleset: Ruleset) -> dict[str, Any]:
    """What players with learned values need: memory, and the settings of a search."""
    game, features = ruleset.game, features_of(ruleset.game)
    curves = calibration_of(ruleset)
    return {
        "calibration": curves._asdict() if curves.is_measured else None,
        "remembers": features.position_keys is not None,
        "network": _block(zeros(ruleset)),
        "scratch": _block(ValueScratch.of(game, ruleset.spaces)),
        "memory": _block(memory.Memory.of(game, 1)),
        "moves": memory.MOVES,
        "search": {
            "walk": _block(tree.Walk.empty()),
            "finder": _block(tree.Finder.of(game)),
            "node": _record(tree.NODE),
            "exploration": tree_search.usual_exploration(game),
            "ahead": features.ahead,
            "isMinimax": tree_search.is_minimax(game),
            "firstRoom": tree.FIRST_ROOM,
            "mostNodes": MAX_NODES,
            "slice": SLICE,
            "sliceSeconds": SLICE_SECONDS,
        },
    }


def _block(arrays: Any) -> dict[str, Any]:
    """Memory for a tuple of arrays, as of a record; arrays that share memory have one place."""
    fields, places, size = {}, dict[int, int](), 0
    for name, array in arrays._asdict().items():
        where = array.__array_interface__["data"][0]
        if where not in places:
            places[where] = size
            size += -(-array.nbytes // 16) * 16
        kind = "record" if array.dtype.names else array.dtype.name
        place = {"shape": array.shape, "offset": places[where], "item": array.itemsize}
        fields[name] = {"type": kind, **place}
    return {"size": size, "fields": fields}


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


def _form(function: Any, compiled: Any) -> dict[str, Any]:
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
        is_star = parameter.kind is Parameter.VAR_POSITIONAL
        yield from _leaves(parameter.name, kind, Buffers._fields if is_star else ())


def _leaves(name: str, kind: Any, fields: Sequence[str] = ()) -> Any:
    """The names and types of what an argument consists of, such as ``tree.nodes``."""
    if fields := fields or getattr(kind, "fields", ()):
        for field, each in zip(fields, kind.types, strict=True):
            yield from _leaves(f"{name}.{field}", each)
    else:
        yield name, kind


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
