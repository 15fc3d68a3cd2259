"""Files that are never partly written, shared by several writers, or locked for one of them."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from glob import escape
from pathlib import Path
from secrets import token_hex
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO, Any

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

PART = ".part"
"""Suffix of a file's name until the file is complete."""

SECONDS_TO_WAIT = 30.0
"""The time that a writer waits for another one that is writing to the same file."""

_LONGEST_NAME = 200  # bytes of a name before what is added to it; most systems allow 255
_LONG_AGO = 24 * 60 * 60.0  # seconds
_FAR = 2**62  # the byte to lock on Windows, where nobody can read or write a locked byte

Mend = Callable[[IO[bytes], int], None]


def json_bytes(value: object) -> bytes:
    """A value as the content of a JSON file; ``ValueError`` if a number is not finite."""
    return (json.dumps(value, indent=1, allow_nan=False) + "\n").encode()


def sha256_of(file: Path, size: int | None = None) -> str:
    """The SHA-256 of a file's content, or of its first bytes, in hexadecimal.

    Raises:
        OSError: if it cannot be read.
    """
    with open(file, "rb") if size is None else beginning(file, size) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def beginning(file: Path, size: int) -> io.BufferedReader:
    """The first bytes of a file, to which others may append meanwhile, as a stream.

    Raises:
        OSError: if it cannot be opened.
    """
    return io.BufferedReader(_Beginning(file, size))


class _Beginning(io.RawIOBase):
    def __init__(self, file: Path, size: int) -> None:
        self.name = str(file)
        self._left = size
        self._stream = open(file, "rb")  # noqa: SIM115  # closed with this stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = self._stream.readinto(memoryview(buffer)[: self._left])
        self._left -= count
        return count

    def close(self) -> None:
        self._stream.close()
        super().close()


class InUse(ValueError):
    """Another process has locked a file."""


def write_whole(file: Path, content: bytes | memoryview, mode: int = 0o666) -> None:
    """Replace a file in one step; ``mode`` sets its permissions, as in ``os.open``.

    If several processes do so at the same time, the file is whole, and that of the last one.

    Raises:
        OSError: if it cannot be written; the file is then unchanged.
    """
    with replacing(file, mode) as stream, naming(file):
        _write_at_end(stream, content)


@contextmanager
def replacing(file: Path, mode: int = 0o666, *, overwrite: bool = True) -> Iterator[IO[bytes]]:
    """Open a new file that takes the place of another one at the end, unless an error occurs.

    Until then it has a name that no other writer uses. Such files of killed processes are removed.
    A link stays one: what it leads to is replaced. A device, a pipe and the standard output are
    not replaced, but get the content at the end.

    Args:
        file: the file to replace.
        mode: as in :func:`write_whole`.
        overwrite: whether the file may exist at the end.

    Raises:
        OSError: if the file cannot be written; it is then unchanged.
        FileExistsError: if it exists at the end, without ``overwrite``.
    """
    if is_special(file):
        with _written_into(file, overwrite) as stream:
            yield stream
        return
    target = Path(os.path.realpath(file))
    with naming(file):
        _remove_stale_parts(target)
        stream = _new_part(target, mode)
    part = Path(stream.name)
    try:
        with stream:
            yield stream
            with naming(file):
                os.fsync(stream.fileno())
                if sys.platform == "win32":  # which does not rename open files
                    stream.close()
                (os.replace if overwrite else _rename_to_new)(part, target)
    finally:
        part.unlink(missing_ok=True)


def is_special(file: Path) -> bool:
    """Whether a file is a device, a pipe, a socket or where the standard output or error goes."""
    try:
        kind = os.stat(file).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)) or _standard(file) is not None


def _standard(file: Path) -> int | None:
    """The number of the standard output or error if it goes to a file; None if neither does."""
    for number in (1, 2):
        with suppress(OSError):
            if os.path.samestat(os.stat(file), os.fstat(number)):
                return number
    return None


def _opened_special(file: Path) -> IO[bytes]:
    """Open such a file for writing; standard output and error go on after what was printed."""
    number = _standard(file)
    if number is None:
        return open(file, "wb")
    for printed in filter(None, (sys.stdout, sys.stderr)):
        printed.flush()
    return os.fdopen(os.dup(number), "wb")


@contextmanager
def _written_into(file: Path, overwrite: bool) -> Iterator[IO[bytes]]:
    """Open a file whose content goes to a special file at the end, unless an error occurs."""
    if not overwrite:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(file))
    with TemporaryFile(buffering=0) as stream:
        yield stream
        stream.seek(0)
        with naming(file), _opened_special(file) as special:
            copyfileobj(stream, special)


def append(file: Path, content: bytes) -> None:
    """Append to a file in one go and wait until the data is on disk.

    Raises:
        OSError: if it cannot be written; nothing is then appended.
        InUse: if another process writes to it for long.
    """
    with _turn(file), naming(file), open(file, "ab", buffering=0) as stream:
        _write_at_end(stream, content)
        os.fsync(stream.fileno())


class SharedFile:
    """A file to which several writers append, each piece in one go.

    Args:
        file: the file; created if missing.
        mend: called with the open file and the size up to which it is known to be whole, whenever
            others may have written to it. It removes or completes a part that a killed writer left.
        new: whether the file must not exist.
        empty: whether to empty the file, and to keep it from other writers.

    Raises:
        FileExistsError: if it exists, with ``new``.
        InUse: if another writer keeps it, or has it open while this one wants to empty it.
        OSError: if it cannot be written.
    """

    def __init__(self, file: Path, mend: Mend, *, new: bool = False, empty: bool = False) -> None:
        self._given, self._file = file, file.resolve()
        self._mend = mend
        self._keeps = empty
        with _turn(self._file), naming(file):
            self._open(os.O_EXCL if new else 0)
            try:
                if empty:
                    self._stream.truncate(0)
                self._mend(self._stream, 0)
            except BaseException:
                self._stream.close()
                raise
            self._size = self._stream.seek(0, os.SEEK_END)

    def append(self, data: bytes, heading: bytes = b"") -> None:
        """Append a piece, after a heading if others have written since the last one.

        Raises:
            InUse, OSError: if it cannot be written; nothing is then appended.
        """
        with _turn(self._file), naming(self._given):
            self._follow()
            size = self._stream.seek(0, os.SEEK_END)
            if size != self._size:
                self._mend(self._stream, self._size if self._size < size else 0)
                data = heading + data
            self._size = _write_at_end(self._stream, data)

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def _open(self, flags: int = 0) -> None:
        # Unbuffered, so that what was written is in the file.
        found = os.open(self._file, os.O_RDWR | os.O_CREAT | flags | _BINARY, 0o666)
        stream = open(found, "r+b", buffering=0)  # noqa: SIM115 - until `close`
        try:
            _lock(stream, shared=not self._keeps)
        except BlockingIOError:
            stream.close()
            raise InUse(f"another process writes to {self._given}") from None
        self._stream = stream

    def _follow(self) -> None:
        """Open the file again if another one has its name, as after a replacement."""
        if not _is_at(self._stream, self._file):
            old = self._stream
            self._open()
            old.close()  # not before: if the new one is in use, this one goes on later
            self._size = 0
            self._mend(self._stream, 0)


@contextmanager
def kept_from_writers(file: Path) -> Iterator[bool]:
    """Keep a file from those that append to it; yield whether it exists.

    Raises:
        InUse: if a :class:`SharedFile` has it open.
        OSError: if it cannot be opened.
    """
    try:
        stream = open(file, "rb")  # noqa: SIM115 - closed below
    except FileNotFoundError:
        yield False
        return
    with stream:
        try:
            _lock(stream)
        except BlockingIOError:
            raise InUse(f"another process writes to {file}") from None
        yield True


@contextmanager
def held(file: Path) -> Iterator[None]:
    """Lock a file, created if needed, until the context or the process ends in any way.

    Where the file system has no locks, another file, whose name ends in ``.held``, shows that this
    one is locked; it remains if the process is killed.

    Raises:
        InUse: if another process has locked it.
        OSError: if it cannot be created.
    """
    while True:
        with open(file, "wb") as lock:
            try:
                has_locks = _lock(lock)
            except BlockingIOError as error:
                raise InUse(f"another process is at work in {file.parent}") from error
            if not _is_at(lock, file):  # its last owner has removed it
                continue
            try:
                if has_locks:
                    yield
                else:
                    with _marked(file.with_name(f"{file.name}.held")):
                        yield
            finally:
                _unlock(lock)  # a forked process may have the file open, too
            return


@contextmanager
def _marked(mark: Path) -> Iterator[None]:
    """A file as a lock."""
    try:
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    except FileExistsError:
        raise InUse(
            f"another process is at work in {mark.parent}; if none is, delete {mark}"
        ) from None
    try:
        yield
    finally:
        mark.unlink(missing_ok=True)


@contextmanager
def _turn(file: Path) -> Iterator[None]:
    """Wait until nobody else writes to a file, and keep others waiting.

    Raises:
        InUse: if that takes more than :data:`SECONDS_TO_WAIT`.
    """
    lock = file.with_name(f".{_beginning(file.name)}.lock")
    end = time.monotonic() + SECONDS_TO_WAIT
    with ExitStack() as stack:
        while True:
            try:
                with naming(file):
                    stack.enter_context(held(lock))
                break
            except InUse as error:
                if time.monotonic() > end:
                    raise InUse(f"another process writes to {file}: {error}") from None
                time.sleep(0.001)
        try:
            yield
        finally:
            with suppress(OSError):  # Windows does not remove open files
                lock.unlink()


def _write_at_end(stream: IO[bytes], data: bytes | memoryview) -> int:
    """Write all of the data or nothing; return the size of the file."""
    end = stream.seek(0, os.SEEK_END)
    rest = memoryview(data).cast("B")
    try:
        while rest:
            rest = rest[stream.write(rest) :]
    except BaseException:
        with suppress(OSError):
            stream.truncate(end)
        raise
    return stream.tell()


def _new_part(file: Path, mode: int) -> IO[bytes]:
    """A new locked file next to another one."""
    while True:
        part = file.with_name(f"{_beginning(file.name)}.{token_hex(4)}{PART}")
        opener = partial(os.open, mode=mode)
        stream = open(part, "xb", buffering=0, opener=opener)  # noqa: SIM115 - for the caller
        with suppress(BlockingIOError):
            _lock(stream)
            if _is_at(stream, part):
                return stream
        stream.close()  # another process took it for a stale one and removed it


def _remove_stale_parts(file: Path) -> None:
    for part in file.parent.glob(f"{escape(_beginning(file.name))}.*"):
        if part.suffix == PART:
            with suppress(OSError), open(part, "r+b") as stream:
                has_locks = _lock(stream) and sys.platform != "win32"
                if has_locks or time.time() - part.stat().st_mtime > _LONG_AGO:
                    part.unlink()


def _beginning(name: str) -> str:
    return os.fsdecode(os.fsencode(name)[:_LONGEST_NAME])


def _rename_to_new(part: Path, file: Path) -> None:
    try:
        os.link(part, file)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        os.replace(part, file)


def _is_at(stream: IO[bytes], file: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(stream.fileno()), file.stat())
    except FileNotFoundError:
        return False


@contextmanager
def naming(file: Path) -> Iterator[None]:
    """Name a file in errors of the system, instead of a temporary one."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from error


if sys.platform == "win32":
    _BINARY = os.O_BINARY

    def _lock(stream: IO[bytes], *, shared: bool = False) -> bool:
        # Windows' C library has no shared locks: a second writer is refused.
        place = stream.seek(0, os.SEEK_CUR)
        try:
            os.lseek(stream.fileno(), _FAR, os.SEEK_SET)
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(errno.EAGAIN, "locked") from error
        finally:
            os.lseek(stream.fileno(), place, os.SEEK_SET)
        return True

    def _unlock(stream: IO[bytes]) -> None:
        """Do nothing: closing a file unlocks it."""

else:
    _BINARY = 0

    def _lock(stream: IO[bytes], *, shared: bool = False) -> bool:
        """Lock an open file until it is closed; return False if the file system has no locks."""
        try:
            fcntl.flock(stream, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError as error:
            # Network file systems lock only what is open for writing: that is no lack of locks.
            return error.errno == errno.EBADF
        return True

    def _unlock(stream: IO[bytes]) -> None:
        with suppress(OSError):
            fcntl.flock(stream, fcntl.LOCK_UN)
