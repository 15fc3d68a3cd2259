"""Batches whose games run on a GPU, with the same rules. Experimental: see docs/cuda.md.

The rules of a game are compiled for the GPU unchanged, except that a block of threads clears the
rows of its games together before the rules write them, instead of
:func:`pasgl_env.jit.compiled.clear`.
"""

from __future__ import annotations

from pasgl_env.cuda.array import DeviceArray
from pasgl_env.cuda.batch import CudaBatch

__all__ = ["CudaBatch", "DeviceArray"]
