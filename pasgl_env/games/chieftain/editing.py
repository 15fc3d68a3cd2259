"""Positions of Chieftain changed by hand."""

from __future__ import annotations

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.editing import MOVER, NOTHING, TURNS, Field, Ranks, Text
from pasgl_env.games.chieftain.description import symbol_at
from pasgl_env.games.chieftain.position_text import FIELDS
from pasgl_env.games.chieftain.rules.board import (
    ALL_LETTERS,
    CHIEFTAIN,
    EMPTY,
    LEADER,
    LEADER_BIT,
    SIDE_BIT,
    WALL,
    cell_of,
)
from pasgl_env.games.chieftain.rules.state import begin as begin_board
from pasgl_env.games.chieftain.rules.validation import number_of_kind
from pasgl_env.jit.compiled import rule, wide

_KINDS = len(ALL_LETTERS)


def fields(options: OptionsRecord) -> dict[str, Field]:
    """The player to move, passes and turns."""
    passes = Field("the number of passes in a row: 0, 1 or 2", (("pass_count", 0),), high=2)
    return {"mover": MOVER, "passes": passes, "turns": TURNS}


def text(options: OptionsRecord) -> Text:
    """Position texts."""
    ranks = reversed(range(options.ranks))
    cells = (tuple(cell_of(file, rank) for file in range(options.files)) for rank in ranks)
    return Text(FIELDS, {"board": Ranks(tuple(cells), are_counted=True)})


@rule
def symbol_on(state: State, options: OptionsRecord, square: int, number: int) -> int:
    """The piece on a square."""
    return NOTHING if number or state.board[square] == EMPTY else symbol_at(state, square)


@rule
def put(state: State, options: OptionsRecord, square: int, piece: int) -> bool:
    """Put a piece in place of what is there."""
    if state.board[square] == WALL:
        return False
    state.board[square] = EMPTY
    if piece < 0:
        return True
    side, sort = piece // _KINDS, piece % _KINDS
    if number_of_kind(state, options, side, sort) >= options.most[side, sort]:
        return False
    held = LEADER_BIT + CHIEFTAIN if sort == LEADER else sort
    state.board[square] = wide(SIDE_BIT[side]) + held + 1
    return True


@rule
def begin(state: State, options: OptionsRecord) -> None:
    """Begin the turn of the player to move."""
    begin_board(state, options, wide(state.mover))
