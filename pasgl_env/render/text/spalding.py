"""The diagram of Captain Spalding Chess: the inventor's, and what may still be found."""

from __future__ import annotations

from pasgl_env.games.contract import OptionsRecord, State
from pasgl_env.games.spalding.state import LEFT_BITS, has_box
from pasgl_env.games.spalding.text import CONTENT_LETTERS, LEFT_LETTERS


def diagram(state: State, options: OptionsRecord) -> str:
    """The position drawn in characters, and what may still be found."""
    files = "    " + "".join(f" {file}  " for file in "abcdefgh").rstrip()
    line = "   +" + "---+" * 8
    rows = [files, line]
    for rank in range(7, -1, -1):
        rows += [f" {rank + 1} |{_draw_rank(state, rank)}| {rank + 1}", line]
    return "\n".join([*rows, files, *_notes(state)])


def _draw_rank(state: State, rank: int) -> str:
    cells = []
    for square in range(8 * rank, 8 * rank + 8):
        is_dark = (square // 8 + square % 8) % 2 == 0
        sign = CONTENT_LETTERS[state.board[square]]
        edge = ":" if is_dark else " "
        cells.append(f"{edge}{edge if sign == '.' else sign}{edge}")
    return "|".join(cells)


def _notes(state: State) -> list[str]:
    names = ("White", "Black")
    mover = int(state.mover)
    lost = not has_box(state, mover)
    stands = f"{names[mover]} has lost its Box" if lost else f"{names[mover]} to move"
    left = [
        "".join(name for bit, name in enumerate(LEFT_LETTERS) if _is_to_find(state, player, bit))
        for player in range(2)
    ]
    return [
        f"Turn {int(state.turn_count) + 1}, {stands}.",
        f"Still to be found once: White {left[0] or '-'}, Black {left[1].upper() or '-'}.",
    ]


def _is_to_find(state: State, player: int, bit: int) -> bool:
    return bit // LEFT_BITS == player and bool(int(state.left) >> bit & 1)
