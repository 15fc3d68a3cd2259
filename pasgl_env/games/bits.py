"""Sets of up to 32 things as bits of an integer, for compiled rules."""

from __future__ import annotations

import numpy as np

from pasgl_env.engine.compiled import rule, wide

WIDTH = 32
_DE_BRUIJN = 0x077CB531
_BIT_OF_PATTERN = np.zeros(WIDTH, np.uint8)
for _bit in range(WIDTH):
    _BIT_OF_PATTERN[((_DE_BRUIJN << _bit) >> 27) & 31] = _bit


@rule
def lowest(members: int) -> int:
    """The lowest-numbered member of a set that is not empty, without a branch.

    A product with a de Bruijn sequence moves a pattern of its own for each bit to the top.
    """
    return wide(_BIT_OF_PATTERN[(((members & -members) * _DE_BRUIJN) >> 27) & 31])
