"""Errors of the engine."""

from __future__ import annotations


class IllegalMove(ValueError):
    """A move or action that is not legal here. What it was asked of is unchanged."""
