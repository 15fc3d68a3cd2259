"""Errors of the engine."""

from __future__ import annotations

from pasgl_env.contract.ruleset import Ruleset


def over_at_start(ruleset: Ruleset) -> ValueError:
    """The error for rules under which nobody can begin."""
    return ValueError(f"{ruleset}: no action is legal at the start: choose other options")


class IllegalMove(ValueError):
    """A move or action that is not legal here. The object that raises it is unchanged."""
