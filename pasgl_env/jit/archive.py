"""Compiled code in one file, to take it to other machines: a container, a cluster's computers."""

from __future__ import annotations

import io
import lzma
import os
import re
import tarfile
from collections.abc import Container
from pathlib import Path

from pasgl_env.jit.cache import UnusableFile
from pasgl_env.storage.files import write_whole
from pasgl_env.storage.private import who_else_writes

_NAME = re.compile(r"[\w-]+-[0-9a-f]{16}(\.[0-9]+\.nbc|\.nbi|\.[0-9a-f]{8}\.compiled)", re.ASCII)
# An index is written after the code that it lists, and the mark that all is there at the end.
_ORDER = (".nbc", ".nbi", ".compiled")
_COMPRESSION = 1  # of 9; the largest is a fifth smaller and takes ten times as long


def packed(folder: Path, functions: Container[str] | None = None) -> bytes:
    """The compiled code in a folder, or that of some functions, as the content of one file."""
    content = io.BytesIO()
    with (
        lzma.LZMAFile(content, "w", preset=_COMPRESSION) as stream,
        tarfile.open(fileobj=stream, mode="w|") as archive,
    ):
        files = (
            file
            for file in folder.iterdir()
            if _NAME.fullmatch(file.name)
            and (functions is None or file.name.partition(".")[0] in functions)
        )
        for file in sorted(files, key=lambda file: (_ORDER.index(file.suffix), file.name)):
            archive.add(file, file.name)
    return content.getvalue()


def unpack(content: bytes, folder: Path) -> int:
    """Write compiled code into a folder, except for functions that it has; return how many files.

    If it is interrupted, the next call writes what is missing.

    Raises:
        ValueError: if it is no file of :func:`packed`; nothing is written then.
    """
    # Code without its index, which is written after it, is that of an interrupted call.
    had = {_function(name) for name in os.listdir(folder) if not name.endswith(_ORDER[0])}
    try:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r:xz") as archive:
            wanted = [each for each in _members(archive) if _function(each.name) not in had]
            for member in wanted:
                stream = archive.extractfile(member)
                assert stream is not None
                write_whole(folder / member.name, stream.read(), 0o600)
    except (tarfile.TarError, lzma.LZMAError, EOFError) as error:
        raise ValueError(f"this is no file of compiled code: {error}") from error
    return len(wanted)


def _members(archive: tarfile.TarFile) -> list[tarfile.TarInfo]:
    """The files in an archive; ``ValueError`` if it has others or does not end as it should."""
    members = archive.getmembers()
    for member in members:
        if not (member.isreg() and _NAME.fullmatch(member.name)):
            raise ValueError(f"{member.name!r} is no file of compiled code")
    # A damaged header would be taken for the end, which is a block of zeros.
    assert archive.fileobj is not None
    archive.fileobj.seek(archive.offset)
    end = archive.fileobj.read(-1)
    if not end or end.strip(b"\0"):
        raise ValueError("this is no file of compiled code: it is damaged")
    return members


def _function(name: str) -> str:
    """The function to which a file belongs; a mark that all is there stands for itself."""
    return name if name.endswith(_ORDER[-1]) else name.partition(".")[0]


def read(file: Path) -> bytes:
    """The content of a file that nobody but the user and root can change.

    Raises:
        OSError: if it cannot be read.
        UnusableFile: if others can change it: whoever can could run any code.
    """
    with open(file, "rb") as stream:
        if reason := who_else_writes(os.fstat(stream.fileno())):
            raise UnusableFile(f"{file} {reason}")
        return stream.read()
