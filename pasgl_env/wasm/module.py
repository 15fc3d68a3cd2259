"""WebAssembly modules of compiled functions.

LLVM writes an object file. One that refers to no other is a module but for its exports, so no
linker is needed: they are added here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import llvmlite.binding as llvm

from pasgl_env.wasm.target import TARGET, TRIPLE

SLOT = 8
"""Bytes of an argument in a frame."""

_HEADER = b"\0asm\1\0\0\0"
_CUSTOM, _GLOBAL, _EXPORT = 0, 6, 7
_SYMBOL_TABLE, _FUNCTION = 8, 0
_UNDEFINED, _EXPLICIT_NAME = 0x10, 0x40

_RESHAPE = """
define i32 @numba_attempt_nocopy_reshape(i64 %nd, ptr %dims, ptr %strides, i64 %newnd,
                                         ptr %newdims, ptr %newstrides, i64 %itemsize,
                                         i32 %fortran) {
entry:
  br label %old
old:
  %axis = phi i64 [%nd, %entry], [%before, %same]
  %wanted = phi i64 [%itemsize, %entry], [%larger, %same]
  %left = icmp sgt i64 %axis, 0
  br i1 %left, label %compare, label %new
compare:
  %before = sub i64 %axis, 1
  %dim = getelementptr i64, ptr %dims, i64 %before
  %length = load i64, ptr %dim
  %larger = mul i64 %wanted, %length
  %place = getelementptr i64, ptr %strides, i64 %before
  %stride = load i64, ptr %place
  %is_same = icmp eq i64 %stride, %wanted
  br i1 %is_same, label %same, label %no
same:
  br label %old
new:
  %to = phi i64 [%newnd, %old], [%next, %write]
  %size = phi i64 [%itemsize, %old], [%product, %write]
  %more = icmp sgt i64 %to, 0
  br i1 %more, label %write, label %yes
write:
  %next = sub i64 %to, 1
  %newdim = getelementptr i64, ptr %newdims, i64 %next
  %newlength = load i64, ptr %newdim
  %target = getelementptr i64, ptr %newstrides, i64 %next
  store i64 %size, ptr %target
  %product = mul i64 %size, %newlength
  br label %new
yes:
  ret i32 1
no:
  ret i32 0
}
"""
"""Numba's helper in C that finds the strides of a reshaped array: here of contiguous ones only."""


def module_of(compiled: Mapping[str, Any]) -> bytes:
    """A module that exports functions under these names, each ``name(frame) -> status``.

    A frame is memory with a slot of 8 bytes for each argument, followed by the result. The status
    is 0, or -2 for a function without a result; others are errors.

    Args:
        compiled: Numba's results of compiling functions for WebAssembly, by name.
    """
    codegen = TARGET.target_context.codegen()
    whole = llvm.parse_assembly(f'target triple = "{TRIPLE}"')
    whole.data_layout = str(codegen.target_data)
    for library in _libraries(result.library for result in compiled.values()):
        whole.link_in(library._final_module, preserve=True)
    for name, result in compiled.items():
        called = whole.get_function(result.fndesc.llvm_func_name)
        whole.link_in(_parsed(_entry(name, called), str(codegen.target_data)))
    whole.link_in(_parsed(_RESHAPE, str(codegen.target_data)))
    for value in (*whole.functions, *whole.global_variables):
        if not value.is_declaration and value.name not in compiled:
            value.linkage = "internal"
    manager, builder = codegen._module_pass_manager()
    manager.run(whole, builder)
    return with_exports(codegen._tm.emit_object(whole), set(compiled))


def _libraries(wanted: Iterable[Any]) -> dict[Any, None]:
    """Libraries and all that they call, each once; without Numba's run-time: no rule needs it."""
    found = dict[Any, None]()
    left = list(wanted)
    while left:
        library = left.pop()
        if library not in found and library.name != "nrt":
            found[library] = None
            left += library._linking_libraries
    return found


def _parsed(text: str, data_layout: str) -> Any:
    module = llvm.parse_assembly(f'target triple = "{TRIPLE}"\n{text}')
    module.data_layout = data_layout
    return module


def _entry(name: str, called: Any) -> str:
    """LLVM's text of a function that calls another one with the arguments in a frame."""
    result, *kinds = (str(argument.type) for argument in called.arguments)
    lines = []
    for number, kind in enumerate(kinds):
        lines.append(f"%p{number} = getelementptr i8, ptr %frame, i32 {SLOT * number}")
        lines.append(f"%a{number} = load {kind}, ptr %p{number}")
    lines.append(f"%result = getelementptr i8, ptr %frame, i32 {SLOT * len(kinds)}")
    given = ", ".join(f"{kind} %a{number}" for number, kind in enumerate(kinds))
    lines.append(f'%status = call i32 @"{called.name}"({result} %result, {given})')
    declared = ", ".join([result, *kinds])
    body = "\n".join(lines)
    return (
        f'declare i32 @"{called.name}"({declared})\n'
        f"define i32 @{name}(ptr %frame) {{\n{body}\nret i32 %status\n}}\n"
    )


def with_exports(item: bytes, names: set[str]) -> bytes:
    """An object file as a module that exports these functions."""
    sections = list(_sections(item))
    indices = next(_functions(body) for kind, body in sections if _is_custom(kind, body, "linking"))
    exported = [
        _text(name) + b"\0" + _number(index) for name, index in indices.items() if name in names
    ]
    kept = [(kind, body) for kind, body in sections if kind != _CUSTOM]
    place = sum(kind <= _GLOBAL for kind, _ in kept)
    kept.insert(place, (_EXPORT, _number(len(exported)) + b"".join(exported)))
    return _HEADER + b"".join(bytes([kind]) + _number(len(body)) + body for kind, body in kept)


def data_end(module: bytes) -> int:
    """The address after the data of a module."""
    end = 0
    for kind, body in _sections(module):
        if kind == 11:
            count, at = _read_number(body, 0)
            for _ in range(count):
                assert body[at : at + 2] == b"\0\x41", "a segment of memory at a constant address"
                address, at = _read_number(body, at + 2)
                size, at = _read_number(body, at + 1)
                end, at = max(end, address + size), at + size
    return end


def _is_custom(kind: int, body: bytes, name: str) -> bool:
    return kind == _CUSTOM and body.startswith(_text(name))


def _sections(module: bytes) -> Iterator[tuple[int, bytes]]:
    at = len(_HEADER)
    while at < len(module):
        kind = module[at]
        size, at = _read_number(module, at + 1)
        yield kind, module[at : at + size]
        at += size


def _functions(linking: bytes) -> dict[str, int]:
    """The functions that the symbol table of a section ``linking`` defines, with their indices."""
    _, at = _read_text(linking, 0)
    _, at = _read_number(linking, at)  # version
    found = dict[str, int]()
    while at < len(linking):
        kind = linking[at]
        size, at = _read_number(linking, at + 1)
        if kind == _SYMBOL_TABLE:
            found |= _symbols(linking[at : at + size])
        at += size
    return found


def _symbols(table: bytes) -> dict[str, int]:
    count, at = _read_number(table, 0)
    found = {}
    for _ in range(count):
        kind = table[at]
        flags, at = _read_number(table, at + 1)
        is_defined = not flags & _UNDEFINED
        if kind == 1:  # data: name, and where it is
            _, at = _read_text(table, at)
            for _ in range(3 if is_defined else 0):
                _, at = _read_number(table, at)
            continue
        index, at = _read_number(table, at)
        if kind != 3 and (is_defined or flags & _EXPLICIT_NAME):  # 3: a section, without a name
            name, at = _read_text(table, at)
            if kind == _FUNCTION and is_defined:
                found[name] = index
    return found


def _number(value: int) -> bytes:
    """A non-negative integer as LEB128."""
    parts = []
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*parts, value])


def _read_number(content: bytes, at: int) -> tuple[int, int]:
    """A non-negative integer in LEB128, and the place after it."""
    value = shift = 0
    while content[at] & 0x80:
        value |= (content[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
    return value | content[at] << shift, at + 1


def _text(value: str) -> bytes:
    content = value.encode()
    return _number(len(content)) + content


def _read_text(content: bytes, at: int) -> tuple[str, int]:
    size, at = _read_number(content, at)
    return content[at : at + size].decode(), at + size
