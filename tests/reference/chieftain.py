"""Chieftain, Superchief and Overlord written for reading, not for speed: the oracle of their tests.

It shares no code with the package and follows the rules page sentence by sentence: functions name
the section of that page, or the sentence in it, that they carry out. Squares are pairs of file and
rank counted from 0, what stands on them is a plain dictionary, and nothing is precomputed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from .position import Reference, bad

Square = tuple[int, int]

WHITE, BLACK = 0, 1
LETTERS = "CHSNMBRL"
FILES = "abcdefghijklmnopqrstuvwx"
DRAWING_PASSES = 2

# Boards: the setup of each variant.
SETUPS = {
    "chieftain": (
        "1hcs1chsshc1sch1/1nm2mn2nm2mn1/16/m2mm2mm2mm2m/1m4m2m4m1/16/"
        "16/1M4M2M4M1/M2MM2MM2MM2M/16/1NM2MN2NM2MN1/1HCS1CHSSHC1SCH1"
    ),
    "superchief": (
        "1hcs1chs1chsshc1shc1sch1/1nm2mn2mn2nm2nm2mn1/24/m2mm2mm2mm2mm2mm2m/1m4m3m2m3m4m1/24/"
        "24/1M4M3M2M3M4M1/M2MM2MM2MM2MM2MM2M/24/1NM2MN2MN2NM2NM2MN1/1HCS1CHS1CHSSHC1SHC1SCH1"
    ),
    "overlord": (
        "hcschshcschsshcschshcsch/n1bn1rn1bn1rr1nb1nr1nb1n/24/"
        "m1mm1mm1mm1mm1mm1mm1mm1m/1m2m2m2m2m2m2m2m1/24/24/24/"
        "24/24/24/1M2M2M2M2M2M2M2M1/M1MM1MM1MM1MM1MM1MM1MM1M/"
        "24/N1BN1RN1BN1RR1NB1NR1NB1N/HCSCHSHCSCHSSHCSCHSHCSCH"
    ),
}

# Boards, Position text: the limits of a setup.
LEAST_SIZE, GREATEST_SIZE = 4, 24
MOST_CHIEFTAINS = 32

# Option: default, least, greatest.
NUMBERS = {
    "activations": (1, 1, 8),
    "command_range": (3, 1, 23),
    "first_turn_orders": (0, 0, 256),
    "leader_activations": (2, 1, 8),
    "leader_range": (2, 1, 23),
    "chieftain_range": (2, 1, 2),
    "hero_range": (3, 1, 3),
    "shaman_range": (3, 1, 3),
    "man_range": (1, 1, 4),
    "bishopy_range": (4, 1, 4),
    "rookish_range": (4, 1, 4),
}

ORTHOGONAL = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


@dataclass(eq=False)
class Piece:
    """One piece, and what it has done in this turn; only a Chieftain activates."""

    letter: str
    side: int
    has_moved: bool = False
    activations_given: int = 0

    @property
    def symbol(self) -> str:
        """Words: White upper case, Black lower case."""
        return self.letter if self.side == WHITE else self.letter.lower()


@dataclass(frozen=True)
class Move:
    """A turn, 1: a move, perhaps with a capture."""

    letter: str
    origin: Square
    target: Square
    captures: bool

    @property
    def label(self) -> str:
        """A turn, 1: letters are capital for both players."""
        sign = "x" if self.captures else "-"
        return f"{self.letter}{square_name(self.origin)}{sign}{square_name(self.target)}"


@dataclass(frozen=True)
class Board:
    """A board field: its size, and what stands on it."""

    width: int
    height: int
    on: dict[Square, Piece]


def square_name(square: Square) -> str:
    """Words: file letter and rank number."""
    file, rank = square
    return f"{FILES[file]}{rank + 1}"


def distance(one: Square, other: Square) -> int:
    """A turn: the larger of the file and rank distances."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def along(square: Square, dx: int, dy: int, *lengths: int) -> list[Square]:
    """The squares at these multiples of ``(dx, dy)``."""
    file, rank = square
    return [(file + dx * n, rank + dy * n) for n in lengths]


def chieftain_paths(square: Square, most: int) -> Iterator[list[Square]]:
    """Chieftain: two king steps, the second in any direction but back to the start."""
    for dx, dy in ORTHOGONAL + DIAGONAL:
        [first] = along(square, dx, dy, 1)
        for dx2, dy2 in ORTHOGONAL + DIAGONAL:
            [second] = along(first, dx2, dy2, 1)
            if second != square:
                yield [first, second][:most]


def step_and_jump_paths(
    square: Square, directions: tuple[tuple[int, int], ...], most: int
) -> Iterator[list[Square]]:
    """Hero, Shaman: a step, a jump, or both in one straight line, in either order."""
    for dx, dy in directions:
        for lengths in ((1, 3), (2, 3)):
            yield along(square, dx, dy, *(length for length in lengths if length <= most))


def slide_or_jump_paths(
    square: Square,
    slides: tuple[tuple[int, int], ...],
    jumps: tuple[tuple[int, int], ...],
    most: int,
) -> Iterator[list[Square]]:
    """Bishopy, Rookish: slide up to 4 squares one way, or jump to the second square another."""
    for dx, dy in slides:
        yield along(square, dx, dy, *range(1, most + 1))
    for dx, dy in jumps:
        yield along(square, dx, dy, 2)


def paths(letter: str, square: Square, numbers: dict[str, int]) -> Iterator[list[Square]]:
    """The table of pieces: the squares on which each part of a move lands, one after another.

    A move may stop on any of them, and what it leaps over is not named.
    """
    match letter:
        case "C" | "L":
            yield from chieftain_paths(square, numbers["chieftain_range"])
        case "H":
            yield from step_and_jump_paths(square, ORTHOGONAL, numbers["hero_range"])
        case "S":
            yield from step_and_jump_paths(square, DIAGONAL, numbers["shaman_range"])
        case "N":
            yield from (along(square, dx, dy, 1) for dx, dy in KNIGHT)
        case "M":
            lengths = range(1, numbers["man_range"] + 1)
            yield from (along(square, dx, dy, *lengths) for dx, dy in ORTHOGONAL + DIAGONAL)
        case "B":
            yield from slide_or_jump_paths(
                square, slides=DIAGONAL, jumps=ORTHOGONAL, most=numbers["bishopy_range"]
            )
        case "R":
            yield from slide_or_jump_paths(
                square, slides=ORTHOGONAL, jumps=DIAGONAL, most=numbers["rookish_range"]
            )


class ReferencePosition(Reference):
    """One game, with the interface of the package's ``Position``."""

    variant: str
    numbers: dict[str, int]
    setup: Board
    on: dict[Square, Piece]
    board_at_start_of_turn: str
    passes: int
    turns: int
    move_to_activate: Move | None

    def __init__(self, variant: str, **options: Any) -> None:
        """Set up the start position."""
        if variant not in SETUPS:
            raise ValueError(f"variant {variant!r}: unknown; there are {', '.join(SETUPS)}")
        self.variant = variant
        setup = options.pop("setup", SETUPS[variant])
        self.setup = read_setup(setup)
        self.numbers = checked_numbers(options)
        self._read(f"{setup} w 0 0")

    def copy(self) -> ReferencePosition:
        """Return an independent copy."""
        twin = object.__new__(ReferencePosition)
        twin.__dict__ |= self.__dict__
        twin.on = {square: replace(piece) for square, piece in self.on.items()}
        twin.labels = list(self.labels)
        return twin

    # ------------------------------------------------------------------ what is public

    @property
    def text(self) -> str:
        """Position text: that of the turn's start, then the labels played in this turn."""
        fields = [self.board_at_start_of_turn, "wb"[self.mover], str(self.passes), str(self.turns)]
        if self.labels:
            fields.append(",".join(self.labels))
        return " ".join(fields)

    @property
    def is_over(self) -> bool:
        """A turn: the last Chieftain captured, or two passes in a row."""
        return not self._chieftains(self.mover) or self.passes == DRAWING_PASSES

    @property
    def returns(self) -> tuple[float, float] | None:
        """Position text: a mover without a Chieftain has lost whatever the passes say."""
        if not self.is_over:
            return None
        if self._chieftains(self.mover):
            return 0.0, 0.0
        return (-1.0, 1.0) if self.mover == WHITE else (1.0, -1.0)

    def legal_moves(self) -> list[str]:
        """The distinct labels that may be played now, sorted."""
        if self.is_over:
            return []
        if self.move_to_activate is not None:
            return sorted(self._by_labels(self.move_to_activate))
        labels = {move.label for move in self._moves()}
        if self.labels:
            labels.add("end")
        return sorted(labels) or ["pass"]

    def _play(self, label: str) -> None:
        self.labels.append(label)
        if label == "pass":
            self._finish_turn(passes=self.passes + 1)
        elif label == "end":
            self._finish_turn(passes=0)
        elif self.move_to_activate is not None:
            self._carry_out(self.move_to_activate, self._by_labels(self.move_to_activate)[label])
        else:
            self._choose(next(move for move in self._moves() if move.label == label))

    # ------------------------------------------------------------------ pieces and their moves

    def _is_on_board(self, square: Square) -> bool:
        file, rank = square
        return 0 <= file < self.setup.width and 0 <= rank < self.setup.height

    def _chieftains(self, side: int) -> dict[Square, Piece]:
        return {
            square: piece
            for square, piece in self.on.items()
            if piece.letter in "CL" and piece.side == side
        }

    def _targets(self, square: Square) -> set[Square]:
        """Where the piece on this square can move, whether or not it is activated."""
        piece = self.on[square]
        return {
            target
            for path in paths(piece.letter, square, self.numbers)
            for target in self._targets_on_path(piece, path)
        }

    def _targets_on_path(self, piece: Piece, path: list[Square]) -> Iterator[Square]:
        """A capture ends the move, so the square between two parts of a move must be empty.

        No piece captures one of its own side.
        """
        for target in path:
            if not self._is_on_board(target):
                return
            if target in self.on:
                if self.on[target].side != piece.side:
                    yield target
                return
            yield target

    # ------------------------------------------------------------------ activation

    def _has_activations_left(self, chieftain: Piece) -> bool:
        most = "activations" if chieftain.letter == "C" else "leader_activations"
        return chieftain.activations_given < self.numbers[most]

    def _range(self, chieftain: Piece) -> int:
        """How far a Chieftain or Leader commands."""
        return self.numbers["command_range" if chieftain.letter == "C" else "leader_range"]

    def _commanders(self, square: Square) -> list[Square]:
        """A turn: where Chieftains stand that can activate a piece on this square.

        The range goes over anything, and a Chieftain on the square itself counts.
        """
        return [
            place
            for place, chieftain in self._chieftains(self.mover).items()
            if self._has_activations_left(chieftain)
            and distance(place, square) <= self._range(chieftain)
        ]

    def _moves(self) -> Iterator[Move]:
        """A turn, 1: moves of pieces that have not moved in this turn and can be activated."""
        for origin, piece in self.on.items():
            if piece.side != self.mover or piece.has_moved or not self._commanders(origin):
                continue
            for target in self._targets(origin):
                yield Move(piece.letter, origin, target, captures=target in self.on)

    def _by_labels(self, move: Move) -> dict[str, Square]:
        """A turn, 2: who activates, named by the square before this move."""
        return {f"by {square_name(place)}": place for place in self._commanders(move.origin)}

    # ------------------------------------------------------------------ the course of a turn

    def _choose(self, move: Move) -> None:
        """A turn, 2: one commander is taken without asking, and after a winning move any."""
        commanders = self._commanders(move.origin)
        if len(commanders) == 1 or self._wins(move):
            self._carry_out(move, commanders[0])
        else:
            self.move_to_activate = move

    def _wins(self, move: Move) -> bool:
        """A turn: capturing the last enemy Chieftain wins at once."""
        return list(self._chieftains(1 - self.mover)) == [move.target]

    def _carry_out(self, move: Move, commander: Square) -> None:
        """Activate and move the piece; the turn ends by itself when every activation is spent."""
        self.on[commander].activations_given += 1
        piece = self.on.pop(move.origin)
        piece.has_moved = True
        self.on[move.target] = piece
        self.move_to_activate = None
        own, enemies = self._chieftains(self.mover), self._chieftains(1 - self.mover)
        is_spent = not any(map(self._has_activations_left, own.values()))
        if not enemies or is_spent or self._has_no_order_left():
            self._finish_turn(passes=0)

    def _has_no_order_left(self) -> bool:
        """Options: in the first turn of the game there may be fewer moves."""
        moved = sum(piece.has_moved for piece in self.on.values())
        return self.turns == 0 and moved == self.numbers["first_turn_orders"]

    def _finish_turn(self, passes: int) -> None:
        """Position text: the other player to move, the turn counted, whether or not it is over."""
        self.mover = 1 - self.mover
        self.turns += 1
        self._begin_turn(passes)

    def _begin_turn(self, passes: int) -> None:
        """Nobody has moved or activated in this turn, and no label is played."""
        self.passes = passes
        for piece in self.on.values():
            piece.has_moved = False
            piece.activations_given = 0
        self.board_at_start_of_turn = board_text(self.setup.width, self.setup.height, self.on)
        self.labels = []
        self.move_to_activate = None

    # ------------------------------------------------------------------ reading

    def _read(self, text: str) -> None:
        """Position text: take every field over and refuse what cannot be."""
        fields = text.split(" ", 4)
        if len(fields) < 4:
            raise bad("text", f"has {len(fields)} fields separated by single spaces, not 4 or 5")
        board, mover, passes, turns = fields[:4]
        self.on = self._read_board(board)
        if mover not in ("w", "b"):
            raise bad("mover", f"{mover!r} is neither w nor b")
        self.mover = "wb".index(mover)
        self.turns = read_number("turns", turns, 999_999_999)
        if not self._chieftains(1 - self.mover):
            raise bad("board", "only the player to move may be without a Chieftain")
        self._begin_turn(passes=read_number("passes", passes, DRAWING_PASSES))
        if len(fields) == 5:
            self._read_labels(fields[4])

    def _read_board(self, text: str) -> dict[Square, Piece]:
        """Position text: the size of the setup, of each kind and side at most as many pieces."""
        board = read_board("board", text)
        if (board.width, board.height) != (self.setup.width, self.setup.height):
            raise bad("board", "does not have the size of the setup")
        too_many = count_of_symbols(board) - count_of_symbols(self.setup)
        if too_many:
            raise bad("board", f"has more {', '.join(too_many)} than the setup")
        return board.on


def checked_numbers(given: dict[str, Any]) -> dict[str, int]:
    """Boards: the options that are numbers; a ValueError for an unknown or impossible one."""
    numbers = {name: default for name, (default, _, _) in NUMBERS.items()}
    for name, value in given.items():
        if name not in NUMBERS:
            raise ValueError(f"option {name!r}: unknown; there are setup, {', '.join(NUMBERS)}")
        _, least, greatest = NUMBERS[name]
        if type(value) is not int or not least <= value <= greatest:
            raise ValueError(f"option {name}: {value!r} is no integer from {least} to {greatest}")
        numbers[name] = value
    return numbers


def board_text(width: int, height: int, on: dict[Square, Piece]) -> str:
    """Words: ranks from the highest, runs of empty squares as decimal numbers."""
    ranks = []
    for rank in reversed(range(height)):
        squares = [on.get((file, rank)) for file in range(width)]
        signs = "".join(piece.symbol if piece else " " for piece in squares)
        ranks.append(re.sub(" +", lambda run: str(len(run[0])), signs))
    return "/".join(ranks)


def count_of_symbols(board: Board) -> Counter[str]:
    """How many pieces of each kind and side there are."""
    return Counter(piece.symbol for piece in board.on.values())


def read_setup(text: Any) -> Board:
    """Boards: any board field with at least one Chieftain a side; Position text: and up to 32."""
    if not isinstance(text, str):
        raise ValueError(f"option setup: must be a string, not {type(text).__name__}")
    board = read_board("option setup", text)
    count = count_of_symbols(board)
    for royal in ("CL", "cl"):
        if not 1 <= sum(count[symbol] for symbol in royal) <= MOST_CHIEFTAINS:
            raise bad("option setup", f"must have from 1 to {MOST_CHIEFTAINS} of {royal}")
    return board


def read_board(field: str, text: str) -> Board:
    """Words: ranks from the highest to the lowest, all equally long."""
    ranks = [read_rank(field, rank) for rank in reversed(text.split("/"))]
    width, height = len(ranks[0]), len(ranks)
    if any(len(rank) != width for rank in ranks):
        raise bad(field, "has ranks of different lengths")
    if not all(LEAST_SIZE <= size <= GREATEST_SIZE for size in (width, height)):
        raise bad(field, f"is not from {LEAST_SIZE} to {GREATEST_SIZE} squares wide and high")
    on = {
        (file, number): piece
        for number, rank in enumerate(ranks)
        for file, piece in enumerate(rank)
        if piece is not None
    }
    return Board(width, height, on)


def read_rank(field: str, text: str) -> list[Piece | None]:
    """Words: the squares of one rank from left to right."""
    squares: list[Piece | None] = []
    for token in re.findall("[0-9]+|.", text, re.DOTALL):
        if token in LETTERS:
            squares.append(Piece(token, WHITE))
        elif token in LETTERS.lower():
            squares.append(Piece(token.upper(), BLACK))
        elif re.fullmatch("[1-9][0-9]?", token) and int(token) <= GREATEST_SIZE:
            squares += [None] * int(token)
        else:
            raise bad(field, f"{token!r} is neither a piece nor a run of empty squares")
    return squares


def read_number(field: str, text: str, greatest: int) -> int:
    """Words: no leading zeros."""
    if not re.fullmatch("0|[1-9][0-9]{0,8}", text) or int(text) > greatest:
        raise bad(field, f"{text!r} is no plain number from 0 to {greatest}")
    return int(text)
