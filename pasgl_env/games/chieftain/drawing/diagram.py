"""The text diagram of Chieftain: pieces, moved pieces, and the range of commands."""

from __future__ import annotations

from collections.abc import Iterator

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.description import question
from pasgl_env.games.chieftain import CHIEFTAIN
from pasgl_env.games.chieftain.position_text import letter_of
from pasgl_env.games.chieftain.rules.board import EMPTY, FILES, cell_of, name_of
from pasgl_env.games.chieftain.rules.state import is_asked, is_over, winner

_NAMES = ("White", "Black")


def diagram(state: State, options: OptionsRecord) -> str:
    """The position as a text diagram, with what the board does not show."""
    return "\n".join([draw_board(state, options), *_notes(state, options)])


def draw_board(state: State, options: OptionsRecord) -> str:
    """The board with its coordinates.

    A colon is an empty square under the command of the player to move, a point any other empty
    square. An apostrophe follows a piece that has moved in this turn.
    """
    files = "     " + " ".join(FILES[: options.files])
    edge = "   +" + "-" * (2 * int(options.files) + 1) + "+"
    ranks = [_rank_line(state, options, rank) for rank in range(int(options.ranks) - 1, -1, -1)]
    return "\n".join([files, edge, *ranks, edge, files])


def _rank_line(state: State, options: OptionsRecord, rank: int) -> str:
    squares = "".join(_square(state, file, rank) for file in range(options.files))
    return f"{rank + 1:2} | {squares}| {rank + 1}"


def _square(state: State, file: int, rank: int) -> str:
    held = int(state.board[cell_of(file, rank)])
    if held == EMPTY:
        return ": " if int(state.command[rank]) >> file & 1 else ". "
    has_moved = int(state.moved[rank]) >> file & 1
    return letter_of(held) + ("'" if has_moved else " ")


def _notes(state: State, options: OptionsRecord) -> Iterator[str]:
    passes = " The turn before was a pass." if state.pass_count == 1 else ""
    over = is_over(state, options)
    yield f"Turn {int(state.turn_count) + (not over)}, {_stands(state, options)}.{passes}"
    yield f"Captured: White {state.score[0]} points, Black {state.score[1]}."
    if over:
        return
    if is_asked(state):
        yield f"Asked: {question(CHIEFTAIN, state, options)}"
    yield f"Activations left: {', '.join(_activations(state))}."


def _stands(state: State, options: OptionsRecord) -> str:
    if not is_over(state, options):
        return f"{_NAMES[state.mover]} to move"
    has_won = int(winner(state, options))
    return f"{_NAMES[has_won]} has won" if has_won >= 0 else "a draw by two passes"


def _activations(state: State) -> Iterator[str]:
    """The Chieftains that can still activate, with the number if it is not 1."""
    for number in range(int(state.chieftains[state.mover])):
        left = int(state.left[number])
        if left:
            square = name_of(state.chieftain_cell[state.mover, number])
            yield square if left == 1 else f"{square} ({left})"
