"""Run the server."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import uvicorn

from pasgl_env.jit.compiled import leave_compiling_to_others
from pasgl_env.storage.files import replacing
from pasgl_env.storage.runs import alone_in
from pasgl_env.web.app import Access, Server
from pasgl_env.web.bounds import FewLines
from pasgl_env.web.connections import Connections, protocols
from pasgl_env.web.pool import WorkerError
from pasgl_env.web.protocol import LONGEST_MESSAGE, Problem

TOKEN = "token"
"""The name of the file with the token."""
_IS_TOKEN = re.compile(r"[A-Za-z0-9_-]{16,100}")
_LOG = logging.getLogger("pasgl_env.web")
RECORDS = (".pgr", ".pgr.gz", ".pgb")
MOST_FILES = 50
SWITCH = 0.0005
"""Seconds that a thread computes before the event loop's thread may go on."""


def kept_token(folder: Path) -> str:
    """The token of a folder's links, drawn when it is first asked for; only the user can read it.

    It is kept, so that links and open pages stay valid when the server is started again.

    Raises:
        OSError: if it cannot be read or written.
        ValueError: if the file holds no token.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / TOKEN
    if not file.exists():
        with suppress(FileExistsError), replacing(file, 0o600, overwrite=False) as new:
            new.write(secrets.token_urlsafe(12).encode())
    token = file.read_text(encoding="ascii", errors="replace").strip()
    if not _IS_TOKEN.fullmatch(token):
        raise ValueError(f"{file} holds no token: delete it, and a new one is made")
    return token


async def serve(
    listening: socket.socket,
    access: Access,
    folder: Path,
    files: Sequence[Path],
    workers: int | None = None,
    tables: Sequence[Path] = (),
    on_start: Callable[[str], None] | None = None,
) -> None:
    """Serve until the process receives a signal to stop.

    Args:
        listening: a bound socket.
        access: the access control.
        folder: where games are stored.
        files: record files to open, or folders that contain some.
        workers: number of worker processes; None for one per processor.
        tables: files of exact values, for analyses.
        on_start: called with the link when the server is ready.

    Raises:
        OSError: if a file cannot be read or a folder cannot be written.
        ValueError: if a file holds no records, or another server uses the folder.
    """
    leave_compiling_to_others()
    with alone_in(folder):
        try:
            server = Server(folder, access, workers, tables)
        except Problem as error:
            raise ValueError(str(error)) from None
        await _serve(listening, server, access, files, on_start)


async def _serve(
    listening: socket.socket,
    server: Server,
    access: Access,
    files: Sequence[Path],
    on_start: Callable[[str], None] | None,
) -> None:
    first = ""
    try:
        for file in _records_of(files):
            games = await server.open_file(file)
            first = first or games[0]["game"]
            if games[0]["wrong"]:
                _LOG.warning("%s: %s", file, games[0]["wrong"])
    except (Problem, WorkerError, ValueError) as error:
        await server.hub.close()
        raise ValueError(str(error)) from None

    def started() -> None:
        if on_start is not None:
            on_start(access.whole_link + (f"#/game/{first}" if first else ""))

    sys.setswitchinterval(SWITCH)
    connections = Connections(server.hub.addresses)
    config = uvicorn.Config(
        server.app(started),
        **protocols(connections),
        ws_max_size=LONGEST_MESSAGE,
        ws_per_message_deflate=False,  # its buffers are larger than a game
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    for name in ("asyncio", "uvicorn.error", _LOG.name):
        logging.getLogger(name).addFilter(FewLines())
    closing = asyncio.create_task(connections.close_idle())
    try:
        await uvicorn.Server(config).serve([listening])
    finally:
        closing.cancel()


def _records_of(paths: Sequence[Path]) -> list[Path]:
    """The files of records among paths and in folders of them."""
    files = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        inside = sorted(each for each in path.rglob("*") if each.name.endswith(RECORDS))
        if not inside:
            raise ValueError(f"{path} holds no records ({', '.join(RECORDS)})")
        if len(inside) > MOST_FILES:
            _LOG.warning("%s: only the first %d of %d files", path, MOST_FILES, len(inside))
        files += inside[:MOST_FILES]
    return files
