"""``pasgl serve``: the page to play, watch and analyse in a browser."""

from __future__ import annotations

import asyncio
import socket
import sqlite3
import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from pasgl_env.cli.arguments import flag, number, value, wrong_input
from pasgl_env.cli.output import say
from pasgl_env.storage.private import private_folder, user_folders

PORT = 3120
INSTALL = "pasgl serve needs Starlette, uvicorn and websockets: pip install 'pasgl-env[play]'"


def command(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILES...]",
            help="Record files to open (.pgr, .pgr.gz, .pgb), or a playtest's folder.",
            show_default=False,
        ),
    ] = None,
    host: Annotated[
        str,
        value(
            "ADDRESS",
            "Address to listen on. With any but 127.0.0.1, others can play through a link.",
        ),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 picks a free port.")] = PORT,
    data: Annotated[
        Path | None,
        value(
            "FOLDER",
            "Folder for the games.  [default: pasgl_env in the user's data folder]",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[
        int | None, number("Search processes; default: one per processor.", least=2, max=64)
    ] = None,
    tables: Annotated[
        list[Path] | None,
        value(
            "FILE",
            "A table of exact values by pasgl solve, for analyses. Repeat for more.",
            "--table",
            show_default=False,
        ),
    ] = None,
    embedding: Annotated[
        list[str] | None,
        value(
            "ORIGIN",
            "A site whose pages may show this one in a frame, such as https://example.org."
            " Repeat for more.",
            "--embed",
            show_default=False,
        ),
    ] = None,
    browser: Annotated[bool, flag("--browser/--no-browser", "Open the page in a browser.")] = True,
) -> None:
    r"""Play, watch and analyse in a browser.

    Games are kept, and continue when the server is started again. Ctrl+C stops it.

    \b
    Examples:
      pasgl serve
      pasgl serve games.pgr runs/playtest
      pasgl serve --host 0.0.0.0 --port 8000 --no-browser
    """
    with wrong_input():
        try:
            from pasgl_env.solving.table import ValueTable
            from pasgl_env.web.app import Access, is_loopback
            from pasgl_env.web.serving import kept_token, serve
        except ModuleNotFoundError as error:
            if (error.name or "").split(".")[0] not in ("starlette", "uvicorn", "websockets"):
                raise
            raise ImportError(INSTALL) from None
        for table in tables or ():
            ValueTable.load(table)  # a wrong one is better refused here than in an analysis
        listening = _listen(host, port)
        folder = data or _data_folder()
        token = "" if is_loopback(host) else kept_token(folder)
        reachable = _reachable(host)
        shown = f"[{reachable}]" if ":" in reachable else reachable
        link = f"http://{shown}:{listening.getsockname()[1]}"
        access = Access(token, link, tuple(embedding or ()))

        def started(link: str) -> None:
            say(f"The page is at {link}", "bold")
            say("Ctrl+C stops the server.")
            if browser:
                webbrowser.open(link)

        try:
            asyncio.run(
                serve(listening, access, folder, files or [], workers, tables or [], started)
            )
        except sqlite3.Error as error:
            raise ValueError(f"the games cannot be stored: {error}") from error
        except KeyboardInterrupt:
            say()


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket; errors name the address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends without delay only where the protocol is named: short messages would wait 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(1024)  # clients that come before the server is up wait
    except OSError as error:
        listening.close()
        error.filename = f"{host}:{port}"
        raise
    return listening


def _reachable(host: str) -> str:
    """The address that others can use if the server listens on all."""
    routes = {
        "0.0.0.0": [(socket.AF_INET, "192.0.2.1")],
        "::": [(socket.AF_INET6, "2001:db8::1"), (socket.AF_INET, "192.0.2.1")],
    }
    if host not in routes:
        return host
    for family, elsewhere in routes[host]:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((elsewhere, 9))  # nothing is sent
            return str(probe.getsockname()[0])
    return socket.gethostname()


def _data_folder() -> Path:
    """The folder of the games, if the user names none."""
    for folder in user_folders("data"):
        return private_folder(folder)
    raise ValueError("there is no folder to keep the games in: name one with --data")
