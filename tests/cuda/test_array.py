"""The interfaces of `DeviceArray` to other libraries, with CPU memory in place of the GPU's."""

import gc
import weakref

import numpy as np
import pytest

from pasgl_env.cuda.array import CPU, DeviceArray, capsule


class Owner(np.ndarray):
    """An array that supports weak references."""


class Exporter:
    """What `from_dlpack` of a library calls."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return CPU, 0

    def __dlpack__(self, **asked):
        return capsule(self.array, self.array.ctypes.data, self.__dlpack_device__())


@pytest.mark.parametrize("dtype", ["u1", "i1", "i4", "i8", "f4", "?"])
def test_shapes_strides_and_types_are_kept(dtype):
    array = (np.arange(2 * 3 * 8) % 2).astype(dtype).reshape(2, 3, 8)[:, :, :5]
    seen = np.from_dlpack(Exporter(array))
    assert (seen.dtype, seen.shape, seen.strides) == (array.dtype, array.shape, array.strides)
    assert np.array_equal(seen, array)
    assert np.shares_memory(seen, array)


def watched():
    array = np.zeros(5).view(Owner)
    return array, weakref.ref(array)


def test_memory_lives_as_long_as_it_is_used():
    array, alive = watched()
    seen = np.from_dlpack(Exporter(array))
    del array
    gc.collect()
    assert alive() is not None
    del seen
    gc.collect()
    assert alive() is None


def test_a_capsule_that_nobody_takes_releases_its_memory():
    array, alive = watched()
    unused = Exporter(array).__dlpack__()
    del array
    assert alive() is not None
    del unused
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize("asked", [{"copy": True}, {"dl_device": (7, 0)}], ids=["copy", "device"])
def test_copies_and_other_devices_are_refused(asked, monkeypatch):
    monkeypatch.setattr("pasgl_env.cuda.array.SIMULATED", True)
    with pytest.raises(BufferError):
        DeviceArray(np.zeros(3)).__dlpack__(**asked)
