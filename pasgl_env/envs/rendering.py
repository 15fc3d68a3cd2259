"""Render modes, the same for all environments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from pasgl_env.contract.base import State
from pasgl_env.contract.game import brief
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.position import Position

RENDER_MODES = ("ansi", "rgb_array", "human")


class Renderer:
    """Draws states of a variant in a render mode. Raster code is imported only if needed.

    ==============  ============================================================================
    ``"ansi"``      a text diagram
    ``"rgb_array"`` an image, ``uint8[H, W, 3]``
    ``"human"``     a window
    ==============  ============================================================================

    Args:
        ruleset: the variant with its options.
        mode: one of these or None.
        size: the longer side in pixels, of an image or initially of a window.
        theme: ``"light"`` or ``"dark"``.
        modes: the available modes.

    Raises:
        ValueError: for another mode or theme, or a size that is not an integer from 32 to 4096.
        ImportError: if the mode needs the extra ``render``, which is not installed.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        mode: str | None,
        *,
        size: int = 512,
        theme: str = "light",
        modes: Sequence[str] = RENDER_MODES,
    ) -> None:
        if mode is not None and mode not in modes:
            known = ", ".join(map(repr, modes))
            raise ValueError(f"render_mode must be {known} or None, not {brief(mode)}")
        self._ruleset = ruleset
        self._mode = mode
        self._modes = modes
        self._size = size
        self._theme = theme
        self._window: Any = None
        if mode is not None:
            self._prepare()

    def draw(
        self, state: State, *, position: Position | None = None, fps: float = 1
    ) -> str | np.ndarray | None:
        """Draw a state record; without a mode, warn and return None.

        Args:
            state: the state.
            position: the same state as a position, if there is one; it knows its last turn.
            fps: maximum number of frames per second in a window.

        Raises:
            RuntimeError: if there is no display for a window.
        """
        if self._mode is None:
            modes = " or ".join(map(repr, self._modes))
            gymnasium.logger.warn(f"render() draws nothing without a render_mode ({modes})")
            return None
        from pasgl_env import render

        if self._mode == "ansi":
            return render.diagram_of_state(self._ruleset, state)
        marks = render.NO_MARKS if position is None else render.marks_of(position)
        canvas = render.drawing_of_state(self._ruleset, state, theme=self._theme, marks=marks)
        if self._mode == "human":
            self._window.show(canvas, fps)
            return None
        from pasgl_env.render import raster

        return raster.pixels(canvas, self._size)

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()

    def _prepare(self) -> None:
        from pasgl_env import render
        from pasgl_env.render.size import checked_size

        render.checked_theme(self._theme)
        checked_size(self._size)
        if self._mode == "rgb_array":
            from pasgl_env.render import raster  # noqa: F401  so that a missing extra is reported
        if self._mode == "human":
            from pasgl_env.render.window import Window

            self._window = Window(self._ruleset.game.title, self._size)
