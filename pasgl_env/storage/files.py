"""Files that are never partly written, and folders locked for one process."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

if sys.platform != "win32":
    import fcntl

PART = ".part"
"""Suffix of a file's name until the file is complete."""


def json_bytes(value: object) -> bytes:
    """A value as the content of a JSON file; ``ValueError`` if a number is not finite."""
    return (json.dumps(value, indent=1, allow_nan=False) + "\n").encode()


class InUse(ValueError):
    """Another process has locked a file."""


def write_whole(file: Path, content: bytes | memoryview, mode: int = 0o666) -> None:
    """Replace a file in one step; ``mode`` says who may use it, as that of ``os.open``.

    Raises:
        OSError: if it cannot be written; the file is then unchanged.
    """
    temporary = file.with_name(f"{file.name}{PART}")
    try:
        with open(temporary, "wb", opener=partial(os.open, mode=mode)) as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, file)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from error
    finally:
        temporary.unlink(missing_ok=True)


def append(file: Path, content: bytes) -> None:
    """Append to a file and wait until the data is on disk.

    Raises:
        OSError: if it cannot be written.
    """
    try:
        with open(file, "ab") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from error


@contextmanager
def held(file: Path) -> Iterator[None]:
    """Lock a file, creating it if needed, until the context or the process ends, however that ends.

    Does nothing if the operating system or file system has no locks.

    Raises:
        InUse: if another process has locked it.
        OSError: if it cannot be created.
    """
    with open(file, "wb") as lock:
        if sys.platform != "win32":
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise InUse(f"another process is at work in {file.parent}") from error
            except OSError:  # a file system without locks
                pass
        yield
