"""The values of pieces, by logistic regression of results on differences in material.

As Pav does for chess and its variants (Steven E. Pav, "Inferring piece value in chess and chess
variants", arXiv 2509.04691, 2025): the logarithm of the odds that side 0 wins is taken to be a sum
of what each kind is worth, times how many more of it the side has. Points, who is to move, who
plays and which side it is are in the sum as well. A drawn or truncated game counts as half won
(Papke and Wooldridge, "Econometric methods for fractional response variables", Journal of Applied
Econometrics 11, 1996).

Intervals allow for what the two games of a pair have in common: standard errors are of the sandwich
form with pairs as clusters (Liang and Zeger, "Longitudinal data analysis using generalized linear
models", Biometrika 73, 1986), quantiles Student's. A kind's worth in units of another's is a ratio
of two estimates: its interval is Fieller's ("Some problems in interval estimation", Journal of the
Royal Statistical Society B 16, 1954), which has no ends where the unit might be worth nothing.

Needs SciPy.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pasgl_env import variants
from pasgl_env.games import parts
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.positions import Sample, sample_positions
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.regression import fit_logistic

LEAST_PAIRS = 20
"""A kind is valued if it makes a difference in so many pairs of games."""
LEAST_RESULTS = 10
"""Anything is if there are so many wins, and losses, and independent pairs, for each number that is
estimated (Peduzzi and others, Journal of Clinical Epidemiology 49, 1996)."""
TOO_FEW = "too few"
"""What stands where there are too few games for a value."""


class Value(NamedTuple):
    """What a kind of piece is worth.

    Attributes:
        kind: its name.
        relative: its value, that of the unit being 1; without a value where either is unknown.
        log_odds: by how much one more raises the logarithm of the odds to win.
        positions: in how many one side had more of it.
    """

    kind: str
    relative: Estimate
    log_odds: Estimate
    positions: int


class PieceValues(NamedTuple):
    """The values of all kinds.

    Attributes:
        unit: the kind whose value is called 1.
        positions: how many there were.
        pairs: of how many pairs of games they were.
        values: in the order of the game's table.
    """

    unit: str
    positions: int
    pairs: int
    values: tuple[Value, ...]

    @classmethod
    def of(
        cls,
        plan: Plan,
        file: Path,
        progress: Callable[[int], None] = lambda games: None,
        *,
        are_varied: bool = True,
    ) -> PieceValues:
        """The values in a run's games; no kind has one unless the games ``are_varied``.

        The other arguments and errors are those of :func:`sample_positions`.
        """
        table = parts.material(variants.find(plan.variant))
        one, other = plan.players
        sample = sample_positions(plan, file, progress)
        return piece_values(
            sample,
            (*table.KINDS, *table.COVARIATES),
            table.UNIT,
            players_differ=one != other,
            are_varied=are_varied,
        )

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON; what is unknown is None."""
        return {
            "unit": self.unit,
            "positions": self.positions,
            "pairs": self.pairs,
            "kinds": [
                {
                    "kind": value.kind,
                    "relative": value.relative.__dict__,
                    "log_odds": value.log_odds.__dict__,
                    "positions": value.positions,
                }
                for value in self.values
            ],
        }


def piece_values(
    sample: Sample,
    names: tuple[str, ...],
    unit: str,
    *,
    players_differ: bool,
    are_varied: bool = True,
) -> PieceValues:
    """The values of kinds and covariates.

    Args:
        sample: positions.
        names: of the columns of ``sample.lead``.
        unit: one of them.
        players_differ: whether the result may depend on which player has which side.
        are_varied: whether the games are different enough to tell anything.
    """
    told = [_pairs_that_tell(sample, column) >= LEAST_PAIRS for column in sample.lead.T]
    if not (are_varied and _is_enough(sample, sum(told))):
        told = [False] * len(told)
    others = [np.ones_like(sample.to_move), sample.to_move]
    if players_differ:
        others.append(sample.player)
    fitted = fit_logistic(
        np.column_stack([np.where(told, sample.lead, 0), *others]), sample.result, sample.pair
    )
    at = names.index(unit)
    values = (
        Value(name, fitted.ratio(number, at), fitted.estimate(number), int((lead != 0).sum()))
        for number, (name, lead) in enumerate(zip(names, sample.lead.T, strict=True))
    )
    return PieceValues(unit, sample.pair.size, np.unique(sample.pair).size, tuple(values))


def _is_enough(sample: Sample, kinds: int) -> bool:
    """Whether there are results enough to value so many kinds, and who is to move and the side."""
    won = float(sample.result.sum())
    rarest = min(won, sample.result.size - won, np.unique(sample.pair).size)
    return rarest >= LEAST_RESULTS * (kinds + 2)


def _pairs_that_tell(sample: Sample, lead: np.ndarray) -> int:
    return np.unique(sample.pair[lead != 0]).size
