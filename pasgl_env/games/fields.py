"""Reading and writing the fields that position texts of several games have. Plain Python."""

from __future__ import annotations

import re

from pasgl_env.games.contract import brief

LARGEST = 10**9 - 1
_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")
_EMPTY = re.compile(r"\.+")


def wrong(field: str, reason: str) -> ValueError:
    """The error that says what is wrong with a field."""
    return ValueError(f"{field}: {reason}")


def read_number(field: str, text: str, high: int = LARGEST) -> int:
    """A whole number from 0, written without leading zeros."""
    if not _NUMBER.fullmatch(text) or int(text) > high:
        raise wrong(field, f"{brief(text)} is not a whole number from 0 to {high}")
    return int(text)


def write_runs(row: str) -> str:
    """A rank with its runs of empty squares, written as dots, as numbers.

    >>> write_runs("..P.....")
    '2P5'
    """
    return _EMPTY.sub(lambda run: str(len(run[0])), row)


def read_mover(text: str) -> int:
    """The player whom ``w`` or ``b`` names."""
    if text not in ("w", "b"):
        raise wrong("mover", f"{brief(text)} is neither 'w' nor 'b'")
    return "wb".index(text)
