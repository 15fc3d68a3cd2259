"""Worker processes: how many, for how long, and stopped when nobody waits any more."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, nullcontext, suppress
from typing import Any

from pasgl_env.web.protocol import Problem

MOST_WAITING = 300
LONGEST_LINE = 64 * 2**20
STOPS_IN = 3.0
"""Seconds after which a worker that does not stop is ended."""


class WorkerError(Exception):
    """What went wrong in a worker, in a line for people."""


class Pool:
    """Processes of :mod:`pasgl_env.web.worker`.

    Choices of players wait for any process; long tasks leave one of them free.

    Args:
        size: how many processes; None: one for each processor, two at least.
    """

    def __init__(self, size: int | None = None) -> None:
        self.size = max(2, size or os.cpu_count() or 2)
        self._idle: list[_Worker] = []
        self._any = asyncio.Semaphore(self.size)
        self._long = asyncio.Semaphore(self.size - 1)
        self._waiting = 0
        self._busy: set[_Worker] = set()

    async def ask(
        self, task: dict[str, Any], *, seconds: float, is_long: bool = False
    ) -> dict[str, Any]:
        """The first thing that a task finds; long tasks leave a process free for others.

        Raises:
            Problem: if too many wait.
            WorkerError: if it fails or takes too long.
        """
        async with self._counted(), self._long if is_long else nullcontext():
            return await self._ask(task, seconds)

    async def _ask(self, task: dict[str, Any], seconds: float) -> dict[str, Any]:
        async with self._worker() as worker:
            try:
                async with asyncio.timeout(seconds):
                    found = [each async for each in worker.work(task)]
            except TimeoutError:
                raise WorkerError(f"it took longer than {seconds:g} seconds") from None
        if not found:
            raise WorkerError("nothing was found")
        return found[0]

    async def stream(self, task: dict[str, Any], *, seconds: float) -> AsyncGenerator[Any, None]:
        """What a long task finds, as it finds it; it is stopped when the iterator is closed.

        After ``seconds`` it just ends.

        Raises:
            Problem: if too many wait.
            WorkerError: if it fails.
        """
        async with self._counted(), self._long, self._worker() as worker:
            deadline = asyncio.get_running_loop().time() + seconds
            work = worker.work(task)
            while True:
                try:
                    # Not around the yield: there, the time would end whatever the caller does.
                    async with asyncio.timeout_at(deadline):
                        found = await anext(work)
                except (TimeoutError, StopAsyncIteration):
                    return
                yield found

    async def close(self) -> None:
        """End all processes."""
        for worker in [*self._idle, *self._busy]:
            worker.end()
        for worker in [*self._idle, *self._busy]:
            await worker.ended()
        self._idle.clear()

    @asynccontextmanager
    async def _counted(self) -> AsyncIterator[None]:
        if self._waiting >= MOST_WAITING:
            raise Problem("busy", "too many searches are waiting; try again in a while")
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    @asynccontextmanager
    async def _worker(self) -> AsyncIterator[_Worker]:
        async with self._any:
            worker = self._idle.pop() if self._idle else await _Worker.start()
            self._busy.add(worker)
            try:
                yield worker
            finally:
                self._busy.discard(worker)
                if await asyncio.shield(worker.stop()):
                    self._idle.append(worker)


class _Worker:
    """One process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._is_working = False
        self._is_ended = False

    @classmethod
    async def start(cls) -> _Worker:
        return cls(
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "pasgl_env.web.worker"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LONGEST_LINE,
                start_new_session=True,  # an interrupt at the terminal is for the server
            )
        )

    async def work(self, task: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        """What a task finds."""
        await self._send(task)
        self._is_working = True
        while True:
            found = await self._receive()
            if "done" in found:
                self._is_working = False
                if "error" in found:
                    raise WorkerError(found["error"])
                return
            yield found

    async def stop(self) -> bool:
        """Have the task stopped that is under way; whether the process can be used again."""
        if not self._is_working or self._is_ended:
            return not self._is_ended
        try:
            async with asyncio.timeout(STOPS_IN):
                await self._send({"stop": True})
                while "done" not in await self._receive():
                    pass
        except (TimeoutError, WorkerError):
            self.end()
            return False
        self._is_working = False
        return True

    def end(self) -> None:
        """Kill the process."""
        self._is_ended = True
        with suppress(ProcessLookupError):
            self._process.kill()

    async def ended(self) -> None:
        """Wait until it is no more."""
        await self._process.wait()

    async def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            await self._process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError):
            self.end()
            raise WorkerError("the worker process has ended") from None

    async def _receive(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            self.end()
            self._is_working = False
            raise WorkerError("the worker process has ended")
        message: dict[str, Any] = json.loads(line)
        return message
