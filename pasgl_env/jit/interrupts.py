"""Signals, such as an interrupt (Ctrl-C), that wait for the end of a block of code."""

from __future__ import annotations

# The functions of ``signal`` itself look up every handler among its enumerations: to set and
# restore one takes seven microseconds, as long as playing some twenty games.
from _signal import NSIG, getsignal, signal  # type: ignore[import-not-found]
from threading import current_thread, main_thread
from types import FrameType
from typing import Any


class deferred_signals:
    """Context manager: signals in the block are handled when the block is done.

    This covers all signals that Python functions handle, because an exception from any handler
    would leave the block half done. Python handles signals in the main thread only: in other
    threads this does nothing. Blocks may be nested.
    """

    __slots__ = ("_handlers", "_pending")

    def __init__(self) -> None:
        self._handlers: dict[int, Any] = {}  # the previous ones
        self._pending: list[tuple[int, FrameType | None]] = []

    def _defer(self, number: int, frame: FrameType | None) -> None:
        self._pending.append((number, frame))

    def __enter__(self) -> None:
        if current_thread() is not main_thread():
            return
        try:
            for number in range(1, NSIG):
                handler = getsignal(number)
                if callable(handler):
                    self._handlers[number] = handler
                    signal(number, self._defer)
        except BaseException:  # from a handler that is not deferred yet
            self._restore()
            raise

    def __exit__(self, *_: object) -> None:
        if self._handlers:
            self._restore()
            self._handle()

    def _restore(self) -> None:
        """Restore all handlers, even if one that is already restored raises an error meanwhile."""
        try:
            for number, handler in self._handlers.items():
                signal(number, handler)
        except BaseException:
            self._restore()
            raise

    def _handle(self) -> None:
        """Call the handlers of the deferred signals, even if one of them raises an error."""
        while self._pending:
            number, frame = self._pending.pop(0)
            try:
                self._handlers[number](number, frame)
            except BaseException:
                self._handle()
                raise
