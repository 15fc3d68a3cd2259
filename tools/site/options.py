"""Changed rules on a static page: how each option changes the data of which its rules consist."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from random import Random
from typing import Any

from pasgl_env.contract.game import MORE_PLANES, AnyOption, Choice, Option, OptionValue
from pasgl_env.contract.ruleset import Ruleset

MOST_LISTED = 24
"""Values of an option whose changes are listed; a number of more must change only its field."""

TRIALS = 4
"""Trials with several options for each option."""

Change = list[Any]
"""The keys and indices that lead to a place, and what is there."""


class CannotBeTold(ValueError):
    """An option changes more than what stands in some places."""


class Changes:
    """The options of a variant that people may change on a page, whatever the others are.

    Attributes:
        known: by the name of an option and a value as text, the changes of the data; None for a
            number that only stands in its field of the record.
    """

    def __init__(self, usual: Ruleset, export: Callable[[Ruleset], dict[str, Any]]) -> None:
        """``export``: the data of a ruleset, apart from its record."""
        self._usual, self._export, self._random = usual, export, Random(0)
        self._data = self.data(usual)
        self.known: dict[str, dict[str, list[Change]] | None] = {}
        for option in usual.game.options:
            with suppress(ValueError):
                self._add(option)

    def data(self, ruleset: Ruleset) -> dict[str, Any]:
        """The data of a ruleset, with the bytes of its record."""
        return {"record": list(ruleset.record.tobytes()), **self._export(ruleset)}

    def applied(self, options: Mapping[str, OptionValue]) -> dict[str, Any]:
        """The data under changed options, as a page makes it."""
        record = self._usual.record.copy()
        for name in options.keys() & {name for name, each in self.known.items() if each is None}:
            record[name] = options[name]
        made = {**deepcopy(self._data), "record": list(record.tobytes())}
        for name, value in options.items():
            for (*way, last), content in (self.known[name] or {}).get(as_text(value), ()):
                place = made
                for key in way:
                    place = place[key]
                place[last] = content
        return made

    def _add(self, option: AnyOption) -> None:
        """Add an option whose changes can be told, and go together with those of the others."""
        if option == MORE_PLANES:
            return
        self.known[option.name] = self._told(option)
        try:
            for _ in range(TRIALS):
                self._try(option.name)
        except ValueError:
            del self.known[option.name]
            raise

    def _told(self, option: AnyOption) -> dict[str, list[Change]] | None:
        if isinstance(option, Option):
            ends = {option.low, option.low + 1, option.high - 1, option.high}
            if all(self._changes_only_its_field(option.name, value) for value in ends):
                return None
        values = _values(option)
        if not 0 < len(values) <= MOST_LISTED:
            raise CannotBeTold
        return {as_text(value): self._differences(option.name, value) for value in values}

    def _changes_only_its_field(self, name: str, value: int) -> bool:
        record = self._usual.record.copy()
        record[name] = value
        return self.data(self._changed(name, value)) == {
            **self._data,
            "record": list(record.tobytes()),
        }

    def _differences(self, name: str, value: OptionValue) -> list[Change]:
        return list(_differences(self._data, self.data(self._changed(name, value))))

    def _changed(self, name: str, value: OptionValue) -> Ruleset:
        return self._usual.changed(**{name: value})

    def _try(self, name: str) -> None:
        """Compare what the changes of some options together make with what is right."""
        names = {name, *self._random.sample(sorted(self.known), min(3, len(self.known)))}
        values = {
            each.name: _values(each) for each in self._usual.game.options if each.name in names
        }
        options = {each: self._random.choice(values[each]) for each in sorted(names)}
        if self.applied(options) != self.data(self._usual.changed(**options)):
            raise CannotBeTold


def _values(option: AnyOption) -> Sequence[OptionValue]:
    """The values of an option; of a text, none."""
    if isinstance(option, Option):
        return range(option.low, option.high + 1)
    return option.values if isinstance(option, Choice) else ()


def as_text(value: OptionValue) -> str:
    """A value as JavaScript writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _differences(one: Any, other: Any) -> Iterator[Change]:
    """The places where data differ that have the same form."""
    if one == other:
        return
    if _form(one) != _form(other):
        raise CannotBeTold
    keys = _form(one)
    if keys is None:
        yield [[], other]
    for key in keys or ():
        for way, content in _differences(one[key], other[key]):
            yield [[key, *way], content]


def _form(data: Any) -> list[Any] | None:
    """The keys or indices of data; None for what has none."""
    if isinstance(data, dict):
        return list(data)
    return list(range(len(data))) if isinstance(data, list) else None
