"""Simulated results of players of known strength."""

from itertools import combinations

import numpy as np

from pasgl_env.statistics.clustered import sums_of
from pasgl_env.statistics.ratings import Pairing, expected_score

KINDS = "independent", "alike", "opposed"


def simulated_pairs(rng, elo, pairs, draws=0.0, kind="independent"):
    """What the first player scores in pairs of games: ``float64[pairs]``.

    ``draws``, 0 to 1: the share of the less likely result, and as much of the other, that becomes
    draws; the expected score stays. ``kind``: how luck in the second game of a pair follows from
    that in the first.
    """
    score = expected_score(elo)
    half_of_draws = draws * min(score, 1 - score)
    first = rng.random(pairs)
    second = {"independent": rng.random(pairs), "alike": first, "opposed": 1 - first}[kind]
    return sum(
        (luck < score - half_of_draws) / 2 + (luck < score + half_of_draws) / 2
        for luck in (first, second)
    )


def simulated_tournament(rng, elos, pairs, draws=0.0, kind="independent"):
    """A round robin of players of these strengths."""
    return [
        Pairing(one, other, simulated_pairs(rng, elos[one] - elos[other], pairs, draws, kind))
        for one, other in combinations(range(len(elos)), 2)
    ]


def sums(counted, divisor=None) -> tuple[np.ndarray, np.ndarray]:
    """Of pairs: what evidence is taken from."""
    counted = np.array(counted, np.float64)
    by = np.full(counted.size, 2.0) if divisor is None else np.array(divisor, np.float64)
    return sums_of(counted, by), sums_of(by, by)
