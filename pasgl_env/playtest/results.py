"""The results of a run, measure by measure, for people and programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.contract.counters import Counter
from pasgl_env.contract.game import Game
from pasgl_env.players.values.calibration import calibration_of
from pasgl_env.playtest import assessment, generic
from pasgl_env.playtest.assessment import Assessment
from pasgl_env.playtest.counting import Counts, cells_of, squares_of, table_of
from pasgl_env.playtest.first_turns import FirstTurn
from pasgl_env.playtest.folder import Totals
from pasgl_env.playtest.pick import Pick
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.stopping import StoppingDecision, StoppingRule
from pasgl_env.playtest.values import TOO_FEW, PieceValues
from pasgl_env.playtest.variety import Variety
from pasgl_env.statistics.clustered import count, quantile, ratio, share
from pasgl_env.statistics.estimates import CONFIDENCE, Estimate
from pasgl_env.statistics.texts import NONE
from pasgl_env.storage.files import json_bytes

_QUANTILES = {
    "median": (0.5, "median"),
    "5th": (0.05, "5% quantile"),
    "95th": (0.95, "95% quantile"),
}
_LENGTHS = {"turns": "turns", "actions": "decisions"}
"""The measures of lengths and their units."""
_NUMBERS = ("value", "low", "high", "total")


class Figure(NamedTuple):
    """A number with its interval.

    Attributes:
        measure: the name of the measure.
        cell: the label on each axis.
        estimate: the number.
        total: the count over all games or, of the value of a piece, the number of positions; None
            for quantiles and geometric means.
    """

    measure: str
    cell: dict[str, str]
    estimate: Estimate
    total: float | None

    @property
    def pick(self) -> Pick:
        """The name by which the number is chosen."""
        return Pick(self.measure, tuple(self.cell.values()))

    def to_dict(self) -> dict[str, Any]:
        """Values for JSON and tables, without the name of the measure."""
        return {**self.cell, **self.estimate.__dict__, "total": self.total}


class Measure(NamedTuple):
    """A measure with its figures.

    Attributes:
        counter: its name, title, definition and unit; those of a quantile or the like, too, which
            is not counted.
        per: the name of the counter by which it is divided; empty if it is not counted.
        phrase: the unit of the value, in words.
        figures: one for each cell.
        missing: what is shown where there is no value.
    """

    counter: Counter
    per: str
    phrase: str
    figures: tuple[Figure, ...]
    missing: str = NONE

    @property
    def name(self) -> str:
        """Its identifier."""
        return self.counter.name

    @property
    def title(self) -> str:
        """Its name for people."""
        return self.counter.heading

    @property
    def is_share(self) -> bool:
        """Whether the value is from 0 to 1."""
        return self.counter.is_share

    def to_dict(self) -> dict[str, Any]:
        """Values for JSON."""
        return {
            "name": self.name,
            "title": self.title,
            "definition": self.counter.definition,
            "unit": self.counter.unit,
            "per": self.per,
            "cells": [figure.to_dict() for figure in self.figures],
        }


class Results(NamedTuple):
    """The results of a run.

    Attributes:
        plan: of the run.
        totals: of the run.
        measures: in the order of the tables of counters.
        values: of pieces; None if the games were not kept.
        decision: of the rule that may have stopped the run; its measure has the interval of a
            confidence sequence. None if there was no rule.
        assessment: the games as ``td`` sees them; None if they were not kept, or there are
            no learned values for them.
        first_turns: the most frequent ones; () if the games were not kept or begin differently.
    """

    plan: Plan
    totals: Totals
    measures: tuple[Measure, ...]
    values: PieceValues | None
    decision: StoppingDecision | None
    assessment: Assessment | None = None
    first_turns: tuple[FirstTurn, ...] = ()

    @classmethod
    def of(
        cls,
        plan: Plan,
        totals: Totals,
        values: PieceValues | None = None,
        until: StoppingRule | None = None,
        assessment: Assessment | None = None,
        first_turns: tuple[FirstTurn, ...] = (),
    ) -> Results:
        """The results of the games counted so far; arguments as the attributes.

        Raises:
            ValueError: if ``until`` tests something that is not measured.
        """
        decision = until.decision(plan, totals.counts) if until else None
        measures = (*_counted(plan, totals.counts, decision), *_lengths(plan, totals.counts))
        return cls(plan, totals, measures, values, decision, assessment, first_turns)

    @property
    def games(self) -> int:
        """Number of games played."""
        return self.totals.counts.games

    @property
    def units(self) -> int:
        """Number of independent pairs or clusters of games."""
        return _of_units(self.plan, self.totals.counts)[1]

    @property
    def variety(self) -> Variety:
        """The variety of the first games."""
        return Variety.of(self.totals.counts.marks)

    def figure(self, measure: str, **cell: str) -> Figure:
        """The figure of a measure and cell; ``KeyError`` if there is none."""
        for figure in self.figures():
            if (figure.measure, figure.cell) == (measure, cell):
                return figure
        raise KeyError((measure, cell))

    def figures(self) -> Iterator[Figure]:
        """The figures of all measures."""
        for measure in self.all_measures():
            yield from measure.figures

    def all_measures(self) -> Iterator[Measure]:
        """All measures, including those of :class:`Assessment` and the values of pieces."""
        yield from self.measures
        if self.assessment is not None:
            yield from _assessed(self.assessment)
        if self.values is not None:
            yield from _valued(self.values)

    def warnings(self) -> Iterator[str]:
        """Cautions about the numbers, in sentences."""
        if self.decision:
            yield (
                f"{self.decision.sentence} Its interval is valid whenever the run stops; the"
                " others assume a fixed number of games. All hold for these players and openings"
                " only."
            )
        limited, lifted = self.totals.counts.limited.tolist()
        if self.plan.restrictions:
            yield (
                f"The restrictions forbade something at {limited} decisions; at {lifted} of them"
                " nothing else was legal."
                + (" No legal action had such a label." if limited == 0 else "")
            )

        if self.assessment and not calibration_of(self.plan.ruleset).is_measured:
            yield "What td expects in these games is uncalibrated."

    def to_dict(self) -> dict[str, Any]:
        """Values for JSON; None where there is none."""
        limited, lifted = self.totals.counts.limited.tolist()
        return {
            **self.plan.to_dict(),
            "games": self.games,
            "confidence": CONFIDENCE,
            "units": self.units,
            "distinct": self.totals.counts.distinct,
            "variety": self.variety.to_dict(),
            "limited_decisions": limited,
            "lifted_restrictions": lifted,
            "decision": self.decision.to_dict() if self.decision else None,
            "measures": [measure.to_dict() for measure in self.measures],
            "judged": {
                "games": self.assessment.games,
                "measures": [measure.to_dict() for measure in _assessed(self.assessment)],
            }
            if self.assessment
            else None,
            "values": self.values.to_dict() if self.values else None,
            "first_turns": [each.to_dict() for each in self.first_turns],
        }

    def to_json(self) -> bytes:
        """The content of ``results.json``."""
        return json_bytes(self.to_dict())

    def to_parquet(self) -> bytes:
        """The content of ``results.parquet``: a row for each figure, a column for each axis.

        Raises:
            ImportError: without PyArrow.
        """
        return parquet_of(
            [{"measure": figure.measure, **figure.to_dict()} for figure in self.figures()]
        )


def parquet_of(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """A Parquet table, the numbers of figures in its last columns; None where a row lacks a value.

    Raises:
        ImportError: without PyArrow.
    """
    check_parquet()
    import pyarrow
    from pyarrow import parquet

    names = dict.fromkeys(name for row in rows for name in row if name not in _NUMBERS)
    columns = {name: [row.get(name) for row in rows] for name in (*names, *_NUMBERS)}

    def kind(name: str) -> Any:
        if name in _NUMBERS:
            return pyarrow.float64()
        return pyarrow.string() if set(columns[name]) == {None} else None

    sink = pyarrow.BufferOutputStream()
    parquet.write_table(
        pyarrow.table(
            {name: pyarrow.array(column, kind(name)) for name, column in columns.items()}
        ),
        sink,
    )
    content: bytes = sink.getvalue().to_pybytes()
    return content


def check_parquet() -> None:
    """Raise ``ImportError`` with advice if PyArrow is missing."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise ImportError("tables need PyArrow: pip install 'pasgl-env[lab]'") from error


def _of_units(plan: Plan, counts: Counts) -> tuple[np.ndarray, int]:
    """The sums over independent units, and the number of units."""
    return counts.of_units(table_of(plan.ruleset.game), plan.sides)


def unit_of_lead(game: Game) -> str:
    """The unit of leads."""
    return "points" if game.has_points else "decisive leads"


def _counted(plan: Plan, counts: Counts, decision: StoppingDecision | None) -> Iterator[Measure]:
    squares = squares_of(plan.ruleset)
    table = table_of(plan.ruleset.game)
    sums, _ = _of_units(plan, counts)
    by_name = {counter.name: counter for counter in table.counters}
    for counter in table.meant:
        if counter.name == counter.per:
            continue
        if counter.unit == generic.LEAD:
            counter = counter._replace(unit=unit_of_lead(plan.ruleset.game))
        figures = []
        cells = cells_of(counter, plan.ruleset.seats, squares)
        for own, cell in enumerate(cells, table.firsts[counter.name]):
            if cell is None:
                continue
            figure = _figure(counter, cell, sums[:, own], sums[:, table.divisors[own]])
            if decision and decision.rule.pick.fits(counter.name, cell):
                figure = figure._replace(estimate=decision.estimate)
            figures.append(figure)
        phrase = counter.measured_in(by_name[counter.per])
        yield Measure(counter, counter.per, phrase, tuple(figures))


def estimate_of(counter: Counter, counted: np.ndarray, divisor: np.ndarray) -> Estimate:
    """The number of a counter, from the sums ``float64[3]`` over units of games."""
    can_be_negative = counter.is_signed or counter.is_log
    measured = share if counter.is_share else ratio if can_be_negative else count
    estimate = measured(counted, divisor)
    return estimate.map(lambda log: 10.0**log) if counter.is_log else estimate


def _figure(counter: Counter, cell: dict[str, str], counted: Any, divisor: Any) -> Figure:
    total = None if counter.is_log else float(counted[0])
    return Figure(counter.name, cell, estimate_of(counter, counted, divisor), total)


def _plain(counter: Counter, *figures: Figure, missing: str = NONE) -> Measure:
    """A measure that is not a ratio of counts."""
    return Measure(counter, "", counter.unit, figures, missing)


def _lengths(plan: Plan, counts: Counts) -> Iterator[Measure]:
    _, units = _of_units(plan, counts)
    for (length, unit), histogram in zip(_LENGTHS.items(), counts.lengths, strict=True):
        for suffix, (probability, meaning) in _QUANTILES.items():
            counter = Counter(
                f"{length}_{suffix}",
                f"The {meaning} of the number of {unit} of a game.",
                unit,
                title=f"{unit.capitalize()}, {meaning}",
            )
            estimate = quantile(histogram, probability, units)
            yield _plain(counter, Figure(counter.name, {}, estimate, None))


def _assessed(seen: Assessment) -> Iterator[Measure]:
    for counter, estimate in zip(assessment.MEASURES, seen[1:], strict=True):
        yield _plain(counter, Figure(counter.name, {}, estimate, None))


def _valued(values: PieceValues) -> Iterator[Measure]:
    relative = Counter(
        "piece_values",
        "The value of one more of a kind; without a number where there are too few games.",
        f"{values.unit} = 1",
        title="Values of pieces",
    )
    log_odds = Counter(
        "piece_log_odds",
        "The increase of the log odds of a win with one more of a kind; in an even game 0.1 is"
        " about 2.5 percentage points.",
        "logarithm of the odds",
        title="Log odds",
    )
    for counter, own in (
        (relative, [each.relative for each in values.values]),
        (log_odds, [each.log_odds for each in values.values]),
    ):
        figures = (
            Figure(counter.name, {"kind": value.kind}, estimate, float(value.positions))
            for value, estimate in zip(values.values, own, strict=True)
        )
        yield _plain(counter, *figures, missing=TOO_FEW)
