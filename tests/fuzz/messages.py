"""A server's session without sockets, processes or rate limits, for arbitrary messages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from pasgl_env import Position
from pasgl_env.contract.variants import names
from pasgl_env.web import session
from pasgl_env.web.bounds import Address
from pasgl_env.web.hub import Hub
from pasgl_env.web.playtests import Playtests
from pasgl_env.web.pool import Pool, WorkerError
from pasgl_env.web.session import Session
from pasgl_env.web.store import Store

GAME, SECRET = b"@game", b"@secret"
"""What stands in messages for the game begun last, and for the secret of its first seat."""


class NoWorkers(Pool):
    """A pool whose workers all fail; the rules are ready."""

    async def ask(
        self, task: dict[str, Any], *, seconds: float, by: Address | None = None
    ) -> dict[str, Any]:
        raise WorkerError("no worker")

    async def stream(
        self, task: dict[str, Any], *, seconds: float, by: Address | None = None
    ) -> AsyncGenerator[Any, None]:
        if task["task"] != "warm":
            raise WorkerError("no worker")
        yield {"ready": "players"}


class Ended:
    """A process that has ended."""

    def terminate(self) -> None:
        raise ProcessLookupError

    async def wait(self) -> int:
        return 0


async def ended(*args: Any, **kwargs: Any) -> Ended:
    return Ended()


async def talk(lines: list[bytes]) -> list[bool]:
    """Send messages, one after the other; whether each was understood.

    Each is answered once, by what it asks for or by what is wrong with it, and breaks nothing.
    """
    with TemporaryDirectory() as folder, ExitStack() as stack:
        for limit in ("MESSAGES_A_SECOND", "GAMES_AT_ONCE"):
            stack.enter_context(patch.object(session, limit, 1e9))
        stack.enter_context(patch.object(asyncio, "create_subprocess_exec", ended))
        hub = Hub(Store(Path(folder) / "games.sqlite3"), NoWorkers(), Playtests(Path(folder)))
        client = Session(hub, "http://here/")
        working = asyncio.create_task(client.work())
        game = secret = b"none"
        understood = []
        try:
            for line in lines:
                text = line.replace(GAME, game).replace(SECRET, secret)
                answer = await _answer(client, text.decode("utf-8", "surrogateescape"))
                understood.append(answer["ok"])
                if answer["ok"] and "secrets" in answer:
                    game = answer["game"].encode()
                    secret = next(iter(answer["secrets"].values()), "none").encode()
        finally:
            client.finish()
            await working
            client.close()
            await hub.close()
    return understood


async def _answer(client: Session, text: str) -> Any:
    await client.take(text)
    told = [json.loads(await client.unsent.get())]
    while "event" in told[-1]:
        told.append(json.loads(await client.unsent.get()))
    await asyncio.sleep(0)
    told += [json.loads(client.unsent.take()) for _ in range(len(client.unsent))]
    (answer,) = (each for each in told if "event" not in each)
    assert answer["ok"] or answer["error"]["message"] != "something broke on the server", text
    assert answer["ok"] or len(answer["error"]["message"]) < 2000
    return answer


def conversations() -> Iterator[bytes]:
    """Valid conversations, one message per line; each uses every command."""
    for variant in names():
        position = Position(variant)
        seats = [{"player": "person", "name": "Ann"}] * len(position.seats)
        about = {"variant": variant}
        label = position.legal_moves()[0] if not position.is_chance else "e2e4"
        yield b"\n".join(
            json.dumps({"id": number, "do": do, **fields}).encode()
            for number, (do, fields) in enumerate(_commands(about, seats, position.text, label))
        )


def _commands(
    about: dict[str, str], seats: list[Any], text: str, label: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    game = {"game": GAME.decode()}
    yield "hello", {"version": 3, "draw": True}
    yield "board", {**about, "options": {}, "theme": "dark"}
    yield "new", {**about, "options": {"turn_limit": 9}, "seats": seats}
    yield "watch", {**game, "secrets": [SECRET.decode()]}
    yield "play", {**game, "label": label, "ply": 0}
    for do in ("undo", "turns", "take_back", "allow", "refuse", "decline"):
        yield do, game
    for do in ("resign", "evaluate", "feedback", "leave"):
        yield do, game
    yield (
        "new",
        {**about, "seats": [seats[0], *[{"open": True}] * (len(seats) - 1)], "turn_time": 60},
    )
    yield "join", {**game, "name": "Bob"}
    programs = [{"player": "random"}] * len(seats)
    yield "new", {**about, "start": text, "seats": programs, "pace": 0.5}
    yield "watch", {**game, "secrets": []}
    yield "pace", {**game, "seconds": 0.1, "paused": True}
    yield "position", {**game, "ply": 0}
    yield "look", {**about, "text": text}
    yield "explain", {**game, "square": "a1", "why": True, "target": "b2"}
    changes = [{"square": "a1", "piece": ""}, {"field": "turns", "value": "3"}]
    yield "edit", {**about, "text": text, "changes": changes}
    yield "analyse", {**game, "ply": 0, "every": 0.2}
    yield "stop", {"what": "analyse"}
    yield "games", {}
    yield "rate", {**game, "rating": 5, "length": "long", "comment": "well"}
    yield "playtest", {**about, "options": {}, "players": ["random", "greedy"], "games": 2}
    yield "playtests", {}
    yield "stop_playtest", {}
    yield "new", {"from": GAME.decode(), "ply": 0, "seats": seats}
