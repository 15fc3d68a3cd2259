"""Rule sweeps: the same playtest under several values of one or two options.

Each *arm*, a value or a pair of values, is a run that is evaluated like any other. A table and a
plot compare them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, NamedTuple

from pasgl_env.contract.game import OptionValue
from pasgl_env.evaluation.table import Table
from pasgl_env.playtest.compare import Difference, difference_of, numbers_of
from pasgl_env.playtest.folder import Totals
from pasgl_env.playtest.lab import Lab, PlayedRun, Question, check_same_players, picked
from pasgl_env.playtest.output import play_rules
from pasgl_env.playtest.pick import MOST_NUMBERS, Pick, matching
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.results import Figure, Measure, Results, parquet_of
from pasgl_env.playtest.retrain import Retraining
from pasgl_env.playtest.run import check_rule
from pasgl_env.playtest.stopping import StoppingRule
from pasgl_env.playtest.swept import Swept
from pasgl_env.playtest.verdict import doubt_of
from pasgl_env.statistics.estimates import CONFIDENCE
from pasgl_env.statistics.texts import estimate_text

MOST_OPTIONS, MOST_ARMS, MOST_CURVES = 2, 100, 12

IN_TABLE = ("first_mover_score", "draws", "truncations", "turns")
IN_PLOT = ("first_mover_score",)
"""The measures shown by default."""

_NONE = "–"


class Arm(NamedTuple):
    """One run of a sweep.

    Attributes:
        name: of its folder, such as ``hunter_range=1,win_margin=20``.
        values: of the swept options.
        plan: of the run.
    """

    name: str
    values: tuple[OptionValue, ...]
    plan: Plan


@dataclass(frozen=True)
class Sweep(Question["SweepResults"]):
    """Runs that differ in the values of one or two options.

    Attributes:
        plan: of the games; its values of the swept options do not matter.
        games: number of games of each arm, of whole groups; with ``until`` the maximum.
        swept: the options.
        measures: names of the measures to compare, such as ``turns``, ``score`` or
            ``score[White]``; () for :data:`IN_TABLE`.
        until: the rule that stops each arm.
        keeps_games: see :func:`pasgl_env.playtest.run.run`.
        retraining: how long players learn the rules of each arm; None if they do not.

    Raises:
        ValueError: for too many options or arms, a repeated option, an impossible value, a player
            that learned the rules of some arms only or cannot learn, an odd number of games, a rule
            that cannot stop an arm, something that no arm measures, or too many numbers.
    """

    kind = "sweep"
    runs_folder = "."

    swept: tuple[Swept, ...]
    measures: tuple[str, ...] = ()
    until: StoppingRule | None = None
    keeps_games: bool | None = None
    retraining: Retraining | None = None

    def __post_init__(self) -> None:
        self.plan.check_games(self.games)
        self._check_options()
        check_same_players(self._plans, self.retraining)
        for arm in self.arms:
            if self.until:
                check_rule(self.until, arm.plan, self.games)
        _ = self.in_table, self.in_plot

    @property
    def varied(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.swept)

    @cached_property
    def arms(self) -> tuple[Arm, ...]:
        """The runs of all combinations of values, those of the last option varying fastest."""
        return tuple(map(self._arm, product(*(each.values for each in self.swept))))

    @cached_property
    def in_table(self) -> tuple[Pick, ...]:
        """The numbers of each arm that the table shows, in the order of the columns."""
        return self._picks((*(self.measures or IN_TABLE), *self._tested))

    @cached_property
    def in_plot(self) -> tuple[Pick, ...]:
        """The numbers that the plot shows, in the order of the panels."""
        return self.in_table if self.measures else self._picks(self._tested or IN_PLOT)

    def about(self) -> dict[str, Any]:
        until = str(self.until) if self.until else None
        retraining = str(self.retraining) if self.retraining else None
        about = {"swept": list(self.varied), "until": until, "retraining": retraining}
        return {**super().about(), **about}

    def answer(self, lab: Lab) -> SweepResults:
        """Play all arms, and write the results of each."""
        how = {"keeps_games": self.keeps_games, "until": self.until}
        runs = play_rules(lab, self._plans, self.games, self.retraining, **how)
        return SweepResults(self, tuple(runs.values()))

    @property
    def _plans(self) -> dict[str, Plan]:
        return {arm.name: arm.plan for arm in self.arms}

    def _arm(self, values: tuple[OptionValue, ...]) -> Arm:
        pairs = list(zip(self.swept, values, strict=True))
        ruleset = self.plan.ruleset.changed(**{each.name: value for each, value in pairs})
        name = ",".join(each.setting(value) for each, value in pairs)
        return Arm(name, values, self.plan.changed(ruleset=ruleset))

    def _check_options(self) -> None:
        """Raise ``ValueError`` if the options cannot be swept together."""
        names = self.varied
        if not 1 <= len(names) <= MOST_OPTIONS:
            raise ValueError(f"one or two options can be swept, not {len(names)}")
        if len(set(names)) < len(names):
            raise ValueError(f"{names[0]} is swept twice: give all its values together")
        arms = prod(len(each.values) for each in self.swept)
        if arms > MOST_ARMS:
            raise ValueError(f"the sweep has {arms} arms, more than {MOST_ARMS}")
        if len(names) == MOST_OPTIONS and len(self.swept[-1].values) > MOST_CURVES:
            raise ValueError(
                f"{names[-1]} has {len(self.swept[-1].values)} values, more than the"
                f" {MOST_CURVES} curves that a plot can show: sweep it first"
            )

    @property
    def _tested(self) -> tuple[str, ...]:
        return (str(self.until.pick),) if self.until else ()

    def _picks(self, wanted: Sequence[str]) -> tuple[Pick, ...]:
        """Each number that is asked for, once."""
        every = {
            figure.pick: None
            for arm in self.arms
            for figure in Results.of(arm.plan, Totals.none(arm.plan)).figures()
        }
        picks = dict.fromkeys(pick for text in wanted for pick in matching(Pick.read(text), every))
        if len(picks) > MOST_NUMBERS:
            raise ValueError(
                f"{len(picks)} numbers are selected, more than {MOST_NUMBERS}: choose some, such as"
                f" {next(iter(picks))}"
            )
        return tuple(picks)


class Column(NamedTuple):
    """A number of every arm.

    Attributes:
        pick: which number.
        measure: to which it belongs.
        figures: of each arm; None where there is none, such as that of an absent player.
    """

    pick: Pick
    measure: Measure
    figures: tuple[Figure | None, ...]

    @classmethod
    def of(cls, pick: Pick, runs: Sequence[PlayedRun]) -> Column:
        """A number of the arms' games."""
        every = (measure for run in runs for measure in run.results.measures)
        measure = next(each for each in every if each.name == pick.measure)
        measure = measure._replace(counter=picked(measure.counter, pick))
        return cls(pick, measure, tuple(run.figure_of(pick) for run in runs))

    @property
    def title(self) -> str:
        """Its name for people."""
        return self.measure.counter.title_of(self.pick.labels)

    def cell(self, arm: int) -> str:
        """The number of an arm, with its interval."""
        figure = self.figures[arm]
        return estimate_text(figure.estimate, self.measure.is_share) if figure else _NONE


class SweepResults(NamedTuple):
    """The results of a sweep.

    Attributes:
        sweep: the sweep.
        runs: the games of each arm.
    """

    sweep: Sweep
    runs: tuple[PlayedRun, ...]

    @property
    def arms(self) -> tuple[Results, ...]:
        """The results of each arm, without the values of pieces."""
        return tuple(run.results for run in self.runs)

    def columns(self, picks: Sequence[Pick]) -> list[Column]:
        """Some numbers of all arms."""
        return [Column.of(pick, self.runs) for pick in picks]

    @property
    def title(self) -> str:
        """The game and the players, with options and restrictions that all arms share."""
        plan = self.sweep.plan
        one, other = self.arms[0].plan.shown_players
        unusual = plan.ruleset.unusual.items()
        special = [f"{name}={value}" for name, value in unusual if name not in self.sweep.varied]
        special += [f"never {each}" for each in plan.restrictions]
        about = f" ({', '.join(special)})" if special else ""
        return f"{plan.ruleset.game.title}: {one} against {other}{about}"

    @property
    def table(self) -> Table:
        """A row for each arm: values with their intervals."""
        swept, columns = self.sweep.swept, self.columns(self.sweep.in_table)
        rows = []
        for number, (arm, results) in enumerate(zip(self.sweep.arms, self.arms, strict=True)):
            words = (each.word(value) for each, value in zip(swept, arm.values, strict=True))
            decision = results.decision
            verdict = [decision.verdict or "undecided"] if decision else []
            cells = (column.cell(number) for column in columns)
            rows.append([*words, str(results.games), *verdict, *cells])
        headings = [
            *(each.title for each in swept),
            "Games",
            *(["Verdict"] if self.sweep.until else []),
            *(column.title for column in columns),
        ]
        return Table(self.title, headings, rows, list(self._notes()))

    @property
    def limit(self) -> str:
        """The number of games of an arm, in words."""
        games = max(self.sweep.games, *(each.games for each in self.arms))
        is_most = self.sweep.until or any(each.games < games for each in self.arms)
        return f"{'at most ' if is_most else ''}{games:,} games"

    def differences(self) -> dict[str, list[Difference]]:
        """The paired differences of each arm from the first; none for games that were not kept.

        Intervals hold together for all numbers of the table and all arms. There are none for arms
        that a rule stopped, or whose games hardly vary.
        """
        base, *others = self.runs
        is_known = all(run.totals.record_bytes > 0 for run in self.runs)
        if self.sweep.until or not is_known or any(map(doubt_of, self.arms)):
            return {}
        found = {}
        for arm, run in zip(self.sweep.arms[1:], others, strict=True):
            numbers = [
                (counter, cell, at)
                for counter, cell, at in numbers_of(base.plan, run.plan)
                if any(pick.fits(counter.name, cell) for pick in self.sweep.in_table)
            ]
            looked_at = len(numbers) * len(others)
            found[arm.name] = [
                difference_of(base, run, *number, True, looked_at) for number in numbers
            ]
        return found

    def _of_differences(self) -> Iterator[str]:
        """The differences that are shown, in words."""
        for name, found in self.differences().items():
            said = " ".join(each.sentence for each in found if each.is_shown)
            yield f"{name} beside {self.sweep.arms[0].name}: {said or 'no difference is shown.'}"

    def _notes(self) -> Iterator[str]:
        limit, until = self.limit, self.sweep.until
        yield (
            f"{limit[0].upper()}{limit[1:]} an arm. In brackets: 95% intervals, of each arm by"
            f" itself. All arms have the same seed, {self.sweep.plan.seed}, so they are not"
            " independent."
        )
        if until:
            yield (
                f"Each arm was tested until {until.pick} was known to be {until.choices},"
                f" with error rates of at most {until.alpha:g} outside the limits and"
                f" {until.beta:g} between them. The interval of {until.pick} is valid"
                " whenever an arm stops; the others assume a fixed number of games."
            )
        yield from self._of_differences()
        untrained = self.arms[0].plan.untrained
        for arm, results in zip(self.sweep.arms, self.arms, strict=True):
            if results.plan.learned:
                yield f"{arm.name}: the players learned from {results.plan.learned_text}."
        if untrained:
            yield f"{' and '.join(untrained)} learned with other rules than those of any arm."
        for each in self.sweep.swept:
            yield from each.legend
            yield from each.folder_legend
        for arm, results in zip(self.sweep.arms, self.arms, strict=True):
            others = results._replace(decision=None).warnings()
            yield from (
                f"{arm.name}: {each}" for each in filter(None, (doubt_of(results), *others))
            )

    def to_dict(self) -> dict[str, Any]:
        """The content of ``sweep.json``; None where there is no value."""
        return {
            **Question.about(self.sweep),
            "sweep": {each.name: list(each.values) for each in self.sweep.swept},
            "games": self.sweep.games,
            "confidence": CONFIDENCE,
            "differences": {
                name: [each.to_dict() for each in found]
                for name, found in self.differences().items()
            },
            "arms": [
                {
                    "folder": arm.name,
                    "options": self._values(number),
                    "untrained": list(results.plan.untrained),
                    "learned": results.plan.learning,
                    "games": results.games,
                    "decision": results.decision.to_dict() if results.decision else None,
                    "figures": [
                        {
                            "measure": figure.measure,
                            "cell": figure.cell,
                            **figure.estimate.__dict__,
                            "total": figure.total,
                        }
                        for figure in self._figures(number)
                    ],
                }
                for number, (arm, results) in enumerate(
                    zip(self.sweep.arms, self.arms, strict=True)
                )
            ],
        }

    def to_parquet(self) -> bytes:
        """The content of ``sweep.parquet``: a row for each arm and number.

        Raises:
            ImportError: without PyArrow.
        """
        return parquet_of(
            [
                {
                    **{f"option_{name}": value for name, value in self._values(number).items()},
                    "games": results.games,
                    "verdict": results.decision.verdict if results.decision else None,
                    "measure": figure.measure,
                    **figure.to_dict(),
                }
                for number, results in enumerate(self.arms)
                for figure in self._figures(number)
            ]
        )

    def _values(self, number: int) -> dict[str, OptionValue]:
        return dict(zip(self.sweep.varied, self.sweep.arms[number].values, strict=True))

    def _figures(self, number: int) -> list[Figure]:
        """The numbers shown of an arm."""
        columns = self.columns(self.sweep.in_table)
        return [figure for column in columns if (figure := column.figures[number])]
