"""Positions for the rules tests, in words: a piece's letter and where it is.

    Rd4  vd5  Nc3      White's Rhino on d4, Black's Bat on d5, a Lint on c3

Boxes at home, on h1 and h8, go without saying: `place` adds those not named, `listed` leaves them
out. Unless a test says so, all Rhinos, Headless Rhinos and Great Elephants have been found.

Rules are the same for both sides: a test is written for White, and its `Side` plays it for Black
too, colours exchanged and ranks mirrored.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from pasgl_env import Position

FILES = "abcdefgh"
NEUTRAL = "NBD"
ONCE_A_GAME = "RHErhe"
HOME_BOXES = ("Xh1", "xh8")
SQUARE_RANK = re.compile(r"(?<=[a-h])[1-8]")


class Fields(NamedTuple):
    """The fields of a position text; `labels` are those of a turn under way."""

    board: str
    mover: str
    left: str
    turns: str
    labels: str = ""


def fields(position: Position) -> Fields:
    return Fields(*position.text.split(" "))


def place(pieces: str = "", *, mover: str = "w", left: str = "-", turns: int = 0) -> str:
    """The position text with those pieces."""
    words = pieces.split()
    named = {word[0] for word in words}
    words += [box for box in HOME_BOXES if box[0] not in named]
    at = {word[1:]: word[0] for word in words}
    assert len(at) == len(words), f"two pieces on a square: {pieces}"
    ranks = []
    for rank in "87654321":
        squares = "".join(at.pop(file + rank, " ") for file in FILES)
        ranks.append(re.sub(" +", lambda run: str(len(run[0])), squares))
    assert not at, f"no such squares: {sorted(at)}"
    return f"{'/'.join(ranks)} {mover} {left} {turns}"


def listed(position: Position) -> str:
    """All pieces of a position in words, sorted; Boxes at home go without saying."""
    words = []
    for rank, row in zip("87654321", fields(position).board.split("/"), strict=True):
        squares = re.sub(r"\d", lambda run: " " * int(run[0]), row)
        words += [letter + file + rank for file, letter in zip(FILES, squares, strict=True)]
    return " ".join(sorted(word for word in words if word[0] != " " and word not in HOME_BOXES))


def mirrored(pieces: str) -> str:
    """The pieces as the other side would have them."""
    return " ".join(sorted(map(mirrored_piece, pieces.split())))


def mirrored_piece(word: str) -> str:
    letter = word[0] if word[0] in NEUTRAL else word[0].swapcase()
    return letter + mirrored_squares(word[1:])


def mirrored_squares(text: str) -> str:
    """A label or squares, ranks mirrored; letters in labels are capital for both players."""
    return SQUARE_RANK.sub(lambda rank: str(9 - int(rank[0])), text)


def mirrored_left(left: str) -> str:
    return "".join(sorted(left.swapcase(), key=(ONCE_A_GAME + "-").index))


class Side:
    """Plays tests that are written for White as that side, and answers as if it were White."""

    def __init__(self, name: str):
        self.name = name
        self.index = ("white", "black").index(name)

    def __repr__(self) -> str:
        return self.name

    def position(
        self,
        pieces: str,
        *labels: str,
        left: str = "-",
        turns: int = 0,
        options: dict[str, int] | None = None,
    ) -> Position:
        """The position with this side to move, after the labels were played by turns."""
        if self.index:
            pieces, left = mirrored(pieces), mirrored_left(left)
        text = place(pieces, mover=self.name[0], left=left, turns=turns)
        return self.play(Position.from_text("spalding", text, **(options or {})), *labels)

    def label(self, label: str) -> str:
        """The label on the board, of one written for White, or the other way round."""
        return mirrored_squares(label) if self.index else label

    def play(self, position: Position, *labels: str) -> Position:
        for label in labels:
            position.play(self.label(label))
        return position

    def moves(self, position: Position) -> str:
        """The legal labels of a position, sorted."""
        return " ".join(sorted(map(self.label, position.legal_moves())))

    def legal(self, pieces: str, *labels: str, **rest: Any) -> str:
        """The legal labels, sorted."""
        return self.moves(self.position(pieces, *labels, **rest))

    def targets(self, pieces: str, mover: str, *labels: str, **rest: Any) -> str:
        """The squares to which a piece may move; those where it captures have an x before."""
        legal = self.legal(pieces, *labels, **rest).split()
        ends = [label.removeprefix(mover) for label in legal if label.startswith(mover)]
        return " ".join(sorted((end.removeprefix("-") for end in ends), key=lambda end: end[-2:]))

    def created(self, pieces: str, *labels: str, letter: str, **rest: Any) -> str:
        """The squares on which a piece with this letter may be created after the labels."""
        legal = self.legal(pieces, *labels, **rest).split()
        return " ".join(label[2:] for label in legal if label[:2] == f"/{letter}")

    def letters(self, pieces: str, *labels: str, square: str, **rest: Any) -> str:
        """The letters of what may be created on this square after the labels."""
        legal = self.legal(pieces, *labels, **rest).split()
        return "".join(label[1] for label in legal if label[0] == "/" and label[2:] == square)

    def listed(self, position: Position) -> str:
        """The pieces, as `listed` has them."""
        pieces = listed(position)
        return mirrored(pieces) if self.index else pieces

    def after(self, pieces: str, *labels: str, **rest: Any) -> str:
        """The pieces after the labels, as `listed` has them."""
        return self.listed(self.position(pieces, *labels, **rest))

    def left(self, pieces: str, *labels: str, **rest: Any) -> str:
        """What may still be found after the labels."""
        left = fields(self.position(pieces, *labels, **rest)).left
        return mirrored_left(left) if self.index else left
