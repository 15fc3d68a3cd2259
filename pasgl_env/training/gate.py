"""A sequential test of whether new values should replace old ones. Needs SciPy.

As in the development of chess engines, new values must prove stronger, with stated error
rates, in as few games as possible.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pasgl_env.evaluation.duel import duel
from pasgl_env.games.contract import OptionValue
from pasgl_env.statistics.sprt import Hypothesis, Sprt

GAMES_AT_ONCE = 64


@dataclass(frozen=True)
class Gate:
    """The result of the test.

    Attributes:
        verdict: ``H1``: the new values are stronger; ``H0``: they are not stronger by the required
            amount; None: undecided after all games.
        games: number of games played.
        score: score of the new values.
        pairs: number of game pairs in which the new values scored 0, 0.5, 1, 1.5 and 2 points.
    """

    verdict: Hypothesis | None
    games: int
    score: float
    pairs: tuple[int, ...]

    @property
    def accepted(self) -> bool:
        """Whether the new values are accepted."""
        return self.verdict == "H1"


def compare(
    variant: str,
    new: Any,
    old: Any,
    *,
    test: Sprt | None = None,
    most: int = 4000,
    seed: int = 0,
    progress: Callable[[str], None] | None = None,
    **options: OptionValue,
) -> Gate:
    """Play pairs of games between two players until the test reaches a verdict.

    Args:
        variant: a variant for two players or teams.
        new: a player, or anything that :func:`pasgl_env.players.as_player` accepts.
        old: the player to beat, likewise.
        test: the hypotheses; None for 0 and 30 Elo points with error rates of 5%.
        most: maximum number of games.
        seed: seed of openings, dice and players.
        progress: called with the current result after every 64 games.
        options: the variant's options.
    """
    test = Sprt(elo0=0, elo1=30) if test is None else test
    pairs = np.zeros(5, np.int64)
    games = 0
    while games < most and test.verdict(pairs.tolist()) is None:
        part = int(np.random.SeedSequence((seed, games)).generate_state(1)[0])
        size = min(GAMES_AT_ONCE, most - games)
        pairs += duel(variant, new, old, size, seed=part, **options).pairs
        games += size
        if progress:
            progress(f"{games} games, {_score(pairs):.1%}")
    return Gate(test.verdict(pairs.tolist()), games, _score(pairs), tuple(pairs.tolist()))


def _score(pairs: np.ndarray) -> float:
    return float(pairs @ np.arange(5) / (4 * max(pairs.sum(), 1)))
