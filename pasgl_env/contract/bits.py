"""Sets of up to 32 members as bits of an integer, for compiled rules."""

from __future__ import annotations

import numpy as np

from pasgl_env.jit.compiled import rule, wide

WIDTH = 32
_DE_BRUIJN = 0x077CB531
_BIT_OF_PATTERN = np.zeros(WIDTH, np.uint8)
for _bit in range(WIDTH):
    _BIT_OF_PATTERN[((_DE_BRUIJN << _bit) >> 27) & 31] = _bit


@rule
def lowest(members: int) -> int:
    """The lowest member of a non-empty set, without a branch.

    Multiplication by a de Bruijn sequence moves a distinct pattern for each bit to the top.
    """
    return wide(_BIT_OF_PATTERN[(((members & -members) * _DE_BRUIJN) >> 27) & 31])


@rule
def size(members: int) -> int:
    """The number of members, by sums over ever more bits at once."""
    pairs = members - ((members >> 1) & 0x55555555)
    fours = (pairs & 0x33333333) + ((pairs >> 2) & 0x33333333)
    return ((((fours + (fours >> 4)) & 0x0F0F0F0F) * 0x01010101) >> 24) & 0xFF
