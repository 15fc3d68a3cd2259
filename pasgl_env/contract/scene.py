"""What a position looks like, as small records: which symbol is where, with which marks.

The rule ``scene`` of the part ``drawing.svg`` (:class:`pasgl_env.contract.parts.Drawing`) writes a
:data:`SPRITE` for everything that the state changes in a drawing, from bottom to top. Pictures are
made of them by a :class:`~pasgl_env.render.svg.layout.Layout`, which is data as well.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from pasgl_env.contract import parts
from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.description import array_of
from pasgl_env.contract.game import Game
from pasgl_env.contract.record import record_dtype
from pasgl_env.jit.compiled import bind, rule

SPRITE = record_dtype(
    [
        ("number", np.int64),  # a number to show
        ("other", np.int64),  # another one
        ("look", np.int16),  # index of the layout's looks
        ("symbol", np.int16),  # index of its symbols; -1: none
        ("place", np.int16),  # index of its places; -1: none
        ("target", np.int16),  # the place to which an arrow points; -1: none
    ]
)
"""Something in a drawing."""


@rule
def show(
    out: np.ndarray, count: int, look: int, symbol: int = -1, place: int = -1, number: int = 0
) -> int:
    """Write a sprite behind ``count`` others, to which more can be added; return their number."""
    sprite = out[count]
    sprite.look, sprite.symbol, sprite.place, sprite.number = look, symbol, place, number
    sprite.other, sprite.target = 0, -1
    return count + 1


def scene(game: Game, state: State, options: OptionsRecord, rolled: int = -1) -> np.ndarray:
    """The sprites of a state: :data:`SPRITE` ``[n]``, from bottom to top.

    Args:
        game: the game.
        state: the state.
        options: the options.
        rolled: the last outcome of chance in the current turn; -1: none, or unknown.

    Raises:
        NotImplementedError: if the game has no drawings.
    """
    part: Any = parts.drawing(game)
    out = np.zeros(part.MOST, SPRITE)
    mask = np.zeros(game.spaces(options).actions, np.uint8)
    show_all = shower(part.scene, game.cache_name)
    shown: np.ndarray = out[: show_all(array_of(state), array_of(options), rolled, mask, out)]
    return shown


@cache
def shower(rule: Callable[..., Any], cache_name: str) -> Any:
    """The rule ``scene``, for arrays of one record: Numba takes records slowly."""
    return bind(_show, cache_name, {"scene_rule": rule})


scene_rule: Any = None  # the game's, in the template below


def _show(
    states: np.ndarray, options: np.ndarray, rolled: int, mask: np.ndarray, out: np.ndarray
) -> int:
    """Write the sprites of a state; return their number."""
    count: int = scene_rule(states[0], options[0], rolled, mask, out)
    return count
