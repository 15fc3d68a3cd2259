"""Images of the board under which a game's rules stay the same, to augment data with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.games.base import OptionsRecord


class Symmetry(NamedTuple):
    """An image of the board under which the rules stay the same.

    Where a player sees an observation and may play some actions, there is a position in which it
    sees the image of that and may play the images of these, and the games go on alike. Each is its
    own inverse, and changes neither who is to act nor who wins.

    Attributes:
        name: what people call it.
        cells: ``int64[C, H, W]``, for each cell of an image the cell of the observation that it
            shows, an index into the flattened planes.
        actions: ``int64[A]``, for each action its image.
    """

    name: str
    cells: np.ndarray
    actions: np.ndarray

    def observation(self, observation: Any) -> Any:
        """The image of observations ``[..., C, H, W]``, arrays or tensors."""
        return observation.reshape(*observation.shape[:-3], -1)[..., self.cells]

    def mask(self, mask: Any) -> Any:
        """The image of masks, or of anything else by action, ``[..., A]``."""
        return mask[..., self.actions]


def no_symmetries(options: OptionsRecord) -> tuple[Symmetry, ...]:
    """The :attr:`Game.symmetries` of games without any."""
    return ()


def mirrored_files(
    observation: tuple[int, int, int], actions: int, directions: Sequence[tuple[int, int]]
) -> Symmetry:
    """Left and right exchanged, in all planes.

    Args:
        observation: shape (C, H, W).
        actions: number of actions: planes of squares, the first of which are moves, and perhaps
            some others that concern no square.
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
