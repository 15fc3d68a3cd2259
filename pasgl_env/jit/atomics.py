"""Atomic operations for compiled code, and calls repeated by another thread, which Numba lacks.

The operations access elements of ``int64`` arrays and are sequentially consistent: all threads see
them in the same order.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_ORDER = "seq_cst"
_BYTES = 8
_ADDRESS = ir.IntType(8).as_pointer()
_ENTRY = ir.FunctionType(ir.VoidType(), [_ADDRESS])


def _pointer(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """A pointer to the element given by the first two arguments."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    return builder.gep(array.data, [arguments[1]])


@intrinsic
def load(_: Any, array: Any, index: Any) -> Any:
    """Read an element."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature, arguments)
        return builder.load_atomic(pointer, _ORDER, _BYTES)

    return types.int64(array, types.int64), generate


@intrinsic
def store(_: Any, array: Any, index: Any, value: Any) -> Any:
    """Write an element."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature, arguments)
        builder.store_atomic(arguments[2], pointer, _ORDER, _BYTES)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), generate


@intrinsic
def add(_: Any, array: Any, index: Any, value: Any) -> Any:
    """Add to an element and return its previous value."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature, arguments)
        return builder.atomic_rmw("add", pointer, arguments[2], _ORDER)

    return types.int64(array, types.int64, types.int64), generate


@intrinsic
def this_call(_: Any) -> Any:
    """Two addresses for :func:`call_again`, valid until the function that calls this has returned.

    Another thread can then make the same call, with the same arguments except the first, which is
    1 there, so that the function knows which thread it runs in.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        function = builder.function
        results, given = function.args[:2], function.args[2:]  # Numba's, and the arguments
        kept = ir.LiteralStructType([each.type for each in given])
        room = cgutils.alloca_once(builder, kept)
        for number, each in enumerate(given):
            builder.store(each, cgutils.gep_inbounds(builder, room, 0, number))

        entry = ir.Function(builder.module, _ENTRY, f"{function.name}.again")
        entry.linkage = "internal"
        body = ir.IRBuilder(entry.append_basic_block())
        source = body.bitcast(entry.args[0], kept.as_pointer())
        again = [
            body.load(cgutils.gep_inbounds(body, source, 0, number)) for number in range(len(given))
        ]
        again[0] = ir.Constant(given[0].type, 1)
        body.call(function, [*(body.alloca(each.type.pointee) for each in results), *again])
        body.ret_void()

        word = ir.IntType(64)
        addresses = builder.ptrtoint(entry, word), builder.ptrtoint(room, word)
        return context.make_tuple(builder, signature.return_type, addresses)

    return types.UniTuple(types.int64, 2)(), generate


@intrinsic
def call_again(_: Any, function: Any, arguments: Any) -> Any:
    """Make the call described by the addresses from :func:`this_call`."""

    def generate(context: Any, builder: Any, signature: Any, addresses: Any) -> Any:
        function, arguments = addresses
        entry = builder.inttoptr(function, _ENTRY.as_pointer())
        builder.call(entry, [builder.inttoptr(arguments, _ADDRESS)])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate
