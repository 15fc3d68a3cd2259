"""Record files, in the formats given by the suffixes of their names."""

from __future__ import annotations

import gzip
import os
import shutil
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import IO, Any

from pasgl_env.records import binary, text_reader
from pasgl_env.records.binary import BinaryWriter, Heading, StoredGame
from pasgl_env.records.errors import RecordError
from pasgl_env.records.game import GameRecord
from pasgl_env.records.text_writer import write_game

TEXT, COMPRESSED, BINARY = ".pgr", ".pgr.gz", ".pgb"
FORMS = TEXT, COMPRESSED, BINARY
STANDARD = "-"
"""The name of the standard input or output, which are text."""

_ENOUGH = 2**16  # bytes written at a time

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

    Every choice must be legal, and all that the file states about a game must be true.

    Args:
        file: a path, ``"-"`` for standard input, or an open stream; a stream is text, unless it is
            a binary one with a name that says otherwise. Text is UTF-8.
        on_error: called with each error; reading then continues with the next game. None: raise the
            first error.

    Raises:
        OSError: if the file cannot be read.
        ValueError: if its name has no known suffix.
        RecordError: if a game is invalid; states the place.
    """
    if not isinstance(file, str | PathLike):
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
        ValueError: if its name has no known suffix, or both are set.
        RecordError: if the file to append to holds no games.
    """
    if overwrite and not append and Path(file).is_file():
        return write_whole_records(Path(file), games)
    with RecordWriter(file, append=append, overwrite=overwrite) as writer:
        for game in games:
            writer.write(game)
    return writer.games


def write_whole_records(file: Path, games: Iterable[GameRecord]) -> int:
    """Write games to a new file that appears, or replaces an old one, when all are written.

    Returns:
        Number of games.

    Raises:
        OSError: if the file cannot be written.
        ValueError: if its name has no known suffix.
    """
    form_of(file)
    with _replacing(file.resolve()) as successor:
        return write_records(successor, games, append=True)


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """An empty file next to a path, where it is put if no error occurs."""
    successor = path.with_name(f".{os.getpid()}-{path.name}")
    try:
        successor.touch()
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    try:
        if path.exists():
            shutil.copymode(path, successor)
        yield successor
        os.replace(successor, path)
    except BaseException:
        successor.unlink()
        raise


class RecordWriter:
    """A file to which games are written; it always contains whole games only.

    A game is in the file when :meth:`write` returns. Compressed files and :meth:`write_stored`
    write blocks of games; :meth:`flush` writes those that are pending. See :func:`write_records`
    for the arguments and errors.

    Attributes:
        games: number of games written.
    """

    def __init__(
        self, file: str | PathLike[str], *, append: bool = False, overwrite: bool = False
    ) -> None:
        if append and overwrite:
            raise ValueError("a file can be appended to or replaced, not both")
        self.games = 0
        self._form = form_of(file)
        self._waiting: list[bytes] = []
        self._waiting_bytes = 0
        self._binary = BinaryWriter()
        self._file = _output(file, self._form, append, overwrite)

    def write(self, game: GameRecord) -> None:
        """Write a game."""
        binary = self._form == BINARY
        self._add(self._binary.blocks_of(game) if binary else write_game(game).encode())
        if self._form != COMPRESSED:
            self.flush()

    def write_stored(self, heading: Heading, games: list[StoredGame]) -> None:
        """Write games in binary form; converting them for other formats takes far longer."""
        if self._form == BINARY:
            for game in games:
                self._add(self._binary.blocks(heading, game))
        else:
            for game in games:
                self.write(binary.replayed(heading, game))

    def close(self) -> None:
        """Write pending games and close the file."""
        try:
            self.flush()
        finally:
            self._file.close()

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def flush(self) -> None:
        """Write what is pending."""
        data, self._waiting, self._waiting_bytes = b"".join(self._waiting), [], 0
        if data:
            self._file.write(gzip.compress(data, mtime=0) if self._form == COMPRESSED else data)

    def _add(self, game: bytes) -> None:
        self._waiting.append(game)
        self._waiting_bytes += len(game)
        self.games += 1
        if self._waiting_bytes > _ENOUGH:
            self.flush()


class _WholeWrites:
    """An open file in which a failed write leaves nothing behind."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._size = stream.tell()

    def write(self, data: bytes) -> None:
        """Write all of the data at once."""
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[self._stream.write(rest) :]
        except BaseException as error:
            with suppress(OSError):
                self._stream.truncate(self._size)
            if isinstance(error, OSError):
                error.filename = self._stream.name
            raise
        self._size += len(data)

    def close(self) -> None:
        self._stream.close()


class _StandardOutput:
    def write(self, data: bytes) -> None:
        sys.stdout.write(data.decode())

    def close(self) -> None:
        sys.stdout.flush()


def _output(
    file: str | PathLike[str], form: str, append: bool, overwrite: bool
) -> _WholeWrites | _StandardOutput:
    if os.fspath(file) == STANDARD:
        return _StandardOutput()
    path = Path(file)
    if append and path.exists() and path.stat().st_size:
        return _WholeWrites(_opened_at_end(path, form))
    # Unbuffered, so that a written game is in the file.
    stream = open(path, "wb" if append or overwrite else "xb", buffering=0)  # noqa: SIM115
    output = _WholeWrites(stream)
    if form == BINARY:
        output.write(binary.SIGNATURE)
    return output


def _opened_at_end(path: Path, form: str) -> IO[bytes]:
    """Open a file of records to append games."""
    with ExitStack() as on_error:
        stream = on_error.enter_context(open(path, "r+b", buffering=0))
        if form == BINARY:
            with path.open("rb") as content:
                stream.truncate(binary.whole_size(content, str(path)))
        elif form == COMPRESSED:
            _check_compressed(path)
        else:
            _check_text(path)
        stream.seek(0, os.SEEK_END)
        if form == TEXT:
            stream.write(_missing_end(path))
        on_error.pop_all()
    return stream


def _check_text(path: Path) -> None:
    with path.open("rb") as content:
        beginning = content.read(100).removeprefix(b"\xef\xbb\xbf").lstrip()
    if beginning and beginning[:1] not in b"[%":
        raise RecordError(str(path), "it holds no records, so none can be appended", 1, 1)


def _missing_end(path: Path) -> bytes:
    """The bytes missing after the last game, if writing was interrupted."""
    with path.open("rb") as content:
        content.seek(max(0, path.stat().st_size - 2))
        last = content.read()
    return b"" if last == b"\n\n" else b"\n" if last.endswith(b"\n") else b"\n\n"


def _check_compressed(path: Path) -> None:
    """Check the data, because games appended to damaged data could not be read."""
    try:
        with gzip.open(path) as content:
            while content.read(2**20):
                pass
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise RecordError(str(path), f"the compressed data are damaged: {error}") from None


def _closing(stream: IO[bytes], games: Iterator[GameRecord]) -> Iterator[GameRecord]:
    with stream:
        yield from games
