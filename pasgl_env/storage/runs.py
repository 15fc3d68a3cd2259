"""The storage of long runs: locked folders, manifests that describe runs, and lines of results.

A command that resumes a run first reads its manifest, or the first line of its results, and refuses
to mix the results of different runs.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from errno import ENOTDIR
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path
from typing import Any

from pasgl_env.contract.game import brief
from pasgl_env.storage.files import PART, append, held, write_whole
from pasgl_env.version import __version__

MANIFEST, LOCK = "manifest.json", ".lock"
_PACKAGES = ("numpy", "numba", "scipy", "pyarrow", "torch", "ray")


class BadRun(ValueError):
    """The folder or file holds no results, damaged results, or those of another run."""


def writing_order(agent: Path, state: Path) -> tuple[Path, Path]:
    """The order in which a training writes its agent and its state, as it may be cut off between.

    The first time the state comes first, because the training goes on from it. Later it comes last,
    so that beside the state of a finished training there is no earlier agent.
    """
    return (agent, state) if state.exists() else (state, agent)


@contextmanager
def alone_in(path: Path, check: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Lock a folder, creating it if needed; the lock ends with the process, however that ends.

    Args:
        path: the folder.
        check: raises an error if the folder cannot be used.

    Raises:
        InUse: if another process is at work there.
        OSError: if it cannot be created or written to.
    """
    check()
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise NotADirectoryError(ENOTDIR, "must be a folder, not a file", str(path)) from error
    with held(path / LOCK):
        check()  # another process may have been at work there
        yield


def opened(path: Path, kind: str) -> AbstractContextManager[None]:
    """Lock a run's folder, creating it if needed.

    Raises:
        BadRun: if it contains files but no manifest.
        InUse: as :func:`alone_in`.
        OSError: as :func:`alone_in`.
    """
    return alone_in(path, lambda: _check_folder(path, kind))


def _check_folder(path: Path, kind: str) -> None:
    is_new = not (path / MANIFEST).exists()
    for each in path.iterdir() if is_new and path.is_dir() else ():
        if each.suffix != PART and not each.name.startswith(LOCK):
            raise BadRun(f"{path} is not empty and holds no {kind}: give another folder")


def read_manifest(path: Path, kind: str, form: str) -> dict[str, Any] | None:
    """What :func:`write_manifest` wrote for a run of this kind and format; None if nothing.

    Raises:
        BadRun: if it is damaged, or belongs to another kind of run.
    """
    file = path / MANIFEST
    if not file.exists():
        return None
    try:
        found: dict[str, Any] = json.loads(file.read_bytes())
        is_own = found["format"] == form and all(isinstance(each, str) for each in found["command"])
        _ = found["versions"].items(), found["machine"]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        is_own = False
    if not is_own:
        raise BadRun(f"{file} does not belong to a {kind} ({form}): give another folder")
    return found


def check_manifest(
    path: Path, kind: str, form: str, about: Mapping[str, Any]
) -> dict[str, Any] | None:
    """The manifest of a run, as :func:`read_manifest`; it may contain more than ``about``.

    Raises:
        BadRun: as :func:`read_manifest`, or if it is that of another run than ``about``.
    """
    known = read_manifest(path, kind, form)
    if known:
        own = {name: known.get(name) for name in about}
        check_same(f"{path} holds another {kind}", own, about)
    return known


def write_manifest(
    path: Path, form: str, about: Mapping[str, Any], command: Sequence[str] = ()
) -> None:
    """Write the manifest of a run, with versions and a description of the machine."""
    machine = {"versions": versions(), "machine": platform.platform()}
    content = {"format": form, **about, "command": list(command), **machine}
    write_whole(path / MANIFEST, (json.dumps(content, indent=2) + "\n").encode())


def check_same(complaint: str, own: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Raise :class:`BadRun` if a run differs from the wanted one.

    Args:
        complaint: start of the message.
        own: the run's description, as read from JSON.
        wanted: the wanted description, ready for JSON.
    """
    wanted = json.loads(json.dumps(wanted))
    for name in chain(wanted, own):
        one, other = own.get(name), wanted.get(name)
        if isinstance(one, dict) and isinstance(other, dict):
            check_same(complaint, one, other)
        elif one != other:
            raise BadRun(
                f"{complaint}, whose {name} is {brief(one)}, not {brief(other)}: give another"
                " folder"
            )


class JsonLines:
    """A file of JSON values, one per line, that only grows.

    Each line is written at once and in full; one cut off by a kill or a full disk is dropped.

    Args:
        file: created at once if missing.
        kind: kind of its content, such as ``"tournament"``.
        about: its first line, which identifies the run.

    Attributes:
        lines: the other lines, as bytes.

    Raises:
        BadRun: if the file holds something else or another run.
        OSError: if it cannot be read or written.
    """

    def __init__(self, file: Path, kind: str, about: Mapping[str, Any]) -> None:
        self._file = file
        heading = line_of(about)
        kept = file.read_bytes() if file.exists() else b""
        self.lines: list[bytes] = []
        if heading.startswith(kept):  # empty, or cut off while it was created
            file.parent.mkdir(parents=True, exist_ok=True)
            append(file, heading[len(kept) :])
            return
        first, *self.lines = kept.splitlines(keepends=True)
        self._check_heading(first, kind, about)
        append(file, b"")  # fail now rather than after hours of playing
        if self.lines and not self.lines[-1].endswith(b"\n"):
            os.truncate(file, len(kept) - len(self.lines.pop()))

    def add(self, value: Any) -> None:
        """Append a value and wait until it is on disk; ``OSError`` if it cannot be written."""
        append(self._file, line_of(value))

    def _check_heading(self, line: bytes, kind: str, about: Mapping[str, Any]) -> None:
        found = object_in(line)
        if found is None or found.get("format") != about["format"]:
            raise BadRun(f"{self._file} holds no results of a {kind} ({about['format']})")
        check_same(f"{self._file} holds another {kind}", found, about)


def object_in(line: bytes) -> dict[str, Any] | None:
    """The JSON object in a line; None if it holds something else."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def line_of(value: Any) -> bytes:
    """A value as a line of JSON."""
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def versions() -> dict[str, str]:
    """The versions of this package, of Python, and of the packages that results may depend on."""
    found = {"pasgl_env": __version__, "python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def hardware() -> str:
    """The processor's name, as reported by the system."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
