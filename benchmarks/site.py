"""The time until a static page shows its first board, on a slow line and on loopback.

A server of files that compresses as static hosts do waits `--latency` seconds before it answers,
and sends at most `--speed` kB a second to all connections together. Chromium opens the page with an
empty cache. `python -m tools.site FOLDER` writes the page; run `python -m benchmarks.site FOLDER`.
"""

from __future__ import annotations

import gzip
import shutil
import threading
import time
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Annotated

import typer
from playwright.sync_api import sync_playwright

PART = 750
"""Bytes that are sent at a time."""

BOARD = ".board > svg:not(.over)"


class Line:
    """A line that all answers share."""

    def __init__(self, latency: float, speed: float) -> None:
        self.latency, self._speed = latency, speed
        self._lock, self._free = threading.Lock(), 0.0
        self.sent: list[tuple[str, int]] = []

    def wait_for(self, size: int) -> None:
        """Wait until some bytes have been sent."""
        with self._lock:
            self._free = max(time.monotonic(), self._free) + size / (1000 * self._speed)
            until = self._free
        time.sleep(max(0.0, until - time.monotonic()))


class Handler(SimpleHTTPRequestHandler):
    """Serves files on a slow line."""

    protocol_version = "HTTP/1.1"

    def __init__(self, *given: object, line: Line, folder: Path) -> None:
        self._line = line
        super().__init__(*given, directory=str(folder))  # type: ignore[arg-type]

    def do_GET(self) -> None:
        """Send a file."""
        file = Path(self.translate_path(self.path))
        file = file / "index.html" if file.is_dir() else file
        content = gzip.compress(file.read_bytes(), 9)
        time.sleep(self._line.latency)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(file))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "max-age=600")
        self.end_headers()
        for start in range(0, len(content), PART):
            part = content[start : start + PART]
            self._line.wait_for(len(part))
            self.wfile.write(part)
        self._line.sent.append((self.path, len(content)))

    def log_message(self, *_: object) -> None:
        """Keep quiet."""

    def handle(self) -> None:
        """Answer until the browser is closed."""
        with suppress(ConnectionError):
            super().handle()


def measure(folder: Path, address: str, line: Line) -> float:
    """Seconds until the first board."""
    handler = partial(Handler, line=line, folder=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        flags = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        page = browser.new_page()
        page.on("console", lambda message: print(f"the console: {message.text}"))
        begun = time.monotonic()
        page.goto(f"http://127.0.0.1:{server.server_port}/{address}", wait_until="commit")
        page.wait_for_selector(BOARD, timeout=90_000)
        taken = time.monotonic() - begun
        browser.close()
        server.shutdown()
    return taken


def main(
    folder: Annotated[Path, typer.Argument(help="what `python -m tools.site` wrote")],
    address: Annotated[str, typer.Option(help="part of the address after the folder")] = "",
    latency: Annotated[float, typer.Option(help="seconds")] = 1.5,
    speed: Annotated[float, typer.Option(help="kB a second")] = 15,
    runs: int = 3,
) -> None:
    """Measure on a slow line and on loopback."""
    for name, given in (("slow line", (latency, speed)), ("loopback", (0.0, 1e6))):
        lines = [Line(*given) for _ in range(runs)]
        times = [measure(folder, address, line) for line in lines]
        total = sum(size for _, size in lines[0].sent) / 1000
        print(f"{name}: {', '.join(f'{each:.1f}' for each in times)} s, {total:.0f} kB")
    for path, size in lines[0].sent:
        print(f"{size / 1000:8.1f} kB {path}")


if __name__ == "__main__":
    typer.run(main)
