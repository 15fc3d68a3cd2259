"""Batches whose games are played on a GPU, by the same rules. Experimental: see docs/cuda.md.

The rules of a game are compiled for the GPU as they are. Only
:func:`pasgl_env.engine.compiled.clear` is replaced: a block of threads clears the rows of its games
together before the rules write them.
"""

from __future__ import annotations

from pasgl_env.cuda.array import DeviceArray
from pasgl_env.cuda.batch import CudaBatch

__all__ = ["CudaBatch", "DeviceArray"]
