"""Interrupts (Ctrl-C) that wait until a block of code is done."""

from __future__ import annotations

# The functions of ``signal`` itself look every handler up among its enumerations: setting one and
# setting it back takes seven microseconds, which is as long as playing some twenty games.
from _signal import SIGINT, getsignal, signal  # type: ignore[import-not-found]
from threading import current_thread, main_thread
from types import FrameType
from typing import Any


class deferred_interrupts:
    """Context manager: an interrupt in the block is handled when the block is done.

    Python handles signals in the main thread only: in other threads this does nothing, and neither
    where the process ignores SIGINT or leaves it to the system. Blocks may be nested.
    """

    __slots__ = ("_handler", "_interrupt")

    def __init__(self) -> None:
        self._handler: Any = None  # the one that was in force
        self._interrupt: tuple[int, FrameType | None] | None = None  # what it is to be called with

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
