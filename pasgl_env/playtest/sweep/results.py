"""What a sweep came to: one table of some measures by arms, for people and programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pasgl_env import variants
from pasgl_env.evaluation.markdown import Table
from pasgl_env.games.contract import TextOption
from pasgl_env.playtest.folder import Totals
from pasgl_env.playtest.pick import Pick, some_of, unknown_label
from pasgl_env.playtest.results import Figure, Measure, Results, parquet_of
from pasgl_env.playtest.settle import Question
from pasgl_env.playtest.sheets import interval_text, value_text
from pasgl_env.playtest.sweep.grid import Sweep
from pasgl_env.playtest.verdict import doubt_of
from pasgl_env.statistics.estimates import CONFIDENCE

IN_TABLE = ("first_mover_score", "draws", "truncations", "turns")
IN_PLOT = ("first_mover_score",)
"""The measures that are shown if none is asked for."""

MOST_NUMBERS = 12
"""Of each arm, in the table and in the plot."""

_NONE = "–"


class Selection(NamedTuple):
    """What is shown of every arm: single numbers, each with its measure's name and its cell.

    Attributes:
        in_table: in the order of the columns.
        in_plot: in the order of the panels.
    """

    in_table: tuple[Pick, ...]
    in_plot: tuple[Pick, ...]

    @classmethod
    def of(cls, sweep: Sweep, wanted: Sequence[str], until: Question | None) -> Selection:
        """What is asked for, or the usual; and what is to be settled.

        Args:
            sweep: what is played.
            wanted: names of measures, such as ``turns``, ``score`` or ``score[White]``.
            until: the question that ends the arms.

        Raises:
            ValueError: for what no arm measures, or too many numbers.
        """
        settled = (str(until.pick),) if until else ()
        in_table = _picks(sweep, (*(wanted or IN_TABLE), *settled))
        in_plot = in_table if wanted else _picks(sweep, settled or IN_PLOT)
        return cls(in_table, in_plot)


class Column(NamedTuple):
    """A number of every arm.

    Attributes:
        pick: which.
        measure: what it is one of.
        figures: of each arm; None where there is none, as of a player who does not play.
    """

    pick: Pick
    measure: Measure
    figures: tuple[Figure | None, ...]

    @property
    def title(self) -> str:
        """What people call it."""
        labels = ", ".join(self.pick.labels)
        return self.measure.title + f" ({labels})" * bool(labels)


class SweepResults(NamedTuple):
    """What a sweep came to.

    Attributes:
        sweep: what was played.
        games: how many of each arm, at most.
        arms: what each came to.
        selection: what is shown of it.
        until: the question that ended the arms.
    """

    sweep: Sweep
    games: int
    arms: tuple[Results, ...]
    selection: Selection
    until: Question | None

    def columns(self, picks: Sequence[Pick]) -> list[Column]:
        """Some numbers of all arms."""
        return [_column(pick, self.arms) for pick in picks]

    @property
    def title(self) -> str:
        """What was played, with what is not as usual in all arms."""
        plan = self.sweep.arms[0].plan
        one, other = plan.players
        special = [f"{name}={value}" for name, value in self.sweep.unusual.items()]
        special += [f"never {each.who}:{each.pattern}" for each in plan.restrictions]
        about = f" ({', '.join(special)})" if special else ""
        return f"{variants.find(plan.variant).title}: {one} against {other}{about}"

    @property
    def headings(self) -> list[str]:
        """Of the table's columns."""
        names = [each.title for each in self.sweep.swept]
        settled = ["Settled"] if self.until else []
        titles = [column.title for column in self.columns(self.selection.in_table)]
        return [*names, "Games", *settled, *titles]

    def rows(self) -> Iterator[list[str]]:
        """The table, a row for each arm; values with their intervals."""
        columns = self.columns(self.selection.in_table)
        for number, (arm, results) in enumerate(zip(self.sweep.arms, self.arms, strict=True)):
            settled = [results.settled.verdict or "no"] if results.settled else []
            yield [
                *(
                    each.word(value)
                    for each, value in zip(self.sweep.swept, arm.values, strict=True)
                ),
                str(results.games),
                *settled,
                *(_cell(column, number) for column in columns),
            ]

    def notes(self) -> Iterator[str]:
        """What a reader must know of the table, in sentences."""
        plan = self.sweep.arms[0].plan
        yield (
            f"{'At most ' * bool(self.until)}{self.games} games an arm. In brackets: 95%"
            f" intervals, of each arm by itself. All arms have the same seed, {plan.seed}, so they"
            " are not independent."
        )
        if self.until:
            yield (
                f"Each arm was to settle whether {self.until.pick} is {self.until.choices}; wrong"
                f" answers: {self.until.alpha:g} outside, {self.until.beta:g} inside, at most. The"
                f" interval of {self.until.pick} holds whenever an arm stops; the others are those"
                " of a fixed number of games."
            )
        for each in self.sweep.swept:
            if isinstance(each.option, TextOption):
                yield from (
                    f"{each.option.name} {each.word(value)}: {value}"
                    for value in each.values
                    if each.word(value) != value
                )
        for arm, results in zip(self.sweep.arms, self.arms, strict=True):
            others = results._replace(settled=None).warnings()
            yield from (
                f"{arm.name}: {each}" for each in filter(None, (doubt_of(results), *others))
            )

    def to_markdown(self) -> str:
        """The table, with its title above and its notes below."""
        return Table(self.title, self.headings, [*self.rows()], [*self.notes()]).to_markdown()

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON; what is unknown is None."""
        return {
            **self.sweep.to_dict(),
            "sweep": {each.option.name: list(each.values) for each in self.sweep.swept},
            "games": self.games,
            "confidence": CONFIDENCE,
            "arms": list(map(self._arm_dict, range(len(self.arms)))),
        }

    def _arm_dict(self, number: int) -> dict[str, Any]:
        arm, results = self.sweep.arms[number], self.arms[number]
        return {
            "folder": arm.name,
            "options": self._values(number),
            "games": results.games,
            "settled": results.settled.to_dict() if results.settled else None,
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

    def to_json(self) -> bytes:
        """The content of a file for other programs."""
        return (json.dumps(self.to_dict(), indent=1, allow_nan=False) + "\n").encode()

    def to_parquet(self) -> bytes:
        """The same numbers as a Parquet table: a row for each arm and number.

        Raises:
            ImportError: without PyArrow.
        """
        rows = [
            {
                **{f"option_{name}": value for name, value in self._values(number).items()},
                "games": results.games,
                "settled": results.settled.verdict if results.settled else None,
                "measure": figure.measure,
                **figure.cell,
                **figure.estimate.__dict__,
                "total": figure.total,
            }
            for number, results in enumerate(self.arms)
            for figure in self._figures(number)
        ]
        names = dict.fromkeys(name for row in rows for name in row)
        return parquet_of({name: [row.get(name) for row in rows] for name in names})

    def _values(self, number: int) -> dict[str, Any]:
        names = (each.option.name for each in self.sweep.swept)
        return dict(zip(names, self.sweep.arms[number].values, strict=True))

    def _figures(self, number: int) -> list[Figure]:
        """The numbers of an arm that are shown."""
        columns = self.columns(self.selection.in_table)
        return [figure for column in columns if (figure := column.figures[number])]


def _picks(sweep: Sweep, wanted: Sequence[str]) -> tuple[Pick, ...]:
    """Each number that is asked for, once."""
    every = {
        Pick(figure.measure, tuple(figure.cell.values())): None
        for arm in sweep.arms
        for figure in Results.of(arm.plan, Totals.none(arm.plan)).figures()
    }
    picks = [pick for text in wanted for pick in _matching(Pick.read(text), tuple(every))]
    single = tuple(dict.fromkeys(picks))
    if len(single) > MOST_NUMBERS:
        raise ValueError(
            f"{len(single)} numbers are selected, more than {MOST_NUMBERS}: choose some, such as"
            f" {single[0]}"
        )
    return single


def _matching(wanted: Pick, every: Sequence[Pick]) -> list[Pick]:
    """The single numbers that are meant; ``ValueError`` if there are none."""
    own = [pick for pick in every if pick.measure == wanted.measure]
    if not own:
        names = dict.fromkeys(pick.measure for pick in every)
        raise ValueError(f"no measure {wanted.measure!r}; there are {some_of(names)}")
    found = [pick for pick in own if wanted.labels in ((), pick.labels)]
    if not found:
        raise unknown_label(wanted, list(zip(*(pick.labels for pick in own), strict=True)))
    return found


def _column(pick: Pick, arms: Sequence[Results]) -> Column:
    found: list[tuple[Measure, Figure] | None] = [
        next(
            (
                (measure, figure)
                for measure in results.measures
                for figure in measure.figures
                if pick.fits(figure.measure, figure.cell)
            ),
            None,
        )
        for results in arms
    ]
    measure = next(each[0] for each in found if each)
    return Column(pick, measure, tuple(each[1] if each else None for each in found))


def _cell(column: Column, number: int) -> str:
    figure = column.figures[number]
    if figure is None or figure.estimate.value is None:
        return _NONE
    is_share = column.measure.is_share
    interval = interval_text(figure.estimate, is_share)
    return value_text(figure.estimate, is_share) + f" ({interval})" * bool(interval)
