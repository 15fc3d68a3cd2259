"""``pasgl serve``: its refusals, start and end."""

import asyncio
import socket
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from pasgl_env import Position
from pasgl_env.cli.serve import _data_folder, _listen, _reachable
from pasgl_env.jit import compiled
from pasgl_env.records import GameRecord, write_records

pytest.importorskip("starlette")


@pytest.fixture(autouse=True)
def compiling_goes_on(monkeypatch):
    """A server leaves compiling to its workers; the tests after these do not."""
    monkeypatch.setattr(compiled, "_round", 0)


@pytest.fixture
def refused(refused):
    """In a thread, because Playwright's loop runs in this one when other tests need it."""

    def check(*arguments):
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(refused, *arguments).result()

    return check


def test_a_missing_file_is_told(refused, tmp_path):
    missing = tmp_path / "none.pgr"
    assert "none.pgr" in refused("serve", str(missing), "--data", str(tmp_path), "--port", "0")


def test_a_file_that_holds_no_records_is_told(refused, tmp_path):
    (tmp_path / "games.pgr").write_text("nonsense")
    said = refused("serve", str(tmp_path / "games.pgr"), "--data", str(tmp_path), "--port", "0")
    assert "a game must start with tags" in said


def test_a_folder_without_records_is_told(refused, tmp_path):
    said = refused("serve", str(tmp_path), "--data", str(tmp_path / "data"), "--port", "0")
    assert "holds no records (.pgr, .pgr.gz, .pgb)" in said


def test_a_port_that_is_taken_is_told(refused, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = refused("serve", "--data", str(tmp_path), "--port", str(port), "--no-browser")
    assert f"127.0.0.1:{port}: Address already in use" in said


def test_a_folder_that_cannot_be_used_is_told(refused, tmp_path):
    (tmp_path / "games.sqlite3").write_text("no database" * 100)
    said = refused("serve", "--data", str(tmp_path), "--port", "0", "--no-browser")
    assert "the games cannot be stored: file is not a database" in said


def test_without_a_home_the_games_are_kept_in_a_folder_of_the_users_own(tmp_path, monkeypatch):
    """As in a container that is run with any number for a user."""
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert tmp_path in _data_folder().parents


def test_short_messages_are_sent_without_delay():
    async def delays():
        made = asyncio.get_running_loop().create_future()
        async with await asyncio.start_server(lambda _, out: made.set_result(out), sock=listening):
            await asyncio.open_connection(*listening.getsockname())
            made = await made
            return not made.get_extra_info("socket").getsockopt(
                socket.IPPROTO_TCP, socket.TCP_NODELAY
            )

    listening = _listen("127.0.0.1", 0)
    with ThreadPoolExecutor(1) as thread:
        assert not thread.submit(asyncio.run, delays()).result()


@pytest.mark.parametrize("everywhere", ["0.0.0.0", "::"])
def test_the_link_of_a_server_on_all_addresses_leads_to_one_of_them(everywhere):
    assert _reachable(everywhere) not in ("0.0.0.0", "::")


def test_without_the_extra_it_is_told_what_to_install(refused, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("pasgl_env.web.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert "pip install 'pasgl-env[play]'" in refused("serve")


def test_it_opens_records_and_stops_at_an_interrupt(tmp_path):
    from tests.web.conftest import Client, Served

    game = GameRecord.of(Position("pasgl312"), ["Th1h2"])
    write_records(tmp_path / "games.pgb", [game])
    served = Served(tmp_path / "data", str(tmp_path / "games.pgb"))
    try:
        assert "#/game/" in served.link
        client = Client(served)
        assert client.watch(served.link.rpartition("/")[2])["turn"] == 1
        client.close()
        assert served.stop() == 0
    finally:
        served.kill()
    assert "Traceback" not in served.said
