"""Drawings in a desktop window, by pygame-ce."""

from __future__ import annotations

import os
from time import monotonic
from typing import Any

from pasgl_env.render.raster import pixels
from pasgl_env.render.size import MAX_SIZE, MIN_SIZE, checked_size
from pasgl_env.render.svg.canvas import Canvas

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
try:
    import pygame
    from pygame import Window as _PygameWindow  # not in the older package of the same name
except ImportError as error:
    raise ImportError(
        "windows need pygame-ce, which cannot be installed together with pygame:"
        " pip uninstall pygame; pip install 'pasgl-env[render]'"
    ) from error

_MILLISECONDS_BETWEEN_LOOKS = 20


class Window:
    """A window that shows one drawing after another, at the size that the user chooses.

    It opens with the first drawing. If the user closes it, it stays closed, and drawings are not
    shown. A copy, pickled or not, opens its own window.

    Args:
        title: title of the window.
        size: the longer of its initial width and height in pixels.

    Raises:
        ValueError: for a size that is not an integer from 32 to 4096.
    """

    def __init__(self, title: str, size: int) -> None:
        self._title = title
        self._size = checked_size(size)
        self._window: Any = None
        self._canvas: Canvas | None = None
        self._shown_at = float("-inf")
        self._is_dismissed = False

    def show(self, canvas: Canvas, fps: float) -> None:
        """Show a drawing, at least a frame's time after the previous one.

        Args:
            canvas: the drawing, fully opaque.
            fps: maximum number of drawings per second.

        Raises:
            RuntimeError: if there is no display.
        """
        if self._is_dismissed:
            return
        # Other code that uses pygame in this process may have shut it down, and the window with it.
        if self._window is None or not pygame.display.get_init():
            self._open(canvas)
        self._wait(self._shown_at + 1 / fps)
        self._canvas = canvas
        self._paint()
        self._look_at_events()
        self._shown_at = monotonic()

    def close(self) -> None:
        """Close the window, if there is one; :meth:`show` opens another."""
        if self._window is not None and pygame.display.get_init():
            self._window.destroy()
        self._window = None
        self._shown_at = float("-inf")
        self._is_dismissed = False

    def _open(self, canvas: Canvas) -> None:
        self._window = None  # one that pygame has shut down must go before another opens
        try:
            pygame.display.init()
        except pygame.error as error:
            raise RuntimeError(f"{_NO_DISPLAY} ({error})") from None
        # SDL's silent fallback if there is no display.
        if pygame.display.get_driver() == "offscreen" and "SDL_VIDEODRIVER" not in os.environ:
            raise RuntimeError(_NO_DISPLAY)
        scale = self._size / max(canvas.width, canvas.height)
        size = (round(canvas.width * scale), round(canvas.height * scale))
        self._window = _PygameWindow(self._title, size, resizable=True)
        self._window.minimum_size = (MIN_SIZE, MIN_SIZE)

    def _wait(self, until: float) -> None:
        """Handle events until a point in time, or until the window is closed."""
        while (left := until - monotonic()) > 0 and self._window is not None:
            self._look_at_events()
            pygame.time.wait(min(_MILLISECONDS_BETWEEN_LOOKS, round(1000 * left)))

    def _look_at_events(self) -> None:
        has_changed = False
        for event in pygame.event.get():
            is_own = getattr(event, "window", None) is self._window
            if event.type == pygame.QUIT or (event.type == pygame.WINDOWCLOSE and is_own):
                self.close()
                self._is_dismissed = True
                return
            if event.type == pygame.WINDOWCLOSE:
                pygame.event.post(event)  # for the window that it belongs to
            has_changed |= is_own and event.type in (pygame.WINDOWSIZECHANGED, pygame.WINDOWEXPOSED)
        if has_changed:
            self._paint()

    def _paint(self) -> None:
        """Redraw the picture in the middle of the window, as large as possible."""
        if self._window is None or self._canvas is None:
            return
        canvas, surface = self._canvas, self._window.get_surface()
        width, height = surface.get_size()
        scale = min(width / canvas.width, height / canvas.height)
        longer = int(scale * max(canvas.width, canvas.height))
        image = pixels(canvas, min(max(longer, MIN_SIZE), MAX_SIZE))
        picture = pygame.image.frombytes(image.tobytes(), image.shape[1::-1], "RGB")
        surface.fill(picture.get_at((0, 0)))
        surface.blit(picture, picture.get_rect(center=surface.get_rect().center))
        self._window.flip()

    def __reduce__(self) -> tuple[type[Window], tuple[str, int]]:
        return Window, (self._title, self._size)


_NO_DISPLAY = (
    "there is no display to open a window on; render_mode='rgb_array' needs none,"
    " nor does an invisible window, with SDL_VIDEODRIVER=dummy in the environment"
)
