"""Files that are whole whatever happens, and folders that one process has for itself."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform != "win32":
    import fcntl

PART = ".part"
"""What the name of a file ends in until it is whole."""


def json_bytes(value: object) -> bytes:
    """A value as the content of a JSON file; ``ValueError`` if a number is not finite."""
    return (json.dumps(value, indent=1, allow_nan=False) + "\n").encode()


class InUse(ValueError):
    """Another process holds a file."""


def write_whole(file: Path, content: bytes | memoryview) -> None:
    """Replace a file in one step.

    Raises:
        OSError: if it cannot be written; the file is as it was before then.
    """
    temporary = file.with_name(f"{file.name}{PART}")
    try:
        with open(temporary, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, file)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from error
    finally:
        temporary.unlink(missing_ok=True)


def append(file: Path, content: bytes) -> None:
    """Add to a file; it is on disk when this returns.

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
    """Hold a file, made if need be, until the context or the process ends, however that ends.

    Where the system or the file system has no locks, nothing is held.

    Raises:
        InUse: if another process holds it.
        OSError: if it cannot be made.
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
