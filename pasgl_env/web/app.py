"""The server: pages, the socket, downloads and access control."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import json
import re
import secrets
import tempfile
from array import array
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any, TypeVar
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from pasgl_env import render
from pasgl_env.contract import variants
from pasgl_env.contract.game import brief
from pasgl_env.engine.position import Position
from pasgl_env.records import GameRecord
from pasgl_env.records.files import form_of
from pasgl_env.web import drawings, garbage, rules
from pasgl_env.web.bounds import Address
from pasgl_env.web.hub import Hub, compact, stopped
from pasgl_env.web.live_game import fields_of, remark_of
from pasgl_env.web.playtests import Playtests
from pasgl_env.web.pool import Pool, TookTooLong, WorkerError
from pasgl_env.web.protocol import Message, Problem
from pasgl_env.web.session import Session
from pasgl_env.web.store import OPENED, STORE, SavedGame, Store

T = TypeVar("T")
STATIC = Path(__file__).parent / "static"
MOST_SESSIONS = 2000
LARGEST_FILE = 16 * 2**20
LARGEST_UNPACKED = 2**26
"""Bytes of a file that a client sends, and of what a compressed one holds."""
LONGEST_READING = 120.0
LONGEST_DRAWING = 120.0
PART = 2**16
"""Bytes of a file that are sent at once."""
COMPRESSION = 5
LASTING = ("board", "lesson", "puzzles")
"""Commands whose answers the server tells by HTTP, too: compressed, and kept by browsers."""
# The page loads and runs only what this server sends, whatever it contains.
_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none';"
    " style-src 'self' 'unsafe-inline'; frame-ancestors "
)
_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}


_REPORT_POLICY = (
    "sandbox allow-scripts; default-src 'none'; img-src data:;"
    " style-src 'unsafe-inline'; script-src 'unsafe-inline'"
)


_ORIGIN = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?")


@dataclass(frozen=True)
class Access:
    """Access control.

    Attributes:
        token: the token that links must contain; empty for a server on loopback.
        link: the start of links, without the token.
        embedding: the origins of sites whose pages may show this page in a frame.

    Raises:
        ValueError: if one of these is no origin.
    """

    token: str
    link: str
    embedding: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for origin in self.embedding:
            if not _ORIGIN.fullmatch(origin):
                raise ValueError(f"{brief(origin)} is no origin such as https://example.org")

    @cached_property
    def headers(self) -> dict[str, str]:
        """The security headers of responses."""
        frames = " ".join(self.embedding) or "'none'"
        return {**_HEADERS, "content-security-policy": _POLICY + frames}

    @property
    def cookie(self) -> str:
        """The name of the cookie; browsers send cookies to all ports of a host."""
        return f"pasgl_token_{urlsplit(self.link).port or 80}"

    @property
    def whole_link(self) -> str:
        """The start of links that grant access."""
        return f"{self.link}/?token={self.token}" if self.token else f"{self.link}/"

    def admits(self, connection: HTTPConnection) -> bool:
        """Whether a request has the token and comes from a page of this server.

        On loopback the host name is checked, so that no other site can point its own name
        here (DNS rebinding).
        """
        host = connection.headers.get("host", "")
        name = urlsplit(f"//{host}").hostname or ""
        if not self.token and not is_loopback(name):
            return False
        origin = connection.headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return False
        return not self.token or self.knows(connection)

    def knows(self, connection: HTTPConnection) -> bool:
        """Whether a request has the token, in the link or in a cookie."""
        given = connection.query_params.get("token") or connection.cookies.get(self.cookie, "")
        return hmac.compare_digest(given.encode(), self.token.encode())


def is_loopback(host: str) -> bool:
    """Whether an address can be reached only from this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class _Guard:
    """Refuses requests without access, and adds security headers to responses."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        try:
            is_admitted = self._access.admits(HTTPConnection(scope))
        except ValueError:  # not a valid host
            is_admitted = False
        if is_admitted:
            await self._app(scope, receive, _with_headers(send, self._access.headers))
        elif scope["type"] == "websocket":
            await WebSocket(scope, receive, send).close(4403)
        else:
            text = "This link is not valid. Open the full link that `pasgl serve` printed last."
            await PlainTextResponse(text, 403)(scope, receive, send)


def _with_headers(send: Send, headers: dict[str, str]) -> Send:
    async def extended(message: Any) -> None:
        if message["type"] == "http.response.start":
            have = {name for name, _ in message["headers"]}
            message["headers"] += [
                (name.encode(), value.encode())
                for name, value in headers.items()
                if name.encode() not in have
            ]
        await send(message)

    return extended


class _InTurn:
    """Lets requests take turns with all else that the server does."""

    def __init__(self, app: ASGIApp, hub: Hub) -> None:
        self._app = app
        self._hub = hub

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        client = scope.get("client")
        used = self._hub.addresses.of(client[0] if client else "").used
        await self._hub.turns.by_turns(used, self._app(scope, receive, send))  # type: ignore[arg-type]


class Server:
    """The server's routes, games and workers."""

    def __init__(
        self,
        folder: Path,
        access: Access,
        workers: int | None = None,
        tables: Sequence[Path] = (),
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._access = access
        self._sessions = 0
        store, tests = Store(folder / STORE), Playtests(folder / "playtests")
        self.hub = Hub(store, Pool(workers, tables), tests)

    def app(self, on_start: Callable[[], None] | None = None) -> Starlette:
        """The application, for uvicorn."""

        @asynccontextmanager
        async def lifespan(app: Starlette) -> AsyncIterator[None]:
            await self.hub.start()
            working = [
                asyncio.create_task(each)
                for each in (
                    self._warm_up(),
                    self.hub.checkpoint(),
                    self.hub.keep_time(),
                    garbage.collect_when_idle(self.hub.turns),
                )
            ]
            if on_start is not None:
                on_start()
            yield
            await stopped(working)
            await self.hub.close()

        return Starlette(
            routes=[
                Route("/", self._page),
                Mount("/static", StaticFiles(directory=STATIC)),
                WebSocketRoute("/socket", self._socket),
                Route("/records", self._open_records, methods=["POST"]),
                Route("/lasting/{command}.json", self._lasting),
                Route("/games/{game}/record.pgr", self._record),
                Route("/games/{game}/film.{form}", self._film),
                Route("/drawing.{form}", self._drawing),
                Route("/rules/{variant}.{theme}.html", self._rules),
                Route("/playtests/{name}/{file}", self._report),
            ],
            middleware=[
                Middleware(_Guard, access=self._access),
                Middleware(GZipMiddleware, minimum_size=1000, compresslevel=COMPRESSION),
                Middleware(_InTurn, hub=self.hub),
            ],
            lifespan=lifespan,
            exception_handlers={
                Problem: _tell_problem,
                WorkerError: _tell_failure,
                ClientDisconnect: _tell_nobody,
            },
        )

    async def open_file(self, file: Path, by: Address | None = None) -> list[dict[str, Any]]:
        """Store the games of a file of records, by a client's address or for the server itself.

        Returns:
            A summary of each.

        Raises:
            Problem: if the file holds no game.
        """
        games, wrong = list[SavedGame](), list[str]()
        largest = None if by is None else LARGEST_UNPACKED
        task = {"task": "records", "file": str(file), "largest": largest}
        stream = self.hub.pool.stream(task, seconds=LONGEST_READING, by=by)
        try:
            async with aclosing(stream):
                async for found in stream:
                    if "wrong" in found:
                        wrong.append(str(found["wrong"]).replace(str(file), file.name))
                    else:
                        games.append(_stored(found))
        except TookTooLong as error:
            wrong.append(f"reading was cut off: {error}")
        if not games:
            raise Problem("record", "; ".join(wrong) or f"{file.name} holds no games")
        await self.hub.store_all(games)
        return [
            {
                "game": game.id,
                "variant": game.ruleset.name,
                "seats": game.seats,
                "wrong": "; ".join(wrong),
            }
            for game in games
        ]

    async def _warm_up(self) -> None:
        """Prepare all variants, one after the other."""
        for variant in variants.loadable():
            with suppress(Problem):  # logged
                await self.hub.ready(variant)

    async def _page(self, request: Request) -> Response:
        response = HTMLResponse((STATIC / "index.html").read_text(encoding="utf-8"))
        is_embedded = bool(self._access.embedding) and request.url.scheme == "https"
        if self._access.token:
            response.set_cookie(
                self._access.cookie,
                self._access.token,
                httponly=True,
                # In a frame of another site a browser sends these alone, and by HTTPS only.
                samesite="none" if is_embedded else "strict",
                secure=is_embedded,
                max_age=30 * 86400,
            )
        return response

    async def _socket(self, socket: WebSocket) -> None:
        if self._sessions >= MOST_SESSIONS:
            await socket.close(1013)
            return
        await socket.accept()
        link, may_frame = self._access.whole_link, bool(self._access.embedding)
        session = Session(self.hub, link, self._address(socket), may_frame=may_frame)
        self._sessions += 1
        sender = asyncio.create_task(_send_all(socket, session))
        worker = asyncio.create_task(session.work())
        try:
            async for data in socket.iter_text():
                await session.take(data)
                await asyncio.sleep(0)  # the next message may be there already
        except (WebSocketDisconnect, KeyError, RuntimeError):
            pass  # gone, or sent bytes
        finally:
            self._sessions -= 1
            session.finish()
            with suppress(asyncio.CancelledError):
                await worker
            session.close()
            sender.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await sender

    async def _lasting(self, request: Request) -> Response:
        """The answer to a command of the socket that stays the same, so that browsers keep it."""
        command = request.path_params["command"]
        if command not in LASTING:
            raise Problem("unknown", f"no lasting command {brief(command)}: {', '.join(LASTING)}")
        session = Session(self.hub, "", self._address(request))
        try:
            answer = await getattr(session, f"do_{command}")(_query(request))
        except (ValueError, NotImplementedError) as error:
            raise Problem("value", str(error)) from None
        content = compact(answer).encode()
        tag = f'"{hashlib.sha256(content).hexdigest()}"'
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers={"etag": tag})
        return Response(content, media_type="application/json", headers={"etag": tag})

    async def _open_records(self, request: Request) -> Response:
        """Store the games of a file that was dropped on the page."""
        name = Path(request.query_params.get("name", "")).name
        try:
            form = form_of(name if name != "-" else "")
        except ValueError as error:
            raise Problem("record", str(error)) from None
        address = self._address(request)
        if not address.files.take():
            raise Problem("rate", "too many files from one address; try again later")
        with tempfile.TemporaryDirectory(prefix="pasgl_") as folder:
            file = Path(folder) / f"records{form}"
            size = 0
            with file.open("wb") as out:
                async for part in request.stream():
                    size += len(part)
                    if size > LARGEST_FILE:
                        raise Problem("record", f"files may have at most {LARGEST_FILE >> 20} MB")
                    if not address.bytes.take(len(part)):
                        raise Problem("rate", "too much from one address; try again later")
                    out.write(part)
            return JSONResponse({"games": await self.open_file(file, address)})

    async def _record(self, request: Request) -> Response:
        live = await self.hub.load(request.path_params["game"])
        said = await self.hub.aside(self.hub.store.feedback, live.id)
        times = await self.hub.aside(self.hub.store.times, live.id)
        record = live.record_with(map(remark_of, said))
        clocks = {"times": times, "begun": live.met}
        task = {**fields_of(record), **clocks, "task": "record"}
        return await self._made(request, task, "game.pgr")

    async def _film(self, request: Request) -> Response:
        form, query = request.path_params["form"], _query(request)
        if form not in ("gif", "svg"):
            raise Problem("field", "a game can be drawn as .gif or .svg only")
        live = await self.hub.load(request.path_params["game"])
        task = {
            **fields_of(live.record),
            "task": "film",
            "form": form,
            "theme": query.one_of("theme", drawings.THEMES, "light"),
            "size": 480,
            "seconds": 1.0,
        }
        return await self._made(request, task, f"game.{form}")

    async def _rules(self, request: Request) -> Response:
        """The rules of a variant, as a fragment of HTML."""
        theme = Message(request.path_params).one_of("theme", drawings.THEMES)
        try:
            variant = variants.find(request.path_params["variant"]).name
        except ValueError as error:
            raise Problem("value", str(error)) from None
        return HTMLResponse(await asyncio.to_thread(rules.page, variant, theme))

    async def _report(self, request: Request) -> Response:
        """A playtest's report. It contains a script, so it is sandboxed."""
        file = self.hub.playtests.report(request.path_params["name"], request.path_params["file"])
        headers = {"content-security-policy": _REPORT_POLICY}
        return FileResponse(file, headers=headers, media_type=_TYPES.get(file.suffix[1:]))

    async def _drawing(self, request: Request) -> Response:
        """A picture of a position given as text."""
        form, query = request.path_params["form"], _query(request)
        theme = query.one_of("theme", drawings.THEMES, "light")
        try:
            ruleset = self.hub.ruleset(query)
            position = Position.from_text(ruleset, query.text("text"))
        except ValueError as error:
            raise Problem("value", str(error)) from None
        if form == "svg":
            drawn = render.svg(position, theme=theme, size=None).encode()
            headers = _attached("position.svg")
            return Response(drawn, media_type=_TYPES["svg"], headers=headers)
        if form != "png":
            raise Problem("field", "a position can be drawn as .svg or .png only")
        record = fields_of(GameRecord.of(position, []))
        task = {**record, "task": "png", "theme": theme, "size": 960}
        return await self._made(request, task, "position.png")

    async def _made(self, request: Request, task: dict[str, Any], name: str) -> Response:
        """A download that a worker makes."""
        with tempfile.TemporaryDirectory(prefix="pasgl_") as folder:
            out = Path(folder) / name
            making = self.hub.pool.ask(
                {**task, "out": str(out)}, seconds=LONGEST_DRAWING, by=self._address(request)
            )
            await _unless_gone(request, making)
            stream = out.open("rb")
        return StreamingResponse(
            _parts(stream), media_type=_TYPES[out.suffix[1:]], headers=_attached(name)
        )

    def _address(self, connection: HTTPConnection) -> Address:
        """The address of a client; behind a proxy, the one that the proxy gives."""
        return self.hub.addresses.of(connection.client.host if connection.client else "")


async def _unless_gone(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """The result of work, which is cancelled if its client leaves.

    Raises:
        ClientDisconnect: if the client has left.
    """
    working, leaving = asyncio.create_task(work), asyncio.create_task(_gone(request))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.wait((working, leaving))


async def _gone(request: Request) -> None:
    """Wait until the client of a request that has been read leaves."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _send_all(socket: WebSocket, session: Session) -> None:
    """Send a client its messages in order; disconnect a client that does not read them."""
    with suppress(WebSocketDisconnect, RuntimeError):
        while (text := await session.unsent.get()) and not session.is_overrun:
            await socket.send_text(text)
        await socket.close(1013)


def _stored(found: dict[str, Any]) -> SavedGame:
    """A game of a file, as it is stored."""
    ruleset = variants.published_ruleset(found["variant"], **found["options"])
    names = found["players"] or [None] * len(ruleset.seats)
    return SavedGame(
        id=secrets.token_urlsafe(8),
        ruleset=ruleset,
        start=found.get("start"),
        dice=0,
        seats=[{"player": name or "", "name": name or ""} for name in names],
        secrets=[],
        choices=array("H", found["choices"]),
        kind=OPENED,
        about={key: found[key] for key in ("date", "tags", "comments") if key in found},
        resigned=found.get("resigned"),
        out_of_time=found.get("out_of_time"),
    )


def _query(request: Request) -> Message:
    """The fields of a query; ``options`` is a JSON object."""
    fields: dict[str, Any] = dict(request.query_params)
    try:
        return Message(fields | {"options": json.loads(fields.get("options", "{}"))})
    except (ValueError, RecursionError):
        raise Problem("field", "options must be a JSON object") from None


_TYPES = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "gif": "image/gif",
    "html": "text/html",
    "md": "text/plain",
    "pgr": "text/plain; charset=utf-8",
}


async def _parts(stream: IO[bytes]) -> AsyncIterator[bytes]:
    """The parts of a file."""
    with stream:
        while part := stream.read(PART):
            yield part


def _attached(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"'}


async def _tell_problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    content = {"error": {"code": error.code, "message": error.message}}
    return JSONResponse(content, 404 if error.code == "unknown" else 400)


async def _tell_nobody(request: Request, error: Exception) -> Response:
    return Response(status_code=400)


async def _tell_failure(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": {"code": "failed", "message": str(error)}}, 500)
