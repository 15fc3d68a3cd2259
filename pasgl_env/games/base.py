"""What a game's compiled rules may import: the types in their signatures and the common rules.

A module that is compiled imports only this, :mod:`pasgl_env.games.bits`,
:mod:`pasgl_env.engine.compiled` and its own game's rules: whatever else it imports would be part of
the key of its compiled code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pasgl_env.engine.compiled import rule, wide

State: TypeAlias = Any
"""One record of a game's state: a ``numpy.record``, or Numba's view of one."""

OptionsRecord: TypeAlias = Any
"""One record of options: a field for each of :attr:`Game.options`, then the derived ones."""


class Plane(NamedTuple):
    """A run of observation planes, for documentation and for the test that decodes them."""

    first: int
    length: int
    meaning: str


TURNS_LEFT_BITS = 10


def turns_left(first: int) -> Plane:
    """The planes that :func:`show_turns_left` writes."""
    return Plane(
        first,
        TURNS_LEFT_BITS,
        "turns left before the turn limit in binary, at most 1023, also without a limit, lowest bit"
        " first, all 0 or 1",
    )


class FeatureRun(NamedTuple):
    """A run of features, for documentation; ``size`` is how many, as a product."""

    size: str
    meaning: str


class Features(NamedTuple):
    """What a learned value sees of a state: a list of numbered features that are present.

    Attributes:
        count: ``(options) -> int``: how many features there are under some options.
        most: how many are present at once, at most; one that is present twice counts twice.
        write: rule ``(state, options, player, indices) -> int``: write the indices of the features
            that are present as ``player`` sees the state into ``int32[most]``; return how many.
            Called for quiescent states that are not decided.
        viewpoint: rule ``(state) -> int``: the player from whose side a state is valued; where a
            game is symmetric, whoever is to act or to roll, so that sides share what is learned.
        is_decided: rule ``(state, options) -> bool``: whether the game is over as far as that is
            seen without generating moves.
        table: the runs, in order.
        free: options that change nothing that is learned.
        ahead: for how many turns a search plays on before it asks for a value, where its name does
            not say: what was measured to be strongest.
    """

    count: Callable[[OptionsRecord], int]
    most: int
    write: Callable[[State, OptionsRecord, int, np.ndarray], int]
    viewpoint: Callable[[State], int]
    is_decided: Callable[[State, OptionsRecord], bool]
    table: tuple[FeatureRun, ...]
    free: tuple[str, ...] = ("turn_limit", "more_planes")
    ahead: int = 0


@rule
def show_bits(number: int, first: int, bits: int, planes: np.ndarray) -> None:
    """Write a number in binary: for each bit, the lowest first, a plane that is all 0 or all 1."""
    for bit in range(bits):
        planes[first + bit, :, :] = (number >> bit) & 1


@rule
def show_turns_left(turns: int, options: OptionsRecord, first: int, planes: np.ndarray) -> None:
    """Write the turns left before the turn limit, after a number of turns."""
    most = (1 << TURNS_LEFT_BITS) - 1
    left = min(max(wide(options.turn_limit) - turns, 0), most) if options.turn_limit else most
    show_bits(left, first, TURNS_LEFT_BITS, planes)


@rule
def no_chance_weight(state: State, options: OptionsRecord) -> int:
    """The :attr:`Game.chance_weight` of games without chance."""
    return 0


@rule
def no_outcome(state: State, options: OptionsRecord, number: int) -> int:
    """The :attr:`Game.chance_outcome` and :attr:`Game.apply_chance` of games without chance."""
    return number


def no_lead(options: OptionsRecord) -> int:
    """The :attr:`Game.largest_lead` of games without points."""
    return 0


@rule
def own_team(player: int) -> int:
    """The :attr:`Game.team` of games in which everybody plays for himself."""
    return player


@rule
def never_full(state: State) -> bool:
    """The :attr:`Game.is_full` of games whose states remember nothing of the past."""
    return False
