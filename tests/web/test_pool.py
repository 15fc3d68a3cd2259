"""Worker processes: limited, stopped when unused, replaced when they die."""

import asyncio
import os
import subprocess
import sys
import time
from contextlib import AsyncExitStack, aclosing
from pathlib import Path
from typing import Any

import pytest

from pasgl_env import solve
from pasgl_env.web import pool
from pasgl_env.web.bounds import Address
from pasgl_env.web.pool import Pool, TookTooLong, WorkerError
from pasgl_env.web.protocol import Problem

from . import loops

POSITION: dict[str, Any] = {
    "variant": "pachessi",
    "options": {"first": "black"},
    "start": None,
    "choices": [],
}
ROLLED = {**POSITION, "start": "Ra7:0,Eb7:0,Hc7:0,Sd7:0/Rg1:0,Ef1:0,He1:0,Sd1:0 black 2,6 i 0"}
ANALYSE = {**ROLLED, "task": "analyse", "every": 0.05, "visits": 10**9}


def run(body, tables=()):
    async def within():
        workers = Pool(2, tables)
        try:
            await body(workers)
        finally:
            await workers.close()

    loops.run(within)


def test_a_search_that_nobody_waits_for_stops_and_its_process_is_used_again():
    async def body(workers):
        async with aclosing(workers.stream(ANALYSE, seconds=60)) as stream:
            async for found in stream:
                if found["visits"] > 0:
                    break
        [idle] = workers._idle
        task = {**ROLLED, "task": "choose", "player": "greedy"}
        assert "action" in await workers.ask(task, seconds=60)
        assert workers._idle == [idle]

    run(body)


def test_analyses_hold_up_nothing_else(tmp_path):
    async def body(workers):
        async with AsyncExitStack() as held, asyncio.timeout(120):
            for _ in range(workers.size):
                stream = workers.stream(ANALYSE, seconds=120)
                await anext(await held.enter_async_context(aclosing(stream)))
            picture = {**ROLLED, "task": "png", "theme": "light", "size": 80}
            picture["out"] = str(tmp_path / "picture.png")
            assert (await workers.ask(picture, seconds=60))["size"] > 100
            warming = workers.stream({**ROLLED, "task": "warm"}, seconds=60)
            assert await anext(await held.enter_async_context(aclosing(warming)))

    run(body)


def test_a_search_ends_when_its_time_is_over():
    async def body(workers):
        async with aclosing(workers.stream(ANALYSE, seconds=60)) as stream:
            await anext(stream)  # a process has started
        stream = workers.stream(ANALYSE, seconds=3)
        assert len([found async for found in stream]) > 1

    run(body)


def test_a_task_that_takes_too_long_fails_and_the_next_one_does_not():
    async def body(workers):
        slow = {**ROLLED, "task": "choose", "player": "search:5s"}
        with pytest.raises(TookTooLong, match=r"longer than 0\.2 seconds"):
            await workers.ask(slow, seconds=0.2)
        with pytest.raises(TookTooLong):
            await anext(workers.stream(slow, seconds=0.2))
        task = {**ROLLED, "task": "choose", "player": "random"}
        assert "action" in await workers.ask(task, seconds=60)

    run(body)


def test_a_process_that_dies_is_replaced():
    async def body(workers):
        task = {**ROLLED, "task": "choose", "player": "random"}
        await workers.ask(task, seconds=60)
        workers._idle[0].end()
        assert "action" in await workers.ask(task, seconds=60)

    run(body)


def test_a_process_that_cannot_be_started_is_told_and_tried_again(monkeypatch):
    async def body(workers):
        task = {**ROLLED, "task": "choose", "player": "random"}
        with monkeypatch.context() as patched:
            patched.setattr(pool, "start_aside", no_process)
            with pytest.raises(WorkerError, match="no process could be started"):
                await workers.ask(task, seconds=60)
        assert "action" in await workers.ask(task, seconds=60)

    async def no_process(*command, **pipes):
        raise BlockingIOError("too many processes")

    run(body)


def test_a_decision_is_asked_for_once_more_when_its_process_dies():
    async def body(workers):
        task = {**ROLLED, "task": "choose", "player": "search:1s"}
        asking = asyncio.create_task(workers.ask(task, seconds=60))
        for _ in range(2):
            while not (busy := [each for each in workers._busy if each._is_working]):
                await asyncio.sleep(0.01)
            busy[0]._process.kill()
            await busy[0].ended()
            await asyncio.sleep(0.1)
            if asking.done():
                break
        with pytest.raises(WorkerError, match="has ended"):
            await asking
        dead = asyncio.create_task(workers.ask(task, seconds=60))
        while not (busy := [each for each in workers._busy if each._is_working]):
            await asyncio.sleep(0.01)
        busy[0]._process.kill()
        assert "action" in await dead

    run(body)


def test_positions_of_a_table_are_looked_up(tmp_path):
    table = tmp_path / "kings.npz"
    solve("chieftain", setup="c3/4/4/3C").save(table)

    async def body(workers):
        about = {"variant": "chieftain", "options": {"setup": "c3/4/4/3C"}}
        found = await workers.ask({**ANALYSE, **POSITION, **about}, seconds=60)
        assert (found["basis"], found["value"], found["visits"]) == ("exact", 0, 0)

    run(body, [table])


@pytest.mark.skipif(sys.platform == "win32", reason="kills a process group")
def test_no_process_outlives_a_server_that_is_killed():
    code = f"""
import asyncio
from pasgl_env.web.pool import Pool

async def main():
    pool = Pool(2)
    stream = pool.stream({ANALYSE!r}, seconds=600)
    await anext(stream)
    [worker] = pool._busy
    print(worker._process.pid, flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        worker = int(server.stdout.readline())
        server.kill()
    until = time.monotonic() + 20
    while is_running(worker):
        assert time.monotonic() < until
        time.sleep(0.05)


def is_running(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(sys.platform == "win32", reason="priorities of POSIX")
def test_a_process_yields_to_the_server_and_is_not_interrupted_with_it():
    async def body(workers):
        await workers.ask({**ROLLED, "task": "choose", "player": "greedy"}, seconds=60)
        number = workers._idle[0]._process.pid
        assert os.getpriority(os.PRIO_PROCESS, number) == os.getpriority(os.PRIO_PROCESS, 0) + 10
        assert os.getpgid(number) != os.getpgid(0)
        # Between sessions, Linux divides the processors evenly, whatever the priorities are.
        assert os.getsid(number) == os.getsid(0)

    run(body)


def test_what_is_wrong_with_a_task_is_told():
    async def body(workers):
        task = {**ROLLED, "task": "choose", "player": "nobody"}
        with pytest.raises(WorkerError, match="no player"):
            await workers.ask(task, seconds=60)

    run(body)


def test_tasks_of_one_address_or_kind_do_not_fill_the_queue_for_others(monkeypatch):
    monkeypatch.setattr(pool, "MOST_OF_ADDRESS", 1)
    monkeypatch.setattr(pool, "MOST_WAITING", 2)

    async def body(workers):
        async def analyse(by):
            worker = workers._worker(ANALYSE, by)
            await held.enter_async_context(worker)

        async def choose(by=None):
            async with workers._worker({"task": "choose"}, by):
                pass

        one, second, third = Address(), Address(), Address()
        async with AsyncExitStack() as held, asyncio.timeout(60):
            await analyse(one)
            with pytest.raises(Problem, match="too many searches"):
                await analyse(one)
            await analyse(second)
            with pytest.raises(Problem, match="too many searches"):
                await analyse(third)
            await choose(one)
            monkeypatch.setattr(pool, "MOST_WAITING", 0)
            await choose()  # a program of a game
        assert not +one.tasks and not +second.tasks

    run(body)
