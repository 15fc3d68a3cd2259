"""Worker processes: started on demand, limited in number and time, stopped when unused."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

from pasgl_env.web.bounds import Address
from pasgl_env.web.protocol import Problem

MOST_WAITING, MOST_OF_ADDRESS = 300, 100
"""Tasks of one kind, short, long or live, that clients may have given, all and of one address."""
LONG = ("evaluate", "film", "png", "record", "records")
"""Tasks that end by themselves, but may take long."""
LIVE = ("analyse",)
"""Tasks that run until their client stops them."""
LONGEST_LINE = 64 * 2**20
STOPS_IN = 15.0
"""Seconds to wait for a worker to stop before it is killed: it may still be loading the rules."""
NICENESS = 10
"""What processes that compute have more than the server, which comes first."""


class WorkerError(Exception):
    """A worker failed; the message is one line for people."""


class TookTooLong(WorkerError):
    """A task was stopped because its time was over."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"it took longer than {seconds:g} seconds")


class WorkerDied(WorkerError):
    """The process of a worker has ended."""

    def __init__(self) -> None:
        super().__init__("the worker process has ended")


class Pool:
    """Processes of :mod:`pasgl_env.web.worker`.

    Players' choices may use any process; long tasks leave one of them free. Live tasks have
    processes of their own, so that no other task waits until somebody closes an analysis.

    Args:
        size: number of processes; None for one per processor, at least two. Live tasks may start
            as many again.
        tables: files of exact values, which analyses look positions up in.
    """

    def __init__(self, size: int | None = None, tables: Sequence[Path] = ()) -> None:
        self.size = max(2, size or os.cpu_count() or 2)
        self._tables = tables
        self._idle: list[_Worker] = []
        self._any = asyncio.Semaphore(self.size)
        self._long = asyncio.Semaphore(self.size - 1)
        self._live = asyncio.Semaphore(self.size)
        self._given = Counter[str]()  # tasks of each kind by clients, until they end
        self._busy: set[_Worker] = set()
        self._returning: set[asyncio.Task[None]] = set()

    async def ask(
        self, task: dict[str, Any], *, seconds: float, by: Address | None = None
    ) -> dict[str, Any]:
        """The first result of a task; it is given once more if its process dies.

        Args:
            task: the task.
            seconds: how long it may take.
            by: the client's address; None for the server's own tasks, which are never refused.

        Raises:
            Problem: if too many tasks are waiting.
            WorkerError: if the task fails or takes too long.
        """
        try:
            found = await self._ask(task, seconds, by)
        except WorkerDied:
            found = await self._ask(task, seconds, by)
        if not found:
            raise WorkerError("the worker returned no result")
        return found[0]

    async def _ask(
        self, task: dict[str, Any], seconds: float, by: Address | None
    ) -> list[dict[str, Any]]:
        async with self._worker(task, by) as worker:
            try:
                async with asyncio.timeout(seconds):
                    return [each async for each in worker.work(task)]
            except TimeoutError:
                raise TookTooLong(seconds) from None

    async def stream(
        self, task: dict[str, Any], *, seconds: float, by: Address | None = None
    ) -> AsyncGenerator[Any, None]:
        """Yield a task's results as they come; closing the iterator stops the task.

        Callers close it, by ``aclosing``: left to the garbage collection, it would hold its process
        until then, and at the end of the server be closed together with what it waits for.

        After ``seconds`` the iterator of a live task ends. ``by`` is as in :meth:`ask`.

        Raises:
            Problem: if too many tasks are waiting.
            TookTooLong: if a task that ends by itself has not ended by then.
            WorkerError: if the task fails.
        """
        async with self._worker(task, by) as worker, aclosing(worker.work(task)) as work:
            deadline = asyncio.get_running_loop().time() + seconds
            while True:
                try:
                    # Not around the yield: the timeout would then cover the caller's time too.
                    async with asyncio.timeout_at(deadline):
                        found = await anext(work)
                except StopAsyncIteration:
                    return
                except TimeoutError:
                    if _kind(task) == "live":
                        return
                    raise TookTooLong(seconds) from None
                yield found

    async def close(self) -> None:
        """Stop all processes."""
        for worker in [*self._idle, *self._busy]:
            worker.end()
        for worker in [*self._idle, *self._busy]:
            await worker.ended()
        await asyncio.gather(*self._returning, return_exceptions=True)
        self._idle.clear()

    @contextmanager
    def _counted(self, kind: str, by: Address | None) -> Iterator[None]:
        """Count a task of a client, and refuse it if there are too many of its kind."""
        if by is None:
            yield
            return
        if self._given[kind] >= MOST_WAITING or by.tasks[kind] >= MOST_OF_ADDRESS:
            raise Problem("busy", "too many searches are waiting; try again later")
        for counted in (self._given, by.tasks):
            counted[kind] += 1
        try:
            yield
        finally:
            for counted in (self._given, by.tasks):
                counted[kind] -= 1

    @asynccontextmanager
    async def _worker(self, task: dict[str, Any], by: Address | None) -> AsyncIterator[_Worker]:
        kind = _kind(task)
        slots = {"live": (self._live,), "long": (self._long, self._any), "short": (self._any,)}
        with self._counted(kind, by):
            async with AsyncExitStack() as held:
                for slot in slots[kind]:
                    await held.enter_async_context(slot)
                yield await held.enter_async_context(self._process())

    @asynccontextmanager
    async def _process(self) -> AsyncIterator[_Worker]:
        """A process that is idle, or a new one."""
        self._idle = [worker for worker in self._idle if worker.is_alive]
        worker = self._idle.pop() if self._idle else await _Worker.start(self._tables)
        self._busy.add(worker)
        try:
            yield worker
        finally:
            # If the caller is cancelled again, the process is still awaited.
            returning = asyncio.create_task(self._return(worker))
            self._returning.add(returning)
            returning.add_done_callback(self._returning.discard)
            await asyncio.shield(returning)

    async def _return(self, worker: _Worker) -> None:
        """Stop what a process does, and let others use it."""
        try:
            if await worker.stop():
                self._idle.append(worker)
        finally:
            self._busy.discard(worker)


def _kind(task: dict[str, Any]) -> str:
    if task["task"] in LIVE:
        return "live"
    return "long" if task["task"] in LONG else "short"


async def start_aside(*command: str, **pipes: Any) -> asyncio.subprocess.Process:
    """Start a process that computes beside the server.

    It has a process group of its own, because an interrupt at the terminal is meant for the server;
    but no session, because Linux gives sessions equal shares of the processors.
    """
    process = await asyncio.create_subprocess_exec(*command, process_group=0, **pipes)
    with suppress(AttributeError, OSError):  # from outside, because it loads for a second first
        own = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PROCESS, process.pid, own + NICENESS)
    return process


class _Worker:
    """One process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._is_working = False
        self._is_ended = False

    @classmethod
    async def start(cls, tables: Sequence[Path]) -> _Worker:
        try:
            process = await start_aside(
                *(sys.executable, "-m", "pasgl_env.web.worker", *map(str, tables)),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LONGEST_LINE,
            )
        except OSError as error:
            raise WorkerError(f"no process could be started: {error}") from error
        return cls(process)

    @property
    def is_alive(self) -> bool:
        """Whether the process runs, as far as is known."""
        return not self._is_ended and self._process.returncode is None

    async def work(self, task: dict[str, Any]) -> AsyncGenerator[dict[str, Any], None]:
        """Carry out a task; yield its results."""
        self._is_working = True
        await self._send(task)
        while True:
            found = await self._receive()
            if "done" in found:
                self._is_working = False
                if "error" in found:
                    raise WorkerError(found["error"])
                return
            yield found

    async def stop(self) -> bool:
        """Stop the current task; whether the process can be used again."""
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
        """Wait until the process has ended."""
        await self._process.wait()

    async def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            await self._process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError):
            self.end()
            raise WorkerDied from None

    async def _receive(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            self.end()
            self._is_working = False
            raise WorkerDied
        message: dict[str, Any] = json.loads(line)
        return message
