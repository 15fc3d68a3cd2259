"""Ten hostile clients of a server: ``python -m benchmarks.hostile PORT SECONDS``."""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import logging
import os
import random
import sys
from contextlib import suppress
from functools import cache
from typing import Any

from pasgl_env import Position
from pasgl_env.records import GameRecord
from pasgl_env.records.text_writer import write_game

IDLE = 200
OWN = ("127.0.0.2", 0) if sys.platform == "linux" else None
"""The address of these clients, which is not that of the others, where loopback has several."""
LONG, GAMES = 1000, 40
"""Actions and rolls of a game in a file, and games."""


class Hostile:
    """A client that does one thing again and again."""

    def __init__(self, port: int, seed: int = 0) -> None:
        self._port = port
        self._number = itertools.count(1)
        self._rng = random.Random(seed)

    async def pings(self) -> None:
        """Send pings and read nothing."""
        _, out = await self._socket()
        await self._flood(out, frame(9, b"x" * 125) * 1000)

    async def fragments(self) -> None:
        """Send a message that never ends."""
        _, out = await self._socket()
        out.write(frame(1, b"{", False))
        await self._flood(out, frame(0, b"", False) * 5000)

    async def unread(self) -> None:
        """Ask for much and read nothing."""
        _, out = await self._socket()
        for do in ("hello", "games", "feedback") * 40:
            out.write(self._command(do, version=2))
        await out.drain()
        await asyncio.sleep(20)
        out.close()

    async def idle(self) -> None:
        """Open connections without a request."""
        opened = [
            await asyncio.open_connection("127.0.0.1", self._port, limit=2**10, local_addr=OWN)
            for _ in range(IDLE)
        ]
        await asyncio.sleep(5)
        for _, out in opened:
            out.close()

    async def games(self) -> None:
        """Begin games, and connect again for more."""
        got, out = await self._socket()
        for _ in range(50):
            seats = [{"player": "person"}, {"player": "greedy"}]
            out.write(self._command("new", variant="pasgl312", seats=seats))
            await answer(got)
        out.close()

    async def upload(self) -> None:
        """Send a file with a long game."""
        await self._http("POST /records?name=games.pgr", long_file())
        await asyncio.sleep(1)

    async def drawings(self) -> None:
        """Ask for drawings over HTTP."""
        for variant in ("overlord", "pasgl312"):
            await self._http(f"GET /rules/{variant}?theme={self._rng.choice(['light', 'dark'])}")

    async def looks(self) -> None:
        """Send expensive commands as fast as is allowed, and connect again for more."""
        got, out = await self._socket()
        out.write(self._command("hello", version=2, draw="dark"))
        for _ in range(120):
            out.write(self._command("look", variant="overlord"))
        for _ in range(120):
            await answer(got)
        out.close()

    async def programs(self) -> None:
        """Watch games between programs at the fastest pace."""
        got, out = await self._socket()
        out.write(self._command("hello", version=2, draw="light"))
        await answer(got)
        for _ in range(8):
            seats = [{"player": "greedy"}] * 2
            out.write(self._command("new", variant="overlord", seats=seats, pace=0.05))
            made = await answer(got)
            if made["ok"]:
                out.write(self._command("watch", game=made["game"], secrets=[]))
                await answer(got)
        async with asyncio.timeout(20):
            while await message(got):
                pass

    async def analyses(self) -> None:
        """Begin analyses, and connect again."""
        got, out = await self._socket()
        for _ in range(10):
            out.write(self._command("analyse", variant="pasgl312", every=0.05))
            await answer(got)
        out.close()

    async def _socket(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        got, out = await asyncio.open_connection("127.0.0.1", self._port, local_addr=OWN)
        key = base64.b64encode(os.urandom(16)).decode()
        out.write(
            f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        await got.readuntil(b"\r\n\r\n")
        return got, out

    async def _flood(self, out: asyncio.StreamWriter, data: bytes) -> None:
        while True:
            out.write(data)
            await out.drain()

    async def _http(self, line: str, body: bytes = b"") -> None:
        got, out = await asyncio.open_connection("127.0.0.1", self._port, local_addr=OWN)
        head = f"{line} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nConnection: close\r\n"
        out.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        await got.read()
        out.close()

    def _command(self, do: str, **fields: Any) -> bytes:
        return frame(1, json.dumps({"id": next(self._number), "do": do, **fields}).encode())


@cache
def long_file() -> bytes:
    """A record file of long games."""
    position, rng = Position("pachessi", laps=3, turn_limit=0), random.Random(1)
    start, labels = position.copy(), list[str]()
    while len(labels) < LONG and not position.is_over:
        labels.append(position.label(rng.choice(position.legal_actions())))
        position.play(labels[-1])
    return write_game(GameRecord.of(start, labels)).encode() * GAMES


def frame(opcode: int, content: bytes = b"", is_last: bool = True) -> bytes:
    """A frame of the WebSocket protocol, masked with zeros."""
    head = bytes([0x80 * is_last | opcode])
    size = len(content)
    length = bytes([0x80 | size]) if size < 126 else bytes([0xFE]) + size.to_bytes(2, "big")
    return head + length + bytes(4) + content


async def message(got: asyncio.StreamReader) -> dict[str, Any]:
    """The next text message; an error if the connection has been closed."""
    first, size = await got.readexactly(2)
    if size == 126:
        size = int.from_bytes(await got.readexactly(2), "big")
    elif size == 127:
        size = int.from_bytes(await got.readexactly(8), "big")
    content = await got.readexactly(size)
    if first != 0x81:
        return {"event": "frame"} if first in (0x89, 0x8A) else {}
    told: dict[str, Any] = json.loads(content)
    return told


async def answer(got: asyncio.StreamReader) -> dict[str, Any]:
    """The next answer."""
    while "re" not in (told := await message(got)):
        if not told:
            raise ConnectionError("closed")
    return told


KINDS = (
    Hostile.pings,
    Hostile.fragments,
    Hostile.unread,
    Hostile.idle,
    Hostile.games,
    Hostile.upload,
    Hostile.drawings,
    Hostile.looks,
    Hostile.programs,
    Hostile.analyses,
)


async def attack(port: int, seconds: float, kinds: Any = KINDS) -> None:
    """One client of each kind, for some seconds."""

    async def again(kind: Any, client: Hostile) -> None:
        while True:
            with suppress(OSError, EOFError, TimeoutError):
                await kind(client)
            await asyncio.sleep(0.01)

    long_file()  # made before the others begin
    working = [asyncio.create_task(again(kind, Hostile(port, n))) for n, kind in enumerate(kinds)]
    await asyncio.wait(working, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    for task in working:
        if task.done():
            await task
        task.cancel()
    await asyncio.gather(*working, return_exceptions=True)


if __name__ == "__main__":
    # To write to a server that has hung up is what they are for.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    if hasattr(os, "nice"):
        os.nice(19)  # attackers do not use the server's processors
    asyncio.run(attack(int(sys.argv[1]), float(sys.argv[2])))
