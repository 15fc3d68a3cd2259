"""Drawings of Captain Spalding Chess: the board between two trays, one for each player.

A tray shows what a player's containers can bring out; what they cannot, now or ever again, is pale.
In the middle of a turn small pieces on the board show what may be put where.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from pasgl_env.engine.loops import loops_of
from pasgl_env.games.contract import OptionsRecord, State
from pasgl_env.games.spalding import GAME
from pasgl_env.games.spalding.board import INDEX, NAMES, NONE, SQUARES, TURN
from pasgl_env.games.spalding.legal import (
    ACTIONS,
    CREATES,
    CREATIONS,
    FINDS_OF,
    FOUND,
    creates,
)
from pasgl_env.games.spalding.state import (
    BAT,
    BOX,
    ELEPHANT,
    EMPTY,
    FINDS,
    GREAT,
    LEFT_BITS,
    OWN,
    PAJAMA,
)
from pasgl_env.games.spalding.text import CONTENT_LETTERS
from pasgl_env.render.svg.board import Board, coordinates, mark_choices, mark_last, seat, squares
from pasgl_env.render.svg.canvas import Canvas, Shapes
from pasgl_env.render.svg.silhouette import BOX as UNITS
from pasgl_env.render.svg.spalding_pieces import piece
from pasgl_env.render.svg.theme import Theme

if TYPE_CHECKING:
    from pasgl_env.render import Marks

WIDTH, HEIGHT = 860, 1040
SIDE = 100
BOARD = Board(left=44, top=100, side=SIDE, files=8, ranks=8)
RIGHT = BOARD.left + 8 * SIDE
TRAY_LEFT = 122
TRAY_MIDDLE = (992, 50)
PIECE_SIZE, CONTAINER_SIZE, FIND_SIZE, GAP = 86, 60, 46, 9
PALE = 0.25
# What may be put on a free square: the size of so many small pieces, and their upper left corners.
CHOICES = {
    1: (60, ((20, 20),)),
    2: (42, ((7, 29), (51, 29))),
    3: (42, ((7, 7), (51, 7), (29, 51))),
    4: (42, ((7, 7), (51, 7), (7, 51), (51, 51))),
}

Point = tuple[float, float]


def draw(state: State, options: OptionsRecord, marks: Marks, theme: Theme) -> Canvas:
    """The drawing of a state record under an options record."""
    legal = _legal_actions(state, options)
    mover = GAME.seats(options)[state.mover]
    title = f"turn {int(state.turn_count) + 1}, {mover} {'to move' if legal else 'has lost'}"
    canvas = Canvas(WIDTH, HEIGHT, title, f"spalding-{theme.name}-")
    canvas.add(_ground(theme))
    mark_last(canvas, marks, _corner, SIDE, theme)
    _draw_board(canvas, state, marks, theme, _creations(state, legal))
    for player in range(2):
        _draw_seat(canvas, state, theme, player, is_over=not legal)
        _draw_tray(canvas, state, options, theme, player)
    return canvas


def _legal_actions(state: State, options: OptionsRecord) -> list[int]:
    """Empty if the game is over."""
    mask = np.zeros(ACTIONS, np.uint8)
    loops_of(GAME).look(np.array([state]), np.array([options]), mask)
    actions: list[int] = np.flatnonzero(mask).tolist()
    return actions


@cache
def _ground(theme: Theme) -> str:
    """What all drawings have in common."""
    shapes = Shapes()
    shapes.rect(0, 0, WIDTH, HEIGHT, fill=theme.page)
    shapes.add(squares(BOARD, theme))
    shapes.add(coordinates(BOARD, theme, 26))
    return str(shapes)


def _corner(name: str) -> Point:
    rank, file = divmod(INDEX[name], 8)
    return BOARD.corner(file, rank)


def _creations(state: State, legal: list[int]) -> dict[str, list[int]]:
    """What may be created on which square; empty unless a container has moved."""
    creations: dict[str, list[int]] = {}
    for action in legal:
        if action >= CREATIONS:
            find, turned = divmod(action - CREATIONS, SQUARES)
            square = turned ^ int(TURN[state.mover])
            content = int(creates(state, find, square, int(state.board[square])))
            creations.setdefault(NAMES[square], []).append(content)
    return creations


def _draw_board(
    canvas: Canvas, state: State, marks: Marks, theme: Theme, creations: Mapping[str, list[int]]
) -> None:
    """What may be chosen, and the pieces."""
    pieces = {
        name: content
        for name, content in zip(NAMES, state.board.tolist(), strict=False)
        if content != EMPTY
    }
    if state.container != NONE:
        marks = marks._replace(origin=NAMES[state.container])
    shown = sorted(marks.targets & creations.keys())
    others = marks._replace(targets=marks.targets.difference(shown))
    mark_choices(canvas, others, _corner, SIDE, theme, pieces)
    for name in shown:
        _draw_frame(canvas, theme, _corner(name))
    inset = (SIDE - PIECE_SIZE) / 2
    for name, content in pieces.items():
        x, y = _corner(name)
        _draw_piece(
            canvas,
            theme,
            content,
            (x + inset, y + inset),
            PIECE_SIZE,
            class_="piece",
            data_piece=CONTENT_LETTERS[content],
            data_square=name,
        )
    for name in shown:
        _draw_choices(canvas, theme, _corner(name), creations[name], is_free=name not in pieces)


def _draw_piece(
    canvas: Canvas, theme: Theme, content: int, corner: Point, size: float, **attributes: object
) -> None:
    """A piece by the upper left corner of its box."""
    name = CONTENT_LETTERS[content]
    canvas.symbol(name, piece(content, theme))
    canvas.use(name, *corner, size / UNITS, **attributes)


def _draw_frame(canvas: Canvas, theme: Theme, corner: Point) -> None:
    """Around a square on which something may be put."""
    x, y = corner
    tint = {"fill": theme.target, "fill_opacity": 0.2, "stroke": theme.target, "stroke_width": 4}
    canvas.rect(x + 3, y + 3, SIDE - 6, SIDE - 6, rx=12, class_="target", **tint)


def _draw_choices(
    canvas: Canvas, theme: Theme, corner: Point, contents: list[int], *, is_free: bool
) -> None:
    """What may be put on a square: in miniature, on an occupied one upon a disc in the corner."""
    x, y = corner
    if is_free:
        size, places = CHOICES[len(contents)]
        for (right, down), content in zip(places, contents, strict=True):
            _draw_piece(canvas, theme, content, (x + right, y + down), size, class_="choice")
    else:
        canvas.circle(x + 70, y + 70, 30, fill=theme.light, stroke=theme.target, stroke_width=4)
        _draw_piece(canvas, theme, contents[0], (x + 47, y + 47), 46, class_="choice")


def _draw_seat(canvas: Canvas, state: State, theme: Theme, player: int, *, is_over: bool) -> None:
    """Whose turn it is and which, or who has won."""
    y, is_mover = TRAY_MIDDLE[player], player == int(state.mover)
    seat(canvas, 88, y, 40, theme.of_player(player), theme, is_mover and not is_over)
    if is_over:
        result = "lost" if is_mover else "won"
        canvas.text(RIGHT, y + 10, result, 30, text_anchor="end", fill=theme.ink)
    elif is_mover:
        turn = str(int(state.turn_count) + 1)
        canvas.text(RIGHT, y - 8, "turn", 24, text_anchor="end", fill=theme.ink)
        canvas.text(
            RIGHT, y + 24, turn, min(30, 140 / len(turn)), text_anchor="end", fill=theme.ink
        )


def _draw_tray(
    canvas: Canvas, state: State, options: OptionsRecord, theme: Theme, player: int
) -> None:
    """A player's containers, each with what it can bring out."""
    x, middle = TRAY_LEFT, TRAY_MIDDLE[player]
    for container in (BOX, PAJAMA, GREAT):
        finds = [find for find in range(*FINDS_OF[container]) if options[GAME.options[find].name]]
        width = CONTAINER_SIZE + len(finds) * FIND_SIZE + 2 * GAP
        content = int(OWN[player] + container)
        is_lost = not state.number[content]
        with canvas.group(opacity=PALE if is_lost else None):
            canvas.rect(x, middle - 38, width, 76, rx=16, fill=theme.light)
            corner = (x + GAP / 2, middle - CONTAINER_SIZE / 2)
            _draw_piece(canvas, theme, content, corner, CONTAINER_SIZE)
            for place, find in enumerate(finds):
                left = x + 1.25 * GAP + CONTAINER_SIZE + place * FIND_SIZE
                is_pale = not is_lost and not _is_inside(state, player, find)
                _draw_piece(
                    canvas,
                    theme,
                    int(CREATES[player, find, EMPTY]),
                    (left, middle - FIND_SIZE / 2),
                    FIND_SIZE,
                    class_="find",
                    opacity=PALE if is_pale else None,
                )
        x += width + GAP


def _is_inside(state: State, player: int, find: int) -> bool:
    """Whether a container has a find that the options put into it."""
    kind = int(FOUND[find])
    if kind in FINDS:
        return bool(int(state.left) >> (LEFT_BITS * player + FINDS.index(kind)) & 1)
    if kind == ELEPHANT:
        return not state.number[OWN[player] + ELEPHANT]
    if kind == BAT:
        return int(state.bat_files[player]) != 0xFF
    return True
