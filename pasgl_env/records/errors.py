"""The error raised by all readers of records."""

from __future__ import annotations


class RecordError(ValueError):
    """An error in a file of records, and its location.

    Attributes:
        file: the file's name.
        line: from 1; None in binary files.
        column: from 1, in characters; None in binary files.
        reason: what is wrong.
    """

    def __init__(
        self, file: str, reason: str, line: int | None = None, column: int | None = None
    ) -> None:
        location = "".join(f":{number}" for number in (line, column) if number is not None)
        super().__init__(f"{file}{location}: {reason}")
        self.file = file
        self.line = line
        self.column = column
        self.reason = reason
