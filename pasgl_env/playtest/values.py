"""The values of pieces, by logistic regression of results on differences in material.

The method is that of Pav for chess and its variants ("Inferring piece value in chess and chess
variants", arXiv 2509.04691, 2025): the log odds that side 0 wins are modelled as a sum of the value
of each kind times the surplus of that side. Points, the side to move, the player and the side are
covariates. A drawn or truncated game counts as half a win (Papke and Wooldridge, "Econometric
methods for fractional response variables", Journal of Applied Econometrics 11, 1996).

Standard errors are of the sandwich form with pairs of games as clusters (Liang and Zeger,
"Longitudinal data analysis using generalized linear models", Biometrika 73, 1986), quantiles
Student's. The value of a kind in units of another is a ratio of two estimates: its interval is
Fieller's ("Some problems in interval estimation", Journal of the Royal Statistical Society B 16,
1954), which is unbounded where the value of the unit might be 0.

Needs SciPy.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.contract import parts
from pasgl_env.evaluation.table import Table
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.positions import Sample, sample_positions
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.regression import fit_logistic, rarer
from pasgl_env.statistics.texts import interval_text, value_text

LEAST_PAIRS = 20
"""A kind has a value if the sides' numbers of it differ in at least this many pairs of games."""
LEAST_RESULTS = 10
"""Nothing has a value if there are fewer wins, losses or independent pairs for each coefficient
(Peduzzi and others, Journal of Clinical Epidemiology 49, 1996)."""
TOO_FEW = "too few"
"""Shown where there are too few games for a value."""


class Value(NamedTuple):
    """The value of a kind of piece.

    Attributes:
        kind: its name.
        relative: its value in units of another kind's.
        log_odds: the increase of the log odds of a win with one more of it.
        positions: the number of positions in which one side had more of it.
    """

    kind: str
    relative: Estimate
    log_odds: Estimate
    positions: int


class PieceValues(NamedTuple):
    """The values of all kinds.

    Attributes:
        unit: the kind whose value is 1.
        positions: their number.
        pairs: the number of pairs of games from which they are.
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
        """The values in the games of a run.

        Arguments and errors are those of :func:`sample_positions` and :func:`piece_values`.
        """
        table = parts.material(plan.ruleset.game)
        if plan.sides > 2:
            raise NotImplementedError("values of pieces are from differences between two sides")
        one, other = plan.players
        return piece_values(
            sample_positions(plan, file, progress),
            (*table.KINDS, *table.COVARIATES),
            table.UNIT,
            players_differ=one != other,
            are_varied=are_varied,
        )

    @property
    def table(self) -> Table:
        """A row for each kind."""
        return Table(
            f"Values of pieces ({self.unit} = 1)",
            ["kind", "value", "95% interval", "log odds", "95% interval"],
            [[each.kind, *_cells(each.relative), *_cells(each.log_odds)] for each in self.values],
            [f"{self.positions} positions from {self.pairs} pairs of games."],
            left=[0],
        )

    def to_dict(self) -> dict[str, Any]:
        """Values for JSON; None where there is none."""
        estimates = ("relative", "log_odds")
        return {
            "unit": self.unit,
            "positions": self.positions,
            "pairs": self.pairs,
            "kinds": [
                {**each._asdict(), **{name: getattr(each, name).__dict__ for name in estimates}}
                for each in self.values
            ],
        }


def _cells(estimate: Estimate) -> tuple[str, str]:
    """A value and its interval; a ratio of estimates may have an unbounded one."""
    is_unbounded = estimate.value is not None and estimate.low is None
    interval = "unbounded" if is_unbounded else interval_text(estimate, False)
    return value_text(estimate, False, TOO_FEW), interval


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
        players_differ: whether the two players are a covariate.
        are_varied: whether the games differ enough; otherwise nothing has a value.
    """
    others = [np.ones_like(sample.to_move), sample.to_move]
    if players_differ:
        others.append(sample.player)
    known = [np.unique(sample.pair[lead != 0]).size >= LEAST_PAIRS for lead in sample.lead.T]
    if not (are_varied and _is_enough(sample, sum(known) + len(others))):
        known = [False] * len(known)
    fitted = fit_logistic(
        np.column_stack([np.where(known, sample.lead, 0), *others]), sample.result, sample.pair
    )
    at = names.index(unit)
    values = (
        Value(name, fitted.ratio(number, at), fitted.estimate(number), int((lead != 0).sum()))
        for number, (name, lead) in enumerate(zip(names, sample.lead.T, strict=True))
    )
    return PieceValues(unit, sample.pair.size, np.unique(sample.pair).size, tuple(values))


def _is_enough(sample: Sample, coefficients: int) -> bool:
    """Whether there are enough results for this number of coefficients."""
    rarest = min(rarer(sample.result), np.unique(sample.pair).size)
    return rarest >= LEAST_RESULTS * coefficients
