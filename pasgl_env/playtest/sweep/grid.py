"""Sweeps: options with the values to try, and the arms that result."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple

from pasgl_env.contract import variants
from pasgl_env.contract.game import (
    AnyOption,
    Option,
    OptionValue,
    TextOption,
    environment_values,
    options_array,
)
from pasgl_env.evaluation.openings import USUAL, Openings
from pasgl_env.playtest.play import Plan

MOST_OPTIONS, MOST_ARMS, MOST_CURVES = 2, 100, 12

_RANGE = re.compile(r"(-?\d{1,12})\.\.(-?\d{1,12})")
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

        Raises:
            ValueError: for a text of another form, an unknown variant or option, or too few or too
                many values. :meth:`Sweep.of` checks whether the values are valid.
        """
        name, _, values = text.partition("=")
        if not name or not values:
            raise ValueError(
                "values of an option are NAME=LOW..HIGH or NAME=VALUE,VALUE,..., such as"
                f" turn_limit=100,200, not {text!r}"
            )
        game = variants.find(variant)
        known = {option.name: option for option in game.options}
        if name not in known:
            raise ValueError(
                f"{variant} has no option {name!r}; its options are {', '.join(known)}"
            )
        swept = cls(known[name], tuple(_read_values(known[name], values)))
        twice = [value for value in swept.values if swept.values.count(value) > 1]
        if twice:
            raise ValueError(f"{name}: {twice[0]} is given twice")
        return swept

    @property
    def is_numeric(self) -> bool:
        """Whether its values are numbers."""
        return isinstance(self.option, Option)

    @property
    def title(self) -> str:
        """The option's name for people."""
        return self.option.name.replace("_", " ").capitalize()

    def word(self, value: OptionValue) -> str:
        """A value for tables and plots; the number of a long one."""
        text = str(value)
        return text if len(text) <= _LONGEST else f"no. {self.values.index(value) + 1}"

    @property
    def legend(self) -> Iterator[str]:
        """The long values that :meth:`word` numbers."""
        for value in self.values:
            if self.word(value) != str(value):
                yield f"{self.option.name} {self.word(value)}: {value}"

    def file_word(self, value: OptionValue) -> str:
        """A value as part of a name; the digest of a text, which may hold any character.

        It does not depend on the other values, so games are found again if those change.
        """
        if isinstance(self.option, TextOption):
            return hashlib.sha256(str(value).encode()).hexdigest()[:_DIGEST]
        return str(value).lower()

    @property
    def folder_legend(self) -> Iterator[str]:
        """The values that :meth:`file_word` does not show."""
        if isinstance(self.option, TextOption):
            for value in self.values:
                name = f"{self.option.name}={self.file_word(value)}"
                yield f"{name} in the name of a folder: {self.word(value)}"


class Arm(NamedTuple):
    """One run of a sweep.

    Attributes:
        name: of its folder, such as ``hunter_range=1,win_margin=20``.
        values: of the swept options.
        plan: of the run.
    """

    name: str
    values: tuple[OptionValue, ...]
    plan: Plan


class Sweep(NamedTuple):
    """Runs that differ in the values of one or two options.

    Attributes:
        swept: the options.
        arms: for all combinations of values, those of the last option varying fastest.
    """

    swept: tuple[Swept, ...]
    arms: tuple[Arm, ...]

    @classmethod
    def of(
        cls,
        swept: Sequence[Swept],
        variant: str,
        names: Sequence[str],
        seed: int = 0,
        forbidden: Sequence[str] = (),
        options: Mapping[str, OptionValue] | None = None,
        openings: Openings = USUAL,
    ) -> Sweep:
        """Make a sweep and check that all arms can be played.

        Args:
            swept: one or two options of the variant.
            variant: see :meth:`Plan.of`, also for the following arguments.
            names: of the two players.
            seed: of all arms.
            forbidden: in all arms.
            options: in all arms; none that is swept.
            openings: where games begin in all arms.

        Raises:
            ImportError: as :meth:`Plan.of`.
            ValueError: as :meth:`Plan.of`, or for too many options or arms, or a repeated option.
        """
        fixed = dict(options or {})
        _check(swept, fixed)
        game = variants.find(variant)
        arms = []
        for values in product(*(each.values for each in swept)):
            pairs = list(zip(swept, values, strict=True))
            name = ",".join(f"{each.option.name}={each.file_word(value)}" for each, value in pairs)
            own = {**fixed, **{each.option.name: value for each, value in pairs}}
            try:
                options_array(game, environment_values(game, own))
            except ValueError as error:
                words = ",".join(f"{each.option.name}={each.word(value)}" for each, value in pairs)
                raise ValueError(f"{words}: {error}") from error
            arms.append(
                Arm(name, values, Plan.of(variant, names, seed, forbidden, openings, **own))
            )
        return cls(tuple(swept), tuple(arms))

    @property
    def fixed(self) -> dict[str, OptionValue]:
        """The options that are not swept, with their values."""
        names = [each.option.name for each in self.swept]
        options = self.arms[0].plan.ruleset.options
        return {name: value for name, value in options.items() if name not in names}

    @property
    def unusual(self) -> dict[str, OptionValue]:
        """Those of them that differ from the defaults of environments."""
        unusual = self.arms[0].plan.ruleset.unusual
        return {name: value for name, value in unusual.items() if name in self.fixed}

    def to_dict(self) -> dict[str, Any]:
        """Values for JSON that all arms have in common."""
        return {**self.arms[0].plan.to_dict(), "options": self.fixed}


def _read_values(option: AnyOption, text: str) -> Iterator[OptionValue]:
    for part in text.split(","):
        ends = _RANGE.fullmatch(part.strip()) if isinstance(option, Option) else None
        if ends is None:
            yield option.parse(part.strip())
            continue
        low, high = map(int, ends.groups())
        if not 0 <= high - low < MOST_ARMS:
            raise ValueError(
                f"{option.name}: {part} has {max(high - low + 1, 0)} values, not 1 to {MOST_ARMS}"
            )
        yield from range(low, high + 1)


def check_not_set(swept: Sequence[Swept], fixed: Mapping[str, OptionValue]) -> None:
    """Raise ``ValueError`` if an option has values to try and one for all games."""
    both = [each.option.name for each in swept if each.option.name in fixed]
    if both:
        raise ValueError(f"{both[0]} is both varied and set: leave one of them out")


def _check(swept: Sequence[Swept], fixed: Mapping[str, OptionValue]) -> None:
    """Raise ``ValueError`` if options cannot be swept together."""
    names = [each.option.name for each in swept]
    if not 1 <= len(swept) <= MOST_OPTIONS:
        raise ValueError(f"one or two options can be swept, not {len(swept)}")
    if len(set(names)) < len(names):
        raise ValueError(f"{names[0]} is swept twice: give all its values together")
    check_not_set(swept, fixed)
    arms = prod(len(each.values) for each in swept)
    if arms > MOST_ARMS:
        raise ValueError(f"the sweep has {arms} arms, more than {MOST_ARMS}")
    if len(swept) == MOST_OPTIONS and len(swept[-1].values) > MOST_CURVES:
        raise ValueError(
            f"{names[-1]} has {len(swept[-1].values)} values, more than the {MOST_CURVES} curves"
            " that a plot can show: sweep it first"
        )
