"""Measures and cells that are asked for by name: ``turns``, ``score[White]``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pasgl_env.contract.game import meant

_FORM = re.compile(r"(\w+)(?:\[(.+)\])?")
_MOST_NAMES = 8
ALL = "all"
"""In place of a label: the sum over an axis."""


class Pick(NamedTuple):
    """A measure, or one of its cells.

    Attributes:
        measure: its name.
        labels: those of the cell, one for each axis, or :data:`ALL`; () for all cells.
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
    def is_sum(self) -> bool:
        """Whether it adds up cells."""
        return ALL in self.labels

    def fits(self, measure: str, cell: Mapping[str, str]) -> bool:
        """Whether it includes a cell, given by its label on each axis."""
        return self.measure == measure and self.labels in ((), tuple(cell.values()))

    def __str__(self) -> str:
        return f"{self.measure}[{','.join(self.labels)}]" if self.labels else self.measure


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
