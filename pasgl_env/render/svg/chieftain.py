"""Drawings of Chieftain, on boards of any size.

The area within command of the mover's Chieftains that can still activate is outlined, and these
Chieftains shine. What has moved in the turn that is under way is underlined.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, partial
from itertools import pairwise
from math import hypot
from typing import TYPE_CHECKING

from pasgl_env.games.chieftain.board import EMPTY, FILES, KIND_BITS, cell_of, name_of
from pasgl_env.games.chieftain.state import (
    activations_left,
    in_turn,
    is_asked,
    is_over,
    winner,
)
from pasgl_env.games.chieftain.text import letter_of
from pasgl_env.games.contract import OptionsRecord, State
from pasgl_env.render.svg.board import Board, coordinates, mark_choices, mark_last, seat, squares
from pasgl_env.render.svg.canvas import Canvas, Shapes
from pasgl_env.render.svg.chieftain_pieces import ACTIVE_CHIEFTAIN, piece
from pasgl_env.render.svg.silhouette import BOX
from pasgl_env.render.svg.theme import Theme

if TYPE_CHECKING:
    from pasgl_env.render import Marks

WIDTH = 1000
LEFT, RIGHT = 46, 986
TOP, BELOW = 72, 106
# A board fits into this area; few squares are not drawn larger than the last.
MOST_WIDE, MOST_HIGH, MOST_SIDE = RIGHT - LEFT, 1100, 150
TEXT, COORDINATE = 30, 25
# The silhouettes' share of a square, with their outlines.
SHARE = 0.84


def draw(state: State, options: OptionsRecord, marks: Marks, theme: Theme) -> Canvas:
    """The drawing of a state record under an options record."""
    board = _board(int(options.files), int(options.ranks))
    over = bool(is_over(state, options))
    title = f"Chieftain on {board.files}×{board.ranks} squares"
    canvas = Canvas(WIDTH, _height(board), title, f"chieftain-{theme.name}-")
    canvas.add(_ground(board, theme))
    _draw_last(canvas, board, marks, theme)
    if not over:
        _draw_command(canvas, state, board, theme)
    pieces = dict(_pieces(state, board))
    _draw_choices(canvas, state, board, marks, theme, pieces)
    _draw_pieces(canvas, state, options, board, theme, pieces)
    if is_asked(state):
        move = name_of(state.origin), name_of(state.target)
        _draw_arrow(canvas, board, move, start=0.3, class_="arrow", fill=theme.target)
    for player in range(2):
        _draw_player(canvas, state, options, board, theme, player)
    return canvas


@cache
def _board(files: int, ranks: int) -> Board:
    side = min(MOST_WIDE // files, MOST_HIGH // ranks, MOST_SIDE)
    return Board(LEFT + (MOST_WIDE - files * side) // 2, TOP, side, files, ranks)


def _height(board: Board) -> float:
    return TOP + board.ranks * board.side + BELOW


@cache
def _ground(board: Board, theme: Theme) -> str:
    """What all drawings of a size have in common."""
    shapes = Shapes()
    shapes.rect(0, 0, WIDTH, _height(board), fill=theme.page)
    shapes.add(squares(board, theme))
    shapes.add(coordinates(board, theme, min(COORDINATE, board.side)))
    return str(shapes)


def _square(name: str) -> tuple[int, int]:
    """File and rank of a square, from 0."""
    return FILES.index(name[0]), int(name[1:]) - 1


def _corner(board: Board, name: str) -> tuple[float, float]:
    return board.corner(*_square(name))


def _draw_last(canvas: Canvas, board: Board, marks: Marks, theme: Theme) -> None:
    """The moves of the last turn, without the squares of those who ordered them."""
    if marks.moves:
        marks = marks._replace(last=frozenset(name for move in marks.moves for name in move))
    mark_last(canvas, marks, partial(_corner, board), board.side, theme)
    for move in marks.moves:
        _draw_arrow(canvas, board, move, class_="arrow", fill=theme.ink, fill_opacity=0.5)


def _draw_arrow(
    canvas: Canvas,
    board: Board,
    move: tuple[str, str],
    start: float = 0,
    **attributes: object,
) -> None:
    """From near the middle of a square, ``start`` squares off it, to near another one's."""
    (x, y), (x_end, y_end) = (board.centre(*_square(name)) for name in move)
    length = hypot(x_end - x, y_end - y) / board.side
    right, down = (x_end - x) / length, (y_end - y) / length
    tip = length - 0.3
    neck = tip - 0.32
    shaft, head = 0.06, 0.22
    points = [(start, shaft), (neck, shaft), (neck, head), (tip, 0)]
    points += [(along, -aside) for along, aside in points[2::-1]]
    data = "L".join(
        f"{x + along * right - aside * down:.1f} {y + along * down + aside * right:.1f}"
        for along, aside in points
    )
    canvas.path(f"M{data}z", **attributes)


def _draw_command(canvas: Canvas, state: State, board: Board, theme: Theme) -> None:
    """Where the mover can still activate pieces, and who can."""
    rows = [int(state.command[rank]) for rank in range(board.ranks)]
    if any(rows):
        canvas.path(_area(board, rows), class_="command", fill=theme.command, fill_opacity=0.16)
        canvas.path(
            _contour(board, rows),
            stroke=theme.command,
            stroke_width=max(3, 0.06 * board.side),
            stroke_linecap="round",
        )


def _area(board: Board, rows: list[int]) -> str:
    """Squares as a path, from the sets of files on each rank."""
    return "".join(
        "M{} {}h{width}v{side}h-{width}z".format(
            *board.corner(first, rank), width=(end - first) * board.side, side=board.side
        )
        for rank, files in enumerate(rows)
        for first, end in _runs(files)
    )


def _contour(board: Board, rows: list[int]) -> str:
    """The edges between these squares and others, as a path."""
    columns = [
        sum((row >> file & 1) << rank for rank, row in enumerate(rows))
        for file in range(board.files)
    ]
    bottom = board.top + board.ranks * board.side
    across = (
        f"M{board.left + first * board.side} {bottom - rank * board.side}"
        f"h{(end - first) * board.side}"
        for rank, (below, above) in enumerate(pairwise([0, *rows, 0]))
        for first, end in _runs(below ^ above)
    )
    upward = (
        f"M{board.left + file * board.side} {bottom - first * board.side}"
        f"v{(first - end) * board.side}"
        for file, (left, right) in enumerate(pairwise([0, *columns, 0]))
        for first, end in _runs(left ^ right)
    )
    return "".join([*across, *upward])


def _runs(bits: int) -> Iterator[tuple[int, int]]:
    """The first of each run of ones, and what comes after its last."""
    while bits:
        first = bits & -bits
        end = bits + first
        end &= -end
        yield first.bit_length() - 1, end.bit_length() - 1
        bits &= -end


def _active(state: State) -> dict[str, int]:
    """Squares of the mover's Chieftains with activations left, and how many."""
    number = int(state.chieftains[state.mover])
    cells, left = state.chieftain_cell[state.mover][:number], state.left[:number].tolist()
    return {name_of(cell): has for cell, has in zip(cells, left, strict=True) if has}


def _pieces(state: State, board: Board) -> Iterator[tuple[str, int]]:
    """What stands on each square that is not empty, by the square's name."""
    held = state.board.tolist()
    for rank in range(board.ranks):
        for file in range(board.files):
            cell = cell_of(file, rank)
            if held[cell] != EMPTY:
                yield name_of(cell), held[cell]


def _draw_choices(
    canvas: Canvas,
    state: State,
    board: Board,
    marks: Marks,
    theme: Theme,
    pieces: Mapping[str, int],
) -> None:
    """Where a piece may go, or who may activate the one that moves.

    Between the moves of a turn every piece may be chosen that the area of command shows.
    """
    if is_asked(state):
        _draw_commanders(canvas, board, marks, theme)
        marks = marks._replace(origin=name_of(state.origin), targets=frozenset())
    elif in_turn(state) and marks.origin is None:
        return
    mark_choices(canvas, marks, partial(_corner, board), board.side, theme, pieces)


def _draw_commanders(canvas: Canvas, board: Board, marks: Marks, theme: Theme) -> None:
    for name in sorted(marks.targets):
        x, y = board.centre(*_square(name))
        canvas.circle(
            x,
            y,
            0.47 * board.side,
            class_="target",
            fill=theme.target,
            fill_opacity=0.25,
            stroke=theme.target,
            stroke_width=0.1 * board.side,
        )


def _draw_pieces(
    canvas: Canvas,
    state: State,
    options: OptionsRecord,
    board: Board,
    theme: Theme,
    pieces: Mapping[str, int],
) -> None:
    """All pieces, with a line below those that have moved this turn."""
    active = {} if is_over(state, options) else _active(state)
    size = SHARE * board.side
    inset = (board.side - size) / 2
    for name, held in pieces.items():
        file, rank = _square(name)
        x, y = board.corner(file, rank)
        letter = letter_of(held)
        symbol, kind = letter, (held & KIND_BITS) - 1
        if name in active:
            symbol, kind = f"active-{letter}", ACTIVE_CHIEFTAIN
        canvas.symbol(symbol, piece(int(letter.islower()), kind, theme))
        canvas.use(
            symbol,
            x + inset,
            y + inset,
            size / BOX,
            class_="piece",
            data_piece=letter,
            data_square=name,
        )
        if int(state.moved[rank]) >> file & 1:
            _underline(canvas, board, theme, x, y)
        if active.get(name, 0) > 1:
            _number(canvas, board, theme, x, y, active[name])


def _underline(canvas: Canvas, board: Board, theme: Theme, x: float, y: float) -> None:
    side = board.side
    canvas.rect(
        x + 0.12 * side,
        y + 0.87 * side,
        0.76 * side,
        0.12 * side,
        class_="moved",
        fill=theme.command,
    )


def _number(
    canvas: Canvas, board: Board, theme: Theme, x: float, y: float, activations: int
) -> None:
    """How many activations a Chieftain has left, in the square's upper right corner."""
    x, y, side = x + 0.8 * board.side, y + 0.2 * board.side, board.side
    canvas.circle(x, y, 0.23 * side, fill=theme.command)
    canvas.text(x, y + 0.13 * side, str(activations), 0.36 * side, fill=theme.page)


def _draw_player(
    canvas: Canvas, state: State, options: OptionsRecord, board: Board, theme: Theme, player: int
) -> None:
    """Whose turn it is and which, activations left, what has been captured; or the result."""
    y = (_height(board) - 36, 36)[player]
    over, is_mover = bool(is_over(state, options)), player == int(state.mover)
    seat(canvas, LEFT + 30, y, 34, theme.of_player(player), theme, is_mover and not over)
    y += 0.36 * TEXT
    style = {"fill": theme.ink, "text_anchor": "start"}
    canvas.text(LEFT + 64, y, f"captured {int(state.score[player])}", TEXT, **style)
    if over:
        best = int(winner(state, options))
        news = "draw" if best < 0 else "won" if best == player else "lost"
    elif is_mover:
        left = int(activations_left(state))
        left_text = f"{left} activation{'s' * (left != 1)} left"
        canvas.text(WIDTH / 2, y, left_text, TEXT, fill=theme.command)
        news = f"turn {int(state.turn_count) + 1}"
    else:
        news = "passed" if state.pass_count else ""
    canvas.text(RIGHT, y, news, TEXT, fill=theme.ink, text_anchor="end")
