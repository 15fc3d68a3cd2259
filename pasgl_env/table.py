"""The table of variants by name, made without importing any rules, nor Numba."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import NamedTuple

GROUP = "pasgl_env.games"


class Variant(NamedTuple):
    """A line of the table.

    Attributes:
        game: the location of its :class:`Game`, ``module:NAME``.
        environment: version of the environments, the ``0`` of ``pasgl312_v0``.
        distribution: the distribution that provides it.
    """

    game: str
    environment: int
    distribution: str = "pasgl-env"


BUILT_IN = {
    "pasgl312": Variant("pasgl_env.games.pasgl312:GAME", 0),
    "spalding": Variant("pasgl_env.games.spalding:GAME", 0),
    "chieftain": Variant("pasgl_env.games.chieftain:CHIEFTAIN", 0),
    "superchief": Variant("pasgl_env.games.chieftain:SUPERCHIEF", 0),
    "overlord": Variant("pasgl_env.games.chieftain:OVERLORD", 0),
    "pachessi": Variant("pasgl_env.games.pachessi:PACHESSI", 0),
    "grand_pachessi": Variant("pasgl_env.games.pachessi:GRAND_PACHESSI", 0),
}

_ENTRY_NAME = re.compile(r"([a-z][a-z0-9_]*)_v(0|[1-9][0-9]*)")


@cache
def table() -> Mapping[str, Variant]:
    """All variants by name. Created once."""
    variants = dict(BUILT_IN)
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (_origin(entry), entry.name)):
        try:
            name, variant = _declared(entry)
            if name in variants:
                raise ValueError(
                    f"the name is already used by a variant of {variants[name].distribution}"
                )
        except ValueError as error:
            warnings.warn(
                f"variant {entry.name!r} of {_origin(entry)} is ignored: {error}", stacklevel=2
            )
            continue
        variants[name] = variant
    return variants


def names() -> tuple[str, ...]:
    """The names of all variants."""
    return tuple(table())


def _declared(entry: EntryPoint) -> tuple[str, Variant]:
    match = _ENTRY_NAME.fullmatch(entry.name)
    if match is None:
        raise ValueError("the name must be a variant's and its version, such as 'stones_v0'")
    return match[1], Variant(entry.value, int(match[2]), _origin(entry))


def _origin(entry: EntryPoint) -> str:
    """The distribution that declares an entry point."""
    return entry.dist.name if entry.dist is not None else "an unknown distribution"
