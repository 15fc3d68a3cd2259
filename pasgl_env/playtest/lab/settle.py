"""Settling a question about a share in as few games as it takes, at stated error rates.

Is White's score below 45%, above 55%, or between the two? The folder of a run has sums over pairs
of games, and the answer is looked for in them as often as one likes.

Let a pair of games bring ``x`` successes in ``y`` trials, ``x <= y <= 2``, and let ``z`` be
``(x - limit * y) / 2``, which is between ``-limit`` and ``1 - limit``. Where the share, the ratio
of the expectations of ``x`` and ``y``, is not above ``limit``, the expectation of ``z`` is not
above 0. For ``0 <= bet < 1 / limit`` (Fan, Grama and Liu, "Exponential inequalities for martingales
with applications", Electronic Journal of Probability 20, 2015)::

    exp(bet * z - c * (bet * z)**2) <= 1 + bet * z,  c = (-log(1 - u) - u) / u**2,  u = bet * limit

so the product of the left sides over all pairs is a supermartingale: at most the capital of a
gambler who began with 1 and bets on it that the share is above the limit. That it *ever* reaches
``1 / rate`` has a probability of ``rate`` or less (Ville, *Étude critique de la notion de
collectif*, 1939). It needs only the sums over all pairs of ``z`` and ``z**2``, so a run that goes
on from its totals comes to the same answer. No bet is best whatever the truth: the evidence is the
mean over several.

The limits that there is less evidence against are a confidence sequence: an interval that holds the
truth after every pair of games at once, whenever one looks (Howard, Ramdas, McAuliffe and Sekhon,
"Time-uniform, nonparametric, nonasymptotic confidence sequences", Annals of Statistics 49, 2021).
Betting on each pair as it comes (Waudby-Smith and Ramdas, "Estimating means of bounded random
variables by betting", Journal of the Royal Statistical Society B 86, 2024) would be a little
sharper and need every pair by itself.

Needs SciPy.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, log
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.optimize import brentq

from pasgl_env import variants
from pasgl_env.games.contract import options_array
from pasgl_env.games.counters import SEAT, Counter
from pasgl_env.playtest.lab import generic
from pasgl_env.playtest.lab.counting import Counts, table_of
from pasgl_env.playtest.lab.pick import Pick, some_of, unknown_label
from pasgl_env.playtest.lab.play import Plan
from pasgl_env.playtest.match import CONFIDENCE, Estimate

Verdict = Literal["below", "inside", "above"]

# With bets of at most 1, more successes are never less evidence, whatever the limit; so the limits
# that are refuted are all those below one of them.
BETS = 0.99 * 2.0 ** -(np.arange(19) / 2)
_TRIALS = (generic.GAMES, generic.DECISIVE)
"""The cells that a share may be one of: a game counts at most 1 in them."""
_TOLERANCE = 1e-9


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
                "what is to be settled has limits from 0 to 1, the lower one first, not"
                f" {self.low:g}..{self.high:g}"
            )
        if (self.low, self.high) in ((0, 0), (0, 1), (1, 1)):
            raise ValueError(f"{self.low:g}..{self.high:g} leaves nothing to be settled")
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
                "what is to be settled is MEASURE=LOW..HIGH or MEASURE=LIMIT, such as"
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
        return Settled(self, self.verdict(*sums), confidence(*sums))

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
                "what can be settled are shares of games or of decisive games"
                f" ({some_of(shares)}), not {self.pick.measure}"
            )
        counter = shares[self.pick.measure]
        return table.firsts[counter.name] + _place(self.pick, counter, plan)


def log_evidence(counted: np.ndarray, divisor: np.ndarray, limit: float) -> float:
    """The logarithm of the evidence that a share is above a limit; 0 if there is none for either.

    Args:
        counted: as of :meth:`Question.verdict`.
        divisor: likewise.
        limit: from 0 to 1.
    """
    drift = (counted[0] - limit * divisor[0]) / 2
    spread = (counted[1] - 2 * limit * counted[2] + limit**2 * divisor[1]) / 4
    logs = BETS * drift - _curvature(BETS * limit) * BETS**2 * max(spread, 0.0)
    return float(np.logaddexp.reduce(logs) - log(BETS.size))


def failures(counted: np.ndarray, divisor: np.ndarray) -> np.ndarray:
    """The sums of the trials that were no successes: ``float64[3]``, as ``counted``."""
    squares = divisor[1] - 2 * counted[2] + counted[1]
    return np.array([divisor[0] - counted[0], squares, divisor[1] - counted[2]])


def confidence(counted: np.ndarray, divisor: np.ndarray) -> Estimate:
    """A share with its 95% confidence sequence; arguments as of :meth:`Question.verdict`."""
    if divisor[0] == 0:
        return Estimate(None)
    low = _refuted(counted, divisor)
    high = 1 - _refuted(failures(counted, divisor), divisor)
    return Estimate(float(counted[0] / divisor[0]), low, high)


def _refuted(counted: np.ndarray, divisor: np.ndarray) -> float:
    """The highest limit that the share is above, on the evidence; 0 if there is none."""
    needed = log(2 / (1 - CONFIDENCE))

    def excess(limit: float) -> float:
        return log_evidence(counted, divisor, limit) - needed

    value = float(counted[0] / divisor[0])
    return brentq(excess, 0.0, value, xtol=_TOLERANCE) if excess(0.0) > 0 else 0.0


def _curvature(reach: np.ndarray) -> np.ndarray:
    """``(-log(1 - reach) - reach) / reach**2``, by its series where little is left of that."""
    safe = np.maximum(reach, 1e-3)
    series = 1 / 2 + reach / 3 + reach**2 / 4 + reach**3 / 5
    return np.where(reach < safe, series, (-np.log1p(-safe) - safe) / safe**2)


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
