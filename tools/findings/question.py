"""What a question is made of: quotations, runs, columns of numbers, and claims about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from pasgl_env import Position
from pasgl_env.evaluation.openings import Openings
from pasgl_env.games.contract import OptionValue
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.results import Results
from pasgl_env.statistics.estimates import Estimate


class Quotation(NamedTuple):
    """What an inventor wrote.

    Attributes:
        text: his words, few of them.
        author: his name.
        page: its title.
    """

    text: str
    author: str
    page: str


class Run(NamedTuple):
    """A playtest of a player against itself.

    Attributes:
        variant: a name of :func:`pasgl_env.variants.names`.
        player: a name that :func:`pasgl_env.players.make` knows.
        options: names and values of those that are not the default.
        line: labels that are played from the usual start before the games begin.
        forbidden: restrictions, see :class:`pasgl_env.playtest.restrict.Restriction`.
        beside: another run with which this one is compared.
    """

    variant: str
    player: str
    options: tuple[tuple[str, OptionValue], ...] = ()
    line: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    beside: Run | None = None

    @property
    def name(self) -> str:
        """For its folder: tells it from runs of other games."""
        name = f"{self.variant}-{self.player.replace(':', '')}"
        more = (self.options, self.line, self.forbidden)
        if not any(more):
            return name
        return f"{name}-{blake2b(repr(more).encode(), digest_size=4).hexdigest()}"

    def plan(self, seed: int) -> Plan:
        """What is played."""
        options = dict(self.options)
        openings = Openings()
        if self.line:
            position = Position(self.variant, **options)
            for label in self.line:
                position.play(label)
            openings = Openings((position.text,))
        pair = (self.player, self.player)
        return Plan.of(self.variant, pair, seed, self.forbidden, openings, **options)


@dataclass(frozen=True, eq=False)
class Played:
    """A run that has been played.

    Attributes:
        run: what was played.
        results: the numbers of every playtest.
        games: the file of its games.
        beside: the run with which it is compared.
    """

    run: Run
    results: Results
    games: Path
    beside: Played | None = None


Reading = Callable[[Played], Estimate]
"""Reads a number off a run."""


class Unit(NamedTuple):
    """How numbers are written.

    Attributes:
        decimals: how many.
        is_share: whether they are written in percent.
        is_signed: whether positive ones have a sign, as differences have.
    """

    decimals: int
    is_share: bool = False
    is_signed: bool = False

    def write(self, number: float) -> str:
        """A number.

        >>> SHARE.write(0.2203), DIFFERENCE.write(0.5), COUNT.write(1234.56)
        ('22.0%', '+50.0 points', '1,235')
        """
        mark = (" points" if self.is_signed else "%") if self.is_share else ""
        return self._bare(number) + mark

    def write_estimate(self, estimate: Estimate) -> str:
        """A number with its interval.

        >>> SHARE.write_estimate(Estimate(0.22, 0.181, 0.265))
        '22.0% (18.1 to 26.5)'
        """
        if estimate.value is None:
            return "–"
        if estimate.low is None or estimate.high is None:
            return self.write(estimate.value)
        low, high = self._bare(estimate.low), self._bare(estimate.high)
        return f"{self.write(estimate.value)} ({low} to {high})"

    def _bare(self, number: float) -> str:
        """Without its mark; what is rounded to zero has no sign."""
        shown = round(100 * number if self.is_share else number, self.decimals) or 0.0
        sign = "+" if self.is_signed and shown > 0 else ""
        return f"{sign}{shown:,.{self.decimals}f}".replace("-", "−")


SHARE = Unit(1, is_share=True)
DIFFERENCE = Unit(1, is_share=True, is_signed=True)
COUNT = Unit(0)
MEAN = Unit(2)
CHANGE = Unit(2, is_signed=True)


class Column(NamedTuple):
    """A number that is read off every run of a question.

    Attributes:
        heading: of the table's column, in lower case but for names.
        definition: what it is, as a sentence.
        read: reads it.
        unit: how it is written.
        compares: whether it is read off the run beside as well.
    """

    heading: str
    definition: str
    read: Reading
    unit: Unit
    compares: bool = False


class Claim(NamedTuple):
    """That a number is above or below a threshold.

    Attributes:
        column: the number.
        threshold: what its interval is compared with.
        above: what follows if all of the interval is above it; a sentence.
        below: what follows if all of it is below.
        unknown: what follows if neither is so.
    """

    column: Column
    threshold: float
    above: str
    below: str
    unknown: str


class Trend(NamedTuple):
    """How a number changes with the strength of the players, whatever it is.

    Attributes:
        column: the number.
    """

    column: Column


class Question(NamedTuple):
    """A question.

    Attributes:
        key: its name in commands, ``FAMILY.WORD``.
        title: the question itself.
        asked: what the inventor wrote; () if nobody has asked.
        method: how it is answered, in sentences; nothing of what came out.
        runs: by the strength of their players, the weakest first.
        statements: what is concluded.
        columns: numbers that are shown besides.
    """

    key: str
    title: str
    asked: tuple[Quotation, ...]
    method: str
    runs: tuple[Run, ...]
    statements: tuple[Claim | Trend, ...]
    columns: tuple[Column, ...] = ()

    @property
    def all_columns(self) -> list[Column]:
        """Those of the table, each once."""
        return list(dict.fromkeys((*(each.column for each in self.statements), *self.columns)))
