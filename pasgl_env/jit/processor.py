"""Processors: this machine's, and the baseline for which code is compiled that others load.

Nearly all processors of a kind can do more than its baseline; code for it is as fast.
"""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from typing import NamedTuple

import llvmlite.binding as llvm
from numba.core import config


class Processor(NamedTuple):
    """A processor as LLVM describes it.

    Attributes:
        name: value of Numba's setting ``NUMBA_CPU_NAME``.
        features: value of ``NUMBA_CPU_FEATURES``.
    """

    name: str
    features: str

    @property
    def settings(self) -> dict[str, str]:
        """Environment variables for a process that compiles for it."""
        return {"NUMBA_CPU_NAME": self.name, "NUMBA_CPU_FEATURES": self.features}

    @property
    def key(self) -> str:
        """A short text for the names of files."""
        return hashlib.sha256("".join(self).encode()).hexdigest()[:8]


_X86_64 = Processor("x86-64-v2", "+cx16,+popcnt,+sahf,+sse3,+sse4.1,+sse4.2,+ssse3")
_ARM64 = Processor("generic", "+fp-armv8,+neon")
_BASELINES = {"x86_64": _X86_64, "amd64": _X86_64, "aarch64": _ARM64, "arm64": _ARM64}


@cache
def target() -> Processor:
    """The processor for which this process compiles: this machine's, unless Numba is told so."""
    name, features = config.CPU_NAME, config.CPU_FEATURES
    return Processor(
        llvm.get_host_cpu_name() if name is None else name,
        str(_features()) if features is None else features,
    )


@cache
def baseline() -> Processor | None:
    """The baseline of this machine; None if its processor is less, or of another kind."""
    found = _BASELINES.get(platform.machine().lower())
    if found is None:
        return None
    present = _features()
    has_all = all(present.get(feature[1:]) for feature in found.features.split(","))
    return found if has_all else None


def _features() -> dict[str, bool]:
    try:
        return dict(llvm.get_host_cpu_features())
    except RuntimeError:  # LLVM does not know the processor
        return {}
