"""Positions for the rules tests, in words: a piece's letter and where it is.

    Cd4  Mg6  cd8      White's Chieftain on d4, its Man on g6, Black's Chieftain on d8

An enemy Chieftain in the far corner, top right, goes without saying where none is named.

Every such position is a setup of its own, so it may hold any pieces. Rules are the same for both
sides: a test is written for White, and its `Side` plays it for Black too, colours exchanged and
ranks mirrored.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from pasgl_env import Position

FILES = "abcdefghijklmnopqrstuvwx"
DIRECTIONS = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
MOVE = re.compile(r"([A-Z][a-x]\d+)[-x]")
ORTHOGONALS = DIRECTIONS[::2]
DIAGONALS = DIRECTIONS[1::2]


class Fields(NamedTuple):
    """The fields of a position text; `labels` are those of a turn under way."""

    board: str
    mover: str
    passes: str
    turns: str
    labels: str = ""


def fields(position: Position) -> Fields:
    return Fields(*position.text.split(" ", 4))


def width_and_height(size: str) -> tuple[int, int]:
    width, height = map(int, size.split("x"))
    return width, height


def far_corner(size: str) -> str:
    width, height = width_and_height(size)
    return f"{FILES[width - 1]}{height}"


def place(pieces: str, size: str = "8x8") -> str:
    """The board field with those pieces and no others."""
    width, height = width_and_height(size)
    at = {word[1:]: word[0] for word in pieces.split()}
    ranks = []
    for rank in range(height, 0, -1):
        squares = "".join(at.pop(f"{file}{rank}", " ") for file in FILES[:width])
        ranks.append(re.sub(" +", lambda run: str(len(run[0])), squares))
    assert not at, f"no such squares: {sorted(at)}"
    return "/".join(ranks)


def listed(board: str) -> str:
    """The pieces of a board field in words, sorted."""
    ranks = board.split("/")
    found = []
    for rank, row in zip(range(len(ranks), 0, -1), ranks, strict=True):
        squares = re.sub(r"\d+", lambda run: " " * int(run[0]), row)
        found += [
            f"{letter}{FILES[file]}{rank}" for file, letter in enumerate(squares) if letter != " "
        ]
    return " ".join(sorted(found))


def mirrored(pieces: str, size: str = "8x8") -> str:
    """The pieces in words, as the other side would have them."""
    words = (word[0].swapcase() + mirrored_label(word[1:], size) for word in pieces.split())
    return " ".join(sorted(words))


def mirrored_label(label: str, size: str = "8x8") -> str:
    """A label or a square, as the other side would have it."""
    _, height = width_and_height(size)
    return re.sub(r"\d+", lambda rank: str(height + 1 - int(rank[0])), label)


def square(start: str, direction: tuple[int, int], steps: int) -> str:
    """The square this many steps away in that direction."""
    file = FILES[FILES.index(start[0]) + steps * direction[0]]
    return f"{file}{int(start[1:]) + steps * direction[1]}"


class Side:
    """Plays tests that are written for White as that side, and answers as if it were White."""

    def __init__(self, name: str):
        self.name = name
        self.index = ("white", "black").index(name)

    def __repr__(self) -> str:
        return self.name

    def text(self, pieces: str, size: str = "8x8", passes: int = 0, turns: int = 0) -> str:
        """The position text with this side to move."""
        if not re.search(r"\bc", pieces):
            pieces += f" c{far_corner(size)}"
        board = place(mirrored(pieces, size) if self.index else pieces, size)
        return f"{board} {self.name[0]} {passes} {turns}"

    def position(
        self,
        pieces: str,
        *labels: str,
        size: str = "8x8",
        passes: int = 0,
        turns: int = 0,
        **options: Any,
    ) -> Position:
        """The position with this side to move, after the labels were played."""
        text = self.text(pieces, size, passes, turns)
        position = Position.from_text("chieftain", text, setup=text.split(" ")[0], **options)
        for label in labels:
            position.play(self.label(label, size))
        return position

    def label(self, label: str, size: str = "8x8") -> str:
        """White's label as this side's, and the other way round."""
        return mirrored_label(label, size) if self.index else label

    def labels(self, pieces: str, *labels: str, size: str = "8x8", **rest: Any) -> list[str]:
        """The legal labels, sorted."""
        legal = self.position(pieces, *labels, size=size, **rest).legal_moves()
        return sorted(self.label(label, size) for label in legal)

    def legal(self, pieces: str, *labels: str, **rest: Any) -> str:
        """The legal labels, sorted, with commas between: "by a1, by c3"."""
        return ", ".join(self.labels(pieces, *labels, **rest))

    def targets(self, pieces: str, mover: str, *labels: str, **rest: Any) -> str:
        """The squares that a piece reaches, with an x before those where it captures: "d4 xe5"."""
        legal = self.labels(pieces, *labels, **rest)
        ends = [label.removeprefix(mover) for label in legal if label.startswith(mover)]
        assert all(end[0] in "-x" for end in ends)
        return " ".join(end.removeprefix("-") for end in sorted(ends, key=lambda end: end[1:]))

    def movers(self, pieces: str, *labels: str, **rest: Any) -> str:
        """The pieces that may move, in words."""
        moves = (MOVE.match(label) for label in self.labels(pieces, *labels, **rest))
        return " ".join(sorted({move[1] for move in moves if move}))

    def after(self, pieces: str, *labels: str, size: str = "8x8", **rest: Any) -> str:
        """The pieces after a whole turn; the enemy Chieftain in the far corner is left out."""
        board = fields(self.position(pieces, *labels, size=size, **rest)).board
        words = mirrored(listed(board), size) if self.index else listed(board)
        return " ".join(word for word in words.split() if word != f"c{far_corner(size)}")
