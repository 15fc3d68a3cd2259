"""Drawings of Chieftain, on boards of any size.

An outline shows the area in which the mover's Chieftains can still activate pieces; those that can
have gold in their crowns. Pieces that have moved in the current turn are underlined.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from math import hypot
from typing import TYPE_CHECKING

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.games.chieftain.drawing.pieces import (
    ACTIVE_CHIEFTAIN,
    ACTIVE_LEADER,
    NAMES,
    piece,
)
from pasgl_env.games.chieftain.position_text import letter_of, sort_of
from pasgl_env.games.chieftain.rules.board import (
    ALL_LETTERS,
    EMPTY,
    FILES,
    LEADER,
    cell_of,
    name_of,
)
from pasgl_env.games.chieftain.rules.state import in_turn, is_asked, is_over, winner
from pasgl_env.render.svg.board import (
    Board,
    Box,
    coordinates,
    mark_choices,
    mark_squares,
    seat,
    squares,
)
from pasgl_env.render.svg.canvas import Canvas, Shapes
from pasgl_env.render.svg.silhouette import BOX, SEATS
from pasgl_env.render.svg.theme import Theme

if TYPE_CHECKING:
    from pasgl_env.render import Marks

WIDTH = 1000
LEFT, RIGHT, TOP, BELOW = 46, 986, 72, 106
# The room for a board, and the largest side of a square.
MOST_WIDE, MOST_HIGH, MOST_SIDE = RIGHT - LEFT, 1100, 150
TEXT, COORDINATE = 30, 25
# The silhouettes' share of a square's side, without their outlines.
SHARE = 0.84


def bare(options: OptionsRecord, marks: Marks, theme: Theme) -> Canvas:
    """The board without pieces, with the moves of the last turn if they are known."""
    board = _board_under(options)
    canvas = Canvas(WIDTH, _height(board), "the board", f"chieftain-{theme.name}-")
    canvas.add(_ground(board, theme))
    if marks.moves:  # not the squares of the Chieftains that ordered them
        marks = marks._replace(last=frozenset(name for move in marks.moves for name in move))
    mark_squares(canvas, marks, lambda name: board.corner(*_place(name)), board.side, theme)
    return canvas


def places(options: OptionsRecord) -> dict[str, Box]:
    """The squares."""
    board = _board_under(options)
    return {
        name_of(cell_of(file, rank)): board.box(file, rank)
        for rank in range(board.ranks)
        for file in range(board.files)
    }


def icon(symbol: str, options: OptionsRecord, theme: Theme) -> Canvas:
    """A piece."""
    kind = ALL_LETTERS.index(symbol.upper())
    canvas = Canvas(BOX, BOX, NAMES[kind], f"chieftain-{theme.name}-")
    canvas.add(piece(int(symbol.islower()), kind, theme))
    return canvas


def draw(state: State, options: OptionsRecord, marks: Marks, theme: Theme) -> Canvas:
    """The drawing of a state record under an options record."""
    drawing = _ChieftainDrawing(state, options, marks, theme)
    drawing.last_turn()
    drawing.command()
    drawing.choices()
    drawing.pieces()
    drawing.question()
    for player in range(2):
        drawing.player(player)
    return drawing.canvas


@cache
def board_of(files: int, ranks: int) -> Board:
    """The squares of a board; boards of all sizes have the same width if possible."""
    side = min(MOST_WIDE // files, MOST_HIGH // ranks, MOST_SIDE)
    return Board(LEFT + (MOST_WIDE - files * side) // 2, TOP, side, files, ranks)


def _board_under(options: OptionsRecord) -> Board:
    return board_of(int(options.files), int(options.ranks))


def _height(board: Board) -> int:
    return int(TOP + board.ranks * board.side + BELOW)


@cache
def _ground(board: Board, theme: Theme) -> str:
    """The part shared by all drawings of a board."""
    shapes = Shapes()
    shapes.rect(0, 0, WIDTH, _height(board), fill=theme.page)
    shapes.add(squares(board, theme))
    shapes.add(coordinates(board, theme, min(COORDINATE, board.side)))
    return str(shapes)


class _ChieftainDrawing:
    """A drawing in progress; its methods add parts on top of each other."""

    def __init__(self, state: State, options: OptionsRecord, marks: Marks, theme: Theme) -> None:
        self._state = state
        self._marks = marks
        self._theme = theme
        self._board = _board_under(options)
        self._mover = int(state.mover)
        self._is_over = bool(is_over(state, options))
        self._best = int(winner(state, options)) if self._is_over else -1
        self._active = {} if self._is_over else _active(state)
        self._pieces = dict(_pieces(state, self._board))
        self.canvas = bare(options, marks, theme)
        self.canvas.title = f"turn {int(state.turn_count) + 1}, {self._stands()}"

    def _stands(self) -> str:
        if not self._is_over:
            return f"{SEATS[self._mover]} to move"
        if self._best < 0:
            return "over: a draw, both have passed"
        return f"over: {SEATS[self._best]} wins, {SEATS[1 - self._best]} has no Chieftain"

    def last_turn(self) -> None:
        """The moves of the last turn, if they are known."""
        for move in self._marks.moves:
            self._arrow(move, fill=self._theme.ink, fill_opacity=0.5)

    def command(self) -> None:
        """The area in which the mover can still activate pieces."""
        rows = self._state.command[: self._board.ranks].tolist()
        if self._is_over or not any(rows):
            return
        colour = self._theme.command
        self.canvas.path(_area(self._board, rows), class_="command", fill=colour, fill_opacity=0.16)
        self.canvas.path(
            _contour(self._board, rows), stroke=colour, stroke_width=4, stroke_linecap="square"
        )

    def choices(self) -> None:
        """The targets of a piece, or the Chieftains that may activate it.

        Between the moves of a turn, every piece in the area of command may be chosen.
        """
        marks = self._marks
        if is_asked(self._state):
            for name in sorted(marks.targets):
                self._ring(name)
            marks = marks._replace(origin=name_of(self._state.origin), targets=frozenset())
        elif in_turn(self._state) and marks.origin is None:
            return
        side = self._board.side
        mark_choices(self.canvas, marks, self._corner, side, self._theme, self._pieces)

    def pieces(self) -> None:
        """All pieces; a line below those that have moved this turn."""
        size = SHARE * self._board.side
        inset = (self._board.side - size) / 2
        moved = self._state.moved.tolist()
        for name, held in self._pieces.items():
            file, rank = _place(name)
            x, y = self._board.corner(file, rank)
            letter, kind = letter_of(held), sort_of(held)
            symbol = letter
            if name in self._active:
                symbol = f"active-{letter}"
                kind = ACTIVE_LEADER if kind == LEADER else ACTIVE_CHIEFTAIN
            self.canvas.symbol(symbol, piece(int(letter.islower()), kind, self._theme))
            self.canvas.use(
                symbol,
                x + inset,
                y + inset,
                size / BOX,
                class_="piece",
                data_piece=letter,
                data_square=name,
            )
            if moved[rank] >> file & 1:
                self._underline(x, y)
        for name, activations in self._active.items():
            if activations > 1:
                self._badge(name, activations)

    def question(self) -> None:
        """The move whose commander is to be chosen."""
        if is_asked(self._state):
            move = name_of(self._state.origin), name_of(self._state.target)
            self._arrow(move, start=0.3, fill=self._theme.target)

    def player(self, player: int) -> None:
        """The turn, activations left and points of a player, or the result."""
        state, theme = self._state, self._theme
        middle = (_height(self._board) - 36, 36)[player]
        moves = player == self._mover and not self._is_over
        seat(self.canvas, LEFT + 30, middle, 34, theme.of_player(player), theme, moves)
        y = middle + 0.36 * TEXT
        number = int(state.score[player])
        points = f"{number} point{'s' * (number != 1)}"
        self.canvas.text(LEFT + 64, y, points, TEXT, fill=theme.ink, text_anchor="start")
        if moves:
            left = sum(self._active.values())
            orders = f"{left} activation{'s' * (left != 1)} left"
            self.canvas.text(WIDTH / 2, y, orders, TEXT, fill=theme.command)
        news = self._news(player)
        self.canvas.text(RIGHT, y, news, TEXT, fill=theme.ink, text_anchor="end")

    def _news(self, player: int) -> str:
        if self._is_over:
            if self._best < 0:
                return "draw: both passed"
            return "won" if self._best == player else "lost: no Chieftain"
        if player == self._mover:
            return f"turn {int(self._state.turn_count) + 1}"
        return "passed" if self._state.pass_count else ""

    def _corner(self, name: str) -> tuple[float, float]:
        return self._board.corner(*_place(name))

    def _ring(self, name: str) -> None:
        """A ring around a Chieftain that may be chosen."""
        x, y = self._board.centre(*_place(name))
        side, colour = self._board.side, self._theme.target
        tint = {"fill": colour, "fill_opacity": 0.25}
        self.canvas.circle(
            x, y, 0.47 * side, class_="target", **tint, stroke=colour, stroke_width=0.1 * side
        )

    def _underline(self, x: float, y: float) -> None:
        """A line below the piece on a square, given by its upper left corner."""
        side = self._board.side
        box = x + 0.12 * side, y + 0.87 * side, 0.76 * side, 0.12 * side
        self.canvas.rect(*box, class_="moved", fill=self._theme.command)

    def _badge(self, name: str, number: int) -> None:
        """A number in the upper right corner of a square."""
        side = self._board.side
        x, y = self._corner(name)
        x, y = x + 0.8 * side, y + 0.2 * side
        self.canvas.circle(x, y, 0.23 * side, class_="badge", fill=self._theme.command)
        self.canvas.text(x, y + 0.13 * side, str(number), 0.36 * side, fill=self._theme.page)

    def _arrow(self, move: tuple[str, str], start: float = 0, **attributes: object) -> None:
        """An arrow between two squares, from ``start`` squares off the middle of the first."""
        (x, y), (x_end, y_end) = (self._board.centre(*_place(name)) for name in move)
        length = hypot(x_end - x, y_end - y) / self._board.side
        right, down = (x_end - x) / length, (y_end - y) / length
        shaft, head = 0.06, 0.22
        tip = length - 0.3
        neck = tip - 0.32
        points = [(start, shaft), (neck, shaft), (neck, head), (tip, 0)]
        points += [(along, -aside) for along, aside in points[2::-1]]
        data = "L".join(
            f"{x + along * right - aside * down:.1f} {y + along * down + aside * right:.1f}"
            for along, aside in points
        )
        self.canvas.path(f"M{data}z", class_="arrow", **attributes)


def _place(name: str) -> tuple[int, int]:
    """File and rank of a square, from 0."""
    return FILES.index(name[0]), int(name[1:]) - 1


def _active(state: State) -> dict[str, int]:
    """Squares of the mover's Chieftains with activations left, and how many."""
    number = int(state.chieftains[state.mover])
    cells, left = state.chieftain_cell[state.mover][:number], state.left[:number].tolist()
    return {name_of(cell): has for cell, has in zip(cells, left, strict=True) if has}


def _pieces(state: State, board: Board) -> Iterator[tuple[str, int]]:
    """The piece on each square that is not empty, by the square's name."""
    held = state.board.tolist()
    for rank in range(board.ranks):
        for file in range(board.files):
            cell = cell_of(file, rank)
            if held[cell] != EMPTY:
                yield name_of(cell), held[cell]


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
        sum((files >> file & 1) << rank for rank, files in enumerate(rows))
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
    """The index of the first of each run of ones, and the index after its last."""
    while bits:
        first = bits & -bits
        # The sum carries to the first zero above the run.
        end = bits + first & -(bits + first)
        yield first.bit_length() - 1, end.bit_length() - 1
        bits &= -end
