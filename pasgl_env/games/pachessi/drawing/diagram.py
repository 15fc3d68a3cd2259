"""The text diagram of Pachessi: the inventor's drawing, and the pieces off the board."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from string import ascii_lowercase

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.games.pachessi.position_text import seats
from pasgl_env.games.pachessi.rules.board import PIECES, holds, place_at
from pasgl_env.games.pachessi.rules.state import (
    CHOICE,
    GRACE,
    LETTERS,
    LOTS,
    OFF,
    TAKEN,
    corner_of,
    piece_on,
)

_NAME, _GRAND = "PACHESSI", "GRAND"


def diagram(state: State, options: OptionsRecord) -> str:
    """The board as the inventor draws it, and the pieces off the board."""
    board = draw_board(options, lambda x, y: _draw_piece(state, options, place_at(x, y)))
    return "\n".join([board, *_notes(state, options)])


def draw_board(options: OptionsRecord, draw_square: Callable[[int, int], str]) -> str:
    """The board with its coordinates and the game's name.

    Args:
        options: options, which determine the squares.
        draw_square: returns three characters for the square (file, rank), both from 0.
    """
    size = int(options.last) + 1
    width = len(str(size))
    margin = " " * (width + 2)
    rows = []
    for y in range(size - 1, -1, -1):
        rows.append(margin + _draw_edge(options, y + 1))
        rows.append(f" {y + 1:{width}} {_draw_rank(options, y, draw_square)}")
    rows.append(margin + _draw_edge(options, 0))
    hole = len(margin) + 2 * (size - int(options.hole)) + 1
    _write_name(rows, options, hole)
    return "\n".join([*rows, f"{margin}  {'   '.join(ascii_lowercase[:size])}"])


def _write_name(rows: list[str], options: OptionsRecord, hole: int) -> None:
    """Write the game's name into the hole, which begins in that column, if there is room.

    It is on the middle line; Grand Pachessi's first word is on the line above.
    """
    room = 4 * int(options.hole) - 1 - len(_NAME)
    if room < 0:
        return
    middle, column = len(rows) // 2, hole + room // 2
    rows[middle] = _overwritten(rows[middle], column, _NAME)
    if options.grand:
        indent = (len(_NAME) - len(_GRAND)) // 2
        rows[middle - 1] = _overwritten(rows[middle - 1], column + indent, _GRAND)


def _overwritten(row: str, column: int, word: str) -> str:
    return row[:column] + word + row[column + len(word) :]


def _draw_rank(options: OptionsRecord, y: int, draw_square: Callable[[int, int], str]) -> str:
    size = int(options.last) + 1
    hole = "###" if options.hole == 1 else "   "
    cells = [hole if _is_hole(options, x, y) else draw_square(x, y) for x in range(size)]
    walls = [
        " " if all(_is_hole(options, side, y) for side in (x - 1, x)) else "|"
        for x in range(size + 1)
    ]
    return "".join(wall + cell for wall, cell in zip(walls, [*cells, ""], strict=True))


def _draw_edge(options: OptionsRecord, y: int) -> str:
    """The edge below a rank."""
    size = int(options.last) + 1
    holes = [all(_is_hole(options, x, side) for side in (y - 1, y)) for x in range(-1, size + 1)]
    corners = [" " if left and right else "+" for left, right in pairwise(holes)]
    edges = ["   " if hole else "---" for hole in holes[1:-1]]
    return "".join(corner + edge for corner, edge in zip(corners, [*edges, ""], strict=True))


def _is_hole(options: OptionsRecord, x: int, y: int) -> bool:
    """Whether a square of the board's frame is missing."""
    last = int(options.last)
    return 0 <= x <= last and 0 <= y <= last and bool(holds(options.walls, place_at(x, y)))


def _draw_piece(state: State, options: OptionsRecord, place: int) -> str:
    if not holds(state.occupied, place):
        return "   "
    player, kind = divmod(int(piece_on(state, place)), PIECES)
    return _signs(int(corner_of(options, player))).format(_cased(player, options, kind))


def _signs(corner: int) -> str:
    """The signs around pieces: none for Black and Yellow, stars for their opponents."""
    return "*{}*" if corner % 2 else " {} "


def _cased(player: int, options: OptionsRecord, kind: int) -> str:
    """The letter of a kind: capitals for Black and Red, at the top."""
    letter = LETTERS[kind]
    return letter if corner_of(options, player) in (0, 3) else letter.lower()


def _notes(state: State, options: OptionsRecord) -> list[str]:
    names = seats(options)
    notes = [f"Turn {int(state.turn_count) + 1}, {_who_acts(state, names)}."]
    for player, name in enumerate(names):
        if parts := _off_the_board(state, options, player):
            notes.append(f"{name}: {'; '.join(parts)}.")
    return notes


def _who_acts(state: State, names: tuple[str, ...]) -> str:
    if state.roll == LOTS:
        return "a lot decides who moves first"
    name = names[state.mover]
    if state.roll == CHOICE:
        return f"{name} to choose which of the team begins"
    if state.over:
        return f"{name} has borne off every piece"
    dice = " and ".join(str(die) for die in state.dice if die)
    if state.roll == GRACE:
        return f"{name} to play the grace die {dice}" if dice else f"{name} to roll a grace die"
    return f"{name} to play {dice}" if dice else f"{name} to roll"


def _off_the_board(state: State, options: OptionsRecord, player: int) -> list[str]:
    """A player's pieces off the board, and their laps."""
    taken, off, laps = [], [], []
    for kind in range(options.kinds):
        piece = PIECES * player + kind
        place, letter = int(state.place[piece]), _cased(player, options, kind)
        if place == TAKEN:
            taken.append(letter)
        elif place == OFF:
            off.append(letter)
        elif state.laps[piece]:
            laps.append(f"{letter} {state.laps[piece]}")
    return [
        f"{what} {', '.join(which)}"
        for what, which in (("taken", taken), ("borne off", off), ("laps of", laps))
        if which
    ]
