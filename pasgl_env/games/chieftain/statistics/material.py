"""The pieces of the Chieftain games; Leaders are Chieftains."""

from __future__ import annotations

import numpy as np

from pasgl_env.games.chieftain.names import KIND_NAMES
from pasgl_env.games.chieftain.rules.board import CELLS, CHIEFTAIN, LEADER_BIT, SIDE_BIT

KINDS = tuple(KIND_NAMES.values())
COVARIATES: tuple[str, ...] = ()
UNIT = "Man"

# The content of a cell for each side and kind.
_HELD = SIDE_BIT[:, None] | np.arange(1, len(KINDS) + 1, dtype=np.uint8)
_HOLDINGS = 256


def count(states: np.ndarray) -> np.ndarray:
    """See :class:`pasgl_env.contract.parts.Material`."""
    cells = states["board"].reshape(-1, CELLS) + _HOLDINGS * np.arange(states.size)[:, None]
    number = np.bincount(cells.reshape(-1), minlength=_HOLDINGS * states.size)
    held = number.reshape(-1, _HOLDINGS)
    each = held[:, _HELD]
    each[:, :, CHIEFTAIN] += held[:, _HELD[:, CHIEFTAIN] | LEADER_BIT]
    return each
