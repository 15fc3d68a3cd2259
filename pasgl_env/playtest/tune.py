"""Finding rules: the values of options under which games are as somebody wants them.

Optuna's multi-objective sampler (TPE; Akiba, Sano, Yanase, Ohta and Koyama, "Optuna: a
next-generation hyperparameter optimization framework", KDD 2019) proposes rules; games measure how
far each is from every aim. A rule that is known to be worse in all aims than another one gets few
games, others get more. The rules that no other one beats in all aims, the front, and the usual ones
are played again with fresh seeds, because the best of many numbers is partly the luckiest.

The sampler is seeded and games are kept, so an interrupted search continues to the same result.

Needs SciPy and Optuna, the extra ``tune``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Literal, NamedTuple, get_args

from pasgl_env.contract.game import OptionValue
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.evaluation.table import Table
from pasgl_env.playtest.counting import table_of
from pasgl_env.playtest.folder import Totals
from pasgl_env.playtest.lab import Lab, PlayedRun, Question, check_same_players, conditions
from pasgl_env.playtest.pick import ALL, Pick, matching
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.results import Results
from pasgl_env.playtest.retrain import Retraining
from pasgl_env.playtest.swept import Swept
from pasgl_env.playtest.verdict import cut_off_in, doubt_about, however_ended, side_of
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.texts import estimate_text

try:
    import optuna
except ImportError as error:
    raise ImportError("finding rules needs Optuna: pip install 'pasgl-env[tune]'") from error

FEWEST = 80
"""Games of a rule before it is compared with others."""
RANDOM_TRIALS = 10
"""The first rules are drawn at random; then the sampler learns from what it has seen."""
MOST_CONFIRMED = 5
"""The most rules of the front that are played again."""

_NUMBER = r"-?\d+(?:\.\d+)?"
_AIM = re.compile(rf"(.+?)(?:=({_NUMBER})(?:\.\.({_NUMBER}))?|([<>])=?({_NUMBER}))")


Reached = Literal["met", "missed", "open"]


class Aim(NamedTuple):
    """What games are to be like.

    Attributes:
        pick: a single number.
        low: the least that is wanted.
        high: the most.
    """

    pick: Pick
    low: float
    high: float

    @classmethod
    def read(cls, text: str) -> Aim:
        """Parse ``MEASURE=TARGET``, ``MEASURE=LOW..HIGH``, ``MEASURE<MOST`` or ``MEASURE>LEAST``.

        >>> Aim.read("turns=40..80").high, Aim.read("draws<0.05").high
        (80.0, 0.05)
        """
        found = _AIM.fullmatch(text.strip())
        if found is None:
            raise ValueError(
                "an aim is MEASURE=TARGET, MEASURE=LOW..HIGH, MEASURE<MOST or MEASURE>LEAST, such"
                f" as turns=40..80, not {text!r}"
            )
        name, target, high, side, bound = found.groups()
        if side:
            ends = (-math.inf, float(bound)) if side == "<" else (float(bound), math.inf)
        else:
            ends = (float(target), float(high or target))
        if ends[0] > ends[1]:
            raise ValueError(f"the lower end comes first, not {text!r}")
        return cls(Pick.read(name), *ends)

    def __str__(self) -> str:
        if self.low == -math.inf:
            return f"{self.pick}<{self.high:g}"
        if self.high == math.inf:
            return f"{self.pick}>{self.low:g}"
        ends = f"{self.low:g}..{self.high:g}" if self.low < self.high else f"{self.low:g}"
        return f"{self.pick}={ends}"

    def distance(self, number: float) -> float:
        """How far a number is from what is wanted."""
        return max(self.low - number, number - self.high, 0.0)

    def distances(self, estimate: Estimate) -> tuple[float, float, float]:
        """The distance of a number, and the least and the greatest one in its interval."""
        value, low, high = estimate.value, estimate.low, estimate.high
        if value is None or low is None or high is None:
            return math.inf, 0.0, math.inf
        ends = self.distance(low), self.distance(high)
        may_be_met = low <= self.high and high >= self.low
        return self.distance(value), 0.0 if may_be_met else min(ends), max(ends)

    def verdict(self, estimate: Estimate) -> Reached:
        """Whether a number is as wanted, if its whole interval shows it.

        >>> aim = Aim.read("first_mover_score=0.45..0.55")
        >>> aim.verdict(Estimate(0.55, 0.52, 0.58)), aim.verdict(Estimate(0.5, 0.46, 0.54))
        ('open', 'met')
        """
        ends = {"above": self.low, "below": self.high}
        sides = {
            side: side_of(estimate, end) if math.isfinite(end) else side
            for side, end in ends.items()
        }
        if all(side == found for side, found in sides.items()):
            return "met"
        missed = sides["above"] == "below" or sides["below"] == "above"
        return "missed" if missed else "open"


class Candidate(NamedTuple):
    """A rule that was tried.

    Attributes:
        values: of the varied options.
        run: its games.
        again: its games with fresh seeds; None unless it is on the front, or the usual rule.
    """

    values: tuple[OptionValue, ...]
    run: PlayedRun
    again: PlayedRun | None = None

    @property
    def played(self) -> PlayedRun:
        """Its games, fresh ones if there are any."""
        return self.again or self.run

    def estimates(self, aims: Sequence[Aim]) -> list[Estimate]:
        """The numbers that are aimed at."""
        figures = (self.played.figure_of(aim.pick) for aim in aims)
        return [Estimate(None) if each is None else each.estimate for each in figures]

    def distances(self, aims: Sequence[Aim]) -> list[tuple[float, float, float]]:
        """As :meth:`Aim.distances`, from each aim."""
        return [aim.distances(each) for aim, each in zip(aims, self.estimates(aims), strict=True)]

    def verdicts(self, aims: Sequence[Aim]) -> list[Reached]:
        """Whether each aim is reached; open if the games cannot show it, or trainings disagree."""
        return list(map(self._verdict, aims, self.estimates(aims)))

    def _verdict(self, aim: Aim, estimate: Estimate) -> Reached:
        results, measure = self.played.results, aim.pick.measure
        if doubt_about(results, measure):
            return "open"
        cut_off = cut_off_in(results, measure)
        found = aim.verdict(however_ended(estimate, cut_off, results.plan.even))
        trained = [aim.distance(number) == 0 for number in self.played.trained_numbers(aim.pick)]
        return found if all(each == (found == "met") for each in trained) else "open"


@dataclass(frozen=True)
class Tuning(Question["Found"]):
    """A search for rules.

    Attributes:
        plan: of the games; its values of the varied options are tried first.
        games: number of games of each rule at most, even.
        swept: the options that vary, with the values that they may have.
        aims: what the games are to be like.
        trials: number of rules to try; all of them if they are not more.
        retraining: how long players learn each rule; None if they do not.

    Raises:
        ValueError: for no option or aim, something that is not measured, or a player that learned
            some of the rules only.
    """

    kind = "tune"

    swept: tuple[Swept, ...]
    aims: tuple[Aim, ...]
    trials: int
    retraining: Retraining | None = None

    def __post_init__(self) -> None:
        if not self.swept or not self.aims:
            raise ValueError("a search needs options that vary and aims")
        self.plan.check_games(self.games)
        known = [each.pick for each in Results.of(self.plan, Totals.none(self.plan)).figures()]
        single = tuple(aim._replace(pick=_single(aim.pick, known)) for aim in self.aims)
        object.__setattr__(self, "aims", single)
        for aim in single:
            is_one = self.is_share(aim.pick) and ALL not in aim.pick.labels  # sums can be more
            if is_one and (aim.low > 1 or aim.high < 0):
                raise ValueError(f"{aim.pick} is a share, from 0 to 1: no rules reach {aim}")
        rulesets = [
            self._ruleset({each.name: value})
            for each in self.swept
            for value in (each.values[0], each.values[-1])
        ]
        plans = {_name(self.swept, self._usual): self.plan}
        for ruleset in filter(None, rulesets):
            plans[str(ruleset.unusual)] = self.plan.changed(ruleset=ruleset)
        check_same_players(plans, self.retraining)

    @property
    def varied(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.swept)

    def about(self) -> dict[str, Any]:
        return {
            **super().about(),
            "swept": {each.name: list(each.values) for each in self.swept},
            "aims": list(map(str, self.aims)),
            "most": self.games,
            "retraining": str(self.retraining) if self.retraining else None,
        }

    def is_share(self, pick: Pick) -> bool:
        """Whether a number is a share of something, or a sum of these."""
        counters = table_of(self.plan.ruleset.game).counters
        shares = {counter.name for counter in counters if counter.is_share}
        return bool(pick.ends) or pick.measure in shares

    @property
    def _usual(self) -> tuple[OptionValue, ...]:
        return tuple(self.plan.ruleset.options[each.name] for each in self.swept)

    def answer(self, lab: Lab) -> Found:
        """Try rules, then play those of the front again."""
        lab.expect(self.games * self.trials)
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        sampler = optuna.samplers.TPESampler(seed=self.plan.seed, n_startup_trials=RANDOM_TRIALS)
        study = optuna.create_study(directions=["minimize"] * len(self.aims), sampler=sampler)
        tried: dict[tuple[OptionValue, ...], Candidate] = {}
        tried[self._usual] = self._played(self._usual, tried, lab)
        rules = math.prod(len(each.values) for each in self.swept)
        if rules <= self.trials:  # few enough to try each
            for each in product(*(range(len(each.values)) for each in self.swept)):
                study.enqueue_trial(dict(zip(self.varied, each, strict=True)))
        for _ in range(min(rules, self.trials)):
            trial = study.ask()
            values = tuple(_suggested(trial, each) for each in self.swept)
            if self._ruleset(dict(zip(self.varied, values, strict=True))) is None:
                study.tell(trial, state=optuna.trial.TrialState.FAIL)
                continue
            if values not in tried:
                tried[values] = self._played(values, tried, lab)
            study.tell(trial, [min(each, 1e12) for each, *_ in tried[values].distances(self.aims)])
        front = front_of(list(tried.values()), self.aims)[:MOST_CONFIRMED]
        usual = self._again(tried[self._usual], lab)
        found = (usual if each is tried[self._usual] else self._again(each, lab) for each in front)
        return Found(self, tuple(tried.values()), usual, tuple(found))

    def _played(
        self,
        values: tuple[OptionValue, ...],
        tried: dict[tuple[OptionValue, ...], Candidate],
        lab: Lab,
    ) -> Candidate:
        """Play a rule until it is known to be worse than another one, or for all its games."""
        name, plan = self._plan(values, lab)
        games = min(FEWEST, self.games)
        while True:
            run = lab.play(name, plan, games)
            found = Candidate(values, run)
            # With more games, a search was interrupted on the way to a later look.
            is_look = run.games == games
            if games == self.games or (is_look and is_beaten(found, [*tried.values()], self.aims)):
                break
            games = min(2 * games, self.games)
        numbers = ", ".join(
            f"{aim.pick} {estimate_text(each, False)}"
            for aim, each in zip(self.aims, found.estimates(self.aims), strict=True)
        )
        lab.tell(f"{name}: {run.games} games; {numbers}")
        return found

    def _again(self, candidate: Candidate, lab: Lab) -> Candidate:
        """The candidate with games of fresh seeds."""
        name, plan = self._plan(candidate.values, lab)
        fresh = replace(plan, seed=plan.seed + 1)
        return candidate._replace(again=lab.play(f"{name},again", fresh, self.games))

    def _ruleset(self, options: dict[str, OptionValue]) -> Ruleset | None:
        """The rules with some options; None if these do not go together."""
        try:
            return self.plan.ruleset.changed(**options)
        except ValueError:
            return None

    def _plan(self, values: tuple[OptionValue, ...], lab: Lab) -> tuple[str, Plan]:
        name = _name(self.swept, values)
        options = dict(zip(self.varied, values, strict=True))
        plan = self.plan.changed(ruleset=self.plan.ruleset.changed(**options))
        return name, lab.learn({name: plan}, self.retraining)[name]


class Found(NamedTuple):
    """What a search found.

    Attributes:
        search: the search.
        tried: all rules that were tried, the usual ones first.
        usual: the usual ones, with fresh games.
        front: those that no other one beats in all aims, with fresh games.
    """

    search: Tuning
    tried: tuple[Candidate, ...]
    usual: Candidate
    front: tuple[Candidate, ...]

    @property
    def others(self) -> list[Candidate]:
        """The rules of the front but the usual ones."""
        return [each for each in self.front if each is not self.usual]

    @property
    def table(self) -> Table:
        """The usual rules, then the front."""
        search = self.search
        found = (self._row("found", each) for each in self.others)
        rows = [self._row("as it is", self.usual), *found]
        headings = ["", *(each.title for each in search.swept), *map(str, search.aims), "Games"]
        title = f"{search.plan.ruleset.game.title}: rules found among {len(self.tried)}"
        return Table(title, headings, rows, list(self._notes()), left=[0])

    def _row(self, word: str, candidate: Candidate) -> list[str]:
        aims = self.search.aims
        numbers = [
            estimate_text(each, self.search.is_share(aim.pick))
            + f" {verdict}" * (verdict != "open")
            for aim, each, verdict in zip(
                aims, candidate.estimates(aims), candidate.verdicts(aims), strict=True
            )
        ]
        words = [
            option.word(value)
            for option, value in zip(self.search.swept, candidate.values, strict=True)
        ]
        return [word, *words, *numbers, f"{candidate.played.games:,}"]

    def _rule(self, candidate: Candidate) -> str:
        """A rule in words, as in the table."""
        pairs = zip(self.search.swept, candidate.values, strict=True)
        return ", ".join(f"{option.name}={option.word(value)}" for option, value in pairs)

    def sentences(self) -> Iterator[str]:
        """Which rules reach which aims, where whole intervals show it."""
        for each in (self.usual, *self.others):
            name = "As it is" if each is self.usual else self._rule(each)
            found = list(
                zip(map(str, self.search.aims), each.verdicts(self.search.aims), strict=True)
            )
            said = []
            for verdict in get_args(Reached):
                if own := [aim for aim, reached in found if reached == verdict]:
                    said.append(f"{', '.join(own)} {'are' if own[1:] else 'is'} {verdict}")
            measures = (aim.pick.measure for aim in self.search.aims)
            doubts = dict.fromkeys(doubt_about(each.played.results, name) for name in measures)
            yield " ".join(filter(None, (f"{name}: {'; '.join(said)}.", *doubts)))
        if not self.others:
            yield "In the games of the search no other rule came nearer to any aim."

    def _notes(self) -> Iterator[str]:
        plan = self.search.plan
        one, other = self.usual.run.plan.shown_players
        games = sum(each.run.games for each in self.tried)
        yield from self.sentences()
        yield (
            f"{one} against {other}{conditions(plan)}. {games:,} games of {len(self.tried)} rules."
            " A rule is found if in these games no other one came as near to all aims, and nearer"
            f" to one. The numbers are from fresh games, seed {plan.seed + 1}; in parentheses are"
            " 95% intervals. *Met*: all of the interval is as wanted; *missed*: none of it is."
            " Games that were cut off could reverse neither, and no training says otherwise."
        )
        for each in (self.usual, *self.others):
            if each.run.plan.learned:
                yield f"{self._rule(each)}: the players learned from {each.run.plan.learned_text}."
        for option in self.search.swept:
            yield from option.legend

    def to_dict(self) -> dict[str, Any]:
        """Values for JSON; None where there is none."""
        aims = self.search.aims

        def entry(candidate: Candidate) -> dict[str, Any]:
            return {
                "options": dict(zip(self.search.varied, candidate.values, strict=True)),
                "games": candidate.played.games,
                "learned": candidate.run.plan.learning,
                "numbers": {
                    str(aim): {**each.__dict__, "verdict": verdict}
                    for aim, each, verdict in zip(
                        aims, candidate.estimates(aims), candidate.verdicts(aims), strict=True
                    )
                },
            }

        return {
            **self.search.about(),
            "tried": list(map(entry, self.tried)),
            "usual": entry(self.usual),
            "front": list(map(entry, self.front)),
        }


def front_of(tried: Sequence[Candidate], aims: Sequence[Aim]) -> list[Candidate]:
    """The candidates that no other one beats in all aims, the nearest in the first aim first."""
    apart = [tuple(each for each, *_ in candidate.distances(aims)) for candidate in tried]
    found = [
        (own, number)
        for number, own in enumerate(apart)
        if not any(
            other != own and all(a <= b for a, b in zip(other, own, strict=True)) for other in apart
        )
    ]
    return [tried[number] for _, number in sorted(found)]


def is_beaten(candidate: Candidate, others: Sequence[Candidate], aims: Sequence[Aim]) -> bool:
    """Whether another rule is known to be nearer to all aims, by the ends of intervals."""
    own = candidate.distances(aims)
    return any(
        all(end < least for (*_, end), (_, least, _) in zip(each.distances(aims), own, strict=True))
        for each in others
    )


def _single(wanted: Pick, known: Sequence[Pick]) -> Pick:
    """The one number that a pick includes; the sum of a measure's, if they are many."""
    found = matching(wanted, known)
    if len(found) > 1:
        raise ValueError(f"{wanted} is several numbers: aim at one, such as {found[0]}")
    return found[0]


def _name(swept: Sequence[Swept], values: Sequence[OptionValue]) -> str:
    return ",".join(each.setting(value) for each, value in zip(swept, values, strict=True))


def _suggested(trial: optuna.Trial, swept: Swept) -> OptionValue:
    """The value of an option that the sampler proposes; numbers have an order, others do not."""
    numbers = range(len(swept.values))
    if swept.is_numeric:
        return swept.values[trial.suggest_int(swept.name, 0, numbers[-1])]
    return swept.values[trial.suggest_categorical(swept.name, list(numbers))]
