"""Sequential tests of a share of games, which stop a playtest early at stated error rates.

Is White's score below 45%, above 55%, or between the two? The test needs only sums over pairs of
games, and may look at them as often as one likes: see :mod:`pasgl_env.statistics.sequential`.

Needs SciPy.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, log
from typing import Any, Literal, NamedTuple

import numpy as np

from pasgl_env.contract.game import meant
from pasgl_env.playtest import generic
from pasgl_env.playtest.counting import Counts, cells_of, table_of
from pasgl_env.playtest.pick import Pick, unknown_label
from pasgl_env.playtest.play import Plan
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.sequential import confidence_sequence, failures, log_evidence, per_pair

Verdict = Literal["below", "between", "above"]

_TRIALS = (generic.GAMES, generic.DECISIVE)
"""The cells by which the shares that can be tested are divided: at most 1 in a game."""


class StoppingDecision(NamedTuple):
    """The result of a sequential test.

    Attributes:
        rule: the test.
        verdict: None while it is undecided.
        estimate: of the share, with its 95% confidence sequence.
    """

    rule: StoppingRule
    verdict: Verdict | None
    estimate: Estimate

    @property
    def sentence(self) -> str:
        """The result in words."""
        rule = self.rule
        if self.verdict is None:
            return f"Undecided: these games do not show whether {rule.pick} is {rule.choices}."
        limits = {
            "below": f"{rule.low:g}",
            "between": f"{rule.low:g} and {rule.high:g}",
            "above": f"{rule.high:g}",
        }
        return f"{rule.pick} is {self.verdict} {limits[self.verdict]}."

    def to_dict(self) -> dict[str, Any]:
        """Values for JSON."""
        rule = self.rule
        return {
            "measure": str(rule.pick),
            "low": rule.low,
            "high": rule.high,
            "alpha": rule.alpha,
            "beta": rule.beta,
            "verdict": self.verdict,
        }


@dataclass(frozen=True)
class StoppingRule:
    """A sequential test of whether a share is below two limits, between them or above.

    Attributes:
        pick: the share, a single number.
        low: the lower limit.
        high: the upper limit; equal to ``low`` to test for below and above only.
        alpha: error rate of ``below`` and ``above``.
        beta: error rate of ``between``.
        share: games are above or below this share, if they are not between the limits; None: above
            ``high`` or below ``low``.

    Raises:
        ValueError: if the limits are not shares in ascending order, or an error rate is not
            between 0 and 0.5.
    """

    pick: Pick
    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05
    share: float | None = None

    def __post_init__(self) -> None:
        if not (isfinite(self.low) and isfinite(self.high) and 0 <= self.low <= self.high <= 1):
            raise ValueError(
                "a sequential test is about a share of games, with limits from 0 to 1, the lower"
                " one first, such as first_mover_score=0.45..0.55, not"
                f" {self.pick}={self.low:g}..{self.high:g}"
            )
        if (self.low, self.high) in ((0, 0), (0, 1), (1, 1)):
            raise ValueError(f"{self.low:g}..{self.high:g} leaves nothing to test")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(f"{name} must be above 0 and below 0.5, not {getattr(self, name)}")

    @classmethod
    def read(cls, text: str, alpha: float = 0.05, beta: float = 0.05) -> StoppingRule:
        """Parse ``MEASURE=LOW..HIGH`` or ``MEASURE=LIMIT``; ``ValueError`` if it is neither.

        >>> rule = StoppingRule.read("first_mover_score=0.45..0.55")
        >>> rule.low, rule.high
        (0.45, 0.55)
        """
        name, _, limits = text.rpartition("=")
        low, dots, high = limits.partition("..")
        try:
            ends = float(low), float(high if dots else low)
        except ValueError:
            ends = None
        if not name or ends is None:
            raise ValueError(
                "a sequential test is MEASURE=LOW..HIGH or MEASURE=LIMIT, such as"
                f" first_mover_score=0.45..0.55, not {text!r}"
            )
        return cls(Pick.read(name), *ends, alpha, beta)

    def __str__(self) -> str:
        limits = f"{self.low:g}..{self.high:g}" if self.low < self.high else f"{self.low:g}"
        return f"{self.pick}={limits} (alpha {self.alpha:g}, beta {self.beta:g})"

    @property
    def choices(self) -> str:
        """The possible verdicts, in words."""
        if self.low == self.high:
            return f"below or above {self.low:g}"
        below, above = f"below {self.low:g}, " * (self.low > 0), f" or above {self.high:g}"
        return f"{below}between {self.low:g} and {self.high:g}{above * (self.high < 1)}"

    def decision(self, plan: Plan, counts: Counts) -> StoppingDecision:
        """The result after the games counted; ``ValueError`` as :meth:`cell`."""
        sums = self._sums(plan, counts)
        return StoppingDecision(self, self.verdict(*sums), confidence_sequence(*sums))

    def is_decided(self, plan: Plan, counts: Counts) -> bool:
        """Whether there is a verdict after the games counted; ``ValueError`` as :meth:`cell`."""
        return self.verdict(*self._sums(plan, counts)) is not None

    def _sums(self, plan: Plan, counts: Counts) -> tuple[np.ndarray, np.ndarray]:
        """The arguments of :meth:`verdict`."""
        cell = self.cell(plan)
        divisor = table_of(plan.ruleset.game).divisors[cell]
        return per_pair(counts.sums[:, cell], plan.sides), per_pair(
            counts.sums[:, divisor], plan.sides
        )

    def verdict(self, counted: np.ndarray, divisor: np.ndarray) -> Verdict | None:
        """The verdict; None while it is undecided.

        Args:
            counted: ``float64[3]``, the sums of the successes of each pair of games, of their
                squares, and of their products with the trials.
            divisor: the same of the trials.
        """
        failed = failures(counted, divisor)
        outside, inside = log(2 / self.alpha), log(1 / self.beta)  # two ways to be outside
        if (
            self.low < self.high
            and (self.low == 0 or log_evidence(counted, divisor, self.low) >= inside)
            and (self.high == 1 or log_evidence(failed, divisor, 1 - self.high) >= inside)
        ):
            return "between"
        low, high = (self.low, self.high) if self.share is None else (self.share, self.share)
        if log_evidence(failed, divisor, 1 - low) >= outside:
            return "below"
        if log_evidence(counted, divisor, high) >= outside:
            return "above"
        return None

    def cell(self, plan: Plan) -> int:
        """The cell of the share in a tally.

        Raises:
            ValueError: if the plan's games have no such measure, or it is not a share of games or
                of decisive games.
        """
        table = table_of(plan.ruleset.game)
        shares = {
            counter.name: counter
            for counter in table.counters
            if counter.is_share and table.divisors[table.firsts[counter.name]] in _TRIALS
        }
        if self.pick.measure not in shares:
            raise ValueError(
                f"a sequential test is about shares of games or of decisive games, not"
                f" {self.pick.measure}{meant(self.pick.measure, shares)} (shares:"
                f" {', '.join(shares)})"
            )
        counter = shares[self.pick.measure]
        cells = [
            tuple(cell.values()) if cell else () for cell in cells_of(counter, plan.ruleset.seats)
        ]
        known = [cell for cell in cells if cell or not counter.axes]
        if self.pick.labels not in known:
            raise unknown_label(self.pick, list(zip(*known, strict=True)))
        return table.firsts[counter.name] + cells.index(self.pick.labels)
