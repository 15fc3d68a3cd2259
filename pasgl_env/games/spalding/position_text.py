"""Labels and position text of Captain Spalding Chess. Plain Python."""

from __future__ import annotations

import re

from pasgl_env.contract.base import OptionsRecord, State, Texts
from pasgl_env.contract.fields import read_mover, read_number, write_runs, wrong
from pasgl_env.contract.game import brief
from pasgl_env.games.spalding.rules.board import NAMES, SQUARES
from pasgl_env.games.spalding.rules.state import (
    BAT,
    EMPTY,
    FINDS,
    LEFT_BITS,
    LETTERS,
    NEUTRALS,
    ONE_EACH,
    begin_history,
    clear,
    has_box,
    own,
    put,
)

FIELDS = ("board", "mover", "left", "turns")
CONTENT_LETTERS = f".{LETTERS}{LETTERS.lower()}{NEUTRALS}"
LEFT_LETTERS = "RHErhe"
_RUN = re.compile("[1-8]")
_MOST_TURNS = 10**18 - 1


def letter(content: int) -> str:
    """A piece's letter in labels, a capital for both players."""
    return CONTENT_LETTERS[content].upper()


def write(state: State, options: OptionsRecord) -> str:
    """Position text of a state at the start of a turn, or finished."""
    board = "/".join(_write_rank(state, rank) for rank in range(7, -1, -1))
    return f"{board} {'wb'[state.mover]} {_write_left(state)} {state.turn_count}"


def _write_rank(state: State, rank: int) -> str:
    text = "".join(CONTENT_LETTERS[content] for content in state.board[8 * rank : 8 * rank + 8])
    return write_runs(text)


def _write_left(state: State) -> str:
    left = int(state.left)
    return "".join(name for bit, name in enumerate(LEFT_LETTERS) if left >> bit & 1) or "-"


def read(text: str, options: OptionsRecord, state: State) -> None:
    """Read a position text into a state; ``ValueError`` says which field is wrong and why."""
    values = dict(zip(FIELDS, text.split(" "), strict=True))
    clear(state)
    _read_board(values["board"], state)
    _check_pieces(state)
    state.mover = read_mover(values["mover"])
    if not has_box(state, 1 - int(state.mover)):
        raise wrong(
            "board", f"there is no {'xX'[state.mover]}: only the mover's Box may be missing"
        )
    state.left = _read_left(values["left"])
    _check_left(state)
    state.turn_count = read_number("turns", values["turns"], _MOST_TURNS)
    begin_history(state)


def _read_board(text: str, state: State) -> None:
    ranks = text.split("/")
    if len(ranks) != 8:
        raise wrong("board", f"{len(ranks)} ranks instead of 8")
    for rank, row in zip(range(7, -1, -1), ranks, strict=True):
        for file, content in enumerate(_read_rank(rank, row)):
            put(state, 8 * rank + file, content)


def _read_rank(rank: int, text: str) -> list[int]:
    contents: list[int] = []
    after_run = False
    for sign in text:
        is_run = _RUN.fullmatch(sign) is not None
        if is_run and after_run:
            raise wrong("board", f"rank {rank + 1}: two runs of empty squares side by side")
        if not is_run and (sign == "." or sign not in CONTENT_LETTERS):
            raise wrong(
                "board", f"rank {rank + 1}: {brief(sign)} is neither a piece nor a run of 1-8"
            )
        contents += [EMPTY] * int(sign) if is_run else [CONTENT_LETTERS.index(sign)]
        if len(contents) > 8:
            break
        after_run = is_run
    if len(contents) != 8:
        raise wrong("board", f"rank {rank + 1}: {brief(text)} does not fill 8 squares")
    return contents


def _check_pieces(state: State) -> None:
    for player in range(2):
        for kind in ONE_EACH.tolist():
            content = int(own(player, kind))
            if state.number[content] > 1:
                raise wrong("board", f"more than one {CONTENT_LETTERS[content]}")
        _check_bats(state, player)


def _check_bats(state: State, player: int) -> None:
    bat = int(own(player, BAT))
    squares = [square for square in range(SQUARES) if state.board[square] == bat]
    files = [NAMES[square][0] for square in squares]
    for square, file in zip(squares, files, strict=True):
        if square // 8 == (7, 0)[player]:
            raise wrong("board", f"{'Vv'[player]} on {NAMES[square]}: a Bat there is a Booh")
        if files.count(file) > 1:
            raise wrong("board", f"two {'Vv'[player]} on file {file}")


def _read_left(text: str) -> int:
    bits = [LEFT_LETTERS.find(name) for name in text]
    if text != "-" and (not bits or -1 in bits or bits != sorted(set(bits))):
        raise wrong("left", f"{brief(text)} is not some of {LEFT_LETTERS}, in this order, or '-'")
    return 0 if text == "-" else sum(1 << bit for bit in bits)


def _check_left(state: State) -> None:
    for bit, name in enumerate(LEFT_LETTERS):
        player, find = divmod(bit, LEFT_BITS)
        if int(state.left) >> bit & 1 and state.number[int(own(player, FINDS[find]))]:
            raise wrong("left", f"{name} is on the board, so it has been found")


TEXTS = Texts(write, read)
