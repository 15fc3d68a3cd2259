"""The results of a sweep: a table of some measures by arms, for people and programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from pasgl_env.evaluation.markdown import Table
from pasgl_env.playtest.folder import Totals
from pasgl_env.playtest.pick import Pick, some_of, unknown_label
from pasgl_env.playtest.results import Figure, Measure, Results, parquet_of
from pasgl_env.playtest.stopping import StoppingRule
from pasgl_env.playtest.sweep.grid import Sweep
from pasgl_env.playtest.verdict import doubt_of
from pasgl_env.statistics.estimates import CONFIDENCE
from pasgl_env.statistics.texts import estimate_text
from pasgl_env.storage.files import json_bytes

IN_TABLE = ("first_mover_score", "draws", "truncations", "turns")
IN_PLOT = ("first_mover_score",)
"""The measures shown by default."""

MOST_NUMBERS = 12
"""The most numbers of each arm, in the table and in the plot."""

_NONE = "–"


class Selection(NamedTuple):
    """The numbers shown of every arm.

    Attributes:
        in_table: in the order of the columns.
        in_plot: in the order of the panels.
    """

    in_table: tuple[Pick, ...]
    in_plot: tuple[Pick, ...]

    @classmethod
    def of(cls, sweep: Sweep, wanted: Sequence[str], until: StoppingRule | None) -> Selection:
        """The numbers asked for, or the default ones, and that of the stopping rule.

        Args:
            sweep: the sweep.
            wanted: names of measures, such as ``turns``, ``score`` or ``score[White]``.
            until: the rule that stops the arms.

        Raises:
            ValueError: for something that no arm measures, or too many numbers.
        """
        tested = (str(until.pick),) if until else ()
        in_table = _picks(sweep, (*(wanted or IN_TABLE), *tested))
        in_plot = in_table if wanted else _picks(sweep, tested or IN_PLOT)
        return cls(in_table, in_plot)


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

    @property
    def title(self) -> str:
        """Its name for people."""
        labels = ", ".join(self.pick.labels)
        return self.measure.title + f" ({labels})" * bool(labels)


class SweepResults(NamedTuple):
    """The results of a sweep.

    Attributes:
        sweep: the sweep.
        games: number of games of each arm, at most.
        arms: the results of each.
        selection: the numbers shown.
        until: the rule that stopped the arms.
    """

    sweep: Sweep
    games: int
    arms: tuple[Results, ...]
    selection: Selection
    until: StoppingRule | None

    def columns(self, picks: Sequence[Pick]) -> list[Column]:
        """Some numbers of all arms."""
        return [_column(pick, self.arms) for pick in picks]

    @property
    def title(self) -> str:
        """The game and the players, with options and restrictions that all arms share."""
        plan = self.sweep.arms[0].plan
        one, other = plan.players
        special = [f"{name}={value}" for name, value in self.sweep.unusual.items()]
        special += [f"never {each}" for each in plan.restrictions]
        about = f" ({', '.join(special)})" if special else ""
        return f"{plan.ruleset.game.title}: {one} against {other}{about}"

    def table(self) -> Table:
        """The table: a row for each arm, values with their intervals, notes in sentences."""
        columns = self.columns(self.selection.in_table)
        rows = []
        for number, (arm, results) in enumerate(zip(self.sweep.arms, self.arms, strict=True)):
            values = zip(self.sweep.swept, arm.values, strict=True)
            decision = results.decision
            rows.append(
                [
                    *(each.word(value) for each, value in values),
                    str(results.games),
                    *([decision.verdict or "undecided"] if decision else []),
                    *(_cell(column, number) for column in columns),
                ]
            )
        headings = [
            *(each.title for each in self.sweep.swept),
            "Games",
            *(["Verdict"] if self.until else []),
            *(column.title for column in columns),
        ]
        return Table(self.title, headings, rows, list(self._notes()))

    def _notes(self) -> Iterator[str]:
        plan = self.sweep.arms[0].plan
        yield (
            f"{'At most ' * bool(self.until)}{self.games} games an arm. In brackets: 95%"
            f" intervals, of each arm by itself. All arms have the same seed, {plan.seed}, so they"
            " are not independent."
        )
        if self.until:
            yield (
                f"Each arm was tested until {self.until.pick} was known to be {self.until.choices},"
                f" with error rates of at most {self.until.alpha:g} outside the limits and"
                f" {self.until.beta:g} between them. The interval of {self.until.pick} is valid"
                " whenever an arm stops; the others assume a fixed number of games."
            )
        for each in self.sweep.swept:
            yield from each.legend
            yield from each.folder_legend
        for arm, results in zip(self.sweep.arms, self.arms, strict=True):
            others = results._replace(decision=None).warnings()
            yield from (
                f"{arm.name}: {each}" for each in filter(None, (doubt_of(results), *others))
            )

    def to_dict(self) -> dict[str, Any]:
        """Values for JSON; None where there is none."""
        return {
            **self.sweep.to_dict(),
            "sweep": {each.option.name: list(each.values) for each in self.sweep.swept},
            "games": self.games,
            "confidence": CONFIDENCE,
            "arms": [
                {
                    "folder": arm.name,
                    "options": self._values(number),
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

    def to_json(self) -> bytes:
        """The content of ``sweep.json``."""
        return json_bytes(self.to_dict())

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

    def _values(self, number: int) -> dict[str, Any]:
        names = (each.option.name for each in self.sweep.swept)
        return dict(zip(names, self.sweep.arms[number].values, strict=True))

    def _figures(self, number: int) -> list[Figure]:
        """The numbers shown of an arm."""
        columns = self.columns(self.selection.in_table)
        return [figure for column in columns if (figure := column.figures[number])]


def _picks(sweep: Sweep, wanted: Sequence[str]) -> tuple[Pick, ...]:
    """Each number that is asked for, once."""
    every = {
        Pick(figure.measure, tuple(figure.cell.values())): None
        for arm in sweep.arms
        for figure in Results.of(arm.plan, Totals.none(arm.plan)).figures()
    }
    picks = dict.fromkeys(pick for text in wanted for pick in _matching(Pick.read(text), every))
    if len(picks) > MOST_NUMBERS:
        raise ValueError(
            f"{len(picks)} numbers are selected, more than {MOST_NUMBERS}: choose some, such as"
            f" {next(iter(picks))}"
        )
    return tuple(picks)


def _matching(wanted: Pick, every: Iterable[Pick]) -> list[Pick]:
    """The single numbers that a pick includes; ``ValueError`` if there are none."""
    own = [pick for pick in every if pick.measure == wanted.measure]
    if not own:
        names = dict.fromkeys(pick.measure for pick in every)
        raise ValueError(f"no measure {wanted.measure!r}; there are {some_of(names)}")
    found = [pick for pick in own if wanted.labels in ((), pick.labels)]
    if not found:
        raise unknown_label(wanted, list(zip(*(pick.labels for pick in own), strict=True)))
    return found


def _column(pick: Pick, arms: Sequence[Results]) -> Column:
    measures: list[Measure] = []
    figures: list[Figure | None] = []
    for results in arms:
        found = [
            (measure, figure)
            for measure in results.measures
            for figure in measure.figures
            if pick.fits(figure.measure, figure.cell)
        ]
        measures += [measure for measure, _ in found]
        figures.append(found[0][1] if found else None)
    return Column(pick, measures[0], tuple(figures))


def _cell(column: Column, number: int) -> str:
    figure = column.figures[number]
    if figure is None:
        return _NONE
    return estimate_text(figure.estimate, column.measure.is_share)
