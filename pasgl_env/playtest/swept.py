"""Options with the values to try, as text and as names of folders."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from pasgl_env.contract.game import (
    AnyOption,
    Option,
    OptionValue,
    TextOption,
    UnknownOption,
    encoded,
    unknown_option,
)
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.contract.variants import find

MOST_VALUES = 100

_RANGE = re.compile(r"(-?\d{1,12})\.\.(-?\d{1,12})(?::(\d{1,12}))?")
_LONGEST, _DIGEST = 20, 12


class Swept(NamedTuple):
    """An option and the values to try.

    Attributes:
        option: of the variant.
        values: in the order of the table.
    """

    option: AnyOption
    values: tuple[OptionValue, ...]

    @classmethod
    def read(cls, variant: str, text: str) -> Swept:
        """Parse ``NAME=LOW..HIGH`` or ``NAME=VALUE,VALUE``, such as ``hunter_range=1..4``.

        ``win_margin=10..60:10`` has the step 10.

        Raises:
            ValueError: for a text of another form, an unknown variant or option, too few or too
                many values, or one that the option does not have. Whether values of several options
                go together is not checked.
        """
        name, _, values = text.partition("=")
        if not name or not values:
            raise ValueError(
                "values of an option are NAME=LOW..HIGH or NAME=VALUE,VALUE,..., such as"
                f" turn_limit=100,200, not {text!r}"
            )
        game = find(variant)
        known = {option.name: option for option in game.options}
        if name not in known:
            raise UnknownOption(unknown_option(game, name))
        swept = cls(known[name], tuple(_read_values(known[name], values)))
        for value in swept.values:
            encoded(game, swept.option, value)
        twice = [value for value in swept.values if swept.values.count(value) > 1]
        if twice:
            raise ValueError(f"{name}: {twice[0]} is given twice")
        return swept

    @property
    def name(self) -> str:
        """The option's name."""
        return self.option.name

    @property
    def is_numeric(self) -> bool:
        """Whether its values are numbers."""
        return isinstance(self.option, Option)

    @property
    def title(self) -> str:
        """The option's name for people."""
        return self.name.replace("_", " ").capitalize()

    def word(self, value: OptionValue) -> str:
        """A value for tables and plots; the number of a long one."""
        text = str(value)
        return text if len(text) <= _LONGEST else f"no. {self.values.index(value) + 1}"

    @property
    def legend(self) -> Iterator[str]:
        """The long values that :meth:`word` numbers."""
        for value in self.values:
            if self.word(value) != str(value):
                yield f"{self.name} {self.word(value)}: {value}"

    def setting(self, value: OptionValue) -> str:
        """The option with a value as a name of a folder, such as ``hunter_range=1``.

        A text, which may hold any character, is given by its digest. The name does not depend on
        the other values, so games are found again if those change.
        """
        shown = str(value).lower()
        if isinstance(self.option, TextOption):
            shown = hashlib.sha256(str(value).encode()).hexdigest()[:_DIGEST]
        return f"{self.name}={shown}"

    @property
    def folder_legend(self) -> Iterator[str]:
        """The values that :meth:`setting` does not show."""
        if isinstance(self.option, TextOption):
            for value in self.values:
                yield f"{self.setting(value)} in the name of a folder: {self.word(value)}"


def rulesets_of(base: Ruleset, swept: Sequence[Swept]) -> list[Ruleset]:
    """The rules of all combinations of values, those of the last option varying fastest."""
    names = [each.name for each in swept]
    return [
        base.changed(**dict(zip(names, values, strict=True)))
        for values in product(*(each.values for each in swept))
    ]


def _read_values(option: AnyOption, text: str) -> Iterator[OptionValue]:
    for part in text.split(","):
        ends = _RANGE.fullmatch(part.strip()) if isinstance(option, Option) else None
        if ends is None:
            yield option.parse(part.strip())
            continue
        low, high, step = map(int, ends.groups(default="1"))
        values = range(low, high + 1, step or 1)
        if not step or not 0 < len(values) <= MOST_VALUES:
            number = len(values) if step else "endless"
            raise ValueError(f"{option.name}: {part} has {number} values, not 1 to {MOST_VALUES}")
        yield from values


def check_not_set(swept: Sequence[Swept], fixed: Mapping[str, OptionValue]) -> None:
    """Raise ``ValueError`` if an option has values to try and one for all games."""
    both = [each.name for each in swept if each.name in fixed]
    if both:
        raise ValueError(f"{both[0]} is both varied and set: leave one of them out")
