"""The response times of the web server, its memory per game, and what a kill loses.

One run starts `pasgl serve` on loopback, plays PASGL 312 against `greedy` with scripted clients,
which request drawings as the page does, and measures:

- the time from an action until `greedy`'s reply arrives with its drawing: median and 99th
  percentile, for 1, 50 and 200 games at once. Each client thinks for a random time, `--think`
  seconds on average, so that the load is that of people who play fast;
- the same for a crowd of 1,000 games of slower players, without and with ten hostile clients
  (`benchmarks.hostile`) in a process of their own;
- the server's memory per open game, in addition to the game's record;
- the time from the start of the process until a game can be played;
- the size of the page's assets, compressed as they are sent;
- the actions lost when the server is killed at random moments in play.

Server and clients share the machine. Run as ``python -m benchmarks.web``; needs the extra ``play``.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from pasgl_env import variants
from pasgl_env.cli.cache import compile_game, one_of_each_game
from pasgl_env.web.app import STATIC

VARIANT = "pasgl312"
TARGET_MS, TARGET_KB, TARGET_ASSETS_KB = 100, 50, 150
MEMORY_GAMES = 200
CROWD_THINKS = 20.0
"""Mean thinking time in a crowd, in seconds."""


class Server:
    """`pasgl serve` in its own process, on a fixed port."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.port = folder, 0

    def start(self) -> float:
        """Start it; return the seconds until it printed its link."""
        command = [sys.executable, "-m", "benchmarks.web", "--serve", str(self._folder)]
        begun = time.perf_counter()
        self._process = subprocess.Popen(
            [*command, "--port", str(self.port)], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if match := re.search(r"http://[^:]+:(\d+)/", line):
                self.port = int(match[1])
                return time.perf_counter() - begun
        raise RuntimeError("the server did not start")

    def kill(self) -> None:
        """Kill it without warning."""
        self._process.kill()
        self._process.wait()

    @property
    def memory(self) -> int:
        """Resident memory of the process itself in bytes, as reported by Linux."""
        pages = Path(f"/proc/{self._process.pid}/statm").read_text().split()[1]
        return int(pages) * resource.getpagesize()


class Client:
    """A player at the socket.

    Attributes:
        plies: number of plies in its game, as last acknowledged.
        acknowledged: number of acknowledged actions in all its games.
    """

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.game, self.secret = "", ""
        self.plies = self.acknowledged = 0
        self.state: dict[str, Any] = {}

    async def begin(self) -> None:
        """Start a game against greedy, instead of the one before, and watch it."""
        if self.game:
            await self.ask("leave", game=self.game)
        await self.ask("hello", version=2, draw="light")
        seats = [{"player": "person"}, {"player": "greedy"}]
        made = await self.ask("new", variant=VARIANT, seats=seats, options={"turn_limit": 0})
        self.game, self.secret, self.plies = made["game"], made["secrets"]["0"], 0
        await self.watch()

    async def watch(self) -> None:
        """Connect (again) to the game."""
        await self.ask("watch", game=self.game, secrets=[self.secret])
        while self.state.get("game") != self.game:
            self._note(json.loads(await self.socket.recv()))

    async def play(self, choose: random.Random) -> float | None:
        """Play until greedy has replied; return the response time in milliseconds."""
        sent = 0.0
        while not self.state["over"] and self.state["to_move"] == 0:
            label = choose.choice(self.state["legal"])[0]
            ply = self.state["ply"]
            sent = time.perf_counter()
            answer = await self.ask("play", game=self.game, label=label, ply=ply)
            self.plies = answer["ply"]
            self.acknowledged += 1
            while self.state["ply"] <= ply and not self.state["over"]:
                self._note(json.loads(await self.socket.recv()))
        while not self.state["over"] and self.state["to_move"] != 0:
            self._note(json.loads(await self.socket.recv()))
        assert self.state["svg"]
        return None if self.state["over"] else 1000 * (time.perf_counter() - sent)

    async def ask(self, command: str, **fields: Any) -> dict[str, Any]:
        """Send a command; return its answer."""
        await self.socket.send(json.dumps({"id": 1, "do": command, **fields}))
        while True:
            message: dict[str, Any] = json.loads(await self.socket.recv())
            if "re" in message:
                if not message["ok"]:
                    raise RuntimeError(message["error"]["message"])
                return message
            self._note(message)

    def _note(self, message: dict[str, Any]) -> None:
        if message["event"] == "state":
            self.state = message


def main(
    games: Annotated[str, typer.Option(help="Games at once, separated by commas.")] = "1,50,200",
    seconds: Annotated[float, typer.Option(help="Duration of each measurement.")] = 20.0,
    think: Annotated[float, typer.Option(help="Mean thinking time of a client.")] = 3.0,
    kills: Annotated[int, typer.Option(help="Number of kills.")] = 20,
    crowd: Annotated[int, typer.Option(help="Games while hostile clients attack.")] = 1000,
    serve: Annotated[Path | None, typer.Option(hidden=True)] = None,
    port: Annotated[int, typer.Option(hidden=True)] = 0,
) -> None:
    """Measure the server of the page."""
    if serve is not None:
        from pasgl_env.cli.app import app

        app(["serve", "--no-browser", "--data", str(serve), "--port", str(port)])
        return
    for variant in one_of_each_game():  # the server would compile in the middle of a measurement
        compile_game(variant)
    table = Table("measure", "figure", "target", box=box.SIMPLE)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_measure(Path(folder), table, games, seconds, think))
    with tempfile.TemporaryDirectory() as folder:
        lost, acknowledged = asyncio.run(_kill_often(Path(folder), kills))
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_measure_attack(Path(folder), table, crowd, 2 * seconds))
    table.add_row(f"actions lost in {kills} kills, of {acknowledged}", str(lost), "0")
    table.add_row("assets, compressed", f"{_assets() / 1000:.0f} kB", f"≤ {TARGET_ASSETS_KB} kB")
    Console().print(table)


async def _measure(folder: Path, table: Table, games: str, seconds: float, think: float) -> None:
    server = Server(folder)
    linked = server.start()
    begun = time.perf_counter()
    async with _connect(server) as socket:
        await Client(socket).begin()
    ready = linked + time.perf_counter() - begun
    async with _connect(server) as socket:
        for variant in variants.names():  # loading one stops the others for a moment
            await Client(socket).ask("board", variant=variant)
    table.add_row("start of the server, until its link", f"{linked:.1f} s", "")
    table.add_row("start of the server, until a game can be played", f"{ready:.1f} s", "")
    for number in map(int, games.split(",")):
        times = sorted(await _latencies(server, number, seconds, think))
        high = times[int(0.99 * (len(times) - 1))]
        table.add_row(
            f"answer, {number} games at once ({len(times)} turns)",
            f"median {statistics.median(times):.1f} ms, 99th percentile {high:.1f} ms",
            f"≤ {TARGET_MS} ms",
        )
    table.add_row(
        f"memory of an open game ({MEMORY_GAMES} of them)",
        f"{await _memory(server) / 1000:.1f} kB",
        f"≤ {TARGET_KB} kB",
    )
    server.kill()


async def _latencies(server: Server, number: int, seconds: float, think: float) -> list[float]:
    """The response times in several games at once."""
    everybody_is_there = asyncio.Barrier(number)

    async def play(seed: int) -> list[float]:
        choose, times = random.Random(seed), list[float]()
        async with _connect(server) as socket:
            client = Client(socket)
            await client.begin()
            await everybody_is_there.wait()
            until = time.perf_counter() + seconds + think
            while time.perf_counter() < until:
                await asyncio.sleep(choose.uniform(0, 2 * think))
                took = await client.play(choose)
                if took is None:
                    await client.begin()
                else:
                    times.append(took)
        return times

    played = await asyncio.gather(*map(play, range(number)))
    return [took for times in played for took in times]


async def _measure_attack(folder: Path, table: Table, number: int, seconds: float) -> None:
    server = Server(folder)
    server.start()
    async with _connect(server) as socket:
        for variant in variants.names():
            await Client(socket).ask("board", variant=variant)
    alone, attacked = await _crowd(server, number, seconds)
    server.kill()
    alone_high, attacked_high = (
        sorted(times)[int(0.99 * (len(times) - 1))] for times in (alone, attacked)
    )
    for name, times, high, target in (
        ("", alone, alone_high, ""),
        (", ten hostile clients", attacked, attacked_high, f"≤ {2 * alone_high:.0f} ms"),
    ):
        table.add_row(
            f"answer, {number} games of slower players{name} ({len(times)} turns)",
            f"median {statistics.median(times):.1f} ms, 99th percentile {high:.1f} ms",
            target,
        )


async def _crowd(server: Server, number: int, seconds: float) -> tuple[list[float], list[float]]:
    """The response times in many games without and with hostile clients."""
    everybody_is_there = asyncio.Barrier(number + 1)
    times: tuple[list[float], list[float]] = ([], [])
    is_attacked = False

    async def play(seed: int) -> None:
        choose = random.Random(seed)
        async with _connect(server) as socket:
            client = Client(socket)
            await client.begin()
            await everybody_is_there.wait()
            while True:
                await asyncio.sleep(choose.uniform(0, 2 * CROWD_THINKS))
                phase = times[is_attacked]
                took = await client.play(choose)
                if took is None:
                    await client.begin()
                else:
                    phase.append(took)

    playing = [asyncio.create_task(play(seed)) for seed in range(number)]
    await everybody_is_there.wait()
    await asyncio.sleep(seconds)
    command = [sys.executable, "-m", "benchmarks.hostile", str(server.port), str(seconds + 5)]
    attack = await asyncio.create_subprocess_exec(*command)
    await asyncio.sleep(5)  # until it has loaded
    is_attacked = True
    await asyncio.sleep(seconds)
    await attack.wait()
    for task in playing:
        if task.done():
            await task  # a player that was cut off is an error
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    return times


async def _memory(server: Server) -> float:
    """The memory of one more open game with its client, in bytes."""
    sockets, choose, held = [], random.Random(1), [server.memory]
    for _ in range(2):  # one-time allocations fall into the first half
        for _ in range(MEMORY_GAMES):
            socket = await _connect(server)
            sockets.append(socket)
            client = Client(socket)
            await client.begin()
            await client.play(choose)
        held.append(server.memory)
    for socket in sockets:
        await socket.close()
    return [later - earlier for earlier, later in pairwise(held)][-1] / MEMORY_GAMES


async def _kill_often(folder: Path, kills: int) -> tuple[int, int]:
    """The number of acknowledged actions that kills lost, and the number acknowledged."""
    server, choose = Server(folder), random.Random(2)
    server.start()
    lost = 0
    socket = await _connect(server)
    client = Client(socket)
    await client.begin()
    for _ in range(kills):
        dies = asyncio.get_running_loop().call_later(choose.uniform(0.05, 1.5), server.kill)
        with suppress(ConnectionClosed):
            while True:
                if await client.play(choose) is None:
                    await client.begin()
                await asyncio.sleep(0.05)  # within the bound on messages
        dies.cancel()
        server.start()
        acknowledged, client.state = client.plies, {}
        client.socket = await _connect(server)
        await client.ask("hello", version=2, draw="light")
        await client.watch()
        lost += max(0, acknowledged - client.state["ply"])
    server.kill()
    return lost, client.acknowledged


def _connect(server: Server) -> connect:
    return connect(f"ws://127.0.0.1:{server.port}/socket", compression=None, max_size=2**22)


def _assets() -> int:
    """The size of the page's files as they are sent, in bytes."""
    files = (file for file in STATIC.rglob("*") if file.is_file())
    return sum(len(gzip.compress(file.read_bytes(), 6, mtime=0)) for file in files)


if __name__ == "__main__":
    typer.run(main)
