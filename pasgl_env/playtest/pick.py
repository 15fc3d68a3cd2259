"""Numbers that are asked for by name: ``turns``, ``score[White]``, ``rides[all,all]``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pasgl_env.contract.game import meant

_FORM = re.compile(r"(\w+)(?:\[(.+)\])?")
_RANGE = re.compile(r"(\d+(?:\.\d+)?)\.\.(\d+(?:\.\d+)?)")
_MOST_NAMES = 8
MOST_NUMBERS = 12
"""A measure of more numbers stands for their sum."""
ALL = "all"
"""In place of a label: the sum over an axis."""


class Pick(NamedTuple):
    """A measure, or one of its cells.

    Attributes:
        measure: its name.
        labels: those of the cell, one for each axis, or :data:`ALL`; () for all cells. A range,
            ``40..80``, of a measure of one number: the share of games in which it is in there.
    """

    measure: str
    labels: tuple[str, ...]

    @classmethod
    def read(cls, text: str) -> Pick:
        """The inverse of :func:`str`; ``ValueError`` if the text has another form.

        >>> Pick.read("points_by[Deer, White]").labels
        ('Deer', 'White')
        """
        match = _FORM.fullmatch(text.strip())
        if match is None:
            raise ValueError(f"a measure is NAME or NAME[LABEL,...], such as turns, not {text!r}")
        name, labels = match.groups()
        return cls(name, tuple(map(str.strip, labels.split(","))) if labels else ())

    @property
    def ends(self) -> tuple[float, float] | None:
        """The ends of a range; None for another pick.

        >>> Pick.read("turns[40..80]").ends
        (40.0, 80.0)
        """
        found = _RANGE.fullmatch(self.labels[0]) if len(self.labels) == 1 else None
        return (float(found[1]), float(found[2])) if found else None

    @property
    def needs_games(self) -> bool:
        """Whether it adds up cells, or asks how many games are in a range."""
        return ALL in self.labels or self.ends is not None

    def fits(self, measure: str, cell: Mapping[str, str]) -> bool:
        """Whether it includes a cell, given by its label on each axis."""
        return self.measure == measure and self.labels in ((), tuple(cell.values()))

    def __str__(self) -> str:
        return f"{self.measure}[{','.join(self.labels)}]" if self.labels else self.measure


def matching(wanted: Pick, every: Iterable[Pick]) -> list[Pick]:
    """The single numbers that a pick includes; ``ValueError`` if there are none.

    >>> matching(Pick.read("rides"), [Pick("rides", (str(seat),)) for seat in range(20)])
    [Pick(measure='rides', labels=('all',))]
    """
    every = list(every)
    own = [pick for pick in every if pick.measure == wanted.measure]
    if not own:
        raise unknown_measure(wanted.measure, (pick.measure for pick in every))
    axes = [
        dict.fromkeys((*each, ALL)) for each in zip(*(pick.labels for pick in own), strict=True)
    ]
    if not wanted.labels:
        return own if len(own) <= MOST_NUMBERS else [Pick(wanted.measure, (ALL,) * len(axes))]
    if wanted.ends and not axes:
        return [wanted]
    is_known = len(wanted.labels) == len(axes) and all(
        label in axis for label, axis in zip(wanted.labels, axes, strict=True)
    )
    if not is_known or not (wanted.needs_games or wanted in own):
        raise unknown_label(wanted, axes)
    return [wanted]


def unknown_measure(name: str, names: Iterable[str]) -> ValueError:
    """The error for a measure that is not among ``names``."""
    known = list(dict.fromkeys(names))
    return ValueError(f"no measure {name!r}{meant(name, known)} (measures: {', '.join(known)})")


def unknown_label(pick: Pick, labels: Sequence[Iterable[str]]) -> ValueError:
    """The error for a known measure with unknown labels; ``labels`` are those of each axis."""
    if not labels:
        return ValueError(f"{pick.measure} is one number: leave out [{','.join(pick.labels)}]")
    allowed = ",".join(f"({some_of(each)})" for each in labels)
    return ValueError(f"{pick.measure} takes [{allowed}], not {pick}")


def some_of(names: Iterable[str]) -> str:
    """The first few different names, for a message.

    >>> some_of("abcdefghij")
    'a, b, c, d, e, f, g, h, ...'
    """
    every = list(dict.fromkeys(names))
    return ", ".join([*every[:_MOST_NAMES], *(["..."] if len(every) > _MOST_NAMES else [])])
