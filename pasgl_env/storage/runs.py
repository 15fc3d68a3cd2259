"""What every long run keeps: a folder of its own, a manifest of what it is, and lines of results.

A command that goes on reads the manifest first and refuses to mix its results with those of another
run. Playtests, sweeps, tournaments and trainings all keep theirs so.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path
from typing import Any

from pasgl_env.games.contract import brief
from pasgl_env.storage.files import PART, append, held, write_whole

MANIFEST, LOCK = "manifest.json", ".lock"
_PACKAGES = ("numpy", "numba", "scipy", "pyarrow", "torch", "ray")


class BadRun(ValueError):
    """A folder or file that holds no results, damaged ones, or those of another run."""


@contextmanager
def opened(path: Path, kind: str) -> Iterator[None]:
    """Hold a run's folder, made if need be.

    Args:
        path: of the folder.
        kind: what it holds, such as ``"playtest"``.

    Raises:
        BadRun: if there are other files, and no manifest.
        InUse: if another process is at work there.
        OSError: if it cannot be made or written to.
    """
    check_own(path, kind)
    path.mkdir(parents=True, exist_ok=True)
    with held(path / LOCK):
        yield


def check_own(path: Path, kind: str) -> None:
    """Raise :class:`BadRun` if a folder holds something, but no run."""
    if not path.is_dir() or (path / MANIFEST).exists():
        return
    if any(each.suffix != PART and each.name != LOCK for each in path.iterdir()):
        raise BadRun(f"{path} is not empty and holds no {kind}: give another folder")


def read_manifest(
    path: Path, kind: str, form: str, check: Callable[[dict[str, Any]], object]
) -> dict[str, Any] | None:
    """The manifest of a run.

    Args:
        path: of the folder.
        kind: what it holds.
        form: the manifest's field ``format``.
        check: raises KeyError, TypeError, ValueError or AttributeError if something is missing.

    Returns:
        What it says; None if there is none.

    Raises:
        BadRun: if it is damaged, or that of another kind of run.
    """
    file = path / MANIFEST
    if not file.exists():
        return None
    try:
        found: dict[str, Any] = json.loads(file.read_bytes())
        is_own = found["format"] == form
        check(found)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        is_own = False
    if not is_own:
        raise BadRun(f"{file} does not belong to a {kind} ({form}): give another folder")
    return found


def write_manifest(path: Path, about: Mapping[str, Any]) -> None:
    """Write the manifest of a run, with the versions and the machine that it is played with."""
    content = {**about, "versions": _versions(), "machine": platform.platform()}
    write_whole(path / MANIFEST, (json.dumps(content, indent=2) + "\n").encode())


def check_same(complaint: str, own: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Raise :class:`BadRun` if a run is another one than what is wanted.

    Args:
        complaint: how the message begins.
        own: what it is, as read from JSON.
        wanted: what it should be, ready for JSON.
    """
    wanted = json.loads(json.dumps(wanted))
    for name in chain(wanted, own):
        if own.get(name) != wanted.get(name):
            raise BadRun(
                f"{complaint}, whose {name} is {brief(own.get(name))}, not"
                f" {brief(wanted.get(name))}: give another folder"
            )


class Lines:
    """A file of JSON values, a line each, to which lines are only ever added.

    Each is added at once and in full; what a kill or a full disk left of one is dropped.

    Args:
        file: made at once if it does not exist.
        kind: what it holds, such as ``"tournament"``.
        about: its first line: which run it is.

    Attributes:
        lines: the others, as bytes.

    Raises:
        BadRun: if the file holds something else, or another run.
        OSError: if it cannot be read or written.
    """

    def __init__(self, file: Path, kind: str, about: Mapping[str, Any]) -> None:
        self._file = file
        heading = line_of(about)
        kept = file.read_bytes() if file.exists() else b""
        self.lines: list[bytes] = []
        if heading.startswith(kept):  # there is none, or it broke off at once
            file.parent.mkdir(parents=True, exist_ok=True)
            append(file, heading[len(kept) :])
            return
        first, *self.lines = kept.splitlines(keepends=True)
        self._check_heading(first, kind, about)
        if self.lines and not self.lines[-1].endswith(b"\n"):
            self.lines.pop()
        append(file, b"")  # rather now than after hours of playing
        os.truncate(file, sum(map(len, (first, *self.lines))))

    def add(self, value: Any) -> None:
        """Add a value, on disk when this returns.

        Raises:
            OSError: if it cannot be written.
        """
        append(self._file, line_of(value))

    def _check_heading(self, line: bytes, kind: str, about: Mapping[str, Any]) -> None:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or found.get("format") != about["format"]:
            raise BadRun(f"{self._file} holds no results of a {kind} ({about['format']})")
        check_same(f"{self._file} holds another {kind}", found, about)


def line_of(value: Any) -> bytes:
    """A value as a line of JSON."""
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
