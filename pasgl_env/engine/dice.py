"""The dice generator of one game. It is never part of a position or a state."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pasgl_env.contract.game import brief
from pasgl_env.engine.sharing import CopiedWhole


class Dice(CopiedWhole):
    """Dice for :meth:`pasgl_env.Position.roll`; the same seed gives the same rolls.

    The same seed also gives the same rolls in a game of a :class:`pasgl_env.Batch`
    (:meth:`pasgl_env.Batch.reseed`) and in a PettingZoo environment after ``reset(seed)``.

    >>> from pasgl_env import Position
    >>> dice = Dice(seed=1)
    >>> Position("pachessi").roll(dice)
    'roll ...'

    Args:
        seed: a non-negative integer; None draws one.

    Raises:
        ValueError: for any other seed.
    """

    def __init__(self, seed: int | None = None) -> None:
        self._generator = np.array([generator(seed)])

    @classmethod
    def at(cls, generator: int) -> Dice:
        """Dice with this generator state, such as one of :attr:`pasgl_env.Batch.first_dice`.

        >>> Dice.at(int(Dice(1).generator[0])).generator == Dice(1).generator
        array([ True])
        """
        dice = cls(0)
        dice._generator[0] = generator
        return dice

    @property
    def generator(self) -> np.ndarray:
        """The generator's state, ``uint64[1]``, which a roll advances."""
        return self._generator


def generator(seed: int | None) -> np.uint64:
    """The initial state of a game's generator."""
    entropy = None if seed is None else checked_seed(seed)
    first: np.uint64 = np.random.SeedSequence(entropy).generate_state(1, np.uint64)[0]
    return first


def is_integer(value: Any) -> bool:
    """Whether a value is an integer of any type but ``bool``."""
    try:
        index(value)
    except TypeError:
        return False
    return not isinstance(value, bool)


def integers(name: str, values: ArrayLike, count: int | None = None) -> np.ndarray:
    """A row of integers as a new ``int64[n]``, of ``count`` if given; else ``ValueError``.

    Those that are too large for ``int64`` become negative ones.
    """
    return np.array(checked_row(name, values, count), np.int64)


def checked_row(name: str, values: ArrayLike, count: int | None = None) -> np.ndarray:
    """A row of integers as NumPy has them, of ``count`` if given; else ``ValueError``."""
    array = np.asarray(values)
    is_row = array.ndim == 1 if count is None else array.shape == (count,)
    is_whole = array.dtype.kind in "iu" or array.size == 0
    if isinstance(values, (list, tuple)):  # NumPy takes a `bool` beside integers as one of them
        is_whole = is_whole and all(map(is_integer, values))
    if not (is_row and is_whole):
        wanted = "a row of" if count is None else count
        given = f"{array.dtype} of shape {array.shape}"
        raise ValueError(f"{name} must be {wanted} integers, not {brief(values)} ({given})")
    return array


def checked_seed(seed: Any) -> int:
    """A seed as an ``int``; ``ValueError`` for anything but a non-negative integer."""
    if not is_integer(seed) or seed < 0:
        or_none = "" if seed is None else " or None"
        raise ValueError(f"seed must be a non-negative integer{or_none}, not {brief(seed)}")
    return index(seed)
