"""Interrupts (Ctrl-C) that wait for the end of a block of code."""

from __future__ import annotations

# The functions of ``signal`` itself look up every handler among its enumerations: to set and
# restore one takes seven microseconds, as long as playing some twenty games.
from _signal import SIGINT, getsignal, signal  # type: ignore[import-not-found]
from threading import current_thread, main_thread
from types import FrameType
from typing import Any


class deferred_interrupts:
    """Context manager: an interrupt in the block is handled when the block is done.

    Python handles signals in the main thread only: in other threads this does nothing, nor does it
    if the process ignores SIGINT or leaves it to the system. Blocks may be nested.
    """

    __slots__ = ("_handler", "_interrupt")

    def __init__(self) -> None:
        self._handler: Any = None  # the previous handler
        self._interrupt: tuple[int, FrameType | None] | None = None  # its arguments

    def _defer(self, number: int, frame: FrameType | None) -> None:
        self._interrupt = number, frame

    def __enter__(self) -> None:
        if current_thread() is not main_thread():
            return
        handler = getsignal(SIGINT)
        if callable(handler):
            self._handler = handler
            signal(SIGINT, self._defer)

    def __exit__(self, *_: object) -> None:
        if self._handler is None:
            return
        signal(SIGINT, self._handler)
        if self._interrupt is not None:
            self._handler(*self._interrupt)
