"""The machine on which a study runs."""

from __future__ import annotations

import platform
from pathlib import Path


def hardware() -> str:
    """The processor's name, as reported by the system."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
