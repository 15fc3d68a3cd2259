"""Drawings of Chieftain, on boards of any size.

An outline shows the area in which the mover's Chieftains can still activate pieces; those that can
have gold in their crowns. Pieces that have moved in the current turn are underlined.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from pasgl_env.contract.base import OptionsRecord
from pasgl_env.games.chieftain.description import symbols
from pasgl_env.games.chieftain.drawing import scene as shown
from pasgl_env.games.chieftain.drawing.pieces import ACTIVE_CHIEFTAIN, ACTIVE_LEADER, piece
from pasgl_env.games.chieftain.rules.board import ALL_LETTERS, FILES
from pasgl_env.render.svg.board import Board, coordinates, seat, squares
from pasgl_env.render.svg.canvas import Shapes
from pasgl_env.render.svg.layout import Arrow, Icon, Layout, Look, Role, at, used_piece
from pasgl_env.render.svg.silhouette import SEATS
from pasgl_env.render.svg.theme import Theme

MOST, scene = shown.MOST, shown.scene
WIDTH = 1000
LEFT, RIGHT, TOP, BELOW = 46, 986, 72, 106
# The room for a board, and the largest side of a square.
MOST_WIDE, MOST_HIGH, MOST_SIDE = RIGHT - LEFT, 1100, 150
TEXT, COORDINATE = 30, 25
# The silhouettes' share of a square's side, without their outlines.
SHARE = 0.84
ARROW = Arrow(shaft=0.06, head=0.22, length=0.32, gap=0.3)
_ACTIVE = (("C", ACTIVE_CHIEFTAIN), ("L", ACTIVE_LEADER))


def layout(options: OptionsRecord, theme: Theme) -> Layout:
    """The board under options."""
    board, prefix = board_of(int(options.files), int(options.ranks)), f"chieftain-{theme.name}-"
    shapes = {
        symbol.text: piece(int(symbol.text.islower()), ALL_LETTERS.index(symbol.letter), theme)
        for symbol in symbols(options)
    }
    fields = [{"symbol": text, "shape": text} for text in shapes]
    icons = {symbol.text: Icon(symbol.name, shapes[symbol.text]) for symbol in symbols(options)}
    for player in range(2):
        for letter, kind in _ACTIVE:
            text = letter.lower() if player else letter
            shapes[f"active-{text}"] = piece(player, kind, theme)
            fields.append({"symbol": text, "shape": f"active-{text}"})
    places = [(file, rank) for rank in range(board.ranks) for file in range(board.files)]
    return Layout(
        theme=theme,
        prefix=prefix,
        size=(WIDTH, _height(board)),
        side=board.side,
        ground=_ground(board, theme),
        board=board,
        places=tuple(board.box(*place) for place in places),
        squares=tuple(f"{FILES[file]}{rank + 1}" for file, rank in places),
        looks=tuple([*_looks(board.side, theme, prefix), *_players(board, theme)]),
        symbols=tuple(fields),
        shapes=shapes,
        icons=icons,
        arrow=ARROW,
        move=shown.MOVE,
    )


@cache
def board_of(files: int, ranks: int) -> Board:
    """The squares of a board; boards of all sizes have the same width if possible."""
    side = min(MOST_WIDE // files, MOST_HIGH // ranks, MOST_SIDE)
    return Board(LEFT + (MOST_WIDE - files * side) // 2, TOP, side, files, ranks)


def _height(board: Board) -> int:
    return int(TOP + board.ranks * board.side + BELOW)


def _ground(board: Board, theme: Theme) -> str:
    """The part shared by all drawings of a board."""
    shapes = Shapes().rect(0, 0, WIDTH, _height(board), fill=theme.page).add(squares(board, theme))
    return str(shapes.add(coordinates(board, theme, min(COORDINATE, board.side))))


def _looks(side: float, theme: Theme, prefix: str) -> Iterator[Look]:
    """The looks of what is on the board, in the order of their numbers."""
    shapes = Shapes()
    shapes.path("{area}", class_="command", fill=theme.command, fill_opacity=0.16)
    shapes.path("{outline}", stroke=theme.command, stroke_width=4, stroke_linecap="square")
    yield Look(str(shapes), Role.AREA)
    yield Look(role=Role.ORIGIN)
    # A ring around a Chieftain that may be chosen.
    tint: dict[str, Any] = {"fill": theme.target, "fill_opacity": 0.25, "stroke": theme.target}
    ring = {"class_": "target", **tint, "stroke_width": 0.1 * side}
    yield Look(str(Shapes().circle("{cx}", "{cy}", 0.47 * side, **ring)), Role.TARGET)
    # Between the moves of a turn, every piece in the area of command may be chosen.
    yield Look(role=Role.TARGET)
    yield Look(used_piece(prefix, "{shape}"), Role.PIECE, share=SHARE)
    line = at("x", 0.12 * side), at("y", 0.87 * side), 0.76 * side, 0.12 * side
    yield Look(str(Shapes().rect(*line, class_="moved", fill=theme.command)))
    x, badge = at("x", 0.8 * side), {"class_": "badge", "fill": theme.command}
    shapes = Shapes().circle(x, at("y", 0.2 * side), 0.23 * side, **badge)
    shapes.text(x, at("y", 0.33 * side), "{number}", 0.36 * side, fill=theme.page)
    yield Look(str(shapes))
    for arrow, tint in (
        ("{arrow+0.3}", {"fill": theme.target}),
        ("{arrow}", {"fill": theme.ink, "fill_opacity": 0.5}),
    ):
        yield Look(str(Shapes().path(arrow, class_="arrow", **tint)))


def _players(board: Board, theme: Theme) -> Iterator[Look]:
    """The looks of what is said of players."""
    middles = _height(board) - 36, 36
    for moves in (False, True):
        for player, y in enumerate(middles):
            yield Look(seat(LEFT + 30, y, 34, theme, player, moves))
    points = LEFT + 64, "start", theme.ink
    orders = WIDTH / 2, "middle", theme.command
    news = RIGHT, "end", theme.ink
    for words, (x, anchor, colour) in (
        ("{number} points", points),
        ("{number} point", points),
        ("{number} activations left", orders),
        ("{number} activation left", orders),
        ("turn {number}", news),
        ("passed", news),
        ("draw: both passed", news),
        ("won", news),
        ("lost: no Chieftain", news),
    ):
        for player, y in enumerate(middles):
            how = {"fill": colour, "text_anchor": anchor}
            text = str(Shapes().text(x, y + 0.36 * TEXT, words, TEXT, **how))
            yield Look(text, title=_title(words, player))


def _title(words: str, player: int) -> str:
    """What a player's news add to the title."""
    name, other = SEATS[player], SEATS[1 - player]
    return {
        "turn {number}": f"turn {{number}}, {name} to move",
        "won": f"turn {{number}}, over: {name} wins, {other} has no Chieftain",
        "draw: both passed": "" if player else "turn {number}, over: a draw, both have passed",
    }.get(words, "")
