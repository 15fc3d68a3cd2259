"""Which value of an option makes a game even, by sequential tests with stated error rates.

A value is *above* or *below* if its share, such as the first mover's score, is shown to be above or
below the target, and *even* if it is shown to be within a margin of it. Numbers are searched by
bisection, under the assumption that the share rises or falls with them; other values are tried one
after another. Every test has its part of the error rates, so that they hold for the whole search:
the probability that any answer is wrong is at most ``alpha + beta`` (Bonferroni's inequality).

The evidence is that of :mod:`pasgl_env.statistics.sequential`, which holds whenever one stops.

Needs SciPy.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, isfinite, log, log2
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, NamedTuple

import numpy as np

from pasgl_env import variants
from pasgl_env.evaluation.crosstable import markdown_row
from pasgl_env.evaluation.tournament import Progress
from pasgl_env.games.contract import OptionValue, options_array
from pasgl_env.playtest.sheets import interval_text, value_text
from pasgl_env.playtest.sweep.grid import Swept
from pasgl_env.playtest.trials import CHUNK, MEASURES, Played, Trial, journal, play_chunk
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.regression import fit_logistic
from pasgl_env.statistics.sequential import confidence_sequence, failures, log_evidence

Answer = Literal["above", "even", "below"]


@dataclass(frozen=True)
class Target:
    """What is to be reached.

    Attributes:
        measure: a share of games, one of :data:`pasgl_env.playtest.trials.MEASURES`.
        share: what it should be.
        within: by how much it may miss that.
        alpha: how often above or below may be answered wrongly, in the whole search.
        beta: how often even may be answered wrongly.

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
            raise ValueError(f"within must be above 0 and below {most:g}, not {self.within:g}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(f"{name} must be above 0 and below 0.5, not {getattr(self, name)}")

    @classmethod
    def read(
        cls, text: str, within: float = 0.05, alpha: float = 0.05, beta: float = 0.05
    ) -> Target:
        """A target as people write it; ``ValueError`` if it is none.

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
        return cls(measure, number, within, alpha, beta)

    def __str__(self) -> str:
        return f"{self.measure}={self.share:g} (within {self.within:g})"

    def answer(self, played: Played, tests: int) -> Answer | None:
        """How games stand, as one of so many tests; None if they do not settle it yet."""
        counted, divisor = played.sums(self.measure)
        failed = failures(counted, divisor)
        outside, inside = log(2 * tests / self.alpha), log(tests / self.beta)
        low, high = self.share - self.within, self.share + self.within
        if (
            log_evidence(counted, divisor, low) >= inside
            and log_evidence(failed, divisor, 1 - high) >= inside
        ):
            return "even"
        if log_evidence(counted, divisor, self.share) >= outside:
            return "above"
        if log_evidence(failed, divisor, 1 - self.share) >= outside:
            return "below"
        return None


class Answered(NamedTuple):
    """A value that was tried.

    Attributes:
        value: of the option.
        answer: what its games say; None if they do not settle it.
        played: they.
        estimate: of the share, with its confidence sequence, which holds whenever one stops.
    """

    value: OptionValue
    answer: Answer | None
    played: Played
    estimate: Estimate


@dataclass(frozen=True)
class Search:
    """A search to be made.

    Attributes:
        trial: what is played; of its options one is turned.
        swept: that option, and its values; numbers in ascending order.
        target: what is to be reached.
        games: the most to be played for each value.
    """

    trial: Trial
    swept: Swept
    target: Target
    games: int

    @classmethod
    def of(cls, trial: Trial, swept: Swept, target: Target, games: int) -> Search:
        """A search all of whose values can be played.

        Raises:
            ValueError: if one cannot, or for a number of games that is not chunks.
        """
        if games < CHUNK:
            raise ValueError(f"games are played {CHUNK} at once: give {CHUNK} or more, not {games}")
        if swept.is_numeric:
            swept = swept._replace(values=tuple(sorted(swept.values)))
        search = cls(trial, swept, target, games)
        for value in swept.values:
            search.trial_of(value)
        return search

    def trial_of(self, value: OptionValue) -> Trial:
        """What is played with a value."""
        options = {**self.trial.options, self.swept.option.name: value}
        options_array(variants.find(self.trial.variant), options)
        return replace(self.trial, options=options)

    @property
    def tests(self) -> int:
        """How many values may have to be tested."""
        number = len(self.swept.values)
        return min(number, 2 + ceil(log2(max(number, 1)))) if self.swept.is_numeric else number

    def about(self) -> dict[str, Any]:
        """What the games of all values have in common, for JSON."""
        about = self.trial.to_dict()
        options = {
            name: value
            for name, value in self.trial.options.items()
            if name != self.swept.option.name
        }
        return {**about, "options": options, "option": self.swept.option.name}


def find_even(
    search: Search,
    folder: Path,
    *,
    command: Sequence[str] = (),
    report: Callable[[Progress], None] = lambda progress: None,
    tell: Callable[[Answered], None] = lambda tested: None,
) -> Balance:
    """Search for the value, or go on with a search that was begun in a folder.

    Args:
        search: what for.
        folder: where games are kept, those of other values of the option, too.
        command: what was asked for, for people.
        report: called whenever games have ended.
        tell: called with each value that has been tried.

    Raises:
        BadRun: if the folder holds something else, or damaged files.
        InUse: if another process is at work there.
        OSError: if something cannot be written; what was kept before is safe.
    """
    with journal(folder, "balance", search.about(), command) as kept:
        pace = Pace(search.tests * search.games, report)
        known: dict[int, Answered] = {}

        def test(number: int) -> Answered:
            if number not in known:
                value = search.swept.values[number]
                trial, chunks = search.trial_of(value), kept.chunks(search.swept.file_word(value))
                while not (found := _judged(search, value, Played(chunks))).played.games or (
                    found.answer is None and found.played.games + CHUNK <= search.games
                ):
                    kept.add(search.swept.file_word(value), play_chunk(trial, len(chunks)))
                    pace.played(CHUNK)
                pace.ended(search.games - found.played.games)
                known[number] = found
                tell(found)
            return known[number]

        last = len(search.swept.values) - 1
        if search.swept.is_numeric:
            _bisect(test, last)
        else:
            for number in range(last + 1):
                test(number)
    return Balance(search, tuple(known[number] for number in sorted(known)))


def _judged(search: Search, value: OptionValue, played: Played) -> Answered:
    """What games say, looked at after every chunk: the first answer counts."""
    answer = search.target.answer(played, search.tests) if played.games else None
    sums = played.sums(search.target.measure)
    return Answered(value, answer, played, confidence_sequence(*sums))


def _bisect(test: Callable[[int], Answered], last: int) -> None:
    """Test the ends, and then halves between values of different answers."""
    low, high = test(0), test(last)
    sides = {"above", "below"}
    if {low.answer, high.answer} != sides:
        return
    begin, end = 0, last
    while end - begin > 1:
        middle = (begin + end) // 2
        answer = test(middle).answer
        if answer not in sides:
            return
        if answer == low.answer:
            begin = middle
        else:
            end = middle


class Pace:
    """How long games take, and so how long those to come will take at most.

    Args:
        games: how many there will be at most.
        report: told whenever games have ended.
    """

    def __init__(self, games: int, report: Callable[[Progress], None]) -> None:
        self._games, self._report = games, report
        self._done, self._begun = 0, perf_counter()

    def played(self, games: int) -> None:
        """So many more have ended."""
        self._done += games
        seconds = perf_counter() - self._begun
        left = seconds / self._done * max(self._games - self._done, 0)
        self._report(Progress(self._done, max(self._games, self._done), left))

    def ended(self, saved: int) -> None:
        """So many fewer will be played."""
        self._games = max(self._games - saved, self._done)


class Balance(NamedTuple):
    """What a search came to.

    Attributes:
        search: what was looked for.
        tested: the values that were tried, in the option's order.
    """

    search: Search
    tested: tuple[Answered, ...]

    @property
    def found(self) -> Answered | None:
        """The value that comes nearest of those that are not shown to miss; None if all are."""
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
        """The values that the even one lies between, by the answers; None: no such bound."""
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
        """Where a logistic curve through all games that were played reaches a target of 1/2.

        With Fieller's interval, of a number of games fixed beforehand. It takes the logarithm of
        the odds to be linear in the option, and may be a value that was not tried, or none that can
        be. No value for other targets, fewer than two numbers, or a curve that may be flat.
        """
        if (
            not self.search.swept.is_numeric
            or self.search.target.share != 0.5
            or len(self.tested) < 2
        ):
            return Estimate(None)
        result = np.concatenate(
            [each.played.shares(self.search.target.measure) for each in self.tested]
        )
        values = np.concatenate(
            [np.full(each.played.games, float(each.value)) for each in self.tested]
        )
        # Games of the same number have the same seeds, whatever the value.
        cluster = np.concatenate([np.arange(each.played.games) for each in self.tested])
        fit = fit_logistic(np.column_stack([np.ones_like(values), -values]), result, cluster)
        found = fit.ratio(0, 1)
        return found if found.low is not None else Estimate(None)

    @property
    def sentences(self) -> Iterator[str]:
        """The answer in words."""
        target, name = self.search.target, self.search.swept.option.name
        found, (low, high) = self.found, self.bounds
        aim = f"{target.measure} {target.share:g}"
        if found is None:
            yield from self._missed(aim, name, low, high)
        elif found.answer == "even":
            yield (
                f"{name}={found.value} does it: {_share(found.estimate)} of"
                f" {found.played.games:,} games, within {target.within:g} of {aim}."
            )
            others = [each for each in self.tested if each.answer == "even" and each is not found]
            if others:
                yield f"So do {', '.join(f'{name}={each.value}' for each in others)}."
        else:
            yield (
                f"{name}={found.value} may do it: {_share(found.estimate)} of"
                f" {found.played.games:,} games are not shown to miss {aim}, nor to be within"
                f" {target.within:g} of it."
            )
        if found is not None and (low, high) != (None, None):
            ends = [f"above {low}" * (low is not None), f"below {high}" * (high is not None)]
            yield f"By the answers the value lies {' and '.join(filter(None, ends))}."
        crossing = self.crossing()
        if crossing.value is not None:
            yield (
                f"A logistic curve through all {self.games:,} games crosses {target.share:g} at"
                f" {crossing.value:.2f} ({crossing.low:.2f} to {crossing.high:.2f})."
            )

    def _missed(
        self, aim: str, name: str, low: OptionValue | None, high: OptionValue | None
    ) -> Iterator[str]:
        if low is not None and high is not None:
            yield (
                f"No value does it exactly: {name}={low} is {self._answer(low)} {aim},"
                f" {name}={high} is {self._answer(high)} it, and there is none between."
            )
            return
        values = ", ".join(f"{each.value}: {each.answer}" for each in self.tested)
        yield f"No value in the range does it ({values} {aim})."

    def _answer(self, value: OptionValue) -> str:
        return next(str(each.answer) for each in self.tested if each.value == value)

    @property
    def games(self) -> int:
        """How many were played."""
        return sum(each.played.games for each in self.tested)

    @property
    def title(self) -> str:
        """What was asked."""
        search = self.search
        return (
            f"{variants.find(search.trial.variant).title}: which {search.swept.option.name} makes"
            f" {search.target.measure} {search.target.share:g}?"
        )

    @property
    def headings(self) -> list[str]:
        """Of the table's columns."""
        return [self.search.swept.title, "Games", self.search.target.measure, "Answer", "Turns"]

    def rows(self) -> Iterator[list[str]]:
        """The table, a row for each value that was tried."""
        for each in self.tested:
            length = each.played.length
            yield [
                self.search.swept.word(each.value),
                f"{each.played.games:,}",
                _share(each.estimate),
                each.answer or "not settled",
                value_text(length, False),
            ]

    def notes(self) -> Iterator[str]:
        """What a reader must know of the table, in sentences."""
        trial, target = self.search.trial, self.search.target
        yield (
            f"{trial.player} plays both sides, after {trial.opening_turns} turns by"
            f" {trial.opening_player} in every game, seed {trial.seed}; at most"
            f" {self.search.games:,} games a value."
        )
        yield (
            f"Above or below {target.share:g}, or even: within {target.within:g} of it. In the"
            f" whole search an answer above or below is wrong with a probability of at most"
            f" {target.alpha:g}, even with one of at most {target.beta:g}. In parentheses: 95%"
            " confidence sequences, of each value by itself."
        )
        if self.search.swept.is_numeric:
            yield "The search takes the share to rise or to fall with the value."

    def to_markdown(self) -> str:
        """The table, with its title above and the answer and notes below."""
        lines = [
            f"**{self.title}**",
            "",
            markdown_row(self.headings),
            markdown_row(["---:"] * len(self.headings)),
            *map(markdown_row, self.rows()),
        ]
        return (
            "\n".join([*lines, *(f"\n{each}" for each in (*self.sentences, *self.notes()))]) + "\n"
        )

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON; what is unknown is None."""
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
                    "games": each.played.games,
                    "answer": each.answer,
                    "outcomes": {
                        measure: each.played.estimate(measure).__dict__ for measure in MEASURES
                    },
                    "share": each.estimate.__dict__,
                    "turns": each.played.length.__dict__,
                }
                for each in self.tested
            ],
        }

    def to_json(self) -> bytes:
        """The content of a file for other programs."""
        return (json.dumps(self.to_dict(), indent=1, allow_nan=False) + "\n").encode()


def _share(estimate: Estimate) -> str:
    between = interval_text(estimate, True)
    return value_text(estimate, True) + f" ({between})" * bool(between)
