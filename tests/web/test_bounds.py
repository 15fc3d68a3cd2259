"""Bounds on clients: what one does leaves the others alone."""

import asyncio
import base64
import contextlib
import json
import math
import os
import socket
import sqlite3
import time
from typing import Any

import anyio
import pytest

from pasgl_env.web import bounds, connections, session
from pasgl_env.web import hub as hub_module
from pasgl_env.web.app import _send_all
from pasgl_env.web.bounds import MOST_UNSENT, Address, Addresses, Allowance, Turns, Used
from pasgl_env.web.connections import Connections
from pasgl_env.web.hub import Hub
from pasgl_env.web.playtests import Playtests
from pasgl_env.web.pool import Pool
from pasgl_env.web.protocol import Problem
from pasgl_env.web.session import Session
from pasgl_env.web.store import Store

from .conftest import Client
from .loops import run

SEATS = [{"player": "person"}] * 2


class Local:
    """A client without a socket."""

    def __init__(self, hub, address=None):
        self.session = Session(hub, "http://here", address)
        self._working = asyncio.create_task(self.session.work())
        self.states = {}

    async def ask(self, do, **fields):
        await self.session.take(json.dumps({"id": do, "do": do, **fields}))
        while True:
            message = json.loads(await asyncio.wait_for(self.session.unsent.get(), 60))
            if message.get("re") == do:
                return message
            if message.get("event") == "state":
                self.states[message["game"]] = message

    async def event(self, name):
        while True:
            message = json.loads(await asyncio.wait_for(self.session.unsent.get(), 60))
            if message.get("event") == name:
                return message

    async def close(self):
        self.session.finish()
        await self._working
        self.session.close()


class PlainHub(Hub):
    """A hub that does not wait for the compiler: positions are played by the rules as Python."""

    async def _prepare(self, variant):
        return True


def with_hub(body, folder, now=time.time):
    async def within():
        hub = PlainHub(
            Store(folder / "games.sqlite3", now), Pool(2), Playtests(folder / "playtests")
        )
        try:
            await body(hub)
        finally:
            await hub.close()

    run(within)


def test_whoever_has_used_the_least_time_comes_first():
    async def body():
        turns, order = Turns(), []
        light, heavy = Used(), Used()
        heavy.add(5)

        async def work(name, waits):
            for _ in range(waits):
                order.append(name)
                await asyncio.sleep(0)

        async def ahead():
            time.sleep(0.01)

        await asyncio.gather(
            turns.by_turns(Used(), ahead()),
            *(turns.by_turns(heavy, work("heavy", 1)) for _ in range(3)),
            *(turns.by_turns(light, work("light", 1)) for _ in range(3)),
        )
        assert order == ["light"] * 3 + ["heavy"] * 3
        assert light.lately() < 1 < heavy.lately()

    run(body)


def test_connecting_again_does_not_clear_the_time_used():
    address = Address(watched=2)
    Used(address).add(5)
    assert Used(address).lately() == pytest.approx(2.5, rel=0.01)
    assert Used(Address()).lately() == 0


def test_an_address_rests_when_it_has_used_more_than_its_games_allow():
    one, many = Address(watched=1), Address(watched=1000)
    for address in (one, many):
        assert address.rest == 0
        address.used.add(6)
    assert one.rest > 5
    assert many.rest == 0


def test_games_between_programs_rest_until_they_have_used_their_share():
    used = Used()
    assert used.rest(0.2) == 0
    used.add(4)
    assert used.rest(0.2) == pytest.approx(bounds.FORGETTING * math.log(2), rel=0.01)


def test_work_that_is_cancelled_again_and_again_ends():
    """AnyIO cancels in each turn of the event loop until the work has ended."""

    async def body():
        turns = Turns()

        async def limited():
            with anyio.move_on_after(0.05):
                await anyio.sleep(60)
            return "ended"

        waiting = [turns.by_turns(Used(), limited()) for _ in range(3)]
        assert await asyncio.wait_for(asyncio.gather(*waiting), 20) == ["ended"] * 3

    run(body)


def test_a_turn_passes_results_errors_timeouts_and_cancellations_on():
    async def body():
        turns, used = Turns(), Used()

        async def fails():
            await asyncio.sleep(0)
            raise KeyError("x")

        async def times_out():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.01):
                    await asyncio.sleep(60)
            return "went on"

        with pytest.raises(KeyError):
            await turns.by_turns(used, fails())
        assert await turns.by_turns(used, times_out()) == "went on"
        sleeping = asyncio.create_task(turns.by_turns(used, asyncio.sleep(60)))
        await asyncio.sleep(0)
        sleeping.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sleeping
        assert await turns.by_turns(used, times_out()) == "went on"

    run(body)


def test_new_games_are_bounded_by_address_however_often_a_client_connects(tmp_path, monkeypatch):
    monkeypatch.setattr(session, "GAMES_AT_ONCE", 2.0)

    async def body(hub):
        address = Address(games=Allowance(0, 5))
        made = 0
        for _ in range(4):
            client = Local(hub, address)
            for _ in range(3):
                last = await client.ask("new", variant="pasgl312", seats=SEATS)
                made += last["ok"]
            await client.close()
        assert made == 5
        assert last["error"]["message"] == "at most 200 new games a minute from one address"

    with_hub(body, tmp_path)


def test_what_a_client_does_not_read_is_bounded_by_address(tmp_path):
    async def body(hub):
        address = Address()
        clients = [Local(hub, address) for _ in range(3)]
        for client in clients:
            for _ in range(40):
                client.session.tell({"event": "x" * 2**20})
        assert MOST_UNSENT - 2**21 < address.unsent <= MOST_UNSENT
        assert [client.session.is_overrun for client in clients] == [True] * 3
        for client in clients:
            await client.close()
        assert address.unsent == 0

    with_hub(body, tmp_path)


def test_a_store_that_another_process_writes_to_delays_only_what_is_written(tmp_path):
    async def body(hub):
        client, other = Local(hub), Local(hub)
        game = (await client.ask("new", variant="pasgl312", seats=SEATS))["game"]
        secrets = list(hub.open(game).saved.secrets)
        assert secrets
        made = await client.ask("new", variant="pasgl312", seats=SEATS)
        await client.ask("watch", game=made["game"], secrets=list(made["secrets"].values()))
        writer = sqlite3.connect(tmp_path / "games.sqlite3", isolation_level=None)
        writer.execute("BEGIN IMMEDIATE")
        playing = asyncio.create_task(client.ask("play", game=made["game"], label="Th1h2"))
        began = time.perf_counter()
        for _ in range(5):
            assert (await other.ask("look", variant="pasgl312"))["ok"]
        assert time.perf_counter() - began < 1 and not playing.done()
        writer.execute("ROLLBACK")
        writer.close()
        assert (await playing)["ply"] == 1
        for each in (client, other):
            await each.close()

    with_hub(body, tmp_path)


@pytest.mark.parametrize("is_replaced", [False, True])
def test_nothing_is_acknowledged_once_the_folder_is_gone(
    tmp_path, monkeypatch, caplog, is_replaced
):
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setattr(hub_module, "CHECKPOINT_EVERY", 0)

    async def body(hub):
        await hub.start()
        ann = Local(hub)
        new = {"variant": "pasgl312", "seats": SEATS}
        made = await ann.ask("new", **new)
        await ann.ask("watch", game=made["game"], secrets=list(made["secrets"].values()))
        folder.rename(tmp_path / "gone")
        if is_replaced:
            folder.mkdir()
            Store(folder / "games.sqlite3").close()
        playtest = {"variant": "spalding", "players": ["random"] * 2, "games": 2}
        for refused in (
            await ann.ask("new", **new),
            await ann.ask("play", game=made["game"], label="Th1h2"),
            await ann.ask("playtest", **playtest),
        ):
            assert "games.sqlite3 was deleted" in refused["error"]["message"]
        assert hub.open(made["game"]).length == 0
        assert (await ann.ask("games"))["ok"]
        checking = asyncio.create_task(hub.checkpoint())
        while not caplog.messages:
            await asyncio.sleep(0)
        assert "games.sqlite3 was deleted" in caplog.messages[0]
        await hub_module.stopped([checking])
        await ann.close()

    with_hub(body, folder)


def test_the_database_is_private(tmp_path):
    file = tmp_path / "games.sqlite3"
    before = os.umask(0)
    try:
        store = Store(file)
        assert {each.stat().st_mode & 0o777 for each in tmp_path.glob("games*")} == {0o600}
        store.close()
        file.chmod(0o644)
        Store(file).close()
    finally:
        os.umask(before)
    assert file.stat().st_mode & 0o777 == 0o600


def test_no_help_in_a_game_between_people(tmp_path):
    async def body(hub):
        white, watcher = Local(hub), Local(hub)
        made = await white.ask("new", variant="pasgl312", seats=SEATS)
        game, keys = made["game"], made["secrets"]
        await white.ask("watch", game=game, secrets=list(keys.values()))
        assert (await white.ask("play", game=game, label="Th1h2"))["ok"]
        text = hub.open(game).position.text
        assert (await white.ask("evaluate", game=game))["ok"]  # who holds both seats
        await white.ask("watch", game=game, secrets=[keys["0"]])
        await watcher.ask("watch", game=game, secrets=[])
        programs = [{"player": "random"}] * 2
        for client in (white, watcher):
            for command in (
                {"do": "analyse", "game": game},
                {"do": "analyse", "game": game, "ply": 0},
                {"do": "analyse", "variant": "pasgl312", "text": text},
                {"do": "evaluate", "game": game},
                {"do": "new", "from": game, "ply": 1, "seats": programs},
                {"do": "new", "variant": "pasgl312", "start": text, "seats": programs},
            ):
                refused = await client.ask(**command)
                assert refused["error"]["code"] == "seat", command
        await white.ask("resign", game=game)
        assert (await watcher.ask("evaluate", game=game))["ok"]
        for client in (white, watcher):
            await client.close()

    with_hub(body, tmp_path)


def test_a_client_that_leaves_while_the_disk_is_full_is_forgotten(tmp_path, monkeypatch):
    def full(*_, **columns):
        raise Problem("failed", "this cannot be stored (database or disk is full): try again")

    async def body(hub):
        ann = Local(hub, Address())
        seats = [{"player": "person"}, {"player": "person", "open": True}]
        for _ in range(2):
            made = await ann.ask("new", variant="spalding", seats=seats)
            await ann.ask("watch", game=made["game"], secrets=[made["secrets"]["0"]])
        assert hub.sizes["open"] == 2
        monkeypatch.setattr(hub.store, "change", full)
        await ann.close()
        assert hub.sizes["open"] == 0

    with_hub(body, tmp_path)


def test_a_client_whose_address_does_not_read_is_disconnected(tmp_path):
    class Socket:
        closed = None

        async def close(self, code):
            self.closed = code

    async def body(hub):
        address = Address()
        client: Any = Socket()
        here = Session(hub, "http://here", address)
        sending = asyncio.create_task(_send_all(client, here))
        await asyncio.sleep(0)
        address.unsent = MOST_UNSENT
        here.tell({"event": "notice", "message": "text"})
        await asyncio.wait_for(sending, 20)
        assert client.closed == 1013
        here.close()

    with_hub(body, tmp_path)


def test_faults_of_the_server_in_a_search_or_a_program_are_told(tmp_path, monkeypatch):
    async def body(hub):
        async def broken(*_):
            raise KeyError("broken")

        monkeypatch.setattr(hub, "ready", broken)
        monkeypatch.setattr(hub, "_choice", broken)
        ann = Local(hub)
        await ann.session.take(json.dumps({"do": "dangers", "variant": "spalding"}))
        assert (await ann.event("dangers"))["error"] == "something broke on the server"
        seats = [{"player": "greedy"}, {"player": "person"}]
        made = await ann.ask("new", variant="spalding", seats=seats)
        await ann.ask("watch", game=made["game"], secrets=[])
        assert "something broke on the server" in (await ann.event("notice"))["message"]
        await ann.close()

    with_hub(body, tmp_path)


def test_turns_of_a_long_game_come_in_parts(tmp_path, monkeypatch):
    monkeypatch.setattr(session, "MOST_TURNS", 3)

    async def body(hub):
        client = Local(hub)
        made = await client.ask("new", variant="spalding", seats=SEATS)
        game = made["game"]
        table = hub.open(game)
        for _ in range(30):
            table.play(table.choices[0].label, {0, 1})
        await client.ask("watch", game=game, secrets=[])
        state = client.states[game]
        turns: list[Any] = []
        while len(turns) < state["turns_from"]:
            turns += (await client.ask("turns", game=game, **{"from": len(turns)}))["turns"]
        turns = turns[: state["turns_from"]] + state["turns"]
        assert [line[:4] for line in turns] == [
            list(map(list_of, line[:4])) for line in table.turns
        ]
        await client.close()

    with_hub(body, tmp_path)


def list_of(part):
    return list(part) if isinstance(part, tuple) else part


class Transport(asyncio.Transport):
    """A connection from a host."""

    def __init__(self, host):
        super().__init__({"peername": (host, 1)})
        self.closed = False

    def is_closing(self):
        return self.closed

    def abort(self):
        self.closed = True


def test_idle_connections_make_room_for_new_ones(monkeypatch):
    monkeypatch.setattr(connections, "LONGEST_IDLE", 0.1)

    async def body():
        counted = Connections(Addresses())
        counted.most, counted.most_of_address = 5, 3
        at_work, *idle = [Transport("192.0.2.1") for _ in range(6)]
        counted.enter(at_work)
        counted.set_idle(at_work, False)
        for transport in idle:
            counted.enter(transport)
            for each in idle:
                if each.closed:
                    counted.leave(each)
        assert [each.closed for each in idle] == [True] * 3 + [False] * 2
        assert not at_work.closed
        newcomer = Transport("192.0.2.2")
        counted.enter(newcomer)
        assert not newcomer.closed
        closing = asyncio.create_task(counted.close_idle())
        await asyncio.sleep(0.3)
        closing.cancel()
        assert [each.closed for each in (newcomer, *idle, at_work)] == [True] * 6 + [False]

    run(body)


def test_frames_are_bounded_by_address_however_often_a_client_connects():
    counted, most = Connections(Addresses()), int(bounds.FRAMES_OF_ADDRESS_AT_ONCE)

    async def body():
        first, again, other = map(Transport, ("192.0.2.1", "192.0.2.1", "192.0.2.2"))
        for each in (first, again, other):
            counted.enter(each)
        assert counted.takes_frames(first, most // 2)
        assert not counted.takes_frames(again, most)
        assert counted.takes_frames(other, most)

    run(body)


def opened(served):
    """A raw socket after the handshake."""
    client = socket.create_connection(("127.0.0.1", served.port), timeout=20)
    key = base64.b64encode(os.urandom(16)).decode()
    client.sendall(
        f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    assert b"101" in client.recv(1000)
    return client


def is_cut_off(client):
    with contextlib.suppress(OSError):
        while client.recv(2**16):
            pass
        return True
    return True


def frame(opcode, content=b"", is_last=True):
    return bytes([0x80 * is_last | opcode, 0x80 | len(content)]) + bytes(4) + content


@pytest.mark.parametrize(
    "flood",
    [
        frame(9, b"x" * 125) * 20_000,
        frame(1, b"{", False) + frame(0, b"", False) * 20_000,
        frame(1, b"{", False) + frame(0, b"x", False) * 600,
        frame(1, b"{}") * 20_000,
    ],
    ids=["pings", "empty fragments", "many fragments", "messages"],
)
def test_floods_of_frames_end_a_connection_and_nothing_else(served, client, flood):
    hostile = opened(served)
    with contextlib.suppress(OSError):
        hostile.sendall(flood)
    assert is_cut_off(hostile)
    hostile.close()
    assert client.ask("games")["ok"]


def test_another_address_of_this_machine_is_linked_and_another_port_has_another_cookie():
    from pasgl_env.web.app import Access, is_loopback

    assert all(map(is_loopback, ("127.0.0.2", "::1", "localhost")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.0.2.1", "example.com", "")))
    names = {Access("t" * 16, f"http://192.0.2.1:{port}").cookie for port in (8000, 8001)}
    assert len(names) == 2


@pytest.mark.parametrize("host", ["127.0.0.2", "::1"])
def test_the_link_of_a_loopback_address_works(tmp_path, host):
    import urllib.request

    from .conftest import Served

    with contextlib.closing(
        socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    ) as it:
        try:
            it.bind((host, 0))
        except OSError:
            pytest.skip(f"this machine has no {host}")
    served = Served(tmp_path, "--host", host)
    try:
        with urllib.request.urlopen(served.link, timeout=20) as answer:
            assert answer.status == 200
        assert Client(served).hello["ok"]
    finally:
        served.kill()
