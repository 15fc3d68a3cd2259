"""Limits of image sizes."""

from __future__ import annotations

from pasgl_env.contract.game import brief

MIN_SIZE, MAX_SIZE = 32, 4096


def checked_size(size: int) -> int:
    """Check the size of an image in pixels.

    Raises:
        ValueError: if it is not an integer from 32 to 4096.
    """
    if type(size) is not int or not MIN_SIZE <= size <= MAX_SIZE:
        raise ValueError(
            f"size must be an integer number of pixels, {MIN_SIZE} to {MAX_SIZE}, not {brief(size)}"
        )
    return size
