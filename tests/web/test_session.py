"""The order in which a client's commands are carried out."""

import asyncio
import json
from types import SimpleNamespace
from typing import Any

from pasgl_env import variants
from pasgl_env.web import hub
from pasgl_env.web.bounds import Turns
from pasgl_env.web.playtests import Playtests
from pasgl_env.web.session import Session
from pasgl_env.web.store import Store

from .loops import run


class SlowRules:
    """A hub whose rules are not ready yet, and which notes the searches that begin."""

    def __init__(self):
        self.are_ready = asyncio.Event()
        self.begun = []
        self.turns = Turns()
        self.pool = SimpleNamespace(stream=self._stream)

    def refuse_help(self, position):
        pass

    async def ruleset(self, message, tell):
        await self.are_ready.wait()
        return variants.ruleset(message.text("variant"))

    async def _stream(self, task, *, seconds):
        self.begun.append(task["task"])
        yield {"visits": 1}


def test_stop_gets_through_to_what_waits_for_a_slow_command():
    async def body():
        slow: Any = SlowRules()
        session = Session(slow, "")
        working = asyncio.create_task(session.work())

        async def ask(number, command):
            await session.take(json.dumps({"id": number, "do": command, "variant": "spalding"}))

        async def answered():
            number = json.loads(await asyncio.wait_for(session.unsent.get(), 60))["re"]
            await asyncio.sleep(0)  # so that a search begins
            return number

        for number, command in enumerate(("board", "analyse", "stop")):
            await ask(number, command)
        assert await answered() == 2
        slow.are_ready.set()
        assert [await answered(), await answered()] == [0, 1]
        assert slow.begun == []
        await ask(3, "analyse")
        assert await answered() == 3
        assert slow.begun == ["analyse"]
        session.finish()
        await working
        session.close()

    run(body)


def test_who_waits_for_rules_is_told_what_is_compiled(tmp_path, monkeypatch):
    monkeypatch.setattr(hub, "UNTOLD", 0.01)
    monkeypatch.setattr(hub, "_load", lambda variant: None)

    async def body():
        are_compiled = asyncio.Event()

        async def stream(task, *, seconds):
            await are_compiled.wait()
            yield {"ready": "players"}

        pool: Any = SimpleNamespace(stream=stream)
        games = hub.Hub(Store(tmp_path / "games"), pool, Playtests(tmp_path / "playtests"))
        told: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        waiting = asyncio.create_task(games.ready("spalding", told.put_nowait))
        event = await asyncio.wait_for(told.get(), 60)
        assert (event["event"], event["variant"]) == ("compiling", "spalding")
        assert "the rules of Captain Spalding Chess" in event["message"]
        are_compiled.set()
        await waiting
        await games.ready("spalding", told.put_nowait)
        assert told.empty()

    run(body)
