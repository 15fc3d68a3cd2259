"""Value iteration with bounds: expected results where there are dice."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import log

import numpy as np

from pasgl_env.jit.compiled import rule, wide
from pasgl_env.jit.slices import Slices
from pasgl_env.solving.graph import Graph, Report
from pasgl_env.solving.loops import CHANCE, OVER

LARGEST_ERROR = 1e-9
"""Of expected results whose bounds meet."""
SAME = 2 * LARGEST_ERROR
"""Expected results that differ by no more count as equal: they are not known more exactly."""
CERTAIN = 1 - SAME
"""The least expected result that counts as a certain win."""
_STILL = 1e-13
"""Changes in a sweep below which bounds that do not meet are given back as they are."""


def analyse(graph: Graph, report: Report) -> tuple[np.ndarray, np.ndarray]:
    """The expected result of each position for team 0 under best play of both, between bounds.

    A game that never ends is a draw. Where a team can rule out that it loses, whatever the dice
    show, it gets 0 at least; otherwise its bound is what it gets if it loses games that never end.
    Sweeps make the bounds narrower, and each keeps them valid. They go on until no bounds are more
    than :data:`SAME` apart, or until they do not change any more: then players can
    keep games from ending in ways that the bounds do not see through.

    Returns:
        ``float64[n]``, ``float64[n]``: the lower and the upper bounds.
    """
    edges, count, over = graph.edges, graph.count, graph.edges.owner == OVER
    risks = np.where(over & (edges.outcome < 0), 1, 0) | np.where(over & (edges.outcome > 0), 2, 0)
    risks = risks.astype(np.uint8)
    links, changed = (edges.owner, edges.first, edges.targets), np.ones(1)
    while changed[0]:
        changed[0] = 0
        _backwards(count, lambda start, stop: mark_risks(*links, risks, changed, start, stop))
    low = np.where(over, edges.outcome, np.where(risks & 1, -1.0, 0.0))
    high = np.where(over, edges.outcome, np.where(risks & 2, 1.0, 0.0))
    arguments = *links, edges.weights, low, high
    gap, moved, sweeps = 2.0, 2.0, 0
    while gap > SAME and moved > _STILL:
        widest = np.zeros(2)
        _backwards(count, partial(sweep, *arguments, widest))
        sweeps += 1
        gap, moved = widest.tolist()
        done = log(2 / max(gap, LARGEST_ERROR)) / log(1 / LARGEST_ERROR)
        report(min(done, 1.0), f"sweep {sweeps}: bounds {gap:.1e} apart")
    return low, high


def _backwards(count: int, work: Callable[[int, int], object]) -> None:
    """Call a function for ranges of positions, the last ones first, until all are done."""
    stop = count

    def call(steps: int) -> bool:
        nonlocal stop
        start = max(0, stop - 16 * steps)
        work(start, stop)
        stop = start
        return stop == 0

    Slices().run(call)


@rule
def mark_risks(
    owner: np.ndarray,
    first: np.ndarray,
    targets: np.ndarray,
    risks: np.ndarray,
    changed: np.ndarray,
    start: int,
    stop: int,
) -> None:
    """Mark positions in which a team cannot rule out that it loses: bit 0 for team 0, bit 1 for 1.

    It cannot if dice or the other team may bring about such a position, or it has to do so itself.
    """
    for node in range(stop - 1, start - 1, -1):
        if owner[node] != OVER and risks[node] != 3:
            some, every = 0, 3
            for edge in range(first[node], first[node + 1]):
                risk = wide(risks[targets[edge] >> 1])
                some |= risk
                every &= risk
            own = 0 if owner[node] == CHANCE else 1 << wide(owner[node])
            risk = (some & ~own) | (every & own)
            if risk != risks[node]:
                risks[node] = risk
                changed[0] = 1


@rule
def sweep(
    owner: np.ndarray,
    first: np.ndarray,
    targets: np.ndarray,
    weights: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    widest: np.ndarray,
    start: int,
    stop: int,
) -> None:
    """Renew the bounds of positions, the last ones first, which those before them build on.

    ``widest`` collects the largest difference of bounds, and the largest change of one.
    """
    for node in range(stop - 1, start - 1, -1):
        if owner[node] == OVER or low[node] == high[node]:
            continue
        if owner[node] == CHANCE:
            total, below, above = wide(0), 0.0, 0.0
            for edge in range(first[node], first[node + 1]):
                weight, target = weights[edge], targets[edge] >> 1
                total += weight
                below += weight * low[target]
                above += weight * high[target]
            below, above = below / total, above / total
        else:
            sign = 1.0 if owner[node] == 0 else -1.0
            below = above = -2.0
            for edge in range(first[node], first[node + 1]):
                target = targets[edge] >> 1
                below = max(below, sign * low[target])
                above = max(above, sign * high[target])
            below, above = sign * below, sign * above
        below, above = max(low[node], below), min(high[node], above)
        widest[1] = max(widest[1], below - low[node], high[node] - above)
        low[node], high[node] = below, above
        widest[0] = max(widest[0], high[node] - low[node])
