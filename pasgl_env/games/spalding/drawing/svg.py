"""Drawings of Captain Spalding Chess: the board between two trays, one for each player.

A tray shows the possible finds of a player's containers; impossible ones are pale. In the middle of
a turn, small pieces on the board show which finds may be put where.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.engine.loops import NOTHING, loops_of
from pasgl_env.games.spalding import GAME
from pasgl_env.games.spalding.drawing.pieces import piece
from pasgl_env.games.spalding.names import KIND_NAMES
from pasgl_env.games.spalding.position_text import CONTENT_LETTERS
from pasgl_env.games.spalding.rules.board import INDEX, NAMES, NONE, SQUARES, TURN
from pasgl_env.games.spalding.rules.legal import (
    ACTIONS,
    CREATES,
    CREATIONS,
    FINDS_OF,
    FOUND,
    creates,
)
from pasgl_env.games.spalding.rules.state import (
    BAT,
    BOX,
    ELEPHANT,
    EMPTY,
    FINDS,
    GREAT,
    KIND,
    LEFT_BITS,
    OWN,
    PAJAMA,
)
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
from pasgl_env.render.svg.silhouette import BOX as UNITS
from pasgl_env.render.svg.silhouette import SEATS
from pasgl_env.render.svg.theme import Theme

if TYPE_CHECKING:
    from pasgl_env.render import Marks

WIDTH, HEIGHT = 860, 1040
SIDE = 100
BOARD = Board(left=44, top=100, side=SIDE, files=8, ranks=8)
RIGHT = BOARD.left + 8 * SIDE
TRAY_LEFT, NOTE_WIDTH = 122, 146
TRAY_MIDDLE = (992, 50)
PIECE_SIZE, CONTAINER_SIZE, FIND_SIZE, GAP = 86, 60, 46, 9
PALE = 0.25
# Finds on a free square: the size of small pieces by their number, and their upper left corners.
CHOICES = {
    1: (60, ((20, 20),)),
    2: (42, ((7, 29), (51, 29))),
    3: (42, ((7, 7), (51, 7), (29, 51))),
    4: (42, ((7, 7), (51, 7), (7, 51), (51, 51))),
}
# The same on an occupied square, which has one possible find.
ON_DISC = (46, ((47, 47),))
ALL_FILES = 0xFF

Point = tuple[float, float]


def bare(options: OptionsRecord, marks: Marks, theme: Theme) -> Canvas:
    """The board without pieces."""
    canvas = Canvas(WIDTH, HEIGHT, "the board", f"spalding-{theme.name}-")
    canvas.add(_ground(theme))
    mark_squares(canvas, marks, _corner, SIDE, theme)
    return canvas


def places(options: OptionsRecord) -> dict[str, Box]:
    """The squares."""
    return {name: BOARD.box(*divmod(INDEX[name], 8)[::-1]) for name in NAMES[:SQUARES]}


def icon(symbol: str, options: OptionsRecord, theme: Theme) -> Canvas:
    """A piece."""
    content = CONTENT_LETTERS.index(symbol)
    canvas = Canvas(UNITS, UNITS, KIND_NAMES[int(KIND[content])], f"spalding-{theme.name}-")
    canvas.add(piece(content, theme))
    return canvas


def draw(state: State, options: OptionsRecord, marks: Marks, theme: Theme) -> Canvas:
    """The drawing of a state record under an options record."""
    drawing = _SpaldingDrawing(state, options, marks, theme)
    drawing.marks()
    drawing.pieces()
    drawing.choices()
    for player in range(2):
        drawing.player(player)
        drawing.tray(player)
    return drawing.canvas


@cache
def _ground(theme: Theme) -> str:
    """The part shared by all drawings."""
    shapes = Shapes()
    shapes.rect(0, 0, WIDTH, HEIGHT, fill=theme.page)
    shapes.add(squares(BOARD, theme))
    shapes.add(coordinates(BOARD, theme, 26))
    return str(shapes)


class _SpaldingDrawing:
    """A drawing in progress; its methods add parts on top of each other."""

    def __init__(self, state: State, options: OptionsRecord, marks: Marks, theme: Theme) -> None:
        self._state = state
        self._options = options
        self._marks = marks
        self._theme = theme
        self._mover = int(state.mover)
        self._pieces = {
            name: content
            for name, content in zip(NAMES, state.board.tolist(), strict=False)
            if content != EMPTY
        }
        legal = _legal_actions(state, options)
        self._is_over = not legal
        creations = _creations(state, legal)
        self._choices = {name: creations[name] for name in sorted(marks.targets & creations.keys())}
        self.canvas = bare(options, marks, theme)
        self.canvas.title = f"turn {int(state.turn_count) + 1}, {self._stands()}"

    def _stands(self) -> str:
        if self._is_over:
            winner, loser = SEATS[1 - self._mover], SEATS[self._mover]
            return f"over: {winner} wins, {loser} has {self._lack()}"
        return f"{SEATS[self._mover]} to move"

    def _lack(self) -> str:
        """The reason for a loss, in words."""
        return "no turn" if self._state.number[OWN[self._mover] + BOX] else "no Box"

    def marks(self) -> None:
        """The moving piece, and its targets or those of a find."""
        marks = self._marks._replace(targets=self._marks.targets - self._choices.keys())
        if self._state.container != NONE:
            marks = marks._replace(origin=NAMES[self._state.container])
        mark_choices(self.canvas, marks, _corner, SIDE, self._theme, self._pieces)
        for name in self._choices:
            self._frame(name)

    def pieces(self) -> None:
        """The pieces on the board."""
        inset = (SIDE - PIECE_SIZE) / 2
        for name, content in self._pieces.items():
            x, y = _corner(name)
            self._piece(
                content,
                (x + inset, y + inset),
                PIECE_SIZE,
                class_="piece",
                data_piece=CONTENT_LETTERS[content],
                data_square=name,
            )

    def choices(self) -> None:
        """Possible finds on squares: small, on occupied squares on a disc in the corner."""
        for name, contents in self._choices.items():
            x, y = _corner(name)
            is_free = name not in self._pieces
            size, places = CHOICES[len(contents)] if is_free else ON_DISC
            if not is_free:
                disc = {"fill": self._theme.light, "stroke": self._theme.target}
                self.canvas.circle(x + 70, y + 70, 30, **disc, stroke_width=4)
            for (right, down), content in zip(places, contents, strict=True):
                self._piece(content, (x + right, y + down), size, class_="choice")

    def player(self, player: int) -> None:
        """A player's turn, or the result."""
        y, is_mover = TRAY_MIDDLE[player], player == self._mover
        moves = is_mover and not self._is_over
        seat(self.canvas, 88, y, 40, self._theme.of_player(player), self._theme, moves)
        if moves:
            self._note(y, "turn", str(int(self._state.turn_count) + 1))
        elif self._is_over and is_mover:
            self._note(y, "lost", self._lack())
        elif self._is_over:
            self._note(y, "won")

    def _note(self, y: float, *lines: str) -> None:
        """One or two short lines at the right end of a tray."""
        for text, down in zip(lines, (-8, 24) if len(lines) == 2 else (9,), strict=True):
            size = min(27, NOTE_WIDTH / len(text))
            self.canvas.text(RIGHT, y + down, text, size, text_anchor="end", fill=self._theme.ink)

    def tray(self, player: int) -> None:
        """A player's containers, each with its possible finds."""
        x, middle = TRAY_LEFT, TRAY_MIDDLE[player]
        for kind in (BOX, PAJAMA, GREAT):
            container = int(OWN[player] + kind)
            is_lost = not self._state.number[container]
            finds = [
                find for find in range(*FINDS_OF[kind]) if self._options[GAME.options[find].name]
            ]
            width = CONTAINER_SIZE + len(finds) * FIND_SIZE + 2 * GAP
            with self.canvas.group(opacity=PALE if is_lost else None):
                self.canvas.rect(x, middle - 38, width, 76, rx=16, fill=self._theme.light)
                corner = (x + GAP / 2, middle - CONTAINER_SIZE / 2)
                self._piece(container, corner, CONTAINER_SIZE)
                for place, find in enumerate(finds):
                    left = x + 1.25 * GAP + CONTAINER_SIZE + place * FIND_SIZE
                    self._piece(
                        int(CREATES[player, find, EMPTY]),
                        (left, middle - FIND_SIZE / 2),
                        FIND_SIZE,
                        class_="find",
                        opacity=None if is_lost or _is_inside(self._state, player, find) else PALE,
                    )
            x += width + GAP

    def _piece(self, content: int, corner: Point, size: float, **attributes: object) -> None:
        """A piece by the upper left corner of its box."""
        name, (x, y) = CONTENT_LETTERS[content], corner
        self.canvas.symbol(name, piece(content, self._theme))
        self.canvas.use(name, x, y, size / UNITS, **attributes)

    def _frame(self, name: str) -> None:
        """A frame around a square on which a find may be put."""
        x, y = _corner(name)
        colour = self._theme.target
        tint = {"fill": colour, "fill_opacity": 0.2, "stroke": colour, "stroke_width": 4}
        self.canvas.rect(x + 3, y + 3, SIDE - 6, SIDE - 6, rx=12, class_="target", **tint)


def _corner(name: str) -> Point:
    rank, file = divmod(INDEX[name], 8)
    return BOARD.corner(file, rank)


def _legal_actions(state: State, options: OptionsRecord) -> list[int]:
    """The legal actions; empty if the game is over."""
    mask = np.zeros(ACTIONS, np.uint8)
    loops_of(GAME).advance(np.array([state]), np.array([options]), NOTHING, mask)
    actions: list[int] = np.flatnonzero(mask).tolist()
    return actions


def _creations(state: State, legal: list[int]) -> dict[str, list[int]]:
    """The possible creations on each square; empty unless a container has moved."""
    creations: dict[str, list[int]] = {}
    for action in legal:
        if action >= CREATIONS:
            find, turned = divmod(action - CREATIONS, SQUARES)
            square = turned ^ int(TURN[state.mover])
            content = int(creates(state, find, square, int(state.board[square])))
            creations.setdefault(NAMES[square], []).append(content)
    return creations


def _is_inside(state: State, player: int, find: int) -> bool:
    """Whether the options put a find into a container."""
    kind = int(FOUND[find])
    if kind in FINDS:
        return bool(int(state.left) >> (LEFT_BITS * player + FINDS.index(kind)) & 1)
    if kind == ELEPHANT:
        return not state.number[OWN[player] + ELEPHANT]
    if kind == BAT:
        return int(state.bat_files[player]) != ALL_FILES
    return True
