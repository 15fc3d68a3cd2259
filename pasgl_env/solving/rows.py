"""Positions as rows of bytes, and a hash table that finds them.

A position is kept as the bytes in which its record differs from that of the start, after the
game's :attr:`Game.forget`. Only bytes that differ in some position have a column; columns are added
as they are needed. A row's unused bytes are 0, so that neither rows nor their hashes change when
others are added. Rows are compared whole: hashes decide nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pasgl_env.jit.compiled import rule, wide

_WORD = 8
_BYTE = 0xFF
_ODD = 0x1E3779B97F4A7C15
_OTHER_ODD = 0x3F58476D1CE4E5B9
_LOW_HALF = 0xFFFFFFFF
_NO_TOP_BYTE = 0x00FFFFFFFFFFFFFF


class Rows(NamedTuple):
    """Positions, packed, and where to find them.

    Attributes:
        base: ``int64[words]``, the record of the start.
        column_of: ``int64[8 * words]``, the column of each byte of a record; -1 without one.
        byte_of: ``int64[8 * width]``, the byte of each column; -1 for unused columns.
        words: ``int64[rows, width]``.
        columns: ``uint8[rows, 8 * width]``, the same memory.
        slots: ``uint32``, a power of 2 of them: the number of a row, from 1; 0 is empty.
    """

    base: np.ndarray
    column_of: np.ndarray
    byte_of: np.ndarray
    words: np.ndarray
    columns: np.ndarray
    slots: np.ndarray


@rule
def pack(words: np.ndarray, base: np.ndarray, column_of: np.ndarray, row: np.ndarray) -> bool:
    """Write the bytes of a record that differ from the base; false if one of them has no column."""
    for column in range(row.size):
        row[column] = 0
    for word in range(words.size):
        rest = words[word] ^ base[word]
        byte = _WORD * word
        while rest != 0:
            if rest & _BYTE:
                column = column_of[byte]
                if column < 0:
                    return False
                row[column] = rest & _BYTE
            rest = (rest >> 8) & _NO_TOP_BYTE
            byte += 1
    return True


@rule
def unpack(row: np.ndarray, base: np.ndarray, byte_of: np.ndarray, words: np.ndarray) -> None:
    """Write the record of a row."""
    for word in range(words.size):
        words[word] = base[word]
    for column in range(row.size):
        byte = byte_of[column]
        if row[column] and byte >= 0:
            words[byte // _WORD] ^= wide(row[column]) << (8 * (byte % _WORD))


@rule
def hash_of(words: np.ndarray, base: np.ndarray) -> int:
    """A hash of the difference to the base; words without any do not affect it."""
    total = wide(0)
    for word in range(words.size):
        term = (words[word] ^ base[word]) * (_ODD + 2 * wide(word) * _OTHER_ODD)
        total += (term ^ ((term >> 32) & _LOW_HALF)) * _OTHER_ODD
    total = (total ^ ((total >> 32) & _LOW_HALF)) * _ODD
    return total ^ ((total >> 32) & _LOW_HALF)


@rule
def slot_of(row: np.ndarray, zeros: np.ndarray, words: np.ndarray, slots: np.ndarray) -> int:
    """The slot with the number of an equal row, or the empty slot for it."""
    last = slots.size - 1
    slot = hash_of(row, zeros) & last
    while slots[slot] != 0 and not _is_same(words[wide(slots[slot]) - 1], row):
        slot = (slot + 1) & last
    return slot


@rule
def _is_same(one: np.ndarray, other: np.ndarray) -> bool:
    for word in range(one.size):
        if one[word] != other[word]:
            return False
    return True


@rule
def index_rows(words: np.ndarray, zeros: np.ndarray, slots: np.ndarray, rows: int) -> int:
    """Enter rows into empty slots; return the number of those that equal an earlier one."""
    repeated = 0
    for row in range(rows):
        slot = slot_of(words[row], zeros, words, slots)
        if slots[slot] != 0:
            repeated += 1
        else:
            slots[slot] = row + 1
    return repeated


def empty_rows(base: np.ndarray, rows: int, slots: int) -> Rows:
    """No positions yet, and no columns: room for a number of rows, and slots, a power of 2."""
    words = np.zeros((rows, 1), np.int64)
    return Rows(
        base,
        np.full(_WORD * base.size, -1, np.int64),
        np.full(_WORD, -1, np.int64),
        words,
        words.view(np.uint8),
        np.zeros(slots, np.uint32),
    )


def with_columns(rows: Rows, bytes_: list[int]) -> Rows:
    """The same positions with columns for these bytes of the record, those in use first."""
    width = max(1, -(-len(bytes_) // _WORD))
    words = rows.words
    if width > words.shape[1]:
        words = np.zeros((len(rows.words), width), np.int64)
        words[:, : rows.words.shape[1]] = rows.words
    byte_of, column_of = np.full(_WORD * width, -1, np.int64), rows.column_of.copy()
    byte_of[: len(bytes_)] = bytes_
    column_of[bytes_] = np.arange(len(bytes_))
    return rows._replace(
        words=words, columns=words.view(np.uint8), byte_of=byte_of, column_of=column_of
    )


def indexed(rows: Rows, count: int, most: int) -> Rows:
    """The same positions with new slots for a larger number; ``ValueError`` if two are equal."""
    slots = np.zeros(1 << int(2 * most).bit_length(), np.uint32)
    if index_rows(rows.words, np.zeros(rows.words.shape[1], np.int64), slots, count):
        raise ValueError("a position occurs twice")
    return rows._replace(slots=slots)
