"""The search for the value of an option that makes a game even, with stated error rates.

A value is *above* or *below* if its share, such as the first mover's score, is shown to be above or
below the target, and *even* if it is shown to be within a margin of it. Numbers are searched by
bisection, assuming that the share rises or falls with them; other values are tried one after
another. The error rates are divided among all tests, so they hold for the whole search: the
probability that any answer is wrong is at most ``alpha + beta`` (Bonferroni's inequality).

The evidence is that of :mod:`pasgl_env.statistics.sequential`, which holds whenever one stops.

Needs SciPy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil, isfinite, log2
from typing import Any, Literal, NamedTuple

from pasgl_env.contract.game import OptionValue
from pasgl_env.evaluation.table import Table
from pasgl_env.playtest.lab import (
    MEASURES,
    NO_VERDICT,
    TURNS,
    Lab,
    PlayedRun,
    Question,
    check_same_players,
    conditions,
    regression_rows,
)
from pasgl_env.playtest.pick import Pick
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.stopping import StoppingDecision, StoppingRule
from pasgl_env.playtest.swept import Swept
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.regression import fit_logistic
from pasgl_env.statistics.texts import estimate_text, value_text

Answer = Literal["above", "even", "below"]
_ANSWERS: dict[Any, Answer | None] = {
    "above": "above",
    "between": "even",
    "below": "below",
    None: None,
}


@dataclass(frozen=True)
class Target:
    """The aim of a search.

    Attributes:
        measure: a share of games, one of :data:`pasgl_env.playtest.lab.MEASURES`.
        share: its value in an even game.
        within: the margin within which a value is even.
        alpha: the rate of wrong answers "above" or "below", in the whole search.
        beta: the rate of wrong answers "even".

    Raises:
        ValueError: for an unknown measure, or numbers that are out of range.
    """

    measure: str
    share: float
    within: float = 0.05
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if self.measure not in MEASURES:
            raise ValueError(f"a target is one of {', '.join(MEASURES)}, not {self.measure!r}")
        if not (isfinite(self.share) and 0 < self.share < 1):
            raise ValueError(f"a target is above 0 and below 1, not {self.share:g}")
        most = min(self.share, 1 - self.share)
        if not 0 < self.within < most:
            raise ValueError(
                f"within must be above 0 and below {most:g}, as the target is {self.share:g}, not"
                f" {self.within:g}"
            )
        self.test(1)  # check the error rates

    @classmethod
    def read(cls, text: str, *rest: float) -> Target:
        """A target such as ``"draws=0.1"``, and the other attributes.

        Raises:
            ValueError: if the text is no target, or as the class.

        >>> Target.read("first_mover_score=0.5").share
        0.5
        """
        measure, _, share = text.partition("=")
        try:
            number = float(share)
        except ValueError:
            raise ValueError(
                f"a target is MEASURE=SHARE, such as first_mover_score=0.5, not {text!r}"
            ) from None
        return cls(measure, number, *rest)

    def test(self, tests: int) -> StoppingRule:
        """One of this number of sequential tests, which share the error rates."""
        return StoppingRule(
            Pick(self.measure, ()),
            self.share - self.within,
            self.share + self.within,
            self.alpha / tests,
            self.beta / tests,
            self.share,
        )


class Tested(NamedTuple):
    """A value that was tested.

    Attributes:
        value: of the option.
        arm: its games.
        decision: of the sequential test.
    """

    value: OptionValue
    arm: PlayedRun
    decision: StoppingDecision

    @property
    def answer(self) -> Answer | None:
        """The result of the test; None if it is undecided, or the games hardly vary."""
        return None if self.arm.hardly_vary else _ANSWERS[self.decision.verdict]

    @property
    def estimate(self) -> Estimate:
        """The share with its confidence sequence, which holds whenever one stops."""
        return self.decision.estimate


@dataclass(frozen=True)
class Search(Question["Balance"]):
    """The search for a value.

    Attributes:
        swept: the option and its values; numbers are put in ascending order.
        target: the aim.

    Raises:
        ValueError: if a value is impossible, for a player that learned the rules of some values
            only, or for an odd number of games.
    """

    kind = "balance"

    swept: Swept
    target: Target

    def __post_init__(self) -> None:
        self.plan.check_games(self.games)
        plans = {self.swept.setting(each): self.plan_of(each) for each in self.swept.values}
        check_same_players(plans)
        if self.swept.is_numeric:
            in_order = tuple(sorted(self.swept.values))
            object.__setattr__(self, "swept", self.swept._replace(values=in_order))

    def plan_of(self, value: OptionValue) -> Plan:
        """The games with a value."""
        return self.plan.changed(ruleset=self.plan.ruleset.changed(**{self.swept.name: value}))

    @property
    def tests(self) -> int:
        """The largest number of values that the search may test."""
        number = len(self.swept.values)
        return min(number, 2 + ceil(log2(number))) if self.swept.is_numeric else number

    @property
    def varied(self) -> tuple[str, ...]:
        return (self.swept.name,)

    def about(self) -> dict[str, Any]:
        return {**super().about(), "option": self.swept.name}

    def answer(self, lab: Lab) -> Balance:
        """Test values until one is even or all have been tested."""
        lab.expect(self.tests * self.games)
        tested: dict[int, Tested] = {}

        def test(number: int) -> Answer | None:
            tested[number] = found = self._test(self.swept.values[number], lab)
            answer = found.answer or "not settled"
            lab.tell(f"{self.swept.word(found.value)}: {answer} after {found.arm.games} games")
            return found.answer

        last = len(self.swept.values) - 1
        if self.swept.is_numeric:
            _bisect(test, last)
        else:
            for number in range(last + 1):
                test(number)
        return Balance(self, tuple(tested[number] for number in sorted(tested)))

    def _test(self, value: OptionValue, lab: Lab) -> Tested:
        """Play games until they decide about a value, checking after every shard."""
        plan, test = self.plan_of(value), self.target.test(self.tests)
        arm = lab.play(
            self.swept.setting(value),
            plan,
            self.games,
            stop=lambda totals: test.is_decided(plan, totals.counts),
        )
        return Tested(value, arm, test.decision(plan, arm.totals.counts))


def _bisect(test: Callable[[int], Answer | None], last: int) -> None:
    """Test the ends, then halve the interval between an "above" and a "below"."""
    low = test(0)
    high = test(last) if last else low
    sides = {"above", "below"}
    if {low, high} != sides:
        return
    begin, end = 0, last
    while end - begin > 1:
        middle = (begin + end) // 2
        answer = test(middle)
        if answer not in sides:
            return
        begin, end = (middle, end) if answer == low else (begin, middle)


class Balance(NamedTuple):
    """The result of a search.

    Attributes:
        search: the search.
        tested: the values that were tested, in the option's order.
    """

    search: Search
    tested: tuple[Tested, ...]

    @property
    def found(self) -> Tested | None:
        """The even value nearest to the target, or the nearest undecided one; None without any."""
        share = self.search.target.share
        even = [each for each in self.tested if each.answer == "even"]
        open_ = [each for each in self.tested if each.answer is None]
        return min(
            even or open_,
            key=lambda each: abs((each.estimate.value or 0.0) - share),
            default=None,
        )

    @property
    def bounds(self) -> tuple[OptionValue | None, OptionValue | None]:
        """The tested values next to the even one, on either side; None where there is none."""
        found = [each.value for each in self.tested if each.answer in ("even", None)]
        missed = [each for each in self.tested if each.answer in ("above", "below")]
        if not self.search.swept.is_numeric or not missed:
            return None, None
        if not found:
            pairs = zip(self.tested, self.tested[1:], strict=False)
            return next(
                ((a.value, b.value) for a, b in pairs if a.answer != b.answer), (None, None)
            )
        below = [each.value for each in missed if each.value < min(found)]
        above = [each.value for each in missed if each.value > max(found)]
        return max(below, default=None), min(above, default=None)

    def crossing(self) -> Estimate:
        """The value at which a logistic curve through all games reaches a target of 1/2.

        The interval is Fieller's, for a number of games fixed beforehand. The logarithm of the odds
        is taken to be linear in the option; the value need not be possible. There is none for other
        targets, fewer than two numbers, or a curve that may be flat.
        """
        search = self.search
        if not search.swept.is_numeric or search.target.share != 0.5 or len(self.tested) < 2:
            return Estimate(None)
        arms = [(float(each.value), each.arm) for each in self.tested]
        columns, counted, cluster = regression_rows(arms, search.target.measure)
        found = fit_logistic(columns * [1, -1], counted, cluster).ratio(0, 1)
        return found if found.low is not None else Estimate(None)

    @property
    def sentences(self) -> Iterator[str]:
        """The answer in words."""
        target, swept = self.search.target, self.search.swept
        name = swept.name
        found, (low, high) = self.found, self.bounds
        aim = f"{target.measure} {target.share:g}"
        if found is None:
            yield self._missed(aim, name, low, high)
        elif found.answer == "even":
            yield (
                f"{name}={swept.word(found.value)} reaches the target:"
                f" {estimate_text(found.estimate, True)} of {found.arm.games:,} games, within"
                f" {target.within:g} of {aim}."
            )
            others = [each for each in self.tested if each.answer == "even" and each is not found]
            if others:
                yield f"So do {', '.join(f'{name}={swept.word(each.value)}' for each in others)}."
        else:
            yield (
                f"{name}={swept.word(found.value)} may reach the target:"
                f" {estimate_text(found.estimate, True)} of {found.arm.games:,} games are shown"
                f" neither to miss {aim} nor to be within {target.within:g} of it."
            )
        if found is not None and (low, high) != (None, None):
            ends = [f"above {low}" * (low is not None), f"below {high}" * (high is not None)]
            yield f"By these answers the value lies {' and '.join(filter(None, ends))}."
        crossing = self.crossing()
        if crossing.value is not None:
            games = sum(each.arm.games for each in self.tested)
            yield (
                f"A logistic curve through all {games:,} games crosses {target.share:g} at"
                f" {estimate_text(crossing, False)}."
            )

    def _missed(
        self, aim: str, name: str, low: OptionValue | None, high: OptionValue | None
    ) -> str:
        answers = {each.value: each.answer for each in self.tested}
        if low is not None and high is not None:
            is_next = int(high) - int(low) == 1
            gap = "there is no value between them" if is_next else "none between them was tried"
            return (
                f"No value that was tried reaches the target: {name}={low} is {answers[low]} {aim},"
                f" {name}={high} is {answers[high]} it, and {gap}."
            )
        word = self.search.swept.word
        values = ", ".join(f"{word(value)}: {answer}" for value, answer in answers.items())
        return f"No value in the range reaches the target ({values} {aim})."

    @property
    def table(self) -> Table:
        """A row for each value that was tried."""
        search = self.search
        name, measure = search.swept.name, search.target.measure
        title = search.plan.ruleset.game.title
        return Table(
            f"{title}: which {name} makes {measure} {search.target.share:g}?",
            [search.swept.title, "Games", measure, "Answer", "Turns"],
            [
                [
                    search.swept.word(each.value),
                    f"{each.arm.games:,}",
                    estimate_text(each.estimate, True),
                    each.answer or "not settled",
                    value_text(each.arm.estimate(TURNS), False),
                ]
                for each in self.tested
            ],
            list(self._notes()),
        )

    def _notes(self) -> Iterator[str]:
        target = self.search.target
        if any(each.arm.hardly_vary for each in self.tested):
            yield NO_VERDICT
        plan = self.search.plan_of(self.search.swept.values[0])
        yield (
            f"{plan.shown_players[0]} plays all sides{conditions(plan)}; at most"
            f" {self.search.games:,} games for each value."
        )
        yield (
            f"Values are above or below {target.share:g}, or even: within {target.within:g} of it."
            f" In the whole search, the probability of a wrong answer is at most {target.alpha:g}"
            f" for above and below, and {target.beta:g} for even. In parentheses: 95% confidence"
            " sequences, for each value by itself."
        )
        if self.search.swept.is_numeric:
            yield "The search assumes that the share rises or falls with the value."
        yield from self.search.swept.legend

    def to_markdown(self) -> str:
        """The table with the answer and notes below."""
        table = self.table
        return table._replace(notes=[*self.sentences, *table.notes]).to_markdown()

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON; unknown values are None."""
        target, found, bounds = self.search.target, self.found, self.bounds
        return {
            **self.search.about(),
            "target": target.__dict__,
            "found": found.value if found else None,
            "settled": bool(found and found.answer),
            "bounds": list(bounds),
            "crossing": self.crossing().__dict__,
            "tested": [
                {
                    "value": each.value,
                    "games": each.arm.games,
                    "answer": each.answer,
                    "outcomes": {
                        measure: each.arm.estimate(measure).__dict__ for measure in MEASURES
                    },
                    "share": each.estimate.__dict__,
                    "turns": each.arm.estimate(TURNS).__dict__,
                }
                for each in self.tested
            ],
        }
