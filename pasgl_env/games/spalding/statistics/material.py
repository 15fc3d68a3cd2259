"""The pieces of Captain Spalding Chess; neutral ones are nobody's."""

from __future__ import annotations

import numpy as np

from pasgl_env.games.spalding.names import KIND_NAMES
from pasgl_env.games.spalding.rules.state import KINDS as _NUMBER_OF_KINDS

KINDS = tuple(KIND_NAMES[kind] for kind in range(1, _NUMBER_OF_KINDS + 1))
COVARIATES: tuple[str, ...] = ()
UNIT = "Elephant"


def count(states: np.ndarray) -> np.ndarray:
    """See :class:`pasgl_env.contract.parts.Material`."""
    number = states["number"][:, 1 : 2 * _NUMBER_OF_KINDS + 1]
    return number.reshape(-1, 2, _NUMBER_OF_KINDS).astype(np.int64)
