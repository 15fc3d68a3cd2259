"""Positions of Captain Spalding Chess changed by hand."""

from __future__ import annotations

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.editing import MOVER, NOTHING, TURNS, Field, Ranks, Text
from pasgl_env.games.spalding.position_text import FIELDS, LEFT_LETTERS
from pasgl_env.games.spalding.rules.board import NONE
from pasgl_env.games.spalding.rules.state import begin_history
from pasgl_env.games.spalding.rules.state import put as put_piece
from pasgl_env.jit.compiled import rule, wide

_LEFT = {
    "".join(name for bit, name in enumerate(LEFT_LETTERS) if left >> bit & 1) or "-": (left,)
    for left in range(1 << len(LEFT_LETTERS))
}


def fields(options: OptionsRecord) -> dict[str, Field]:
    """The player to move, what has not come out yet, and turns."""
    meaning = "those of R H E r h e that have not come out yet; - for none"
    return {"mover": MOVER, "left": Field(meaning, (("left", 0),), _LEFT), "turns": TURNS}


def text(options: OptionsRecord) -> Text:
    """Position texts."""
    ranks = tuple(tuple(range(first, first + 8)) for first in range(56, -1, -8))
    return Text(FIELDS, {"board": Ranks(ranks, are_counted=True)})


@rule
def symbol_on(state: State, options: OptionsRecord, square: int, number: int) -> int:
    """The piece on a square."""
    return NOTHING if number else wide(state.board[square]) - 1


@rule
def put(state: State, options: OptionsRecord, square: int, piece: int) -> bool:
    """Put a piece in place of what is there."""
    put_piece(state, square, piece + 1)
    return True


@rule
def begin(state: State, options: OptionsRecord) -> None:
    """Begin a turn, and the history with it."""
    state.container = state.origin = NONE
    state.keys[:] = 0
    state.log_at[:] = 0
    state.log[:] = 0
    begin_history(state)
