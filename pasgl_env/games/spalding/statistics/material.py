"""The pieces of Captain Spalding Chess; neutral ones are nobody's."""

from __future__ import annotations

import numpy as np

from pasgl_env.games.spalding.state import KINDS as _NUMBER_OF_KINDS

KINDS = (
    "Box",
    "Pajama",
    "Great Pajama",
    "Rhino",
    "Headless Rhino",
    "Bat",
    "Booh",
    "Crumb",
    "Cookie Monster",
    "Elephant",
    "Great Elephant",
)
COVARIATES: tuple[str, ...] = ()
UNIT = "Elephant"


def count(states: np.ndarray) -> np.ndarray:
    """See :mod:`pasgl_env.playtest.lab.material`."""
    number = states["number"][:, 1 : 2 * _NUMBER_OF_KINDS + 1]
    return number.reshape(-1, 2, _NUMBER_OF_KINDS).astype(np.int64)
