"""The diagram of Chieftain: an apostrophe marks what has moved in this turn."""

from __future__ import annotations

from collections.abc import Iterator

from pasgl_env.games.chieftain.board import FILES, cell_of, name_of
from pasgl_env.games.chieftain.state import is_over
from pasgl_env.games.chieftain.text import letter_of
from pasgl_env.games.contract import OptionsRecord, State


def diagram(state: State, options: OptionsRecord) -> str:
    """The position drawn in characters; an apostrophe marks what has moved in this turn."""
    files = "    " + " ".join(FILES[: options.files])
    edge = "   +" + "-" * (2 * int(options.files) + 1) + "+"
    ranks = [_rank_line(state, options, rank) for rank in range(int(options.ranks) - 1, -1, -1)]
    return "\n".join([f" {files}", edge, *ranks, edge, f" {files}", *_notes(state, options)])


def _rank_line(state: State, options: OptionsRecord, rank: int) -> str:
    cells = [int(state.board[cell_of(file, rank)]) for file in range(options.files)]
    moved = [int(state.moved[rank]) >> file & 1 for file in range(options.files)]
    drawn = (
        (letter_of(held) if held else ".") + ("'" if has_moved else " ")
        for held, has_moved in zip(cells, moved, strict=True)
    )
    return f"{rank + 1:2} | {''.join(drawn)}| {rank + 1}"


def _notes(state: State, options: OptionsRecord) -> Iterator[str]:
    mover = ("White", "Black")[state.mover]
    stands = "the game is over" if is_over(state, options) else f"{mover} to move"
    passes = " The turn before was a pass." if state.pass_count else ""
    yield f"Turn {int(state.turn_count) + 1}, {stands}.{passes}"
    yield f"Captured: White {state.score[0]} points, Black {state.score[1]}."
    if not is_over(state, options):
        yield f"Activations left: {', '.join(_activations(state))}."


def _activations(state: State) -> Iterator[str]:
    """The Chieftains that can still activate, with the number if it is not 1."""
    for number in range(int(state.chieftains[state.mover])):
        left = int(state.left[number])
        if left:
            square = name_of(state.chieftain_cell[state.mover, number])
            yield square if left == 1 else f"{square} ({left})"
