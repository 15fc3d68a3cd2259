"""The text diagram of Captain Spalding Chess: the inventor's, and the finds that are left."""

from __future__ import annotations

from collections.abc import Iterator

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.description import question
from pasgl_env.games.spalding import GAME
from pasgl_env.games.spalding.position_text import CONTENT_LETTERS, LEFT_LETTERS
from pasgl_env.games.spalding.rules.state import LEFT_BITS, has_box, in_turn


def diagram(state: State, options: OptionsRecord) -> str:
    """The position as a text diagram, with the finds that are left."""
    line = "   +" + "---+" * 8
    rows = [line]
    for rank in range(7, -1, -1):
        rows += [f"{rank + 1}  |{_draw_rank(state, rank)}|", line]
    files = "     " + "   ".join("abcdefgh")
    return "\n".join([*rows, files, *_notes(state, options)])


def _draw_rank(state: State, rank: int) -> str:
    cells = []
    for square in range(8 * rank, 8 * rank + 8):
        is_dark = (square // 8 + square % 8) % 2 == 0
        sign = CONTENT_LETTERS[state.board[square]]
        edge = ":" if is_dark else " "
        cells.append(f"{edge}{edge if sign == '.' else sign}{edge}")
    return "|".join(cells)


def _notes(state: State, options: OptionsRecord) -> Iterator[str]:
    name = ("White", "Black")[state.mover]
    lost = not has_box(state, int(state.mover))
    turn = int(state.turn_count) + (not lost)
    yield f"Turn {turn}, {name} {'has lost its Box' if lost else 'to move'}."
    white, black = (_still_to_find(state, options, player) for player in range(2))
    yield f"Still to be found once: White {white}, Black {black}."
    if in_turn(state):
        yield f"Asked: {question(GAME, state, options)}"


def _still_to_find(state: State, options: OptionsRecord, player: int) -> str:
    left = int(state.left) >> LEFT_BITS * player
    is_in_the_game = (options.box_rhino, options.box_headless, options.great_elephant)
    finds = zip(LEFT_LETTERS[:LEFT_BITS], is_in_the_game, strict=True)
    return (
        "".join(letter for bit, (letter, is_in) in enumerate(finds) if is_in and left >> bit & 1)
        or "-"
    )
