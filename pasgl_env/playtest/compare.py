"""What a changed rule changes: the same games under two rules or more, and their differences.

Games of the same number have the same seed under all rules: the same openings where the rules allow
them, the same dice and the same draws of the players. So differences are paired: of each unit, a
pair of games or the games of an opening, the difference is taken before units are averaged. Its
interval is Student's, with linearised residuals as in :mod:`pasgl_env.statistics.clustered`. It is
as wide as needed for *all* intervals of a table to hold together with 95% probability (Bonferroni).

Needs SciPy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from typing import Any, NamedTuple

from pasgl_env.contract.counters import Counter
from pasgl_env.contract.game import OptionValue
from pasgl_env.evaluation.table import Table
from pasgl_env.playtest.counting import cells_of, table_of
from pasgl_env.playtest.folder import GAMES
from pasgl_env.playtest.lab import (
    Lab,
    PlayedRun,
    Question,
    check_same_players,
    conditions,
    unit_counts,
)
from pasgl_env.playtest.output import play_rules
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.positions import chunks
from pasgl_env.playtest.retrain import Retraining
from pasgl_env.playtest.verdict import (
    MOST_CUT_OFF,
    cut_off_in,
    cut_off_of,
    doubt_of,
    however_ended,
    side_of,
)
from pasgl_env.records import read_records
from pasgl_env.statistics.clustered import paired_difference
from pasgl_env.statistics.estimates import CONFIDENCE, Estimate
from pasgl_env.statistics.texts import estimate_text, value_text

MAIN = (
    *("first_mover_score", "decisive_games", "draws", "truncations", "turns", "actions"),
    *("branching", "forced", "lead_changes", "comebacks"),
)
"""The measures that always have a sentence; their intervals hold together."""
MOST_CELLS = 8
"""Measures with more numbers, such as one for each square, are not compared."""
MOST_EXAMPLES = 3


@dataclass(frozen=True)
class Comparison(Question["Differences"]):
    """Rules to be compared.

    Attributes:
        plan: of the games; its options are those that the first rule changes.
        games: number of games under each rule, of whole groups.
        changes: the options that each rule sets, by its name; the others are compared with the
            first.
        retraining: how long players learn each rule; None if they do not.

    Raises:
        ValueError: for fewer than two different rules, an impossible one, a player that learned
            some of them only or cannot learn, or an odd number of games.
    """

    kind = "compare"

    changes: Mapping[str, Mapping[str, OptionValue]]
    retraining: Retraining | None = None

    def __post_init__(self) -> None:
        self.plan.check_games(self.games)
        plans = self.plans
        if len({plan.ruleset for plan in plans.values()}) < max(len(plans), 2):
            raise ValueError("a comparison is of two different rules or more")
        check_same_players(plans, self.retraining)

    @cached_property
    def plans(self) -> dict[str, Plan]:
        """The games under each rule."""
        return {
            name: self.plan.changed(ruleset=self.plan.ruleset.changed(**options))
            for name, options in self.changes.items()
        }

    @property
    def varied(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(chain.from_iterable(self.changes.values())))

    def about(self) -> dict[str, Any]:
        return {**super().about(), "retraining": str(self.retraining) if self.retraining else None}

    def answer(self, lab: Lab) -> Differences:
        """Play under each rule, and write the results of each."""
        return Differences(self, play_rules(lab, self.plans, self.games, self.retraining))


class Difference(NamedTuple):
    """A number under the first rule and another.

    Attributes:
        counter: the measure.
        cell: its label on each axis.
        before: the number under the first rule.
        after: under the other.
        change: ``after`` less ``before``, with the interval that holds together with others.
        is_main: whether it is one of :data:`MAIN`.
        by_training: of players that learned the rules for this, the number under both rules by each
            of the trainings; () for other players, or if one never did what is divided by.
        cut_off: the shares of games that were cut off and count an equal share in the number, under
            both rules.
        even: that equal share.
    """

    counter: Counter
    cell: dict[str, str]
    before: Estimate
    after: Estimate
    change: Estimate
    is_main: bool
    by_training: tuple[tuple[float, float], ...] = ()
    cut_off: tuple[float, float] = (0.0, 0.0)
    even: float = 0.5

    @property
    def title(self) -> str:
        """The number's name for people."""
        return self.counter.title_of(self.cell.values())

    @property
    def noise(self) -> float:
        """The largest difference between two trainings of one rule; 0 for other players."""
        return max(
            (max(each) - min(each) for each in zip(*self.by_training, strict=True)), default=0.0
        )

    @property
    def bounds(self) -> Estimate:
        """The change, with bounds that hold however the games that were cut off had ended."""
        before, after = self.cut_off
        return however_ended(however_ended(self.change, after, self.even), before, 1 - self.even)

    @property
    def is_shown(self) -> bool:
        """Whether there is a difference: beyond these bounds, and beyond that of trainings."""
        return is_apart(self.bounds) and abs(self.change.value or 0.0) > self.noise

    @property
    def sentence(self) -> str:
        """The difference in words."""
        share, change = self.counter.is_share, self.change
        numbers = f"{value_text(self.before, share)} and {value_text(self.after, share)}"
        if change.value == 0 and change.low == change.high:
            return f"{self.title}: the same ({value_text(self.before, share)})."
        if change.low is None or change.high is None:
            return f"{self.title}: {numbers}, too few games or too rare to compare."
        if is_apart(self.change) and not is_apart(self.bounds):
            return f"{self.title}: {numbers}, which the games that were cut off could explain."
        if is_apart(self.bounds) and not self.is_shown:
            noise = value_text(Estimate(self.noise), share).replace("%", " points")
            return f"{self.title}: {numbers}, as two trainings of one rule differ by {noise}."
        if self.is_shown:
            word = "more" if change.low > 0 else "less"
            size = change if change.low > 0 else change.map(lambda number: -number)
            unit = " percentage points" if share else ""
            scaled = size.map(lambda number: 100 * number) if share else size
            return f"{self.title}: {estimate_text(scaled, False)}{unit} {word} ({numbers})."
        bounds = self.bounds
        assert bounds.low is not None and bounds.high is not None
        most = max(-bounds.low, bounds.high)
        bound = value_text(Estimate(most, bounds.low, bounds.high), share).replace("%", " points")
        return f"{self.title}: no difference larger than {bound} ({numbers})."

    def to_dict(self) -> dict[str, Any]:
        """Values for JSON."""
        numbers = {name: getattr(self, name).__dict__ for name in ("before", "after", "change")}
        return {
            "measure": self.counter.name,
            "cell": self.cell,
            "main": self.is_main,
            "shown": self.is_shown,
            "by_training": self.by_training,
            **numbers,
        }


class Example(NamedTuple):
    """Two games of the same number that went different ways.

    Attributes:
        game: their number, from 1.
        shared: the number of turns that are alike.
        turns: the labels of the first turn that differs, under either rule; empty if it has ended.
        ends: the result and the number of turns, under either rule.
    """

    game: int
    shared: int
    turns: tuple[str, str]
    ends: tuple[str, str]


class Differences(NamedTuple):
    """The results of a comparison.

    Attributes:
        question: the comparison.
        runs: the games under each rule, by its name.
    """

    question: Comparison
    runs: dict[str, PlayedRun]

    @property
    def base(self) -> str:
        """The name of the rule that the others are compared with."""
        return next(iter(self.runs))

    @property
    def others(self) -> list[str]:
        """The names of the other rules."""
        return list(self.runs)[1:]

    def doubts(self) -> Iterator[str]:
        """The reasons why games show no difference, and cautions."""
        for name, run in self.runs.items():
            if doubt := doubt_of(run.results):
                yield f"{name}: {doubt}"
            cut_off = cut_off_of(run.results)
            if cut_off > MOST_CUT_OFF:
                yield (
                    f"{name}: {cut_off:.0%} of the games were cut off and count an equal share,"
                    " so scores and lengths may differ more, or less, than shown."
                )

    def differences(self, name: str) -> list[Difference]:
        """The differences of a rule from the first, the main measures first."""
        one, other = self.runs[self.base], self.runs[name]
        numbers = list(numbers_of(one.plan, other.plan))
        main = sum(counter.name in MAIN for counter, _, _ in numbers)
        found = []
        for counter, cell, at in numbers:
            is_main = counter.name in MAIN
            looked_at = (main if is_main else len(numbers) - main) * len(self.others)
            found.append(difference_of(one, other, counter, cell, at, is_main, looked_at))
        return sorted(found, key=lambda each: not each.is_main)

    def sentences(self, name: str) -> Iterator[str]:
        """The differences in words: all main ones, and of the others those that are shown."""
        for each in self.differences(name):
            if each.is_main or each.is_shown:
                yield each.sentence

    def unchanged(self, name: str) -> float:
        """The share of games that are the same under a rule as under the first."""
        same = [mine == theirs for mine, theirs in self._choices(name)]
        return sum(same) / len(same)

    def examples(self, name: str) -> list[Example]:
        """The games that part last under a rule, in order."""
        parted = [
            (_shared(*choices), number)
            for number, choices in enumerate(self._choices(name))
            if choices[0] != choices[1]
        ]
        chosen = sorted(number for _, number in sorted(parted, reverse=True)[:MOST_EXAMPLES])
        return [self._example(name, number) for number in chosen]

    def _choices(self, name: str) -> Iterator[tuple[list[int], list[int]]]:
        """The actions of games of the same number."""
        both = (self.runs[self.base], self.runs[name])
        games = (
            (game for _, some in chunks(run.plan, run.folder / GAMES) for game in some)
            for run in both
        )
        for mine, theirs in zip(*games, strict=False):
            yield list(mine.choices), list(theirs.choices)

    def _example(self, name: str, number: int) -> Example:
        records = [
            next(islice(read_records(self.runs[each].folder / GAMES), number, None))
            for each in (self.base, name)
        ]
        turns = [[" ".join(turn.labels) for turn in record.turns()] for record in records]
        shared = _shared(*turns)
        first, second = (each[shared] if shared < len(each) else "" for each in turns)
        ends = [f"{record.result} after {record.final.turns} turns" for record in records]
        return Example(number + 1, shared, (first, second), (ends[0], ends[1]))

    def table(self, name: str) -> Table:
        """A row for each number of a rule and of the first."""
        plan = self.runs[name].plan
        return Table(
            f"{plan.ruleset.game.title}: {name} compared with {self.base}",
            ["", self.base, name, "Difference"],
            [
                [
                    each.title,
                    estimate_text(each.before, each.counter.is_share),
                    estimate_text(each.after, each.counter.is_share),
                    estimate_text(each.change, each.counter.is_share, is_signed=True),
                ]
                for each in self.differences(name)
                if each.is_main or each.is_shown
            ],
            list(self._notes(name)),
            left=[0],
        )

    def _notes(self, name: str) -> Iterator[str]:
        doubts = list(self.doubts())
        yield from doubts
        yield from self.sentences(name)
        plan, run = self.runs[name].plan, self.runs[name]
        one, other = plan.shown_players
        found = self.differences(name)
        main = sum(each.is_main for each in found)
        yield (
            f"{one} against {other}, {run.games:,} games under each rule{conditions(plan)}."
            f" {self.unchanged(name):.0%} of the games are the same under both. In parentheses: 95%"
            f" intervals; those of the differences hold together for the {main} main measures, and"
            f" for the {len(found) - main} others, of which only differences are shown."
        )
        for rule, played in self.runs.items() if plan.learned else ():
            yield f"{rule}: the players learned from {played.plan.learned_text}."
        for each in self.examples(name):
            first, second = (turn or "the end" for turn in each.turns)
            yield (
                f"Game {each.game} is alike for {each.shared} turns. Then {self.base}: {first},"
                f" {each.ends[0]}; {name}: {second}, {each.ends[1]}."
            )

    def to_markdown(self) -> str:
        """A table for each rule but the first."""
        return "\n".join(self.table(name).to_markdown() for name in self.others)

    def to_dict(self) -> dict[str, Any]:
        """Values for JSON; None where there is none."""
        return {
            **self.question.about(),
            "games": self.question.games,
            "rules": {name: dict(options) for name, options in self.question.changes.items()},
            "doubts": list(self.doubts()),
            "differences": {
                name: {
                    "unchanged": self.unchanged(name),
                    "numbers": [each.to_dict() for each in self.differences(name)],
                    "sentences": list(self.sentences(name)),
                    "examples": [each._asdict() for each in self.examples(name)],
                }
                for name in self.others
            },
        }


def numbers_of(one: Plan, other: Plan) -> Iterator[tuple[Counter, dict[str, str], int]]:
    """The counters and cells that are compared, with their places in a tally."""
    table = table_of(one.ruleset.game)
    for counter in table.meant:
        is_number = counter.name != counter.per and not counter.is_log
        if not is_number or counter.cells > MOST_CELLS:
            continue
        both = zip(*(cells_of(counter, plan.ruleset.seats) for plan in (one, other)), strict=True)
        for at, (mine, theirs) in enumerate(both, table.firsts[counter.name]):
            if mine is not None and theirs is not None:
                yield counter, mine, at


def difference_of(
    one: PlayedRun,
    other: PlayedRun,
    counter: Counter,
    cell: dict[str, str],
    at: int,
    is_main: bool,
    looked_at: int,
) -> Difference:
    """The difference of a number of two runs, with an interval for one of those looked at."""
    table = table_of(one.plan.ruleset.game)
    columns = [at, int(table.divisors[at])]
    games = min(one.games, other.games)
    before, after = (unit_counts(run.plan, run.tallies[:games, columns]) for run in (one, other))
    confidence = 1 - (1 - CONFIDENCE) / looked_at
    change = paired_difference(before, after, confidence, is_share=counter.is_share)
    by_training = (run.by_training(run.tallies[:games, columns]) for run in (one, other))
    return Difference(
        counter,
        cell,
        one.estimate(counter.name, **cell),
        other.estimate(counter.name, **cell),
        change,
        is_main,
        tuple(zip(*by_training, strict=False)),
        (cut_off_in(one.results, counter.name), cut_off_in(other.results, counter.name)),
        one.plan.even,
    )


def is_apart(change: Estimate) -> bool:
    """Whether all of an interval is on one side of zero."""
    return side_of(change, 0.0) in ("above", "below")


def _shared(one: list[Any], other: list[Any]) -> int:
    """The length of the common beginning."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
