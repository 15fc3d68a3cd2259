"""Connections: idle ones, slow readers and floods of frames are cut off.

The protocols are uvicorn's, with bounds that it does not have.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from pasgl_env.web.bounds import Address, Addresses, Allowance

MOST_CONNECTIONS = 4000
MOST_OF_ADDRESS = 1500
MOST_PENDING = 1024
LONGEST_IDLE = 10.0
"""Seconds without a request, before the first one or after an answer."""
SLOWEST = 10.0
"""Seconds within which a client must read something."""
FRAMES_A_SECOND, FRAMES_AT_ONCE = 400.0, 500.0
"""WebSocket frames of a connection."""
MOST_FRAGMENTS = 500
SLICE = 512
"""Bytes whose frames are read before they are counted."""


@dataclass
class _Open:
    """An open connection; ``idle_since`` is None during a request and for sockets."""

    address: Address
    idle_since: float | None


class Connections:
    """The open connections of a server, fewer than the process may have files open.

    Args:
        addresses: count the connections of each address.
    """

    def __init__(self, addresses: Addresses) -> None:
        files = _most_files()
        self.most = min(MOST_CONNECTIONS, files // 2)
        self.most_of_address = min(MOST_OF_ADDRESS, self.most // 2)
        self.most_pending = min(MOST_PENDING, files // 4)
        self._addresses = addresses
        self._open: dict[asyncio.BaseTransport, _Open] = {}

    def enter(self, transport: asyncio.Transport) -> None:
        """Count a new connection; it, or one that is idle, is closed if there are too many."""
        peer = transport.get_extra_info("peername")
        address = self._addresses.of(peer[0] if peer else "")
        self._open[transport] = _Open(address, asyncio.get_running_loop().time())
        address.connections += 1
        if not address.opened.take():
            transport.abort()
        elif address.connections > self.most_of_address:
            self._close_one(address)
        elif len(self._open) > self.most:
            self._close_one(None)

    def leave(self, transport: asyncio.BaseTransport) -> None:
        """Forget a connection that has been closed."""
        if (known := self._open.pop(transport, None)) is not None:
            known.address.connections -= 1

    def set_idle(self, transport: asyncio.BaseTransport, idle: bool) -> None:
        """Note whether a connection waits for a request."""
        if (known := self._open.get(transport)) is not None:
            known.idle_since = asyncio.get_running_loop().time() if idle else None

    def takes_frames(self, transport: asyncio.BaseTransport, number: int) -> bool:
        """Count frames of a connection for its address; return whether they are allowed."""
        known = self._open.get(transport)
        return known is not None and known.address.frames.take(number)

    async def close_idle(self) -> None:
        """Close connections that have been idle for too long, again and again."""
        while True:
            await asyncio.sleep(LONGEST_IDLE / 4)
            now = asyncio.get_running_loop().time()
            for transport, known in list(self._open.items()):
                if known.idle_since is not None and known.idle_since < now - LONGEST_IDLE:
                    _abort(transport)
                elif known.idle_since is None and transport.is_closing():
                    known.idle_since = now  # its client has to read the rest soon

    def _close_one(self, address: Address | None) -> None:
        """Close the connection that has been idle for longest, else the newest."""
        mine = [
            (transport, known)
            for transport, known in self._open.items()
            if address in (None, known.address) and not transport.is_closing()
        ]
        idle = [transport for transport, known in mine[:-1] if known.idle_since is not None]
        _abort(idle[0] if idle else mine[-1][0])


def _abort(transport: asyncio.BaseTransport) -> None:
    assert isinstance(transport, asyncio.Transport)
    transport.abort()


def _most_files() -> int:
    """The number of files that this process may open, raised as far as it can be."""
    if sys.platform == "win32":
        return 2 * MOST_CONNECTIONS
    import resource

    with suppress(ValueError, OSError):
        resource.setrlimit(
            resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2
        )
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return 2 * MOST_CONNECTIONS if most == resource.RLIM_INFINITY else most


def protocols(connections: Connections) -> dict[str, Any]:
    """The protocols of a server, as settings of :class:`uvicorn.Config`."""

    class Http(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            connections.enter(transport)

        def connection_lost(self, exc: Exception | None) -> None:
            connections.leave(self.transport)
            super().connection_lost(exc)

        def handle_events(self) -> None:
            super().handle_events()
            cycle: RequestResponseCycle | None = self.cycle
            if cycle is not None and not cycle.response_complete:
                connections.set_idle(self.transport, False)

        def handle_websocket_upgrade(self, event: Any) -> None:
            connections.set_idle(self.transport, False)
            super().handle_websocket_upgrade(event)

        def on_response_complete(self) -> None:
            connections.set_idle(self.transport, True)
            super().on_response_complete()

    class WebSocket(WebSocketsSansIOProtocol):
        def __init__(self, *args: Any, **settings: Any) -> None:
            super().__init__(*args, **settings)
            self._counted = Allowance(FRAMES_A_SECOND, FRAMES_AT_ONCE)
            self._slow: asyncio.TimerHandle | None = None

        def connection_lost(self, exc: Exception | None) -> None:
            connections.leave(self.transport)
            self.resume_writing()
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            for start in range(0, len(data), SLICE):
                if not self.transport.is_closing():
                    super().data_received(data[start : start + SLICE])

        def handle_events(self) -> None:
            number = len(self.conn.events)
            if (
                self._counted.take(number)
                and connections.takes_frames(self.transport, number)
                and len(self.frames) <= MOST_FRAGMENTS
            ):
                super().handle_events()
            else:
                self.transport.abort()

        def pause_writing(self) -> None:
            super().pause_writing()
            self._slow = self.loop.call_later(SLOWEST, self.transport.abort)

        def resume_writing(self) -> None:
            super().resume_writing()
            if self._slow is not None:
                self._slow.cancel()

    return {"http": Http, "ws": WebSocket, "backlog": connections.most_pending}
