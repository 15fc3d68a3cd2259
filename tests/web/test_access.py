"""Access control, and what the server reveals."""

import asyncio
import gzip
import io
import json
import urllib.error
import urllib.parse
import urllib.request
from contextlib import aclosing
from pathlib import Path

import pytest
from starlette.requests import ClientDisconnect, Request

from pasgl_env import Position
from pasgl_env.records import GameRecord, read_records, write_records
from pasgl_env.web.app import Access, Server, _unless_gone
from pasgl_env.web.pool import TookTooLong
from pasgl_env.web.serving import kept_token

from .conftest import Client, Served
from .loops import run

GAME = b'[Variant "spalding"]\n\n*\n\n'


def get(link, **headers):
    request = urllib.request.Request(link, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read().decode(errors="replace"), answer.headers
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(), error.headers


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    server = Served(tmp_path_factory.mktemp("shared"), "--host", "0.0.0.0")
    yield server
    server.kill()


def test_the_page_lets_nothing_run_that_is_not_the_servers(served):
    status, page, headers = get(served.link)
    assert status == 200 and "main.js" in page
    assert "default-src 'self'" in headers["content-security-policy"]


def test_what_is_no_origin_cannot_get_into_the_policy():
    from pasgl_env.web.app import Access

    with pytest.raises(ValueError, match="is no origin such as"):
        Access("", "http://here", ("https://a.example; script-src *",))


def test_no_asset_names_another_host():
    from pasgl_env.web.app import STATIC

    for file in STATIC.glob("**/*"):
        text = file.read_text(encoding="utf-8") if file.is_file() else ""
        text = text.replace("http://www.w3.org/", "")
        assert "http://" not in text and "https://" not in text, file


def test_a_page_of_another_origin_cannot_use_the_socket(served):
    with pytest.raises(Exception, match="403"):
        Client(served, origin="http://evil.example")


def test_another_name_that_points_to_loopback_is_refused(served):
    assert get(served.link, Host="evil.example")[0] == 403


def test_without_the_token_nobody_comes_in_from_outside(shared):
    address, _, _ = shared.link.partition("?")
    assert get(address)[0] == 403
    assert get(f"{address}?token=wrong")[0] == 403
    assert get(f"{address}static/main.js")[0] == 403
    status, _, headers = get(shared.link)
    assert status == 200
    assert "HttpOnly" in headers["set-cookie"] and "SameSite=strict" in headers["set-cookie"]
    cookie = headers["set-cookie"].split(";")[0]
    assert get(f"{address}static/main.js", Cookie=cookie)[0] == 200


def test_links_stay_valid_when_the_server_is_started_again(shared):
    link = shared.link
    shared.kill()
    shared.start()
    assert shared.link == link and get(link)[0] == 200
    assert (shared.folder / "token").stat().st_mode & 0o777 == 0o600


def test_servers_that_start_together_have_one_token(tmp_path, monkeypatch):
    first = kept_token(tmp_path)
    monkeypatch.setattr(Path, "exists", lambda self: False)  # as the second one saw
    assert kept_token(tmp_path) == first


def test_bots_give_the_token_in_the_address(shared):
    client = Client(shared)
    assert client.hello["ok"] and client.hello["link"] == shared.link
    client.close()


@pytest.mark.parametrize(
    "path",
    [
        "static/../app.py",
        "static/..%2f..%2fcli/app.py",
        "static/%2e%2e/store.py",
        "games/..%2f..%2fgames.sqlite3/record.pgr",
        "static//etc/passwd",
        "playtests/..%2f..%2fx/report.html",
    ],
)
def test_no_path_leads_out_of_the_assets(served, path):
    status, text, _ = get(served.link + path)
    assert status in (400, 404) and "import" not in text


@pytest.mark.parametrize(
    "path",
    [
        "drawing.svg?variant=pasgl312&text=8/8",
        "drawing.svg?variant=pasgl312",
        "drawing.svg?variant=nothing&text=x",
        "drawing.exe?variant=spalding&text=j2x3p/8/8/8/8/8/8/P3X2J%20w%20RHErhe%200",
        "drawing.svg?variant=spalding&text=x&options=[",
        f"drawing.svg?variant=spalding&text=x&options={'[' * 3900}",
        f"drawing.svg?variant=spalding&text=x&options={'[' * 900}{']' * 900}",
        "drawing.svg?variant=spalding&text=x&theme=pink",
        "games/none/film.gif",
        "playtests/0001-spalding/report.html",
        "playtests/0001-spalding/begun.json",
        "games/none/film.exe",
    ],
)
def test_wrong_addresses_are_told_and_not_failed_at(served, path):
    status, text, _ = get(served.link + path)
    assert status in (400, 404)
    assert '"message"' in text and "Traceback" not in text


def test_the_rules_of_every_game_are_shown_with_pictures(served, variant):
    status, page, _ = get(f"{served.link}rules/{variant}.dark.html")
    assert status == 200 and page.startswith("<h1")
    assert "<figure><svg" in page and "<script" not in page
    assert 'href="http' not in page and ".md" not in page.split("<pre>")[0]
    assert 'aria-label="Contents"' in page and f'href="#/rules/{variant}/the-aim"' in page
    assert "run as tests" not in page and "def board" not in page


def test_a_game_is_given_away_as_record_and_film(served):
    client = Client(served)
    game, _ = client.new("spalding", "random", "random", pace=0.05, options={"turn_limit": 2})
    client.wait_for("state", lambda state: state["over"])
    comment = 'Nice {but} [odd "x"] ' + "y" * 500
    client.ask("rate", game=game, rating=2, length="short", comment=comment, name="Ann")
    record = get(f"{served.link}games/{game}/record.pgr")[1]
    assert record.startswith('[Variant "spalding"]')
    assert "{Rated 2 of 5 by Ann, too short. Nice but odd" in " ".join(record.split())
    assert "{[%emt 0:00:0" in record
    assert next(read_records(io.StringIO(record))).final.turns == 2
    assert get(f"{served.link}games/{game}/film.gif")[1].startswith("GIF89a")
    status, film, headers = get(f"{served.link}games/{game}/film.svg")
    assert status == 200 and "<animate" in film
    assert "Out of White" in film  # what happened is told in it
    assert headers["content-type"].startswith("image/svg+xml")
    client.close()
    text = "j2x3p/8/8/8/8/8/8/P3X2J%20w%20RHErhe%200"
    assert get(f"{served.link}drawing.png?variant=spalding&text={text}")[1][1:4] == "PNG"


def test_what_a_client_has_asked_for_is_given_up_when_it_leaves():
    messages = [{"type": "http.request"}, {"type": "http.disconnect"}]
    stopped = []

    async def receive():
        return messages.pop(0)

    async def work():
        try:
            await asyncio.sleep(60)
        finally:
            stopped.append(True)

    async def body():
        with pytest.raises(ClientDisconnect):
            await _unless_gone(Request({"type": "http"}, receive), work())

    run(body)
    assert stopped


def post(link, data):
    request = urllib.request.Request(link, data=data)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def test_records_are_opened_and_their_headers_are_text(served, tmp_path):
    evil = "<script>alert(1)</script>"
    about = {"players": (evil, None), "tags": {"Event": evil}}
    game = GameRecord.of(Position("spalding"), ["Pa1-a2", "/La3"], **about)
    write_records(tmp_path / "games.pgb", [game, game])
    data = (tmp_path / "games.pgb").read_bytes()
    status, told = post(f"{served.link}records?name=games.pgb", data)
    assert status == 200 and len(told["games"]) == 2
    assert told["games"][0]["seats"][0]["name"] == evil
    client = Client(served)
    state = client.watch(told["games"][0]["game"])
    assert state["over"] and len(state["turns"]) == 1
    client.close()


def test_who_opens_a_file_is_told_that_reading_was_cut_off(tmp_path, monkeypatch):
    file = tmp_path / "games.pgr"
    file.write_bytes(GAME * 2)

    async def body():
        server = Server(tmp_path / "data", Access("", "http://here"))
        stream = server.hub.pool.stream

        async def cut_off(task, **bounds):
            async with aclosing(stream(task, **bounds)) as found:
                yield await anext(found)
            raise TookTooLong(120)

        monkeypatch.setattr(server.hub.pool, "stream", cut_off)
        [opened] = await server.open_file(file)
        assert opened["wrong"] == "reading was cut off: it took longer than 120 seconds"
        await server.hub.close()

    run(body)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("games.exe", b"x"),
        ("", b"x"),
        ("games.pgr", b"nonsense"),
        ("games.pgb", b"nonsense"),
        ("games.pgr.gz", b"nonsense"),
        ("../../games.pgr", b""),
        pytest.param("games.pgr.gz", gzip.compress(GAME + b"\n" * 2**26, 1), id="unpacks too much"),
    ],
)
def test_files_that_are_no_records_are_refused(served, name, data):
    status, told = post(f"{served.link}records?name={name}", data)
    assert status == 400 and len(told["error"]["message"]) > 10
    assert "/tmp" not in told["error"]["message"]


def test_a_position_is_drawn_for_a_link(served):
    text = "j2x3p/8/8/8/8/8/8/P3X2J%20w%20RHErhe%200"
    status, svg, headers = get(f"{served.link}drawing.svg?variant=spalding&text={text}")
    assert status == 200 and svg.startswith("<svg")
    assert headers["content-type"].startswith("image/svg+xml")


def test_lasting_answers_are_those_of_the_socket_but_small_and_kept(served, client):
    for command, fields in (("board", {"variant": "pasgl312", "theme": "dark"}), ("puzzles", {})):
        link = f"{served.link}lasting/{command}.json?{urllib.parse.urlencode(fields)}"
        status, content, headers = get(link)
        expected = client.ask(command, **fields)
        assert {"re": 1, "ok": True, **json.loads(content)} == expected
        small = get(link, **{"accept-encoding": "gzip"})[2]
        assert small["content-encoding"] == "gzip"
        assert get(link, **{"if-none-match": headers["etag"]})[0] == 304
    for wrong, status in (("board.json?variant=nothing", 400), ("games.json", 404)):
        assert get(f"{served.link}lasting/{wrong}")[0] == status
