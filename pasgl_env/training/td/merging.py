"""Merging changes that several workers learned by Adagrad from the same weights.

Adagrad divides each gradient by the root of the sum of squared gradients so far. A worker does not
know the squares of the others, so its steps are longer than if all had learned one after another:
``n`` gradients of the same size move a weight in proportion to the difference of the roots before
and after. :func:`merge` shortens the steps by the same law.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pasgl_env.players.values.network import Network
from pasgl_env.training.td.loops import EPSILON


class Change(NamedTuple):
    """The change of the weights that a worker learned in a slice.

    Attributes:
        moves: the difference of each weight, times the sum of the roots of its squares before and
            after: a sum of gradients, whatever the squares were.
        squares: the growth of Adagrad's sums of squared gradients.
    """

    moves: Network
    squares: Network


def change_of(
    network: Network, squares: Network, new_network: Network, new_squares: Network
) -> Change:
    """The change from weights and squares to new ones."""
    moves = [
        (new - old) * _roots(before, after)
        for old, new, before, after in zip(network, new_network, squares, new_squares, strict=True)
    ]
    growth = [after - before for before, after in zip(squares, new_squares, strict=True)]
    return Change(Network(*moves), Network(*growth))


def merge(network: Network, squares: Network, change: Change) -> None:
    """Apply a change to the current weights and squares.

    If they are the ones that the worker began with, they become the worker's own.
    """
    for weights, sums, moves, growth in zip(
        network, squares, change.moves, change.squares, strict=True
    ):
        before = sums.copy()
        sums += growth
        weights += moves / _roots(before, sums)


def _roots(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """``float32``, above 0."""
    roots: np.ndarray = np.sqrt(before + EPSILON) + np.sqrt(after + EPSILON)
    return roots
