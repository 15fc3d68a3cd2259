"""Captain Spalding Chess written for reading, not for speed: the oracle of its tests.

It shares no code with the package and follows the rules page sentence by sentence: most functions
name the section of that page, and the sentence in it, that they carry out. A board is a dictionary
from the names of squares to signs: White's pieces and those that nobody owns are capital letters,
Black's small ones, as in a position text.

A turn is only carried out when its last label has been played. Until then a position is the turn's
start and the label chosen so far, exactly what its text shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from .position import Reference, bad

Board = dict[str, str]
Offsets = tuple[tuple[int, int], ...]

START = "j2x3p/8/8/8/8/8/8/P3X2J w RHErhe 0"

WHITE, BLACK = 0, 1
FORWARD = {WHITE: 1, BLACK: -1}
LAST_RANK = {WHITE: "8", BLACK: "1"}

# The table of the pieces.
OWNED = "XPJRHVWCMLE"
OWNED_BY_NOBODY = "NBD"
CONTAINERS = "XPJ"
ONCE_A_GAME = "RHE"
ONE_AT_A_TIME = "XPJRHLE"
FOUND_IN = {"X": "RHVC", "P": "LN", "J": "EB"}
# Put on one of its like, owned by the same player or by nobody, it makes something else.
PUT_ON_ITS_LIKE = {("X", "C"): "M", ("P", "N"): "B", ("J", "B"): "D"}

# Which option says whether a container brings out a piece; what a piece makes, of a kind that is
# already there, belongs to the piece that is put.
OPTION_OF = {
    ("X", "R"): "box_rhino",
    ("X", "H"): "box_headless",
    ("X", "V"): "box_bat",
    ("X", "C"): "box_crumb",
    ("P", "L"): "pajama_elephant",
    ("P", "N"): "pajama_lint",
    ("J", "E"): "great_elephant",
    ("J", "B"): "great_bunny",
}

LEFT = "RHErhe"
SIDES = ("white", "black")
FILES, RANKS = "abcdefgh", "12345678"

# Betza's letters, forward for White.
W: Offsets = ((1, 0), (-1, 0), (0, 1), (0, -1))
F: Offsets = ((1, 1), (1, -1), (-1, 1), (-1, -1))
A: Offsets = ((2, 2), (2, -2), (-2, 2), (-2, -2))
FORWARD_W: Offsets = ((0, 1),)
FORWARD_D: Offsets = ((0, 2),)
VERTICAL: Offsets = ((0, 1), (0, -1))

# Steps and leaps without capture, and with; the two-step moves of the Rhinos and the rook move of
# the Booh come on top.
MOVES: dict[str, Offsets] = {
    "P": F + FORWARD_W,
    "J": F + A + FORWARD_W + FORWARD_D,
    "R": W,
    "H": W,
    "V": FORWARD_W,
    "L": F + FORWARD_W,
    "E": F + A + FORWARD_W + FORWARD_D,
    "B": F + FORWARD_W,
    "D": F + A + FORWARD_W + FORWARD_D,
}
CAPTURES: dict[str, Offsets] = {
    "R": W,
    "H": W,
    "V": FORWARD_W,
    "W": W,
    "L": F + FORWARD_W,
    "E": F + A + FORWARD_W + FORWARD_D,
    "D": F + FORWARD_W,
}

GREATEST_NUMBER_OF_DIGITS = 18


@dataclass(frozen=True)
class Move:
    """The first part of a turn: one piece goes to a square, perhaps with a capture there."""

    letter: str
    origin: str
    target: str
    is_capture: bool

    @property
    def label(self) -> str:
        """A turn, 1: ``Rd4-d5``, ``Rd4xe6``; capital letters for both players."""
        return f"{self.letter}{self.origin}{'x' if self.is_capture else '-'}{self.target}"

    @property
    def needs_creation(self) -> bool:
        """A turn, 2: after a move of a Box, Pajama or Great Pajama, a creation."""
        return self.letter in CONTAINERS


@dataclass(frozen=True)
class Creation:
    """The second part of a turn of a container.

    ``found`` is the letter of the piece that is put, ``sign`` what then stands on the square.
    """

    found: str
    sign: str
    square: str

    @property
    def label(self) -> str:
        """A turn, 2: ``/Rd3``; on what it is put upon, or on the last rank, what it becomes."""
        return f"/{self.sign.upper()}{self.square}"


# ---------------------------------------------------------------------- pieces and squares


def owner(sign: str) -> int | None:
    """The player whose piece it is, None if it is nobody's."""
    if sign in OWNED_BY_NOBODY:
        return None
    return WHITE if sign.isupper() else BLACK


def sign_of(letter: str, player: int) -> str:
    """How a player's piece, or one of nobody's that the player creates, is written."""
    return letter if letter in OWNED_BY_NOBODY or player == WHITE else letter.lower()


def shifted(square: str, dx: int, dy: int) -> str | None:
    """The square some files to the right and some ranks up, if there is one."""
    file, rank = FILES.index(square[0]) + dx, RANKS.index(square[1]) + dy
    if not (0 <= file < 8 and 0 <= rank < 8):
        return None
    return FILES[file] + RANKS[rank]


def squares_at(square: str, offsets: Offsets, player: int = WHITE) -> list[str]:
    """The squares of the board at these offsets, turned so that forward is the player's."""
    found = (shifted(square, dx, dy * FORWARD[player]) for dx, dy in offsets)
    return [name for name in found if name is not None]


def squares_next_to(square: str) -> list[str]:
    """The up to eight squares that touch this one."""
    return squares_at(square, W + F)


def monsters_next_to(board: Board, square: str) -> list[str]:
    """The squares of the Cookie Monsters of either side next to a square."""
    return [name for name in squares_next_to(square) if board.get(name) in ("M", "m")]


# ---------------------------------------------------------------------- where pieces can go


def may_capture(board: Board, square: str, player: int) -> bool:
    """Captures take enemy pieces; Lint and Dust Demons by either player; Dust Bunnies never.

    Nobody's Dust Demon captures by the same rule, so never the mover's own pieces.
    """
    sign = board.get(square)
    if sign is None:
        return False
    return sign in ("N", "D") or owner(sign) == 1 - player


def targets(board: Board, square: str, player: int, boxes: str) -> Iterator[str]:
    """All squares to which the player can move the piece on this one, some of them twice."""
    letter = board[square].upper()
    if letter == "X":
        offsets = {"K": W + F, "W": W, "F": F}[boxes[player]]
        yield from (target for target in squares_at(square, offsets) if target not in board)
        return
    for target in squares_at(square, MOVES.get(letter, ()), player):
        if target not in board:
            yield target
    for target in squares_at(square, CAPTURES.get(letter, ()), player):
        if may_capture(board, target, player):
            yield target
    if letter == "W":
        yield from rook_targets(board, square)
    if letter in ("R", "H"):
        yield from second_step_targets(board, square, player)


def rook_targets(board: Board, square: str) -> Iterator[str]:
    """Booh: a vertical rook move without capture, both ways."""
    for dx, dy in VERTICAL:
        target = shifted(square, dx, dy)
        while target is not None and target not in board:
            yield target
            target = shifted(target, dx, dy)


def second_step_targets(board: Board, square: str, player: int) -> Iterator[str]:
    """Rhino: one W step to an empty square and then F; Headless Rhino: and then mF."""
    has_head = board[square].upper() == "R"
    for middle in squares_at(square, W):
        if middle in board:
            continue
        for target in squares_at(middle, F):
            if target not in board or (has_head and may_capture(board, target, player)):
                yield target


def moves_of(board: Board, player: int, boxes: str) -> set[Move]:
    """All moves as the table of the pieces has them; those of one label are one move."""
    return {
        Move(sign.upper(), origin, target, target in board)
        for origin, sign in board.items()
        if owner(sign) in (player, None)
        for target in targets(board, origin, player, boxes)
    }


def after_move(board: Board, move: Move, player: int) -> Board:
    """The board after a move: capture, then promotion, then Cookie Monsters."""
    after = dict(board)
    sign = after.pop(move.origin)
    # What is captured gives its place to the piece that moves, a Cookie Monster too.
    after[move.target] = promoted(sign, move.target, player)
    eaters = monsters_next_to(after, move.target)
    if eaters:
        for square in [move.target, *eaters]:
            del after[square]
    return after


def promoted(sign: str, square: str, player: int) -> str:
    """A Bat on its last rank is a Booh."""
    if sign.upper() == "V" and square[1] == LAST_RANK[player]:
        return sign_of("W", player)
    return sign


def has_box(board: Board, player: int) -> bool:
    """Whether the player's Box stands on the board."""
    return sign_of("X", player) in board.values()


def files_of_bats(board: Board, player: int) -> list[str]:
    """The files on which the player's Bats stand; a Booh is no Bat."""
    return [square[0] for square, sign in board.items() if sign == sign_of("V", player)]


# ---------------------------------------------------------------------- the game


class ReferencePosition(Reference):
    """One game of Captain Spalding Chess, with the interface of the package's ``Position``."""

    options: dict[str, int]
    board: Board
    boxes: str
    left: str
    turns: int
    history: set[tuple[frozenset[tuple[str, str]], int, str]]
    finds_count: bool

    def __init__(self, variant: str, **options: Any) -> None:
        """Set up the start position."""
        if variant != "spalding":
            raise ValueError(f"variant {variant!r}: unknown; there is spalding")
        finds = [options.pop(f"{side}_finds", ONCE_A_GAME) for side in SIDES]
        self.boxes = "".join(options.pop(f"{side}_box", "K") for side in SIDES)
        self.finds_count = options.pop("repetition", "board") == "board and finds"
        self.options = checked_options(options)
        self._read(START)
        self.left = (finds[WHITE] + finds[BLACK].lower()).replace("-", "")

    def copy(self) -> ReferencePosition:
        """Return an independent copy."""
        twin = object.__new__(ReferencePosition)
        twin.options, twin.boxes = self.options, self.boxes
        twin.finds_count = self.finds_count
        twin.board = dict(self.board)
        twin.mover, twin.left, twin.turns = self.mover, self.left, self.turns
        twin.labels = list(self.labels)
        twin.history = set(self.history)
        return twin

    # ------------------------------------------------------------------ what is public

    @property
    def text(self) -> str:
        """Position text, in the middle of a turn followed by the label played in it."""
        fields = [board_text(self.board), "wb"[self.mover], self.left or "-", str(self.turns)]
        return " ".join(fields + self.labels)

    @property
    def is_over(self) -> bool:
        """The end: the mover's Box has been captured, or the mover has no legal turn."""
        return not self.legal_moves()

    @property
    def returns(self) -> tuple[float, float] | None:
        """The end: whoever would have to move then has lost."""
        if not self.is_over:
            return None
        return (-1.0, 1.0) if self.mover == WHITE else (1.0, -1.0)

    def legal_moves(self) -> list[str]:
        """The distinct labels that may be played now, sorted."""
        if not has_box(self.board, self.mover):
            return []
        if self.labels:
            return sorted(creation.label for creation in self._legal_creations(self._move_chosen()))
        moves = moves_of(self.board, self.mover, self.boxes)
        return sorted(move.label for move in moves if self._is_legal(move))

    def _play(self, label: str) -> None:
        if self.labels:
            self._create(label)
            return
        self.labels = [label]
        move = self._move_chosen()
        if not move.needs_creation:
            self._finish_turn(after_move(self.board, move, self.mover))

    # ------------------------------------------------------------------ what is legal

    def _is_legal(self, move: Move) -> bool:
        """A turn, Cookie Monsters, Repetition: which of the moves are legal."""
        after = after_move(self.board, move, self.mover)
        if not move.needs_creation:
            return not self._would_repeat(after)
        if monsters_next_to(self.board, move.target):
            return False
        return any(self._legal_creations(move))

    def _legal_creations(self, move: Move) -> Iterator[Creation]:
        """A turn, 2: the creations that follow a container's move and repeat no position."""
        board = after_move(self.board, move, self.mover)
        for square in squares_next_to(move.target):
            for letter in FOUND_IN[move.letter]:
                sign = self._what_it_makes(board, move.letter, letter, square)
                if sign is None or not self._can_be_found(board, move.letter, letter, square):
                    continue
                if not self._would_repeat(board | {square: sign}, sign_of(letter, self.mover)):
                    yield Creation(letter, sign, square)

    def _what_it_makes(self, board: Board, container: str, letter: str, square: str) -> str | None:
        """A turn, 2: what stands on a square on which this piece is put, None if it may not be."""
        sign = sign_of(letter, self.mover)
        if square not in board:
            return promoted(sign, square, self.mover)
        makes = PUT_ON_ITS_LIKE.get((container, letter))
        if makes is None or board[square] != sign:
            return None
        return sign_of(makes, self.mover)

    def _can_be_found(self, board: Board, container: str, letter: str, square: str) -> bool:
        """The table of the pieces, last column, and the options."""
        if not self.options[OPTION_OF[container, letter]]:
            return False
        sign = sign_of(letter, self.mover)
        if letter in ONCE_A_GAME:
            return sign in self.left
        if letter == "L":
            return sign not in board.values()
        if letter == "V":
            return square[0] not in files_of_bats(board, self.mover)
        return True

    def _would_repeat(self, board: Board, found: str = " ") -> bool:
        """Repetition: what stands on the board and whose turn is next."""
        left = self.left.replace(found, "")
        return self._remembered(board, 1 - self.mover, left) in self.history

    def _remembered(
        self, board: Board, mover: int, left: str
    ) -> tuple[frozenset[tuple[str, str]], int, str]:
        """Repetition: what counts of a position; an option adds what is left to be found."""
        return frozenset(board.items()), mover, left if self.finds_count else ""

    # ------------------------------------------------------------------ carrying a turn out

    def _move_chosen(self) -> Move:
        """The move of which the label has been played."""
        moves = moves_of(self.board, self.mover, self.boxes)
        return next(move for move in moves if move.label == self.labels[0])

    def _create(self, label: str) -> None:
        """A turn, 2: put what was found on its square, and end the turn."""
        move = self._move_chosen()
        creation = next(c for c in self._legal_creations(move) if c.label == label)
        found = sign_of(creation.found, self.mover)
        self.left = self.left.replace(found, "")
        board = after_move(self.board, move, self.mover)
        self._finish_turn(board | {creation.square: creation.sign})

    def _finish_turn(self, board: Board) -> None:
        """Count the turn and remember the position that it made."""
        self.board = board
        self.mover = 1 - self.mover
        self.turns += 1
        self.labels = []
        self._remember()

    def _remember(self) -> None:
        """Repetition: every position that the game has had at the start of a turn."""
        self.history.add(self._remembered(self.board, self.mover, self.left))

    # ------------------------------------------------------------------ reading a text

    def _read(self, text: str) -> None:
        """Position text: take every field over and refuse what cannot be."""
        fields = text.split(" ")
        if len(fields) not in (4, 5):
            raise bad("text", f"has {len(fields)} fields separated by single spaces, not 4 or 5")
        board, mover, left, turns = fields[:4]
        self.board = read_board(board)
        if mover not in ("w", "b"):
            raise bad("mover", f"{mover!r} is neither w nor b")
        self.mover = "wb".index(mover)
        self.left = read_left(left)
        self.turns = read_number("turns", turns)
        self.labels = []
        self._refuse_impossible_pieces()
        # Position text: the history starts with this position, mid-turn with the turn's start.
        self.history = set()
        self._remember()
        if len(fields) == 5:
            self._read_labels(fields[4])

    def _refuse_impossible_pieces(self) -> None:
        """Position text: the paragraph of what is refused."""
        for player in (WHITE, BLACK):
            self._refuse_crowds(player)
            self._refuse_impossible_bats(player)
        if not has_box(self.board, 1 - self.mover):
            raise bad("board", f"{sign_of('X', 1 - self.mover)} is missing and is not the mover's")

    def _refuse_crowds(self, player: int) -> None:
        """More than one of a player; one on the board that is also left to be found."""
        signs = list(self.board.values())
        for sign in (sign_of(letter, player) for letter in ONE_AT_A_TIME):
            if signs.count(sign) > 1:
                raise bad("board", f"{sign} stands there more than once")
            if sign in signs and sign in self.left:
                raise bad("left", f"{sign} is on the board already")

    def _refuse_impossible_bats(self, player: int) -> None:
        """Two Bats of a player on a file, a Bat on its last rank."""
        files = files_of_bats(self.board, player)
        if len(files) != len(set(files)):
            raise bad("board", f"two Bats {sign_of('V', player)} stand on a file")
        for square, sign in self.board.items():
            if sign == sign_of("V", player) and square[1] == LAST_RANK[player]:
                raise bad("board", f"{sign} on {square} would be a Booh")


# ---------------------------------------------------------------------- options and text


def checked_options(given: dict[str, Any]) -> dict[str, int]:
    """Return all options, or raise a ValueError for an unknown or impossible one."""
    options = dict.fromkeys(OPTION_OF.values(), 1)
    for name, value in given.items():
        if name not in options:
            raise ValueError(f"option {name!r}: unknown; there are {', '.join(options)}")
        if not isinstance(value, int) or value not in (0, 1):
            raise ValueError(f"option {name}: {value!r} is neither 0 nor 1")
        options[name] = int(value)
    return options


def board_text(board: Board) -> str:
    """Words: ranks from the highest to the lowest, runs of empty squares as a number."""
    ranks = ([board.get(file + rank, "") for file in FILES] for rank in reversed(RANKS))
    return "/".join(map(rank_text, ranks))


def rank_text(signs: Iterable[str]) -> str:
    """One rank from left to right; an empty square is given as an empty string."""
    runs = (list(run) for _, run in groupby(signs, bool))
    return "".join("".join(run) or str(len(run)) for run in runs)


def read_board(text: str) -> Board:
    """Words: the board field, canonical only."""
    ranks = text.split("/")
    if len(ranks) != 8:
        raise bad("board", f"has {len(ranks)} ranks, not 8")
    board: Board = {}
    for rank, word in zip(reversed(RANKS), ranks, strict=True):
        signs = read_rank(word)
        if len(signs) != 8:
            raise bad("board", f"rank {rank} has {len(signs)} squares, not 8")
        board |= {file + rank: sign for file, sign in zip(FILES, signs, strict=True) if sign}
    if board_text(board) != text:
        raise bad("board", f"should be written {board_text(board)!r}")
    return board


def read_rank(word: str) -> list[str]:
    """The signs of one rank from left to right, empty strings for empty squares."""
    signs: list[str] = []
    for sign in word:
        if sign in "12345678":
            signs += [""] * int(sign)
        elif sign in OWNED + OWNED.lower() + OWNED_BY_NOBODY:
            signs.append(sign)
        else:
            raise bad("board", f"{sign!r} is neither a piece nor a run of empty squares")
    return signs


def read_left(text: str) -> str:
    """Position text: those of R H E r h e not yet found, in that order, or ``-``."""
    left = "" if text == "-" else text
    canonical = "".join(letter for letter in LEFT if letter in left)
    if text != (canonical or "-"):
        raise bad("left", f"{text!r} is neither - nor some of {LEFT} in that order")
    return left


def read_number(field: str, text: str) -> int:
    """Position text: any number from 0; somewhere a number of digits has to be the last."""
    if not re.fullmatch(f"0|[1-9][0-9]{{0,{GREATEST_NUMBER_OF_DIGITS - 1}}}", text):
        raise bad(field, f"{text!r} is no plain number, or one of too many digits")
    return int(text)
