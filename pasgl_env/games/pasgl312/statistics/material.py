"""The critters of PASGL 312 Chess, carriers with and without lunch, and points.

Both Bears live as long as a game lasts, so only their lunches matter.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.games.pasgl312.names import KIND_NAMES
from pasgl_env.games.pasgl312.rules.board import DEAD
from pasgl_env.games.pasgl312.rules.state import CHIPMUNK, CRITTERS, HUNTER, SIDE, SKUNK, SLOT_KIND

_CARRIERS = KIND_NAMES[: SKUNK + 1]

KINDS = (*KIND_NAMES[HUNTER:], *(f"{name} without lunch" for name in _CARRIERS))
COVARIATES = ("point",)
UNIT = "point"

_LUNCHLESS = len(KIND_NAMES)  # offset of carriers without lunch
_NUMBERS = np.array(
    [*range(HUNTER, _LUNCHLESS), *range(_LUNCHLESS, _LUNCHLESS + len(_CARRIERS))], np.int8
)
_NO_KIND = -1


def count(states: np.ndarray) -> np.ndarray:
    """See :class:`pasgl_env.contract.parts.Material`."""
    kinds = np.where(_members(states["promoted"]), CHIPMUNK, np.tile(SLOT_KIND, 2))
    kinds = kinds + _LUNCHLESS * _members(states["lunchless"])
    kinds = np.where(states["where"] == DEAD, _NO_KIND, kinds).reshape(-1, 2, SIDE, 1)
    return np.concatenate(
        [(kinds == _NUMBERS).sum(axis=2), states["score"][:, :, None]], axis=2, dtype=np.int64
    )


def _members(critters: np.ndarray) -> np.ndarray:
    """The members of each set of critters: ``bool[n, 32]``."""
    return (critters[:, None] >> np.arange(CRITTERS, dtype=np.uint32)) & 1 == 1
