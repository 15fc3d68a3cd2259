"""The table of variants: those of this package, and those of other distributions.

A variant's name is also that of its game, :attr:`Game.name`.

>>> from pasgl_env import variants
>>> variants.names()
('pasgl312', 'spalding', 'chieftain', 'superchief', 'overlord', 'pachessi', 'grand_pachessi')
>>> variants.find("pasgl312").title
'PASGL 312 Chess'

Another distribution adds variants by entry points of the group ``pasgl_env.games``. An entry
point's name is the variant's, with the version of its environments; its value refers to the
:class:`Game`::

    [project.entry-points."pasgl_env.games"]
    stones_v0 = "stones:GAME"

An unusable entry point does not affect the others: a warning names it when the table is made, and
an error when the variant is requested.
"""

from __future__ import annotations

import copyreg
import sys
import warnings
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pickle import PicklingError
from typing import Any

from pasgl_env.contract.game import (
    Game,
    OptionValue,
    brief,
    environment_values,
    meant,
    options_array,
)
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.contract.symmetry import Symmetry
from pasgl_env.table import BUILT_IN, GROUP, Variant, names, table

__all__ = [
    "GROUP",
    "Variant",
    "find",
    "loadable",
    "names",
    "published_ruleset",
    "read_options",
    "ruleset",
    "symmetries",
    "table",
]


def loadable() -> tuple[str, ...]:
    """The names of the variants whose rules can be imported; a warning names the others."""
    found = []
    for name in names():
        try:
            find(name)
        except ImportError as error:
            warnings.warn(str(error), stacklevel=2)
        else:
            found.append(name)
    return tuple(found)


def find(name: Any) -> Game:
    """The rules of a variant.

    Raises:
        ValueError: for an unknown name.
        ImportError: if the rules of another distribution's variant cannot be imported, or are not
            a game; names the variant and the distribution.
    """
    if not isinstance(name, str) or name not in table():
        hint = meant(name, names())
        raise ValueError(f"no variant {brief(name)}{hint} (variants: {', '.join(names())})")
    return _load(name)


def ruleset(variant: Any, /, **options: OptionValue) -> Ruleset:
    """A variant under options, those of environments and batches by default.

    >>> ruleset("pachessi", players=4)
    ruleset('pachessi', players=4)
    >>> ruleset("pachessi").options["first"]
    'lot'

    Args:
        variant: a name of :func:`names`, or a ruleset whose options are to be changed.
        options: values of options.

    Raises:
        ValueError: for an unknown variant or option, an impossible value, or values that do not go
            together.
        ImportError: as in :func:`find`.
    """
    if isinstance(variant, Ruleset):
        return variant.changed(**options) if options else variant
    game = find(variant)
    return Ruleset.of(game, environment_values(game, options))


def published_ruleset(variant: Any, /, **options: OptionValue) -> Ruleset:
    """As :func:`ruleset`, but options not given are those of the inventor's game.

    >>> published_ruleset("pachessi").options["first"]
    'black'
    """
    if isinstance(variant, Ruleset):
        return ruleset(variant, **options)
    return Ruleset.of(find(variant), options)


def symmetries(name: Any, **options: OptionValue) -> tuple[Symmetry, ...]:
    """The symmetries of a variant's board, for data augmentation: rules stay the same under them.

    The two players' views are not among them: observations and actions are from the player's side
    already. Many games have no symmetries.

    >>> (mirror,) = symmetries("spalding")
    >>> mirror.name, mirror.cells.shape, mirror.actions.shape
    ('mirrored files', (36, 8, 8), (2560,))
    >>> symmetries("pachessi")
    ()

    Raises:
        ValueError: for an unknown variant or option, or an invalid value.
    """
    game = find(name)
    return game.symmetries(options_array(game, options)[0])


def read_options(name: Any, settings: Iterable[str] | None) -> dict[str, OptionValue]:
    """The options of a variant that texts of the form ``NAME=VALUE`` set; none for None.

    >>> read_options("pasgl312", ["win_margin=20", "turn_limit=500"])
    {'win_margin': 20, 'turn_limit': 500}

    Raises:
        ValueError: for an unknown variant or option, an invalid text or value, or an option that is
            set twice.
    """
    game = find(name)
    known = {option.name: option for option in game.options}
    options = dict[str, OptionValue]()
    for setting in settings or ():
        option, equals, value = setting.partition("=")
        if not option or not equals:
            raise ValueError(
                f"an option must look like NAME=VALUE, such as turn_limit=500, not {brief(setting)}"
            )
        if option in options:
            raise ValueError(f"{option} is set twice")
        options[option] = known[option].parse(value) if option in known else value
    options_array(game, options)
    return options


@cache
def _load(name: str) -> Game:
    variant = table()[name]
    try:
        game = _imported(variant.game)
    except Exception as error:
        if name in BUILT_IN:
            raise
        raise ImportError(
            f"variant {name!r} of {variant.distribution} cannot be loaded from {variant.game}:"
            f" {type(error).__name__}: {error}"
        ) from error
    if not isinstance(game, Game) or game.name != name:
        what = f"the game {game.name!r}" if isinstance(game, Game) else brief(game)
        raise ImportError(
            f"variant {name!r} of {variant.distribution}: {variant.game} is {what}, not a Game of"
            " that name"
        )
    return game


def _imported(where: str) -> Any:
    module, _, attribute = where.partition(":")
    return getattr(import_module(module), attribute)


def _by_name(game: Game) -> tuple[Any, ...]:
    """The pickled form of a game: its name in the table, or the module that holds it."""
    if game.name in table() and find(game.name) is game:
        return find, (game.name,)
    for module in list(sys.modules.values()):
        for attribute, value in list(getattr(module, "__dict__", {}).items()):
            if value is game:
                return _imported, (f"{module.__name__}:{attribute}",)
    raise PicklingError(
        f"the game {brief(game.name)} cannot be pickled: it is neither in the table of variants nor"
        " an attribute of a module"
    )


copyreg.pickle(Game, _by_name)
