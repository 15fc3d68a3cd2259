"""Errors of the engine."""

from __future__ import annotations


class IllegalMove(ValueError):
    """A move or action that is not legal here. The object that raises it is unchanged."""
