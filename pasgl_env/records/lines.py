"""Lines of an untrusted file: bounded, checked and counted."""

from __future__ import annotations

import gzip
import re
import zlib
from typing import IO, Any

from pasgl_env.records.errors import RecordError

LONGEST_LINE = 2**14
_SIGNATURES = {
    b"\x1f\x8b": "it is compressed: its name must end in .pgr.gz",
    b"\x89PGB": "it is a binary record: its name must end in .pgb",
    b"\xff\xfe": "it is UTF-16 text",
    b"\xfe\xff": "it is UTF-16 text",
}
_BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"


class Lines:
    """The lines of a stream, one at a time, without their ends.

    Attributes:
        file: the stream's name, for errors.
        number: the number of the line read last.
    """

    def __init__(self, stream: IO[Any], file: str) -> None:
        self.file = file
        self.number = 0
        self._stream = stream
        self._next: bytes | str | None = None  # read ahead
        self._was_tag = False

    def error(self, reason: str, column: int = 1, line: int | None = None) -> RecordError:
        """An error at a column of this line, or of another."""
        return RecordError(self.file, reason, self.number if line is None else line, column)

    def at_tag(self) -> bool:
        """Whether the next line begins with a bracket."""
        line = self._peek()
        return line[:1] in ("[", b"[") or line[:4] == b"\xef\xbb\xbf["

    def next_matches(self, pattern: re.Pattern[str]) -> bool:
        """Whether the next line matches a pattern at its start."""
        line = self._peek()
        text = line if isinstance(line, str) else line.decode(errors="replace")
        return pattern.match(text) is not None

    def at_end(self) -> bool:
        """Whether there are no more lines."""
        return not self._peek()

    def read(self) -> str:
        """The next line.

        Raises:
            RecordError: if it is too long or not text.
        """
        line = self._take()
        if len(line) > LONGEST_LINE and line[-1:] not in (b"\n", "\n"):
            self._skip_rest()
            raise self.error(f"the line is longer than {LONGEST_LINE} characters", LONGEST_LINE)
        text = self._decoded(line).rstrip("\r\n")
        if self.number == 1:
            text = text.removeprefix(_BOM)
        if not text.isprintable() and not text.replace("\t", "").isprintable():
            bad = next(i for i, sign in enumerate(text) if sign != "\t" and not sign.isprintable())
            raise self.error(f"{text[bad]!r} is not a printable character", bad + 1)
        return text

    def skip_game(self) -> None:
        """Go to the next line that begins a section of tags, or to the end."""
        while not self.at_end() and (self._was_tag or not self.at_tag()):
            line = self._take()
            if len(line) > LONGEST_LINE:
                self._skip_rest()

    def _decoded(self, line: bytes | str) -> str:
        if isinstance(line, str):
            return line
        try:
            return line.decode()
        except UnicodeDecodeError as error:
            known = [why for sign, why in _SIGNATURES.items() if line.startswith(sign)]
            why = known[0] if known and self.number == 1 else "it is not UTF-8 text"
            column = len(line[: error.start].decode()) + 1
            raise self.error(f"byte 0x{line[error.start]:02x}: {why}", column) from None

    def _peek(self) -> bytes | str:
        if self._next is None:
            self._next = self._chunk()
        return self._next

    def _take(self) -> bytes | str:
        self._was_tag = self.at_tag()
        line, self._next = self._peek(), None
        self.number += 1
        return line

    def _skip_rest(self) -> None:
        """Skip the rest of a line that is too long."""
        while (rest := self._chunk()) and rest[-1:] not in (b"\n", "\n"):
            pass

    def _chunk(self) -> bytes | str:
        """A line, or the longest part of it that is allowed."""
        try:
            chunk: bytes | str = self._stream.readline(LONGEST_LINE + 1)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            reason = f"the compressed data are damaged: {error}"
        except UnicodeDecodeError as error:  # of a text stream
            reason = f"it is not text: {error}"
        else:
            return chunk
        self._next = b""
        self.number += 1
        raise self.error(reason)
