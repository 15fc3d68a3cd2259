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
TAG_IN_COMMENT = re.compile(r'\[[A-Za-z0-9_]+ "')
"""Matches text that comments must not contain, because it would look like the next game."""
# Not `isprintable`, which is false for no-break spaces, joiners and characters of newer Unicode.
_NO_TEXT = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_SPACES = re.compile(r"[ \t]+")


def is_line(text: object) -> bool:
    """Whether a value is a text without control characters, surrogates and noncharacters."""
    return isinstance(text, str) and _NO_TEXT.search(text) is None


def single_spaced(text: str) -> str:
    """A text with one space between words; no-break and ideographic spaces belong to words."""
    return _SPACES.sub(" ", text).strip(" ")


def is_blank(line: str) -> bool:
    """Whether a line is blank; as in PGN, lines that begin with % are for other programs."""
    line = line.removeprefix(_BOM)
    return line.startswith("%") or not line or line.isspace()


class TextLines:
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
        return self._peek()[:1] in ("[", b"[") or self._peek_text().startswith(f"{_BOM}[")

    def at_blank(self) -> bool:
        """Whether the next line is blank."""
        return not self.at_end() and is_blank(self._peek_text())

    def next_match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The match of a pattern at the start of the next line."""
        return pattern.match(self._peek_text().removeprefix(_BOM))

    def at_end(self) -> bool:
        """Whether there are no more lines."""
        return not self._peek()

    def read(self) -> str:
        """The next line; ``RecordError`` if it is too long or not text."""
        line = self._take()
        if len(line) > LONGEST_LINE and line[-1:] not in (b"\n", "\n"):
            self._skip_rest()
            raise self.error(f"the line is longer than {LONGEST_LINE} characters", LONGEST_LINE)
        text = self._decoded(line).rstrip("\r\n")
        if text.startswith(_BOM) and (self.number == 1 or TAG_IN_COMMENT.match(text, 1)):
            text = text.removeprefix(_BOM)  # files were joined
        if bad := _NO_TEXT.search(text.replace("\t", " ")):
            raise self.error(f"{bad[0]!r} is a control character", bad.start() + 1)
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

    def _peek_text(self) -> str:
        line = self._peek()
        return line if isinstance(line, str) else line.decode(errors="replace")

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
