"""Bounds on clients: rates, connections and time, so that one client cannot hurt the others."""

from __future__ import annotations

import asyncio
import heapq
import ipaddress
import logging
import math
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Generator
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any, Generic, TypeVar

GAMES_OF_ADDRESS, GAMES_OF_ADDRESS_AT_ONCE = 200.0, 1200.0
"""New games of an address in a minute: a class behind one router may start many at once."""
OPEN_GAMES_AN_HOUR, OPEN_GAMES_AT_ONCE = 20.0, 20.0
"""New games of an address with seats that are open to everybody, which are in everybody's list."""
FILES_A_MINUTE, FILES_AT_ONCE = 10.0, 20.0
BYTES_A_SECOND, BYTES_AT_ONCE = 2.0**20, 2.0**26
"""Bytes of record files of an address."""
CONNECTIONS_A_SECOND, CONNECTIONS_AT_ONCE = 20.0, 2000.0
FRAMES_OF_ADDRESS, FRAMES_OF_ADDRESS_AT_ONCE = 2000.0, 10_000.0
"""WebSocket frames of an address in a second, whose connections have bounds of their own."""
MOST_WATCHED = 1250
"""Games that the clients of an address may watch at the same time, half of what may be open."""
MOST_UNSENT = 2**25
"""Characters that wait to be sent to an address."""
SHARE_OF_ADDRESS, SHARE_OF_GAME = 0.25, 0.001
"""The largest part of the event loop's time for an address; each game watched there adds to it."""
MOST_ADDRESSES = 10_000
LINES_A_SECOND, LINES_AT_ONCE = 0.2, 20.0
FORGETTING = 10.0
"""Seconds after which used time counts 1/e as much."""

T = TypeVar("T")


class Allowance:
    """A rate limit: ``rate`` per second, and at most ``most`` at once."""

    def __init__(self, rate: float, most: float) -> None:
        self._rate, self._most, self._left = rate, most, most
        self._seen = time.monotonic()

    def take(self, amount: float = 1) -> bool:
        """Count an amount if that is allowed; return whether it is."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._seen) * self._rate)
        self._seen = now
        if self._left < amount:
            return False
        self._left -= amount
        return True

    def give_back(self) -> None:
        """Do not count what :meth:`take` has counted last, because it was refused."""
        self._left += 1


class Backlog(Generic[T]):
    """What waits for one reader: an :class:`asyncio.Queue` takes ten times the memory."""

    def __init__(self) -> None:
        self._items: list[T] = []
        self._reader: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        return len(self._items)

    def put(self, item: T) -> None:
        """Add an item."""
        self._items.append(item)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    def take(self) -> T:
        """Remove and return the first item."""
        return self._items.pop(0)

    async def get(self) -> T:
        """Wait for an item; remove and return it."""
        while not self._items:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        return self.take()


class Used:
    """The recent time used by a client.

    Args:
        address: its address, whose time counts, too, divided by the games watched there, so that
            connecting again does not help.
    """

    def __init__(self, address: Address | None = None) -> None:
        self._address = address
        self._seconds = self._at = 0.0

    def add(self, seconds: float) -> None:
        """Count time."""
        self._seconds = self._own() + seconds
        self._at = time.monotonic()
        if self._address is not None:
            self._address.used.add(seconds)

    def lately(self) -> float:
        """The seconds used, weighted by how recent they are."""
        if self._address is None:
            return self._own()
        return self._own() + self._address.used.lately() / max(1, self._address.watched)

    def rest(self, share: float) -> float:
        """The seconds after which the recent use is at most a share of all time."""
        return FORGETTING * math.log(max(1.0, self.lately() / (share * FORGETTING)))

    def _own(self) -> float:
        return self._seconds * math.exp((self._at - time.monotonic()) / FORGETTING)


@dataclass
class Address:
    """The clients of one address.

    Attributes:
        connections: number of open connections.
        watched: number of games watched.
        unsent: number of characters that wait to be sent.
        tasks: numbers of tasks for worker processes, by kind.
    """

    connections: int = 0
    watched: int = 0
    unsent: int = 0
    tasks: Counter[str] = field(default_factory=Counter)
    used: Used = field(default_factory=Used)
    opened: Allowance = field(
        default_factory=lambda: Allowance(CONNECTIONS_A_SECOND, CONNECTIONS_AT_ONCE)
    )
    frames: Allowance = field(
        default_factory=lambda: Allowance(FRAMES_OF_ADDRESS, FRAMES_OF_ADDRESS_AT_ONCE)
    )
    games: Allowance = field(
        default_factory=lambda: Allowance(GAMES_OF_ADDRESS / 60, GAMES_OF_ADDRESS_AT_ONCE)
    )
    open_games: Allowance = field(
        default_factory=lambda: Allowance(OPEN_GAMES_AN_HOUR / 3600, OPEN_GAMES_AT_ONCE)
    )
    files: Allowance = field(default_factory=lambda: Allowance(FILES_A_MINUTE / 60, FILES_AT_ONCE))
    bytes: Allowance = field(default_factory=lambda: Allowance(BYTES_A_SECOND, BYTES_AT_ONCE))

    @property
    def rest(self) -> float:
        """The seconds for which its clients' commands wait."""
        return self.used.rest(SHARE_OF_ADDRESS + self.watched * SHARE_OF_GAME)


class Addresses:
    """All addresses from which clients have come."""

    def __init__(self) -> None:
        self._known: dict[str, Address] = {}

    def of(self, host: str) -> Address:
        """The address of a host; a network of IPv6 counts as one."""
        name = _network(host)
        if name not in self._known:
            if len(self._known) >= MOST_ADDRESSES:
                self._known = {key: each for key, each in self._known.items() if each.connections}
            self._known[name] = Address()
        return self._known[name]


def _network(host: str) -> str:
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return host
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


class Turns:
    """Divides the time of the event loop: clients that have recently used little come first."""

    def __init__(self) -> None:
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = count()
        self._is_taken = False
        self._ended = 0.0

    @property
    def idle(self) -> float:
        """The seconds since the last turn."""
        return 0.0 if self._is_taken else asyncio.get_running_loop().time() - self._ended

    async def by_turns(self, used: Used, work: Coroutine[Any, Any, T]) -> T:
        """Carry out a coroutine; each part between two waits takes a turn."""
        proceed: Callable[[], Any] = partial(work.send, None)
        try:
            while True:
                has_turn = True
                try:
                    await self._turn(used)
                except asyncio.CancelledError as error:
                    # At once: AnyIO cancels again and again, whatever is awaited meanwhile.
                    has_turn, proceed = False, partial(work.throw, error)
                began = time.perf_counter()
                try:
                    waits_for = proceed()
                except StopIteration as done:
                    result: T = done.value
                    return result
                finally:
                    used.add(time.perf_counter() - began)
                    if has_turn:  # not at once: a client that has come meanwhile may be first
                        asyncio.get_running_loop().call_soon(self._next)
                proceed = await _outcome(waits_for, work)
        finally:
            work.close()

    async def _turn(self, used: Used) -> None:
        loop = asyncio.get_running_loop()
        mine: asyncio.Future[None] = loop.create_future()
        # So that no client waits for ever, a second used recently counts as coming a second later.
        heapq.heappush(self._waiting, (loop.time() + used.lately(), next(self._numbers), mine))
        if not self._is_taken:
            self._is_taken = True
            loop.call_soon(self._next)
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():
                loop.call_soon(self._next)
            raise

    def _next(self) -> None:
        while self._waiting:
            _, _, following = heapq.heappop(self._waiting)
            if not following.done():
                following.set_result(None)
                return
        self._is_taken = False
        self._ended = asyncio.get_running_loop().time()


async def others() -> None:
    """Give other clients a turn, in the middle of work that takes long."""
    await asyncio.sleep(0)


class _Wait:
    """Waits for the future that a coroutine has yielded to its task."""

    def __init__(self, waits_for: Any) -> None:
        self._waits_for = waits_for

    def __await__(self) -> Generator[Any, Any, None]:
        yield self._waits_for


async def _outcome(waits_for: Any, work: Coroutine[Any, Any, Any]) -> Callable[[], Any]:
    """Wait as a coroutine would, and return how it proceeds."""
    try:
        await _Wait(waits_for)
    except BaseException as error:
        return partial(work.throw, error)
    return partial(work.send, None)


class FewLines(logging.Filter):
    """Keeps clients from filling the log."""

    def __init__(self) -> None:
        super().__init__()
        self._lines = Allowance(LINES_A_SECOND, LINES_AT_ONCE)

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is logged."""
        return self._lines.take()
