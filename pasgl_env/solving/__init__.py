"""Exact values of all positions that can be reached from small ones."""

from __future__ import annotations

from pasgl_env.solving.estimate import Estimate, estimate
from pasgl_env.solving.graph import TooMany
from pasgl_env.solving.loops import MISSING
from pasgl_env.solving.retrograde import NO_END
from pasgl_env.solving.solve import solve
from pasgl_env.solving.table import Exact, Table

__all__ = ["MISSING", "NO_END", "Estimate", "Exact", "Table", "TooMany", "estimate", "solve"]
