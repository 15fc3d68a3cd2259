"""Retrograde analysis: results and distances where there are no dice, and games can cycle."""

from __future__ import annotations

import numpy as np

from pasgl_env.jit.compiled import rule, wide
from pasgl_env.jit.slices import Slices
from pasgl_env.solving.graph import Graph, Report
from pasgl_env.solving.loops import OVER

NO_END = -1
"""The distance of positions in which neither team can force a win."""

_UNKNOWN = np.iinfo(np.int32).max
_DISTANCE, _NOW, _LATER, _AT = range(4)


def analyse(graph: Graph, report: Report) -> tuple[np.ndarray, np.ndarray]:
    """The result of each position under best play, and the number of turns until then.

    Teams that win do so as soon as they can, those that lose as late as they can.

    Returns:
        ``int8[n]``: 1 if team 0 wins, -1 if team 1 does, 0 if neither can force a win: the game is
        drawn or never ends. ``int32[n]``: the turns to be completed, :data:`NO_END` for the latter.
    """
    edges, count = graph.edges, graph.count
    first, sources = np.zeros(count + 1, np.int64), np.zeros(edges.targets.size, np.uint32)
    reverse(edges.first, edges.targets, first, sources)
    result = np.zeros(count, np.int8)
    left = np.diff(edges.first).astype(np.int32)
    soonest, latest = np.full(count, _UNKNOWN, np.int32), np.zeros(count, np.int32)
    stacks = np.zeros((2, count), np.uint32)
    decided = np.flatnonzero((edges.owner == OVER) & (edges.outcome != 0))
    soonest[decided] = 0
    stacks[0, : decided.size] = decided
    progress = np.array([0, decided.size, 0, 0])

    links = edges.owner, edges.outcome, first, sources

    def call(steps: int) -> bool:
        is_done = spread(*links, result, left, soonest, latest, stacks, progress, steps)
        report(0.5, f"wins in up to {progress[_DISTANCE]:,} turns")
        return bool(is_done)

    Slices().run(call)
    return result, np.where(result == 0, NO_END, soonest)


@rule
def reverse(
    first: np.ndarray, targets: np.ndarray, first_source: np.ndarray, sources: np.ndarray
) -> None:
    """Turn edges round: write the sources of each position, with the mark for complete turns."""
    nodes = first.size - 1
    for edge in range(targets.size):
        first_source[(targets[edge] >> 1) + 1] += 1
    for node in range(nodes):
        first_source[node + 1] += first_source[node]
    # Each fills its sources from the end of the one before, which then is its beginning.
    for node in range(nodes - 1, -1, -1):
        for edge in range(first[node], first[node + 1]):
            target = (wide(targets[edge]) >> 1) + 1
            first_source[target] -= 1
            sources[first_source[target]] = 2 * node + (wide(targets[edge]) & 1)
    for node in range(nodes):
        first_source[node] = first_source[node + 1]
    first_source[nodes] = targets.size


@rule
def spread(
    owner: np.ndarray,
    outcome: np.ndarray,
    first: np.ndarray,
    sources: np.ndarray,
    result: np.ndarray,
    left: np.ndarray,
    soonest: np.ndarray,
    latest: np.ndarray,
    stacks: np.ndarray,
    progress: np.ndarray,
    steps: int,
) -> bool:
    """Spread results backwards from the positions in ``stacks``, those of one distance at a time.

    Whoever can reach a position that is won for his team wins, in the fewest turns of all such
    positions. Whoever can only reach lost ones (none are ``left``) loses, in the most turns.
    ``progress`` holds the distance, the number of positions of that distance that wait in one of
    the stacks, the number in the other one, which are farther by a turn, and which one it is.
    Returns whether nothing is left to do.
    """
    while steps > 0:
        steps -= 1
        if progress[_NOW] == 0:
            if progress[_LATER] == 0:
                return True
            progress[_NOW], progress[_LATER] = progress[_LATER], 0
            progress[_DISTANCE] += 1
            progress[_AT] = 1 - progress[_AT]
        progress[_NOW] -= 1
        node = wide(stacks[progress[_AT], progress[_NOW]])
        if result[node] != 0:
            continue
        if owner[node] == OVER:
            won = wide(outcome[node])
        else:
            loses = left[node] == 0
            won = 1 if (owner[node] == 0) != loses else -1
        result[node] = won
        winner = 0 if won > 0 else 1
        for edge in range(first[node], first[node + 1]):
            source, turn = wide(sources[edge]) >> 1, wide(sources[edge]) & 1
            distance = progress[_DISTANCE] + turn
            if result[source] != 0:
                continue
            if owner[source] == winner:
                if distance < soonest[source]:
                    soonest[source] = distance
                    _wait(stacks, progress, source, turn)
            else:
                left[source] -= 1
                latest[source] = max(latest[source], distance)
                if left[source] == 0:
                    soonest[source] = latest[source]
                    farther = wide(latest[source]) - progress[_DISTANCE]
                    _wait(stacks, progress, source, farther)
    return False


@rule
def _wait(stacks: np.ndarray, progress: np.ndarray, node: int, farther: int) -> None:
    """Put a position on the stack of this distance, or on the other one."""
    stack = wide(progress[_AT]) ^ farther
    stacks[stack, progress[_NOW + farther]] = node
    progress[_NOW + farther] += 1
