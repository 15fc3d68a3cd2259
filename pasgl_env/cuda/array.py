"""Arrays in GPU memory that other libraries can use without a copy."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from pasgl_env.cuda.device import SIMULATED

CPU, CUDA = 1, 2
"""Device types of DLPack."""

_CODES = {"i": 0, "u": 1, "f": 2, "b": 6}


class DeviceArray:
    """An array on the GPU that PyTorch, JAX, CuPy and Numba can use in place.

    ``torch.as_tensor(array, device="cuda")``, ``jax.numpy.from_dlpack(array)``,
    ``cupy.asarray(array)`` and ``numba.cuda.as_cuda_array(array)`` share its memory. It has
    ``__cuda_array_interface__`` and ``__dlpack__``. All work on it is in CUDA's default stream.

    Attributes:
        shape: as in NumPy.
        dtype: as in NumPy.
        strides: strides in bytes.

    Args:
        array: Numba's device array; also an attribute.
        padded: words with the same content, and more at the end of each row if rows are padded:
            only whole rows can be copied.
    """

    def __init__(self, array: Any, padded: Any = None) -> None:
        self.array, self._padded = array, padded
        self.shape: tuple[int, ...] = tuple(array.shape)
        self.dtype: np.dtype[Any] = array.dtype
        self.strides: tuple[int, ...] = tuple(array.strides)

    def copy_to_host(self) -> np.ndarray:
        """A copy as a NumPy array; waits for the GPU."""
        if self._padded is None:
            copied: np.ndarray = self.array.copy_to_host()
            return copied
        rows = self._padded.copy_to_host().view(self.dtype)
        return np.ascontiguousarray(rows[:, : self.shape[1]])

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"DeviceArray(shape={self.shape}, dtype={self.dtype})"

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return dict(self.array.__cuda_array_interface__)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (CPU, 0) if SIMULATED else (CUDA, _device_number())

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: Any = None,
        dl_device: Any = None,
        copy: bool | None = None,
    ) -> Any:
        """A capsule for ``from_dlpack`` of other libraries.

        Raises:
            BufferError: if a copy or another device is requested.
        """
        if copy or (dl_device is not None and tuple(dl_device) != self.__dlpack_device__()):
            raise BufferError(
                "this array can only be shared in place, without a copy or another device"
            )
        if not SIMULATED:
            _order_after_default_stream(stream)
        return capsule(self, self._pointer, self.__dlpack_device__())

    @property
    def _pointer(self) -> int:
        if SIMULATED:
            return int(self.array.ctypes.data)
        return int(self.__cuda_array_interface__["data"][0])


def _device_number() -> int:
    from numba import cuda

    return int(cuda.get_current_device().id)


def _order_after_default_stream(stream: int | None) -> None:
    """Make a consumer's stream wait for the work launched so far, unless the stream is -1."""
    from numba import cuda

    if stream not in (None, -1, 0, 1):
        cuda.default_stream().synchronize()


class _Device(ctypes.Structure):
    _fields_ = (("type", ctypes.c_int32), ("number", ctypes.c_int32))


class _DataType(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int32),
        ("dtype", _DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _Managed(ctypes.Structure):
    """``DLManagedTensor`` of DLPack's C header."""


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_Managed._fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _Deleter))

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = (ctypes.c_void_p, ctypes.c_char_p, _Deleter)
_is_capsule = ctypes.pythonapi.PyCapsule_IsValid
_is_capsule.argtypes = (ctypes.c_void_p, ctypes.c_char_p)
_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype = ctypes.c_void_p
_pointer_of.argtypes = (ctypes.c_void_p, ctypes.c_char_p)

# Referents of the capsules in use, by the address of their tensor.
_in_use: dict[int, tuple[Any, ...]] = {}


@_Deleter
def _release(address: int) -> None:
    """Called by the consumer of a tensor when it is done."""
    _in_use.pop(address, None)


@_Deleter
def _release_unused(address: int) -> None:
    """Called when a capsule is deleted: if nobody has consumed it, its tensor is released."""
    if _is_capsule(address, b"dltensor"):
        _release(_pointer_of(address, b"dltensor"))


def capsule(array: Any, pointer: int, device: tuple[int, int]) -> Any:
    """A DLPack capsule for an array's memory, which keeps the array alive."""
    rank, size = len(array.shape), array.dtype.itemsize
    shape = (ctypes.c_int64 * rank)(*array.shape)
    strides = (ctypes.c_int64 * rank)(*(stride // size for stride in array.strides))
    dtype = _DataType(_CODES[array.dtype.kind], 8 * size, 1)
    tensor = _Tensor(pointer, _Device(*device), rank, dtype, shape, strides, 0)
    managed = _Managed(tensor, None, _release)
    address = ctypes.addressof(managed)
    _in_use[address] = (managed, shape, strides, array)
    return _new_capsule(address, b"dltensor", _release_unused)
