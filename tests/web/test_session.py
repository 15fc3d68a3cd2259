"""The order in which a client's commands are carried out."""

import asyncio
import json
from types import SimpleNamespace
from typing import Any

from pasgl_env import variants
from pasgl_env.web import hub
from pasgl_env.web.bounds import Turns
from pasgl_env.web.playtests import Playtests
from pasgl_env.web.protocol import Message
from pasgl_env.web.session import Session
from pasgl_env.web.store import Store

from .loops import run


class SlowStore:
    """A hub whose list of games takes long, and which notes the searches that begin."""

    def __init__(self):
        self.is_read = asyncio.Event()
        self.begun = []
        self.turns = Turns()
        self.clients = set()
        self.store = SimpleNamespace(recent=None, running=lambda games: [])
        self.open_games = list
        self.pool = SimpleNamespace(stream=self._stream)

    def refuse_help(self, position):
        pass

    def ruleset(self, message):
        return variants.ruleset(message.text("variant"))

    async def ready(self, variant):
        pass

    async def aside(self, call, *arguments):
        await self.is_read.wait()

    async def _stream(self, task, *, seconds, by):
        self.begun.append(task["task"])
        yield {"visits": 1}


def test_stop_gets_through_to_what_waits_for_a_slow_command():
    async def body():
        slow: Any = SlowStore()
        session = Session(slow, "")
        working = asyncio.create_task(session.work())

        async def ask(number, command):
            await session.take(json.dumps({"id": number, "do": command, "variant": "spalding"}))

        async def answered():
            number = json.loads(await asyncio.wait_for(session.unsent.get(), 60))["re"]
            await asyncio.sleep(0)  # so that a search begins
            return number

        for number, command in enumerate(("games", "analyse", "stop")):
            await ask(number, command)
        assert await answered() == 2
        slow.is_read.set()
        assert [await answered(), await answered()] == [0, 1]
        assert slow.begun == []
        await ask(3, "analyse")
        assert await answered() == 3
        assert slow.begun == ["analyse"]
        session.finish()
        await working
        session.close()

    run(body)


def test_clients_are_told_what_is_compiled_and_only_programs_wait_for_it(tmp_path, monkeypatch):
    monkeypatch.setattr(hub, "SILENT", 0.01)
    monkeypatch.setattr(hub, "_load", lambda variant: None)

    async def body():
        are_compiled = asyncio.Event()

        async def stream(task, *, seconds):
            await are_compiled.wait()
            yield {"ready": "players"}

        pool: Any = SimpleNamespace(stream=stream)
        games = hub.Hub(Store(tmp_path / "games"), pool, Playtests(tmp_path / "playtests"))
        told: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        games.greet(told.put_nowait)
        assert games.ruleset(Message({"variant": "spalding"})).name == "spalding"
        waiting = asyncio.create_task(games.ready("spalding"))
        event = await asyncio.wait_for(told.get(), 60)
        assert (event["event"], event["variants"]) == ("compiling", ["spalding"])
        assert "Compiling Captain Spalding Chess" in event["message"]
        assert not waiting.done()
        late: list[dict[str, Any]] = []
        games.greet(late.append)
        assert late == [event]
        are_compiled.set()
        await waiting
        assert (await told.get())["message"] == ""

    run(body)
