"""How many positions can be reached, estimated before they are enumerated."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.jit.compiled import wrapping
from pasgl_env.solving.loops import Scratch, solver_loops

SAMPLE = 200_000
"""Positions of random games that an estimate is made of."""
LONGEST = 400
"""Choices, dice included, after which these games are cut off."""


class SizeEstimate(NamedTuple):
    """What an enumeration would need.

    Attributes:
        positions: number of positions, at least.
        bytes: memory for each, while all are being solved.
    """

    positions: int
    bytes: int


def estimate(ruleset: Ruleset, state: np.ndarray, seed: int = 0) -> SizeEstimate:
    """SizeEstimate the number of positions that can be reached, from random games.

    The number is Chao's lower bound: the different positions that came up, and half of the square
    of those that came up once for each that came up twice. Positions that random play hardly ever
    reaches are not counted, so the number itself may be far larger.

    Args:
        ruleset: the variant under its options.
        state: the state from which they are reached, an array of one record.
        seed: seed of the random games.
    """
    loops, scratch = solver_loops(ruleset.game), Scratch.of(ruleset.game, ruleset.spaces)
    scratch.here[:] = state
    with wrapping():
        ruleset.game.forget(scratch.here[0], ruleset.record[0])
        base = scratch.here_words.copy()
        seen, differences = np.zeros(SAMPLE, np.int64), np.zeros_like(base)
        generators = np.array([seed], np.uint64)
        choices = loops.wander(
            scratch, ruleset.record, base, LONGEST, generators, seen, differences
        )
    times = np.unique(seen, return_counts=True)[1]
    once, twice = (int(np.count_nonzero(times == number)) for number in (1, 2))
    columns = np.count_nonzero(differences.view(np.uint8))
    links = choices / SAMPLE * 8  # there and back, or with a weight
    return SizeEstimate(times.size + once**2 // (2 * max(twice, 1)), int(columns + links + 48))
