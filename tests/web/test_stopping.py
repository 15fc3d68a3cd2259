"""The end of a server: whatever it has begun has ended before its loop does."""

import asyncio
import sys
import threading
from contextlib import aclosing
from types import SimpleNamespace
from typing import Any

from pasgl_env.web import hub
from pasgl_env.web.playtests import Playtests
from pasgl_env.web.pool import Pool
from pasgl_env.web.protocol import Problem
from pasgl_env.web.store import Store

from .loops import run
from .test_pool import ANALYSE, ROLLED


def hub_with(pool, folder):
    return hub.Hub(Store(folder / "games.sqlite3"), pool, Playtests(folder / "playtests"))


class SlowToEnd:
    """A pool whose stream takes a while to be closed."""

    def __init__(self):
        self.is_open = False

    async def stream(self, task, *, seconds):
        self.is_open = True
        try:
            yield {"ready": "players"}
        finally:
            await asyncio.sleep(0.05)
            self.is_open = False

    async def close(self):
        pass


def test_the_preparation_of_rules_has_ended_when_a_hub_is_closed(tmp_path, monkeypatch):
    loads, may_load = threading.Event(), threading.Event()

    def load(variant):
        loads.set()
        may_load.wait(60)

    monkeypatch.setattr(hub, "_load", load)

    async def body():
        pool: Any = SlowToEnd()
        games = hub_with(pool, tmp_path)
        preparing = asyncio.create_task(games.ready("spalding"))
        await asyncio.to_thread(loads.wait, 60)
        try:
            await games.close()
            assert not pool.is_open
        finally:
            may_load.set()
        await asyncio.wait((preparing,))

    run(body)


def test_a_program_that_was_interrupted_has_ended_when_a_hub_is_closed(tmp_path):
    async def body():
        pool: Any = SlowToEnd()
        games = hub_with(pool, tmp_path)
        has_ended = []

        async def think():
            try:
                await asyncio.sleep(60)
            finally:
                for _ in range(10):
                    await asyncio.sleep(0)
                has_ended.append(True)

        live: Any = SimpleNamespace(id="a")
        games._thinking["a"] = asyncio.create_task(think())
        await asyncio.sleep(0)
        games.interrupt(live)
        await games.close()
        assert has_ended

    run(body)


async def cancelled_twice(pool):
    """Ask for something long, and cancel it while its process, which is returned, works on it."""
    asking = asyncio.create_task(
        pool.ask({**ROLLED, "task": "choose", "player": "search:5s"}, seconds=60)
    )
    while not [each for each in pool._busy if each._is_working]:
        await asyncio.sleep(0.01)
    [process] = pool._busy
    for _ in range(2):
        asking.cancel()
        await asyncio.sleep(0)
    await asyncio.wait((asking,))
    return process


def test_a_task_that_is_cancelled_twice_gives_its_process_back():
    async def body():
        pool = Pool(2)
        process = await cancelled_twice(pool)
        async with asyncio.timeout(60):
            while pool._busy:
                await asyncio.sleep(0.01)
        assert pool._idle == [process]
        await pool.close()

    run(body)


def test_a_task_that_is_cancelled_twice_has_ended_when_its_pool_is_closed():
    async def body():
        pool = Pool(2)
        others = asyncio.all_tasks()
        process = await cancelled_twice(pool)
        await pool.close()
        assert not process.is_alive
        assert asyncio.all_tasks() == others

    run(body)


def test_a_stream_that_is_closed_leaves_nothing_to_the_garbage_collection():
    async def body():
        pool, left = Pool(2), list[Any]()
        usual = sys.get_asyncgen_hooks()
        sys.set_asyncgen_hooks(usual.firstiter, left.append)
        async with aclosing(pool.stream(ANALYSE, seconds=60)) as stream:
            await anext(stream)
        await pool.close()
        sys.set_asyncgen_hooks(*usual)
        assert left == []

    run(body)


def test_a_server_whose_store_cannot_be_tidied_starts_all_the_same(tmp_path, caplog):
    async def body():
        pool: Any = SlowToEnd()
        games = hub_with(pool, tmp_path)
        games.store.drop_unplayed = full
        await games.start()
        await games.close()

    def full():
        raise Problem("failed", "the disk is full")

    run(body)
    assert caplog.messages == ["could not delete the games that nobody played: the disk is full"]
