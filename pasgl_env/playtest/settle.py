"""Answering a question about a share in as few games as it takes, at stated error rates.

Is White's score below 45%, above 55%, or between the two? The folder of a run has sums over pairs
of games, and the answer is looked for in them as often as one likes: see
:mod:`pasgl_env.statistics.sequential`.

Needs SciPy.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, log
from typing import Any, Literal, NamedTuple

import numpy as np

from pasgl_env import variants
from pasgl_env.games.contract import options_array
from pasgl_env.games.counters import SEAT, Counter
from pasgl_env.playtest import generic
from pasgl_env.playtest.counting import Counts, table_of
from pasgl_env.playtest.pick import Pick, some_of, unknown_label
from pasgl_env.playtest.play import Plan
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.sequential import confidence_sequence, failures, log_evidence

Verdict = Literal["below", "inside", "above"]

_TRIALS = (generic.GAMES, generic.DECISIVE)
"""The cells that a share may be one of: a game counts at most 1 in them."""


class Settled(NamedTuple):
    """How a question stands.

    Attributes:
        question: what was asked.
        verdict: the answer; None if there is none yet.
        estimate: of the share, with its 95% confidence sequence.
    """

    question: Question
    verdict: Verdict | None
    estimate: Estimate

    @property
    def sentence(self) -> str:
        """The answer in words."""
        question = self.question
        limits = {
            "below": f"below {question.low:g}",
            "inside": f"between {question.low:g} and {question.high:g}",
            "above": f"above {question.high:g}",
        }
        if self.verdict is None:
            return f"The games do not settle whether {question.pick} is {question.choices}."
        return f"{question.pick} is {limits[self.verdict]}."

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON; what is unknown is None."""
        question = self.question
        return {
            "measure": str(question.pick),
            "low": question.low,
            "high": question.high,
            "alpha": question.alpha,
            "beta": question.beta,
            "verdict": self.verdict,
        }


@dataclass(frozen=True)
class Question:
    """Whether a share is below two limits, between them or above.

    Attributes:
        pick: the share, a single number.
        low: the lower limit.
        high: the upper limit; the same as ``low`` if only the sides matter.
        alpha: how often ``below`` or ``above`` may be answered wrongly.
        beta: how often ``inside`` may be answered wrongly.

    Raises:
        ValueError: for limits that are not shares or in the wrong order, or rates that are not
            above 0 and below 0.5.
    """

    pick: Pick
    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (isfinite(self.low) and isfinite(self.high) and 0 <= self.low <= self.high <= 1):
            raise ValueError(
                "--settle needs limits from 0 to 1, the lower one first, not"
                f" {self.low:g}..{self.high:g}"
            )
        if (self.low, self.high) in ((0, 0), (0, 1), (1, 1)):
            raise ValueError(f"{self.low:g}..{self.high:g} leaves nothing to settle")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(f"{name} must be above 0 and below 0.5, not {getattr(self, name)}")

    @classmethod
    def read(cls, text: str, alpha: float = 0.05, beta: float = 0.05) -> Question:
        """A question as people write it; ``ValueError`` if it is none.

        >>> question = Question.read("first_mover_score=0.45..0.55")
        >>> question.low, question.high
        (0.45, 0.55)
        """
        name, _, limits = text.rpartition("=")
        low, _, high = limits.partition("..")
        try:
            ends = float(low), float(high or low)
        except ValueError:
            ends = None
        if not name or ends is None:
            raise ValueError(
                "--settle needs MEASURE=LOW..HIGH or MEASURE=LIMIT, such as"
                f" first_mover_score=0.45..0.55, not {text!r}"
            )
        return cls(Pick.read(name), *ends, alpha, beta)

    def __str__(self) -> str:
        limits = f"{self.low:g}..{self.high:g}" if self.low < self.high else f"{self.low:g}"
        return f"{self.pick}={limits} (alpha {self.alpha:g}, beta {self.beta:g})"

    @property
    def choices(self) -> str:
        """The answers that there may be."""
        if self.low == self.high:
            return f"below or above {self.low:g}"
        inside = f"between {self.low:g} and {self.high:g}"
        below, above = f"below {self.low:g}, " * (self.low > 0), f" or above {self.high:g}"
        return f"{below}{inside}{above * (self.high < 1)}"

    def settled(self, plan: Plan, counts: Counts) -> Settled:
        """How it stands after those games.

        Raises:
            ValueError: as :meth:`cell`.
        """
        sums = self.sums(plan, counts)
        return Settled(self, self.verdict(*sums), confidence_sequence(*sums))

    def sums(self, plan: Plan, counts: Counts) -> tuple[np.ndarray, np.ndarray]:
        """What :meth:`verdict` looks at; ``ValueError`` as :meth:`cell`."""
        cell = self.cell(plan)
        return counts.sums[:, cell], counts.sums[:, table_of(plan.variant).divisors[cell]]

    def verdict(self, counted: np.ndarray, divisor: np.ndarray) -> Verdict | None:
        """The answer; None if there is none yet.

        Args:
            counted: ``float64[3]``: the sum of the successes of each pair of games, of their
                squares, and of their products with the trials.
            divisor: likewise of the trials.
        """
        failed = failures(counted, divisor)
        outside, inside = log(2 / self.alpha), log(1 / self.beta)  # two ways to be outside
        if log_evidence(failed, divisor, 1 - self.low) >= outside:
            return "below"
        if log_evidence(counted, divisor, self.high) >= outside:
            return "above"
        if (
            self.low < self.high
            and (self.low == 0 or log_evidence(counted, divisor, self.low) >= inside)
            and (self.high == 1 or log_evidence(failed, divisor, 1 - self.high) >= inside)
        ):
            return "inside"
        return None

    def cell(self, plan: Plan) -> int:
        """Where the share is counted.

        Raises:
            ValueError: if there is no such measure in the plan's games, or none that can be
                settled.
        """
        table = table_of(plan.variant)
        shares = {
            counter.name: counter
            for counter in table.counters
            if counter.is_share and table.divisors[table.firsts[counter.name]] in _TRIALS
        }
        if self.pick.measure not in shares:
            raise ValueError(
                "only shares of games or of decisive games can be settled"
                f" ({some_of(shares)}), not {self.pick.measure}"
            )
        counter = shares[self.pick.measure]
        return table.firsts[counter.name] + _place(self.pick, counter, plan)


def _place(pick: Pick, counter: Counter, plan: Plan) -> int:
    """The number of a cell among those of its counter."""
    game = variants.find(plan.variant)
    seats = game.seats(options_array(game, plan.options)[0])
    labels = [seats if axis.name == SEAT else axis.labels for axis in counter.axes]
    if len(pick.labels) != len(labels) or not all(
        label in own for label, own in zip(pick.labels, labels, strict=True)
    ):
        raise unknown_label(pick, labels)
    places = tuple(own.index(label) for own, label in zip(labels, pick.labels, strict=True))
    shape = tuple(len(axis.labels) for axis in counter.axes)
    return int(np.ravel_multi_index(places, shape)) if shape else 0
