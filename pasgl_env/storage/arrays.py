"""Files of arrays (``.npz``) whose headers cannot ask for more memory than such a file may need.

Zeros compress to a thousandth. So a small file could hold, or claim to hold, far more than memory
has room for. Files of :func:`packed` never hold more than :data:`MOST_RATIO` times their size,
unless that is less than :data:`ALWAYS_ALLOWED`, and :func:`unpacked` refuses the others unread.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Collection, Mapping

import numpy as np

MOST_RATIO = 50
ALWAYS_ALLOWED = 1 << 26
"""Bytes that a file of any size may hold."""


def packed(arrays: Mapping[str, np.ndarray]) -> memoryview:
    """The content of a file of arrays, compressed if that does not make it suspiciously small."""
    content = _zipped(arrays, zipfile.ZIP_DEFLATED)
    if sum(array.nbytes for array in arrays.values()) >= _most(content.nbytes):
        content = _zipped(arrays, zipfile.ZIP_STORED)
    return content


def _zipped(arrays: Mapping[str, np.ndarray], compression: int) -> memoryview:
    """As :func:`numpy.savez` does, which has no way to refuse objects before NumPy 2.1."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", compression) as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, array, allow_pickle=False)
    return content.getbuffer()


def unpacked(content: bytes, names: Collection[str]) -> dict[str, np.ndarray]:
    """The arrays of these names in a file's content; nothing in it is executed.

    Raises:
        ValueError: if it holds other arrays, or claims to hold more than it may.
        Exception: of almost any kind, if it is damaged.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = archive.infolist()
    if sorted(entry.filename for entry in entries) != sorted(f"{name}.npy" for name in names):
        raise ValueError(f"it must hold the arrays {', '.join(names)}, and no others")
    size, most = sum(entry.file_size for entry in entries), _most(len(content))
    if size > most:
        raise ValueError(
            f"it claims to hold {size:,} bytes, more than the {most:,} of any such file"
        )
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return {name: arrays[name] for name in names}


def _most(size: int) -> int:
    """The number of bytes that a file of this size may hold."""
    return max(ALWAYS_ALLOWED, MOST_RATIO * size)
