"""Exact values of all positions that can be reached from small ones."""

from __future__ import annotations

from pasgl_env.solving.estimate import SizeEstimate, estimate
from pasgl_env.solving.graph import TooMany
from pasgl_env.solving.iteration import CERTAIN, SAME
from pasgl_env.solving.loops import MISSING
from pasgl_env.solving.retrograde import NO_END
from pasgl_env.solving.solver import solve
from pasgl_env.solving.table import Exact, ValueTable

__all__ = [
    "CERTAIN",
    "MISSING",
    "NO_END",
    "SAME",
    "Exact",
    "SizeEstimate",
    "TooMany",
    "ValueTable",
    "estimate",
    "solve",
]
