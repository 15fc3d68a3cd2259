"""Mutable objects that can be copied, pickled, forked and shared between threads.

:func:`alone` refuses a call while another one is changing the object, so that no thread sees it
half changed. A copy of a :class:`Copyable` consists of its *state*, at one moment. Everything else
(compiled code, threads, scratch memory, views of other arrays) is *derived*: it is never copied,
and a copy makes its own.

A fork is a copy, too: it waits until the calls in other threads have returned.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from copy import deepcopy
from functools import wraps
from threading import get_ident
from time import monotonic, sleep
from typing import Any, ClassVar, Concatenate, ParamSpec, Self, TypeVar
from weakref import WeakSet

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Kind = TypeVar("Kind", bound="Shared")

LONGEST_WAIT = 5.0
"""Seconds that a fork waits for the calls in other threads."""
_POLL = 0.0005
_OTHERS = -1  # in a memo of deepcopy, whose keys are not negative: leave out other such objects

_shared: WeakSet[Copyable] = WeakSet()  # a fork waits for the calls of all of these
_forks: dict[int, None] = {}  # the threads that are forking
_left: dict[object, None] = {}  # calls that a fork did not wait for: in this process they never end


def alone(
    method: Callable[Concatenate[Kind, Arguments], Result], *, waits: bool = False
) -> Callable[Concatenate[Kind, Arguments], Result]:
    """Refuse a method while another call changes the object: ``RuntimeError``.

    Every call enters a ticket into ``_users``, with its thread, negative if the call waits, and the
    first one is served. One C function removes it in any case, so that no interrupt leaves it
    there. A lock in a ``with`` statement would not do: from Python 3.14 on, an interrupt can come
    between acquiring it and the block.

    Args:
        method: the method.
        waits: whether the method only reads; then it and other calls wait for each other.
    """

    @wraps(method)
    def call(self: Kind, /, *arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        users, ticket = self._users, object()
        try:
            users[ticket] = -get_ident() if waits else get_ident()
            if len(users) != 1 or _forks:
                _wait(self, users, ticket)
            return method(self, *arguments, **named)
        finally:
            users.pop(ticket, None)

    return call


def _wait(shared: Shared, users: dict[object, int], ticket: object) -> None:
    """Wait until a ticket is served, or raise an error if it is not worth waiting."""
    entry, own, end = users[ticket], get_ident(), monotonic() + LONGEST_WAIT
    while True:
        first, *_ = users
        if first is not ticket:
            if first in _left:
                raise RuntimeError(shared._half_changed())
            other = users.get(first, -1)  # it may have just returned
            is_patient = entry < 0 or other < 0
            if abs(other) == own:
                raise RuntimeError(
                    f"a call of this {type(shared).__name__} is not finished: what it calls, such"
                    " as an opponent, cannot use it, but a copy made before"
                )
            if not is_patient or monotonic() > end:
                raise RuntimeError(shared._in_use)
        elif not _forks or own in _forks:
            return
        if _forks:
            users.pop(ticket, None)
        sleep(_POLL)
        users[ticket] = entry


def to_read(
    method: Callable[Concatenate[Kind, Arguments], Result],
) -> Callable[Concatenate[Kind, Arguments], Result]:
    """Let a method that only reads and the calls that change the object wait for each other."""
    return alone(method, waits=True)


class Shared:
    """An object whose methods :func:`alone` keeps apart."""

    _in_use: ClassVar[str] = "this object is in use by another thread: give each thread its own"

    _users: dict[object, int]

    def _half_changed(self) -> str:
        return (
            f"another thread was changing this {type(self).__name__} when the process forked, so it"
            " is half changed here: make another one"
        )


class CopiedWhole:
    """An object that ``copy.copy`` copies as ``copy.deepcopy`` does: the copy shares nothing."""

    def __copy__(self) -> Self:
        return deepcopy(self)


class Copyable(CopiedWhole, Shared):
    """An object that can be copied, pickled and forked, also while threads use it.

    Subclasses make the derived attributes in :meth:`_open`, and call it at the end of ``__init__``.
    """

    _derived: ClassVar[frozenset[str]] = frozenset()
    """The attributes that :meth:`_open` makes."""

    def __new__(cls, *_: Any, **__: Any) -> Self:
        made = super().__new__(cls)
        made._users = {}
        _shared.add(made)
        return made

    def _open(self) -> None:
        """Make the derived attributes."""

    def _state(self) -> dict[str, Any]:
        """The attributes that are copied."""
        derived = self._derived
        return {
            name: value
            for name, value in self.__dict__.items()
            if name not in derived and name != "_users"
        }

    @to_read
    def __getstate__(self) -> dict[str, Any]:
        # A copy at one moment: other threads may change the object while it is pickled. Other
        # objects of this kind in the state are not copied, because they may be shared with others.
        return deepcopy(self._state(), {id(self): self, _OTHERS: ()})

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._open()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self if _OTHERS in memo else self._copied(memo)

    @to_read
    def _copied(self, memo: dict[int, Any]) -> Self:
        twin = memo[id(self)] = type(self).__new__(type(self))
        twin.__setstate__(deepcopy(self._state(), memo))
        return twin


def _before_fork() -> None:
    """Let no call begin, and wait for those in other threads."""
    own = get_ident()
    _forks[own] = None
    end = monotonic() + LONGEST_WAIT
    while _calls_of_others(own) and monotonic() < end:
        sleep(_POLL)


def _calls_of_others(own: int) -> list[object]:
    """The tickets of the calls in progress in other threads."""
    while True:
        try:
            every = [call for shared in _shared for call in list(shared._users.items())]
        except RuntimeError:  # another thread has made an object meanwhile
            continue
        return [ticket for ticket, thread in every if abs(thread) != own]


def _after_fork_in_parent() -> None:
    _forks.pop(get_ident(), None)


def _after_fork_in_child() -> None:
    """Note the calls of threads that the child lacks: they never end."""
    _forks.clear()
    _left.update(dict.fromkeys(_calls_of_others(get_ident())))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork,
        after_in_parent=_after_fork_in_parent,
        after_in_child=_after_fork_in_child,
    )
