"""The types of a game's table of counters, which playtests keep.

A game's table is one of its parts, :class:`pasgl_env.contract.parts.Counters`.

``tally`` is the game's row of the family's counters: ``float64[cells]``, all 0 at the start of a
game. A counter has as many cells as the product of its axes' lengths, the last axis running
fastest; :func:`first_cells` returns its first cell. Counts are added, never read back; integers up
to 2**26 keep all sums of a run exact.

Like the rules of games, these rules allocate nothing and draw no random numbers. They are
recompiled when something that they use changes.

::

    SEATS = seats(2)
    COUNTERS = (
        Counter("captures", "Pieces that a player's moves captured.", "pieces", (SEATS,)),
        Counter("mutual", "Captures that were answered.", "captures", (SEATS,), per="captures"),
    )
    AT = first_cells(COUNTERS)
    CAPTURES, MUTUAL = AT["captures"], AT["mutual"]

    @rule
    def count(before, option, action, after, tally):
        if pieces(after) < pieces(before):
            tally[CAPTURES + to_move(before)] += 1
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import NamedTuple

SEAT = "seat"
"""The name of the axis of players; players that a run lacks are left out."""

SQUARE = "square"
"""The name of the axis of squares; squares that a run lacks are left out."""


class Axis(NamedTuple):
    """The dimension along which the cells of a counter differ, such as pieces or squares.

    Attributes:
        name: an identifier; axes of the same name have the same labels in all counters of a table.
        labels: the cells' names, in order.
    """

    name: str
    labels: tuple[str, ...]


class Counter(NamedTuple):
    """An event that is counted in every game.

    Attributes:
        name: an identifier; no two of a game have the same, the generic ones included.
        definition: one sentence that states exactly what is counted.
        unit: the unit of a count, in the plural, such as ``pieces``.
        axes: the axes of the cells; () for a single cell.
        per: the counter by which this one is divided: a generic one (``games``, ``turns``,
            ``actions``, ``decisive_games`` ...) or one of the same table. It has one cell, or some
            of this counter's axes, in the same order.
        is_share: whether the count is never above that of ``per``, so that their ratio is a share.
        is_log: whether logarithms to base 10 are added up; the geometric mean is shown.
        is_signed: whether counts can be below 0.
        title: its title, see :attr:`heading`; empty to use the name.
        plural: the name of its counts when others are divided by them; empty to use ``unit``.
        phrase: the unit of values, if it does not follow from ``unit``, ``per`` and ``is_share``.
    """

    name: str
    definition: str
    unit: str
    axes: tuple[Axis, ...] = ()
    per: str = "games"
    is_share: bool = False
    is_log: bool = False
    is_signed: bool = False
    title: str = ""
    plural: str = ""
    phrase: str = ""

    @property
    def cells(self) -> int:
        """Number of cells."""
        return prod(len(axis.labels) for axis in self.axes)

    @property
    def heading(self) -> str:
        """The counter's title.

        >>> Counter("lunches_lost", "", "lunches").heading
        'Lunches lost'
        """
        return self.title or self.name.replace("_", " ").capitalize()

    def title_of(self, labels: Iterable[str]) -> str:
        """The title of a cell, by its label on each axis.

        >>> Counter("rides", "", "rides").title_of(["White", "Train"])
        'Rides (White, Train)'
        """
        shown = ", ".join(labels)
        return f"{self.heading} ({shown})" if shown else self.heading

    def measured_in(self, per: Counter) -> str:
        """The unit of a value in words; ``per`` is the counter that it is divided by.

        >>> games = Counter("games", "", "games")
        >>> Counter("lunches_lost", "", "lunches").measured_in(games)
        'lunches per game'
        >>> Counter("draws", "", "games", is_share=True).measured_in(games)
        'share of games'
        """
        of = per.plural or per.unit
        return self.phrase or (
            f"share of {of}" if self.is_share else f"{self.unit} per {of.removesuffix('s')}"
        )


def seats(most: int) -> Axis:
    """The axis of players, at most ``most``; runs supply their names."""
    return Axis(SEAT, tuple(map(str, range(most))))


def first_cells(counters: Sequence[Counter]) -> dict[str, int]:
    """The first cell of each counter in a tally, by its name.

    >>> both = seats(2)
    >>> first_cells([Counter("kings", "", "", (both,)), Counter("queens", "", "", (both,))])
    {'kings': 0, 'queens': 2}
    """
    firsts, cells = {}, 0
    for counter in counters:
        firsts[counter.name] = cells
        cells += counter.cells
    return firsts
