"""What a run came to, measure by measure, for people and programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from pasgl_env import variants
from pasgl_env.games.contract import options_array
from pasgl_env.games.counters import SEAT, SQUARE, Counter
from pasgl_env.playtest import generic
from pasgl_env.playtest.counting import Counts, own_counters, table_of
from pasgl_env.playtest.folder import Totals
from pasgl_env.playtest.judged import JUDGED, Judged
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.settle import Question, Settled
from pasgl_env.playtest.values import TOO_FEW, PieceValues, Value
from pasgl_env.playtest.variety import Variety
from pasgl_env.statistics.clustered import quantile, ratio, share
from pasgl_env.statistics.estimates import CONFIDENCE, Estimate

_QUANTILES = {
    "median": (0.5, "median"),
    "5th": (0.05, "5% quantile"),
    "95th": (0.95, "95% quantile"),
}
_LENGTHS = {"turns": "turns", "actions": "decisions"}
"""The measures of lengths, and what they are counted in."""
_NUMBERS = ("value", "low", "high", "total")


class Figure(NamedTuple):
    """A number with its interval.

    Attributes:
        measure: the name of what was measured.
        cell: which of its cells: the label on each axis.
        estimate: how much it was.
        total: how much was counted in all games, or in how many positions a kind of piece tells
            something; None of quantiles and logarithms.
    """

    measure: str
    cell: dict[str, str]
    estimate: Estimate
    total: float | None


class Measure(NamedTuple):
    """Something that was measured.

    Attributes:
        name: an identifier.
        title: what people call it.
        definition: one sentence.
        unit: of the value.
        per: of what; empty for quantiles and values of pieces.
        phrase: both in words.
        is_share: whether it is from 0 to 1.
        figures: of each cell.
        missing: what stands where there is no number.
    """

    name: str
    title: str
    definition: str
    unit: str
    per: str
    phrase: str
    is_share: bool
    figures: tuple[Figure, ...]
    missing: str = "–"

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON; what is unknown is None."""
        return {
            "name": self.name,
            "title": self.title,
            "definition": self.definition,
            "unit": self.unit,
            "per": self.per,
            "cells": [
                {**figure.cell, **figure.estimate.__dict__, "total": figure.total}
                for figure in self.figures
            ],
        }


class Results(NamedTuple):
    """What a run came to.

    Attributes:
        plan: what was played.
        totals: the sums.
        measures: in the order of the tables of counters.
        values: of pieces; None if the games were not kept.
        judged: how a strong player sees some of the games; None if they were not kept, or nothing
            is known of the game's values.
        settled: the answer to the question that may have ended the run, whose measure has the
            interval of a confidence sequence; None if there was none.
    """

    plan: Plan
    totals: Totals
    measures: tuple[Measure, ...]
    values: PieceValues | None
    settled: Settled | None
    judged: Judged | None = None

    @classmethod
    def of(
        cls,
        plan: Plan,
        totals: Totals,
        values: PieceValues | None = None,
        until: Question | None = None,
        judged: Judged | None = None,
    ) -> Results:
        """The results of what has been played so far.

        Args:
            plan: what was played.
            totals: what was counted.
            values: of pieces.
            until: the question that may have ended the run.
            judged: how a strong player sees some of the games.

        Raises:
            ValueError: if the question is about something that is not measured.
        """
        _, units = totals.counts.of_units(table_of(plan.variant))
        measures = (*_counted(plan, totals.counts), *_lengths(totals.counts, units))
        settled = until.settled(plan, totals.counts) if until else None
        if settled:
            measures = tuple(_with_answer(measure, settled) for measure in measures)
        return cls(plan, totals, measures, values, settled, judged)

    @property
    def games(self) -> int:
        """How many were played."""
        return self.totals.counts.games

    @property
    def units(self) -> int:
        """How many of the pairs of games, or of the openings, are independent of each other."""
        return self.totals.counts.of_units(table_of(self.plan.variant))[1]

    @property
    def variety(self) -> Variety:
        """How much the first games vary."""
        return Variety.of(self.totals.counts.marks)

    def figure(self, measure: str, **cell: str) -> Figure:
        """One number.

        Raises:
            KeyError: if there is none of that name and cell.
        """
        for figure in self.figures():
            if (figure.measure, figure.cell) == (measure, cell):
                return figure
        raise KeyError((measure, cell))

    def figures(self) -> Iterator[Figure]:
        """All numbers."""
        for measure in self.all_measures():
            yield from measure.figures

    def all_measures(self) -> Iterator[Measure]:
        """All measures, a strong player's and values of pieces included."""
        yield from self.measures
        if self.judged is not None:
            yield from _judged(self.judged)
        if self.values is not None:
            yield from _valued(self.values)

    def warnings(self) -> Iterator[str]:
        """What else there is to know of the numbers, in sentences."""
        if self.settled:
            yield (
                f"{self.settled.sentence} Its interval holds whenever one stops; the others are"
                " those of a fixed number of games. All are of these players and openings alone."
            )
        limited, lifted = self.totals.limited.tolist()
        if self.plan.restrictions:
            yield (
                f"The restrictions forbade something at {limited} decisions; at {lifted} of them"
                " nothing else was legal."
                + (" No legal action had such a label." if limited == 0 else "")
            )

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON; what is unknown is None."""
        limited, lifted = self.totals.limited.tolist()
        return {
            **self.plan.to_dict(),
            "games": self.games,
            "confidence": CONFIDENCE,
            "units": self.units,
            "distinct": self.totals.counts.distinct,
            "variety": self.variety.to_dict(),
            "limited_decisions": limited,
            "lifted_restrictions": lifted,
            "settled": self.settled.to_dict() if self.settled else None,
            "measures": [measure.to_dict() for measure in self.measures],
            "judged": {
                "games": self.judged.games,
                "measures": [measure.to_dict() for measure in _judged(self.judged)],
            }
            if self.judged
            else None,
            "values": self.values.to_dict() if self.values else None,
        }

    def to_json(self) -> bytes:
        """The content of a file for other programs."""
        return (json.dumps(self.to_dict(), indent=1, allow_nan=False) + "\n").encode()

    def to_parquet(self) -> bytes:
        """The same numbers as a Parquet table: a row for each, a column for each axis.

        Raises:
            ImportError: without PyArrow.
        """
        axes = dict.fromkeys(axis for figure in self.figures() for axis in figure.cell)
        columns: dict[str, list[Any]] = {
            "measure": [figure.measure for figure in self.figures()],
            **{axis: [figure.cell.get(axis) for figure in self.figures()] for axis in axes},
            "value": [figure.estimate.value for figure in self.figures()],
            "low": [figure.estimate.low for figure in self.figures()],
            "high": [figure.estimate.high for figure in self.figures()],
            "total": [figure.total for figure in self.figures()],
        }
        return parquet_of(columns)


def parquet_of(columns: Mapping[str, Sequence[Any]]) -> bytes:
    """A Parquet table, whose columns named as the parts of a figure hold numbers.

    Raises:
        ImportError: without PyArrow.
    """
    check_parquet()
    import pyarrow
    from pyarrow import parquet

    def kind(name: str, column: Sequence[Any]) -> Any:
        if name in _NUMBERS:
            return pyarrow.float64()
        return pyarrow.string() if all(each is None for each in column) else None

    table = pyarrow.table(
        {name: pyarrow.array(column, kind(name, column)) for name, column in columns.items()}
    )
    sink = pyarrow.BufferOutputStream()
    parquet.write_table(table, sink)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def check_parquet() -> None:
    """Raise ``ImportError``, which says what to do, without PyArrow."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise ImportError("tables need PyArrow: pip install 'pasgl-env[lab]'") from error


def _counted(plan: Plan, counts: Counts) -> Iterator[Measure]:
    game = variants.find(plan.variant)
    option = options_array(game, plan.options)[0]
    seats = game.seats(option)
    squares_of = getattr(own_counters(plan.variant), "squares", None)
    squares = squares_of(option) if squares_of else None
    table = table_of(plan.variant)
    sums, units = counts.of_units(table)
    by_name = {counter.name: counter for counter in table.counters}
    for counter in table.counters:
        if counter.name == counter.per or (
            counter.name in generic.OF_POINTS and not game.has_points
        ):
            continue
        first = table.firsts[counter.name]
        figures = [
            _figure(counter, cell, sums, units, first + number, int(table.divisors[first + number]))
            for number, cell in enumerate(cells_of(counter, seats, squares))
            if cell is not None
        ]
        if counter.unit == generic.LEAD:
            counter = counter._replace(unit=unit_of_lead(plan.variant))
        yield Measure(
            counter.name,
            counter.heading,
            counter.definition,
            counter.unit,
            counter.per,
            counter.measured_in(by_name[counter.per]),
            counter.is_share,
            tuple(figures),
        )


def unit_of_lead(variant: str) -> str:
    """What leads are measured in."""
    return "points" if variants.find(variant).has_points else "decisive leads"


def cells_of(
    counter: Counter, seats: Sequence[str], squares: Collection[str] | None = None
) -> Iterator[dict[str, str] | None]:
    """The labels of each cell of a counter, in order.

    Args:
        counter: which.
        seats: the players; cells of others are None.
        squares: the names of the squares, those of others are None; None: of all.
    """
    shape = [len(axis.labels) for axis in counter.axes]
    for places in np.ndindex(*shape):
        labels = {}
        for axis, place in zip(counter.axes, places, strict=True):
            label = axis.labels[place]
            if axis.name == SEAT:
                label = seats[place] if place < len(seats) else ""
            elif axis.name == SQUARE and squares is not None and label not in squares:
                label = ""
            if label:
                labels[axis.name] = label
        yield labels if len(labels) == len(counter.axes) else None


def _figure(
    counter: Counter, cell: dict[str, str], sums: np.ndarray, units: int, own: int, divisor: int
) -> Figure:
    estimated = share if counter.is_share else ratio
    estimate = estimated(sums[:, own], sums[:, divisor], units)
    if not counter.is_signed and estimate.low is not None:
        estimate = replace(estimate, low=max(estimate.low, 0.0))
    total = float(sums[0, own])
    if counter.is_log:
        return Figure(counter.name, cell, _mapped(lambda log: 10.0**log, estimate), None)
    return Figure(counter.name, cell, estimate, total)


def _with_answer(measure: Measure, settled: Settled) -> Measure:
    """A measure, with the confidence sequence of the number that was in question."""
    figures = tuple(
        figure._replace(estimate=settled.estimate)
        if settled.question.pick.fits(figure.measure, figure.cell)
        else figure
        for figure in measure.figures
    )
    return measure._replace(figures=figures)


def _mapped(function: Callable[[float], float], estimate: Estimate) -> Estimate:
    """An estimate of an increasing function of what was estimated."""
    ends = (estimate.value, estimate.low, estimate.high)
    return Estimate(*(None if end is None else function(end) for end in ends))


def _lengths(counts: Counts, units: int) -> Iterator[Measure]:
    for (length, unit), histogram in zip(_LENGTHS.items(), counts.lengths, strict=True):
        for name, (probability, meaning) in _QUANTILES.items():
            measure = f"{length}_{name}"
            figure = Figure(measure, {}, quantile(histogram, probability, units), None)
            title = f"{unit.capitalize()}, {meaning}"
            definition = f"The {meaning} of the number of {unit} of a game."
            yield Measure(measure, title, definition, unit, "", unit, False, (figure,))


def _judged(judged: Judged) -> Iterator[Measure]:
    """What a strong player sees, as measures."""
    for (name, title, definition, unit, is_share), estimate in zip(JUDGED, judged[1:], strict=True):
        figure = Figure(name, {}, estimate, None)
        yield Measure(name, title, definition, unit, "", unit, is_share, (figure,))


def _valued(values: PieceValues) -> Iterator[Measure]:
    """The values of pieces as measures."""
    yield _value_measure(
        "piece_values",
        "Values of pieces",
        "What one more of a kind is worth; without a number where these games do not tell.",
        f"a {values.unit} being 1",
        [(value, value.relative) for value in values.values],
    )
    yield _value_measure(
        "piece_log_odds",
        "Log odds",
        "By how much one more of a kind raises the logarithm of the odds that its side wins; in an"
        " even game 0.1 is about 2.5 percentage points.",
        "logarithm of the odds",
        [(value, value.log_odds) for value in values.values],
    )


def _value_measure(
    name: str, title: str, definition: str, unit: str, known: list[tuple[Value, Estimate]]
) -> Measure:
    figures = tuple(
        Figure(name, {"kind": value.kind}, estimate, float(value.positions))
        for value, estimate in known
    )
    return Measure(name, title, definition, unit, "", unit, False, figures, TOO_FEW)
