"""The warning about games that may never end."""

from __future__ import annotations

import warnings

import numpy as np

MANY_TURNS = 10_000
"""More turns than any game that ended by itself is known to have lasted."""


def warn_if_endless(variant: str, turns: np.ndarray) -> None:
    """Warn, once, if one of these games has lasted very long without an end.

    Args:
        variant: a name of :func:`pasgl_env.contract.variants.names`.
        turns: the turns completed in each game, by all players together.
    """
    if turns.max(initial=0) >= MANY_TURNS:
        warnings.warn(
            f"a game of {variant} has not ended after {MANY_TURNS:,} turns and may never end: set"
            " the option turn_limit, such as turn_limit=500, or interrupt with Ctrl-C",
            stacklevel=2,
        )
