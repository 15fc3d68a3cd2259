"""Messages from clients: the protocol's version, and checks of every field."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from math import isfinite
from typing import Any

from pasgl_env.contract.description import Action
from pasgl_env.contract.game import OptionValue, brief

VERSION = 3
LONGEST_MESSAGE = 2**16  # bytes
LONGEST_TEXT = 4000
LONGEST_ID = 60
MOST_OPTIONS = 50


_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffe\uffff]")


class Problem(Exception):
    """A client's request cannot be carried out.

    Attributes:
        code: an error code of ``docs/web_protocol.md``, for programs.
        message: for people: the mistake and the correct form.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Message:
    """A client's message, whose fields are checked as they are read.

    >>> Message.read('{"do": "play", "label": "Te4e5"}').text("label")
    'Te4e5'
    """

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields

    @classmethod
    def read(cls, data: str) -> Message:
        """Parse a message from JSON; ``Problem`` if it is not a JSON object."""
        try:
            fields = json.loads(data)
        except (ValueError, RecursionError):
            raise Problem("format", "a message must be one JSON object") from None
        if not isinstance(fields, dict):
            raise Problem("format", f"a message must be a JSON object, not {brief(fields)}")
        return cls(fields)

    def __repr__(self) -> str:
        return f"Message({self._fields!r})"

    def __contains__(self, name: str) -> bool:
        """Whether a field is present and not null."""
        return self._fields.get(name) is not None

    def is_for(self, command: str) -> bool:
        """Whether the message is this command."""
        return bool(self._fields.get("do") == command)

    def text(self, name: str, default: str | None = None, most: int = LONGEST_TEXT) -> str:
        """A field with a line of text; required if there is no default."""
        value = self._fields.get(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, str) or len(value) > most or not _is_unicode(value):
            raise _wrong(name, f"a text of at most {most} characters", value)
        return value

    def line(self, name: str, most: int) -> str:
        """A field with what somebody has typed, for others to read; "" if it is missing.

        It is made one line, without control characters, those that turn the direction of the text
        around it, and others that records refuse.
        """
        return " ".join(_UNSEEN.sub(" ", self.text(name, "", most)).split())

    def number(self, name: str, low: int, high: int, default: int | None = None) -> int:
        """A field with an integer in a range."""
        value = self._fields.get(name, default)
        if type(value) is not int or not low <= value <= high:
            raise _wrong(name, f"an integer from {low} to {high}", value)
        return value

    def seconds(self, name: str, low: float, high: float, default: float) -> float:
        """A field with a time in seconds."""
        value = self._fields.get(name, default)
        if type(value) not in (int, float) or not low <= value <= high:
            raise _wrong(name, f"a number of seconds from {low:g} to {high:g}", value)
        return float(value)

    def one_of(self, name: str, values: tuple[str, ...], default: str | None = None) -> str:
        """A field with one of a few words."""
        value = self._fields.get(name, default)
        if value not in values:
            raise _wrong(name, " or ".join(map(repr, values)), value)
        return str(value)

    def flag(self, name: str, default: bool = False) -> bool:
        """A Boolean field."""
        value = self._fields.get(name, default)
        if not isinstance(value, bool):
            raise _wrong(name, "true or false", value)
        return value

    def texts(self, name: str, most: int) -> list[str]:
        """A field with a list of texts; [] if missing."""
        return [Message({name: value}).text(name) for value in self._list(name, most, "texts")]

    def messages(self, name: str, most: int) -> list[Message]:
        """A field with a list of objects."""
        values = self._list(name, most, "objects")
        if not all(isinstance(value, dict) for value in values):
            raise _wrong(name, "a list of objects", values)
        return [Message(value) for value in values]

    def _list(self, name: str, most: int, what: str) -> list[Any]:
        values = self._fields.get(name, [])
        if not isinstance(values, list) or len(values) > most:
            raise _wrong(name, f"a list of at most {most} {what}", values)
        return values

    def options(self, name: str) -> dict[str, OptionValue]:
        """A field with a variant's options; the variant checks their values."""
        values = self._fields.get(name, {})
        if not isinstance(values, dict) or len(values) > MOST_OPTIONS:
            raise _wrong(name, f"an object with at most {MOST_OPTIONS} options", values)
        for option, value in values.items():
            if not isinstance(value, str | int) or not _is_unicode(f"{option}{value!r}"[:9000]):
                raise _wrong(f"{name}.{brief(option)}", "a number, a text, true or false", value)
        return values

    @property
    def id(self) -> int | float | str | None:
        """The id that the answer repeats, a number or a short text; None for anything else."""
        value = self._fields.get("id")
        if isinstance(value, str):
            return value if len(value) <= LONGEST_ID and _is_unicode(value) else None
        # Not `isinstance`: true and false are no numbers.
        return value if type(value) is int or (type(value) is float and isfinite(value)) else None


def _wrong(name: str, wanted: str, value: Any) -> Problem:
    return Problem("field", f"{name} must be {wanted}, not {brief(value)}")


def _is_unicode(text: str) -> bool:
    """Whether a text can be encoded as UTF-8; JSON may contain lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def sent(action: Action) -> list[Any]:
    """An action as clients see it, see ``docs/web_protocol.md``."""
    return [
        action.label,
        action.words,
        action.kind,
        action.piece.text if action.piece else "",
        action.origin,
        action.target,
        action.becomes.text if action.becomes else "",
        list(action.others),
        action.asked,
    ]
