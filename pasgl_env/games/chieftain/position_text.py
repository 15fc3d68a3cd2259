"""Setups, labels and position text of Chieftain. Plain Python."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State, Texts
from pasgl_env.contract.fields import read_mover, read_number, write_runs, wrong
from pasgl_env.contract.game import brief
from pasgl_env.games.chieftain.rules.board import (
    ALL_LETTERS,
    CELLS,
    CHIEFTAIN,
    EMPTY,
    KIND_BITS,
    KINDS,
    LEADER,
    LEADER_BIT,
    LEAST,
    LETTERS,
    MOST,
    SIDE_BIT,
    WALL,
    WAY_FIELDS,
    Ranges,
    cell_of,
    derive_ways,
)
from pasgl_env.games.chieftain.rules.state import (
    MOST_CHIEFTAINS,
    VALUE,
    begin,
)

FIELDS = ("board", "mover", "passes", "turns")
# The int8 field of the options record that holds a setup: the content of each square, or OUTSIDE.
SETUP_SHAPE = (MOST, MOST)
OUTSIDE = -1
_TOKEN = re.compile(r"([1-9][0-9]?)|([A-Za-z])")

Board = list[list[int]]
"""The content of each square, by rank and file, from a1."""


def piece_of(letter: str) -> int:
    """The content of a cell with this piece."""
    side = int(letter.islower())
    if letter.upper() == ALL_LETTERS[LEADER]:
        return int(SIDE_BIT[side]) + LEADER_BIT + CHIEFTAIN + 1
    return int(SIDE_BIT[side]) + LETTERS.index(letter.upper()) + 1


def sort_of(held: int) -> int:
    """The number of a piece's letter: its kind, or ``LEADER``."""
    return LEADER if held & LEADER_BIT else (held & KIND_BITS) - 1


def letter_of(held: int) -> str:
    """The letter of a piece; White's are capitals."""
    letter = ALL_LETTERS[sort_of(held)]
    return letter if held & SIDE_BIT[0] else letter.lower()


def read_board(text: str) -> Board:
    """Read a board field of any size; ``ValueError`` says what is wrong with it."""
    rows = [_read_rank(row) for row in text.split("/")][::-1]
    if len({len(row) for row in rows}) > 1:
        raise ValueError("its ranks do not have the same length")
    return rows


def _read_rank(text: str) -> list[int]:
    row: list[int] = []
    position, after_run = 0, False
    while position < len(text) and len(row) <= MOST:
        token = _TOKEN.match(text, position)
        if token is None:
            raise ValueError(f"{brief(text[position:])} begins with neither a piece nor a number")
        run, letter = token.groups()
        if run is not None and after_run:
            raise ValueError(f"two numbers side by side in {brief(text)}")
        if letter is not None and letter.upper() not in ALL_LETTERS:
            raise ValueError(f"there is no piece {letter!r}")
        row += [EMPTY] * int(run) if run else [piece_of(letter)]
        position, after_run = token.end(), run is not None
    if not row or len(row) > MOST:
        raise ValueError(f"the rank {brief(text)} does not have {LEAST} to {MOST} squares")
    return row


def write_board(board: Board) -> str:
    """The board field of a board."""
    ranks = ("".join(letter_of(x) if x else "." for x in row) for row in board[::-1])
    return "/".join(map(write_runs, ranks))


def setup_to_record(text: str) -> np.ndarray:
    """The options record's content for a setup; ``ValueError`` says why it is invalid."""
    board = read_board(text)
    for number, what in ((len(board), "ranks"), (len(board[0]), "files")):
        if not LEAST <= number <= MOST:
            raise ValueError(f"it has {number} {what}, not {LEAST} to {MOST}")
    for side, name in enumerate(("White", "Black")):
        royal = (piece_of("Cc"[side]), piece_of("Ll"[side]))
        own = sum(held in royal for row in board for held in row)
        if not 1 <= own <= MOST_CHIEFTAINS:
            raise ValueError(f"{name} has {own} Chieftains and Leaders, not 1 to {MOST_CHIEFTAINS}")
    record = np.full(SETUP_SHAPE, OUTSIDE, np.int8)
    record[: len(board), : len(board[0])] = board
    return record


def setup_to_text(record: np.ndarray) -> str:
    """The inverse."""
    return write_board([[int(x) for x in row if x != OUTSIDE] for row in record if row[0] >= 0])


DERIVED = (
    ("ranks", np.int32),
    ("files", np.int32),
    ("squares", np.int32),
    ("army", np.int32, (2,)),  # value of a side's pieces at the start
    ("most", np.int32, (2, KINDS + 1)),  # a side's pieces of each kind at the start, and Leaders
    ("has_leaders", np.int32),  # 1 if the setup has some
    ("home", np.uint8, (CELLS,)),  # the cells at the start, walls included
    *WAY_FIELDS,
)


def derive(options: OptionsRecord) -> None:
    """Write the fields that follow from the setup and the ranges."""
    on_board = options.setup != OUTSIDE
    options.ranks, options.files = on_board[:, 0].sum(), on_board[0].sum()
    options.squares = options.ranks * options.files
    options.home[:] = WALL
    for (rank, file), held in np.ndenumerate(options.setup):
        if held != OUTSIDE:
            options.home[cell_of(file, rank)] = held
    for side in range(2):
        for number, letter in enumerate(ALL_LETTERS):
            held = piece_of(letter.lower() if side else letter)
            options.most[side, number] = (options.setup == held).sum()
        values = [VALUE[number % LEADER] for number in range(len(ALL_LETTERS))]
        options.army[side] = (options.most[side] * values).sum()
    options.has_leaders = options.most[:, LEADER].any()
    derive_ways(options, Ranges(*(int(options[f"{kind}_range"]) for kind in Ranges._fields)))


def write(state: State, options: OptionsRecord) -> str:
    """Position text of a state at the start of a turn, or finished."""
    board = write_board(_board(state, options))
    return f"{board} {'wb'[state.mover]} {state.pass_count} {state.turn_count}"


def _board(state: State, options: OptionsRecord) -> Board:
    return [
        [int(state.board[cell_of(file, rank)]) for file in range(options.files)]
        for rank in range(options.ranks)
    ]


def read(text: str, options: OptionsRecord, state: State) -> None:
    """Read a position text into a state; ``ValueError`` says which field is wrong and why."""
    values = dict(zip(FIELDS, text.split(" "), strict=True))
    board = _read_position(values["board"], options)
    mover = read_mover(values["mover"])
    state.pass_count = read_number("passes", values["passes"], 2)
    state.turn_count = read_number("turns", values["turns"])
    state.board[:] = np.where(options.home == WALL, WALL, EMPTY)
    for rank, row in enumerate(board):
        for file, held in enumerate(row):
            state.board[cell_of(file, rank)] = held
    begin(state, options, mover)
    if state.chieftains[1 - mover] == 0:
        raise wrong("board", f"no Chieftain {'Cc'[1 - mover]}, but the other side is to move")


def _read_position(text: str, options: OptionsRecord) -> Board:
    try:
        board = read_board(text)
    except ValueError as error:
        raise wrong("board", str(error)) from None
    size, wanted = (len(board[0]), len(board)), (int(options.files), int(options.ranks))
    if size != wanted:
        shown = (f"{files} files and {ranks} ranks" for files, ranks in (size, wanted))
        raise wrong("board", " instead of ".join(shown))
    for held, number in Counter(held for row in board for held in row if held).items():
        side, kind = int(held & SIDE_BIT[0] == 0), sort_of(held)
        if number > options.most[side, kind]:
            most = options.most[side, kind]
            raise wrong("board", f"{number} {letter_of(held)!r}, but the setup has {most}")
    return board


TEXTS = Texts(write, read, spaced_labels=True)
