"""Playtests and sweeps begun on the page: ``pasgl playtest`` in a process, one at a time."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from contextlib import suppress
from os import SEEK_END
from pathlib import Path
from signal import SIGTERM
from typing import Any

from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.storage.files import json_bytes, write_whole
from pasgl_env.web import opponents
from pasgl_env.web.pool import start_aside
from pasgl_env.web.protocol import Problem

MOST_KEPT = 100
MOST_GAMES = 100_000
_ABOUT, _ENDED, _LOG = "begun.json", "ended", "output.txt"
_STATES = {"0": "done", str(-SIGTERM): "stopped"}
_MAIN = """
import os, signal, threading

def end_with_the_server():  # which holds the other end of the input
    os.read(0, 1)
    os.kill(os.getpid(), signal.SIGTERM)

threading.Thread(target=end_with_the_server, daemon=True).start()
from pasgl_env.cli import main
main()
"""
_MOST_READ = 2000
"""Bytes read from the end of a playtest's output."""
_SWEEP = re.compile(r"[a-z_]{1,40}=[A-Za-z0-9_.,-]{1,100}")
_NAME = re.compile(r"[0-9]{4}-[a-z0-9_]{1,40}")
_REPORTS = ("report.html", "sweep.svg", "sweep.md")


class Playtests:
    """The playtests in a folder, including the running one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running: tuple[str, asyncio.subprocess.Process] | None = None
        self._waiting: asyncio.Task[None] | None = None
        self._beginning = asyncio.Lock()

    async def begin(
        self,
        ruleset: Ruleset,
        names: list[str],
        games: int,
        sweep: str,
    ) -> str:
        """Begin a playtest and return its name.

        Raises:
            Problem: if one is running, too many are kept, or a player or sweep is invalid.
        """
        if len(names) != 2:
            raise Problem("field", "there must be two players")
        if sweep and not _SWEEP.fullmatch(sweep):
            raise Problem("field", "sweep must look like hunter_range=1..4 or win_margin=20,30,40")
        pair = ",".join(map(opponents.checked, names))
        command = ["playtest", ruleset.name, "--players", pair, "--games", str(games)]
        for option, value in ruleset.unusual.items():
            command += ["--set", f"{option}={value}"]
        command += ["--sweep", sweep] if sweep else []
        async with self._beginning:
            return await self._begin(ruleset.name, command)

    async def _begin(self, variant: str, command: list[str]) -> str:
        if self._running is not None:
            raise Problem("busy", "a playtest is running; stop it, or wait until it has ended")
        name = self._new(variant, {"variant": variant, "command": command})
        with (self._folder / name / _LOG).open("wb") as log:
            process = await start_aside(
                *(sys.executable, "-c", _MAIN, *command),
                *("--out", str(self._folder / name / "run")),
                stdin=asyncio.subprocess.PIPE,
                stdout=log,
                stderr=log,
            )
        self._running = name, process
        self._waiting = asyncio.create_task(self._wait(name, process))
        return name

    async def stop(self) -> None:
        """Stop the running playtest; the games it has played are kept."""
        if self._running is not None and self._waiting is not None:
            with suppress(ProcessLookupError):
                self._running[1].terminate()
            await asyncio.shield(self._waiting)

    def all(self) -> list[dict[str, Any]]:
        """All playtests, newest first."""
        if not self._folder.is_dir():
            return []
        names = sorted((each.name for each in self._folder.iterdir()), reverse=True)
        return [self._about(name) for name in names if _NAME.fullmatch(name)]

    def report(self, name: str, file: str) -> Path:
        """A file of a report; ``Problem`` if it does not exist."""
        path = self._folder / name / "run" / file
        if not _NAME.fullmatch(name) or file not in _REPORTS or not path.is_file():
            raise Problem("unknown", "this report does not exist")
        return path

    def _new(self, variant: str, about: dict[str, Any]) -> str:
        self._folder.mkdir(parents=True, exist_ok=True)
        numbers = [int(each.name[:4]) for each in self._folder.iterdir() if _NAME.match(each.name)]
        if len(numbers) >= MOST_KEPT:
            raise Problem("busy", f"{MOST_KEPT} playtests are kept already: move some away")
        name = f"{max(numbers, default=0) + 1:04d}-{variant}"
        (self._folder / name).mkdir()
        write_whole(self._folder / name / _ABOUT, json_bytes(about))
        return name

    async def _wait(self, name: str, process: asyncio.subprocess.Process) -> None:
        code = await process.wait()
        with suppress(OSError):  # the folder may be gone, or the disk full
            write_whole(self._folder / name / _ENDED, str(code).encode())
        self._running = None

    def _about(self, name: str) -> dict[str, Any]:
        folder = self._folder / name
        about = {"name": name, "variant": "", "command": [], "state": "interrupted", "said": ""}
        with suppress(OSError, ValueError):
            about |= json.loads((folder / _ABOUT).read_text(encoding="utf-8"))
        with suppress(OSError):
            with (folder / _LOG).open("rb") as log:
                log.seek(max(0, log.seek(0, SEEK_END) - _MOST_READ))
                said = log.read().decode("utf-8", errors="replace")
            about["said"] = next(reversed(said.strip().splitlines()), "")[-300:]
        if self._running is not None and self._running[0] == name:
            about["state"] = "running"
        elif (folder / _ENDED).is_file():
            code = (folder / _ENDED).read_text(encoding="utf-8")
            about["state"] = _STATES.get(code, "failed")
        about["reports"] = [file for file in _REPORTS if (folder / "run" / file).is_file()]
        return about
