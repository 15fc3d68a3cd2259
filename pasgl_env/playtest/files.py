"""Files that are whole whatever happens."""

from __future__ import annotations

import os
from pathlib import Path

PART = ".part"
"""What the name of a file ends in until it is whole."""


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
