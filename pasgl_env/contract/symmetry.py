"""Symmetries of boards under which a game's rules stay the same, for data augmentation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.contract.base import OptionsRecord


class Symmetry(NamedTuple):
    """A transformation of the board under which the rules stay the same.

    For every position with an observation and legal actions there is a position with the image of
    that observation and of those actions, from which the game continues alike. Each symmetry is its
    own inverse, and changes neither the player to act nor the winner.

    Attributes:
        name: the symmetry's name.
        cells: ``int64[C, H, W]``, for each cell of an image, the index of its source in the
            flattened planes.
        actions: ``int64[A]``, the image of each action.
    """

    name: str
    cells: np.ndarray
    actions: np.ndarray

    def observation(self, observation: Any) -> Any:
        """The image of observations ``[..., C, H, W]``, arrays or tensors."""
        return observation.reshape(*observation.shape[:-3], -1)[..., self.cells]

    def mask(self, mask: Any) -> Any:
        """The image of masks, or of anything else indexed by action, ``[..., A]``."""
        return mask[..., self.actions]


def no_symmetries(options: OptionsRecord) -> tuple[Symmetry, ...]:
    """The :attr:`Game.symmetries` of games without any."""
    return ()


def mirrored_files(
    observation: tuple[int, int, int], actions: int, directions: Sequence[tuple[int, int]]
) -> Symmetry:
    """Left and right exchanged in all planes.

    Args:
        observation: shape (C, H, W).
        actions: number of actions: planes of squares, moves first, and possibly others that do not
            belong to a square.
        directions: (files to the right, ranks ahead) of the moves, in the order of their planes.
    """
    count, height, width = observation
    cells = np.arange(count * height * width).reshape(observation)[:, :, ::-1]
    planes, others = divmod(actions, height * width)
    plane_at = {direction: plane for plane, direction in enumerate(directions)}
    images = [plane_at[-right, ahead] for right, ahead in directions]
    images += range(len(directions), planes)
    numbers = np.arange(planes * height * width).reshape(planes, height, width)
    on_board = numbers[images][:, :, ::-1].reshape(-1)
    rest = np.arange(actions - others, actions)
    return Symmetry("mirrored files", cells.copy(), np.concatenate([on_board, rest]))
