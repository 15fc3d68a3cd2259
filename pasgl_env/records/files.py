"""Record files, in the formats given by the suffixes of their names."""

from __future__ import annotations

import gzip
import os
import shutil
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from os import PathLike
from pathlib import Path
from typing import IO, Any

from pasgl_env.contract.game import brief
from pasgl_env.jit.interrupts import deferred_signals
from pasgl_env.records import binary, text_reader
from pasgl_env.records.binary import BinaryWriter, Heading, StoredGame
from pasgl_env.records.errors import RecordError
from pasgl_env.records.game import GameRecord
from pasgl_env.records.text_writer import write_game
from pasgl_env.storage.files import SharedFile, kept_from_writers, naming, replacing

TEXT, COMPRESSED, BINARY = ".pgr", ".pgr.gz", ".pgb"
FORMS = TEXT, COMPRESSED, BINARY
STANDARD = "-"
"""The name of the standard input or output, which are text."""

_ENOUGH = 2**16  # bytes written at a time
_GZIP = zlib.MAX_WBITS | 16  # the format of gzip, in the words of zlib

Source = str | PathLike[str] | IO[str] | IO[bytes]


def form_of(file: str | PathLike[str]) -> str:
    """The suffix of a name, which determines the file's format.

    Raises:
        ValueError: for an unknown suffix.
    """
    name = os.fspath(file)
    for form in FORMS:
        if name.endswith(form):
            return form
    if name == STANDARD:
        return TEXT
    raise ValueError(
        f"{name}: the name of a record file must end in {TEXT}, {COMPRESSED} or {BINARY}"
    )


def read_records(
    file: Source, *, on_error: Callable[[RecordError], None] | None = None
) -> Iterator[GameRecord]:
    """Yield the games of a file, one at a time, with at most one in memory.

    Every choice must be legal, and all statements of the file about a game must be true.

    Args:
        file: a path, ``"-"`` for standard input, or an open stream; a stream is text, unless it is
            a binary one with a name that says otherwise. Text is UTF-8.
        on_error: called with each error; reading then continues with the next game. None: raise the
            first error.

    Raises:
        OSError: if the file cannot be read.
        TypeError: if it is neither.
        ValueError: if its name has no known suffix.
        RecordError: if a game is invalid; states the location.
    """
    if not isinstance(file, str | PathLike):
        if not hasattr(file, "readline"):
            raise TypeError(f"file must be a path or an open stream, not {brief(file)}")
        name = str(getattr(file, "name", "<stream>"))
        return _games(file, name, name if name.endswith(FORMS) else TEXT, on_error)
    form, name = form_of(file), os.fspath(file)
    if name == STANDARD:
        return _games(sys.stdin.buffer, "<stdin>", form, on_error)
    stream = open(file, "rb")  # noqa: SIM115  # closed by the generator
    return _closing(stream, _games(stream, name, form, on_error))


def _games(
    stream: Any, name: str, form: str, on_error: Callable[[RecordError], None] | None
) -> Iterator[GameRecord]:
    if form.endswith(BINARY):
        return binary.read_games(stream, name, on_error)
    lines: Any = gzip.GzipFile(fileobj=stream) if form.endswith(COMPRESSED) else stream
    return text_reader.read_games(lines, name, on_error)


def write_records(
    file: str | PathLike[str],
    games: Iterable[GameRecord],
    *,
    append: bool = False,
    overwrite: bool = False,
) -> int:
    """Write games to a file, one at a time; return how many were written.

    Args:
        file: a path, or ``"-"`` for standard output.
        games: the games.
        append: whether to append to an existing file.
        overwrite: whether to replace an existing file, once all games are written: an error leaves
            it as it is.

    Raises:
        OSError: if the file cannot be written; ``FileExistsError`` if it exists and neither
            ``append`` nor ``overwrite`` is set.
        InUse: if another writer has the file open that is to be replaced, or is replacing it.
        ValueError: if its name has no known suffix, or both are set.
        RecordError: if the file to append to holds no games.
    """
    if overwrite and not append and Path(file).is_file():
        return write_whole_records(Path(file), games, overwrite=True)
    with RecordWriter(file, append=append, overwrite=overwrite) as writer:
        for game in games:
            writer.write(game)
    return writer.games


def write_whole_records(file: Path, games: Iterable[GameRecord], *, overwrite: bool = False) -> int:
    """Write games to a file that appears or is replaced when all are written; return the number.

    Raises:
        OSError: if the file cannot be written; ``FileExistsError`` if it exists at the end, and
            ``overwrite`` is not set or it was not there at the beginning.
        InUse: if another writer has it open.
        ValueError: if its name has no known suffix.
    """
    form, path = form_of(file), file.resolve()
    with (
        kept_from_writers(path) as exists,
        replacing(path, overwrite=overwrite and exists) as stream,
    ):
        if exists:
            shutil.copymode(path, stream.name)
        with RecordWriter.into(stream, form, file) as writer:
            for game in games:
                writer.write(game)
    return writer.games


class RecordWriter:
    """A file to which games are written; it always contains whole games only.

    A game is in the file when :meth:`write` returns. Compressed files and :meth:`write_stored`
    write blocks of games; :meth:`flush` writes those that are pending. Games that could not be
    written stay pending: the next call of a method writes them. Several writers, also of several
    processes, can append to a file at the same time. See :func:`write_records` for the arguments
    and errors.

    Attributes:
        games: number of games, with those that are pending.
    """

    def __init__(
        self, file: str | PathLike[str], *, append: bool = False, overwrite: bool = False
    ) -> None:
        form = form_of(file)
        self._begin(form, _output(file, form, append, overwrite))

    @classmethod
    def into(cls, stream: IO[bytes], form: str, file: Path) -> RecordWriter:
        """A writer to an empty open file without a buffer; errors name ``file``."""
        writer, output = cls.__new__(cls), _Output(stream, file)
        writer._begin(form, output)
        if form == BINARY:
            output.append(binary.SIGNATURE)
        return writer

    def _begin(self, form: str, file: _AnyOutput) -> None:
        self.games = 0
        self._form = form
        self._waiting: list[bytes] = []
        self._waiting_bytes = 0
        self._binary = BinaryWriter()
        self._heading = b""  # the one in force before what is pending
        self._file = file

    def write(self, game: GameRecord) -> None:
        """Write a game; after an ``OSError`` or ``InUse`` it is pending."""
        with deferred_signals():  # which would come between a heading and its game
            if self._form == BINARY:
                self._add(self._binary.blocks_of(game))
            else:
                self._add(write_game(game).encode())
        self._flush_if(self._form != COMPRESSED)

    def write_stored(self, heading: Heading, games: list[StoredGame]) -> None:
        """Write games in binary form; converting them for other formats takes far longer.

        After an ``OSError`` or ``InUse`` all of them are pending.
        """
        with deferred_signals():  # so that an interrupt loses none of them
            for game in games:
                if self._form == BINARY:
                    self._add(self._binary.blocks(heading, game))
                else:
                    self._add(write_game(binary.replayed(heading, game)).encode())
        self._flush_if(self._form == TEXT)

    def close(self) -> None:
        """Write pending games and close the file, which stays open if they cannot be written."""
        self.flush()
        self._file.close()

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(self, *error: object) -> None:
        try:
            self.flush()
        finally:
            self._file.close()

    def flush(self) -> None:
        """Write pending games; after an ``OSError`` or ``InUse`` they are still pending."""
        with deferred_signals():  # games that are written must not stay pending
            if data := b"".join(self._waiting):
                packed = gzip.compress(data, mtime=0) if self._form == COMPRESSED else data
                self._file.append(packed, self._heading)
            self._waiting, self._waiting_bytes = [], 0
            self._heading = self._binary.heading

    def _add(self, game: bytes) -> None:
        self._waiting.append(game)
        self._waiting_bytes += len(game)
        self.games += 1

    def _flush_if(self, at_once: bool) -> None:
        if at_once or self._waiting_bytes > _ENOUGH:
            self.flush()


class _Output:
    """An open file that nobody else writes to."""

    def __init__(self, stream: IO[bytes], file: Path) -> None:
        self._stream, self._file = stream, file

    def append(self, data: bytes, heading: bytes = b"") -> None:
        rest = memoryview(data)
        with naming(self._file):
            while rest:
                rest = rest[self._stream.write(rest) :]

    def close(self) -> None:
        """Do nothing: the caller that opened the file closes it."""


class _StandardOutput:
    def append(self, data: bytes, heading: bytes = b"") -> None:
        sys.stdout.write(data.decode())

    def close(self) -> None:
        sys.stdout.flush()


_AnyOutput = SharedFile | _Output | _StandardOutput


def _output(
    file: str | PathLike[str], form: str, append: bool, overwrite: bool
) -> SharedFile | _StandardOutput:
    if append and overwrite:
        raise ValueError("a file can be appended to or replaced, not both")
    if os.fspath(file) == STANDARD:
        return _StandardOutput()
    mend = partial(_MEND[form], os.fspath(file))
    return SharedFile(Path(file), mend, new=not (append or overwrite), empty=overwrite)


def _mend_binary(name: str, stream: IO[bytes], start: int) -> None:
    """Cut off a part of a game, which a killed writer leaves."""
    if stream.seek(0, os.SEEK_END) == 0:
        stream.write(binary.SIGNATURE)
    with open(stream.fileno(), "rb", closefd=False) as content:
        stream.truncate(binary.whole_size(content, name, start))


def _mend_text(name: str, stream: IO[bytes], start: int) -> None:
    """Write the bytes missing after the last game, if a writer was killed."""
    if start == 0:
        stream.seek(0)
        beginning = stream.read(100).removeprefix(b"\xef\xbb\xbf").lstrip()
        if beginning and beginning[:1] not in b"[%":
            raise RecordError(name, "it holds no records, so none can be appended", 1, 1)
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - 2))
    last = stream.read()
    if size and last != b"\n\n":
        stream.write(b"\n" if last.endswith(b"\n") else b"\n\n")


def _mend_compressed(name: str, stream: IO[bytes], start: int) -> None:
    """Check the data, because games appended to damaged data could not be read.

    Only data that another writer began to write meanwhile is cut off.
    """
    try:
        whole = _size_of_members(stream, start)
    except zlib.error as error:
        raise RecordError(name, f"the compressed data are damaged: {error}") from None
    if start == 0 and whole < stream.seek(0, os.SEEK_END):
        raise RecordError(name, "the compressed data are damaged: they end too early")
    stream.truncate(whole)


def _size_of_members(stream: IO[bytes], start: int) -> int:
    """The end of the last whole member of a gzip file; ``zlib.error`` if one is damaged."""
    stream.seek(start)
    whole = at = start
    member = zlib.decompressobj(_GZIP)
    while data := stream.read(_ENOUGH):
        while data:
            member.decompress(data)
            at += len(data) - len(member.unused_data)
            data = member.unused_data
            if member.eof:
                whole, member = at, zlib.decompressobj(_GZIP)
    return whole


_MEND = {TEXT: _mend_text, COMPRESSED: _mend_compressed, BINARY: _mend_binary}


def _closing(stream: IO[bytes], games: Iterator[GameRecord]) -> Iterator[GameRecord]:
    with stream:
        yield from games
