"""Fields shared by the position texts of several games. Plain Python."""

from __future__ import annotations

import re
from string import ascii_lowercase

from pasgl_env.contract.game import brief

LARGEST = 10**9 - 1
_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")
_EMPTY = re.compile(r"\.+")


def wrong(field: str, reason: str) -> ValueError:
    """The error for an invalid field."""
    return ValueError(f"{field}: {reason}")


def read_number(field: str, text: str, high: int = LARGEST) -> int:
    """A non-negative integer, written without leading zeros."""
    if not _NUMBER.fullmatch(text) or int(text) > high:
        raise wrong(field, f"{brief(text)} is not an integer from 0 to {high}")
    return int(text)


def write_runs(row: str) -> str:
    """A rank with its runs of empty squares, written as dots, as numbers.

    >>> write_runs("..P.....")
    '2P5'
    """
    return _EMPTY.sub(lambda run: str(len(run[0])), row)


def read_mover(text: str) -> int:
    """The player named by ``w`` or ``b``."""
    if text not in ("w", "b"):
        raise wrong("mover", f"{brief(text)} is neither 'w' nor 'b'")
    return "wb".index(text)


def ranks(board: str) -> list[list[str]]:
    """A board field of single letters as rows from the highest rank, "" for empty squares."""
    rows = []
    for rank in board.split("/"):
        row: list[str] = []
        for number, letter in re.findall(r"(\d+)|(.)", rank):
            row += [""] * int(number) if number else [letter]
        rows.append(row)
    return rows


def spelled(number: int, noun: str) -> str:
    """A number of things in words.

    >>> spelled(1, "square"), spelled(3, "square")
    ('one square', '3 squares')
    """
    return f"one {noun}" if number == 1 else f"{number} {noun}s"


def up_to(number: int, noun: str) -> str:
    """A range in words.

    >>> up_to(1, "square"), up_to(3, "square")
    ('one square', 'up to 3 squares')
    """
    return spelled(number, noun) if number == 1 else f"up to {spelled(number, noun)}"


def put_on_board(board: str, square: str, symbol: str) -> str:
    """A board field of single letters with a piece put on a square.

    Raises:
        ValueError: if the square does not exist.
    """
    rows = ranks(board)
    file, rank = ascii_lowercase.find(square[:1]), int(square[1:] or 0)
    if not (1 <= rank <= len(rows) and 0 <= file < len(rows[0])):
        raise ValueError(f"no square {brief(square)}")
    rows[-rank][file] = symbol
    return "/".join(write_runs("".join(letter or "." for letter in row)) for row in rows)
