"""Drawings of Pachessi: a ring of squares, with dice and borne-off pieces in the hole.

Taken pieces wait outside of the board, next to their starting squares. Borne-off pieces are in the
hole, or below the board if the hole is too small.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from string import ascii_lowercase

from pasgl_env.contract.base import OptionsRecord
from pasgl_env.games.pachessi.drawing import scene as shown
from pasgl_env.games.pachessi.drawing.pieces import blank_die, crown, die, glow, slot, token
from pasgl_env.games.pachessi.names import KIND_NAMES
from pasgl_env.games.pachessi.position_text import seats
from pasgl_env.games.pachessi.rules.board import CORNERS, PIECES, square_at
from pasgl_env.games.pachessi.rules.chance import SIDES
from pasgl_env.games.pachessi.rules.state import COLOURS, LETTERS, PLAYERS, corner_of
from pasgl_env.render.svg.board import Board, Box, coordinates, squares
from pasgl_env.render.svg.canvas import Shapes
from pasgl_env.render.svg.layout import Icon, Layout, Look, Role, at
from pasgl_env.render.svg.silhouette import BOX
from pasgl_env.render.svg.theme import Theme

MOST, scene = shown.MOST, shown.scene
_SIDE = 100
# A token's share of its place; the widths of places beside the board, relative to the margin, and
# of places at home, relative to the panel's unit.
_SHARE = 0.9
_WAITING, _HOME = 0.86 / _SHARE, 0.44 / _SHARE
# The side of the board that a corner's pieces start on, as seen from its squares.
_OUTWARD = ((0, -1), (-1, 0), (0, 1), (1, 0))
# The smallest hole that holds the dice, as a fraction of the drawing's width.
_LEAST_HOLE = 0.26
# From the middle of the panel, in its units.
_HOMES_IN_HOLE = ((-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (1.0, -1.0))
_HOMES_BELOW = ((-3.3, 0.0), (-2.1, 0.0), (3.3, 0.0), (2.1, 0.0))


@dataclass(frozen=True)
class _Plan:
    """The plan of a board's drawings, in their units.

    Attributes:
        board: the squares, including those of the hole.
        hole: squares along an edge of the hole.
        margin: free space above and to the right of the board.
        letters: size of the coordinates.
        height: height of the drawing; its width is that of the board and its margins.
        unit: a third of the height of the panel, whose middle shows the dice.
        middle: middle of the panel.
        homes: middle of each corner's borne-off pieces.
    """

    board: Board
    hole: int
    margin: float
    letters: float
    height: float
    unit: float
    middle: tuple[float, float]
    homes: tuple[tuple[float, float], ...]

    @property
    def width(self) -> float:
        """Width of the drawing."""
        return self.board.left + self.board.files * _SIDE + self.margin

    def home(self, corner: int, kind: int) -> Box:
        """The place of a borne-off piece."""
        x, y = self.homes[corner]
        step = 0.235 * self.unit
        x, y = x + step * (kind % 2 * 2 - 1), y + step * (kind // 2 * 2 - 1)
        return Box.around(x, y, _HOME * self.unit)

    def beside(self, start: tuple[int, int], corner: int) -> Box:
        """A place outside of the board, next to a starting square of a corner."""
        x, y = self.board.centre(*start)
        across, down = _OUTWARD[corner]
        labels = self.board.left - self.margin if corner in (1, 2) else 0
        distance = _SIDE / 2 + labels + self.margin / 2
        return Box.around(x + across * distance, y + down * distance, _WAITING * self.margin)

    def panel(self) -> Iterator[Box]:
        """The places of one thing in the panel, of two, and so on."""
        x, y = self.middle
        for number in range(1, shown.MOST_THINGS + 1):
            width = min(0.68, 2.3 / number) * self.unit
            left, step = x - 1.15 * width * (number - 1) / 2, 1.15 * width
            for thing in range(number):
                yield Box.around(left + thing * step, y - 0.08 * self.unit, width)


def layout(options: OptionsRecord, theme: Theme) -> Layout:
    """The board under options."""
    plan, prefix = _plan(int(options.last) + 1, int(options.hole)), f"pachessi-{theme.name}-"
    pieces = list(product(range(CORNERS), range(PIECES)))
    starts = [square_at(int(options.start[piece])) for piece in pieces]
    waiting = [
        plan.beside(start, corner) for start, (corner, _) in zip(starts, pieces, strict=True)
    ]
    tokens = {
        f"{COLOURS[corner]}-{LETTERS[kind]}": (KIND_NAMES[kind], token(corner, kind, theme))
        for corner, kind in pieces
    }
    slots = {f"{colour}-slot": slot(corner, theme) for corner, colour in enumerate(COLOURS)}
    return Layout(
        theme=theme,
        prefix=prefix,
        size=(plan.width, plan.height),
        side=_SIDE,
        ground=_ground(plan, theme),
        scenery=_starts(plan, options, theme),
        places=(
            *(plan.board.box(file, rank) for rank, file in _grid(plan)),
            *waiting,
            *(plan.home(*piece) for piece in pieces),
            *plan.panel(),
        ),
        squares=tuple(_name(plan, file, rank) for rank, file in _grid(plan)),
        others=("taken",) * len(pieces) + ("off",) * len(pieces),
        looks=(
            *_ways(plan, theme),
            *_pieces(plan, theme, prefix),
            *_panel(theme),
            *_statuses(plan, options, theme),
        ),
        symbols=(
            *({"symbol": name, "letter": name[-1], "colour": name[:-2]} for name in tokens),
            *({"symbol": name, "slot": svg} for name, svg in slots.items()),
            *(
                {"die": die(corner, number, theme)}
                for corner in range(CORNERS)
                for number in range(SIDES + 1)
            ),
        ),
        shapes={name: svg for name, (_, svg) in tokens.items()} | slots,
        icons={name: Icon(kind, _in_box(svg)) for name, (kind, svg) in tokens.items()},
    )


def _grid(plan: _Plan) -> Iterator[tuple[int, int]]:
    """Rank and file of all squares, in the order of their places."""
    return product(range(plan.board.ranks), range(plan.board.files))


def _name(plan: _Plan, file: int, rank: int) -> str:
    """The name of a square; empty in the hole."""
    ring = (plan.board.files - plan.hole) // 2
    hole = range(ring, ring + plan.hole)
    return "" if file in hole and rank in hole else f"{ascii_lowercase[file]}{rank + 1}"


def _in_box(svg: str) -> str:
    shapes = Shapes()
    with shapes.group(transform=f"translate({BOX / 2:g} {BOX / 2:g})"):
        shapes.add(svg)
    return str(shapes)


@cache
def _plan(size: int, hole: int) -> _Plan:
    letters = max(28, 2.6 * size)
    margin = max(72, 4 * size)
    near = margin + letters * (1.3 if size < 10 else 1.75)
    width = near + size * _SIDE + margin
    if hole * _SIDE >= _LEAST_HOLE * width:
        height = width
        unit = min(hole * _SIDE / 3, 0.16 * width)
        x, y = near + size * _SIDE / 2, margin + size * _SIDE / 2
        homes = _HOMES_IN_HOLE
    else:
        unit = 0.11 * width
        height = width + 1.25 * unit
        x, y = width / 2, width + 0.6 * unit
        homes = _HOMES_BELOW
    return _Plan(
        board=Board(near, margin, _SIDE, size, size),
        hole=hole,
        margin=margin,
        letters=letters,
        height=height,
        unit=unit,
        middle=(x, y),
        homes=tuple((x + across * unit, y + down * unit) for across, down in homes),
    )


def _ground(plan: _Plan, theme: Theme) -> str:
    """Page, squares and coordinates."""
    shapes = Shapes().rect(0, 0, plan.width, plan.height, fill=theme.page)
    shapes.add(squares(plan.board, theme))
    ring = (plan.board.files - plan.hole) // 2
    x, y = plan.board.corner(ring, ring + plan.hole - 1)
    side = plan.hole * _SIDE
    shapes.rect(x, y, side, side, fill=theme.page, stroke=theme.faint, stroke_width=2)
    return str(shapes.add(coordinates(plan.board, theme, plan.letters)))


def _starts(plan: _Plan, options: OptionsRecord, theme: Theme) -> str:
    """Crosses on starting squares, as on old boards of India."""
    crosses = ""
    for player in range(options.number):
        for start in options.start[int(corner_of(options, player)), : options.kinds].tolist():
            x, y = plan.board.corner(*square_at(start))
            crosses += f"M{x:g} {y:g}l100 100m-100 0l100-100"
    line = {"stroke": theme.ink, "stroke_width": 2.5, "stroke_opacity": 0.45}
    return str(Shapes().path(crosses, **line))


def _ways(plan: _Plan, theme: Theme) -> Iterator[Look]:
    """Arrows around the corners; the acting player's arrow stands out."""
    left, top = plan.board.left, plan.board.top
    side = plan.board.files * _SIDE
    corners = ((left, top), (left, top + side), (left + side, top + side), (left + side, top))
    radius = min(plan.margin - 16, 1.55 * plan.letters)
    arrow = f"M0-{radius:g}A{radius:g} {radius:g} 0 0 0-{radius:g} 0m-10-8l10 14l10-14"
    for colour, width in ((theme.faint, 4), (theme.target, 9)):
        for corner, (x, y) in enumerate(corners):
            shapes = Shapes()
            shapes.path(
                arrow,
                transform=f"translate({x:g} {y:g}) rotate({-90 * corner})",
                fill="none",
                stroke=colour,
                stroke_width=width,
                stroke_linecap="round",
                stroke_linejoin="round",
            )
            yield Look(str(shapes))


def _pieces(plan: _Plan, theme: Theme, prefix: str) -> Iterator[Look]:
    """Pieces, slots for borne-off ones, badges with the number of laps, and the turn."""
    which = {"data_piece": "{letter}", "data_colour": "{colour}", "data_square": "{square}"}
    for role, attributes in ((Role.PIECE, {"class_": "piece", **which}), (Role.SHAPE, {})):
        token = Shapes(prefix).use("{symbol}", "{cx}", "{cy}", "{scale}", **attributes)
        yield Look(str(token), role, share=_SHARE)
    radius, line = max(17, 0.95 * plan.board.files), theme.white_line
    x, y = at("cx", 50 - 0.8 * radius), 0.8 * radius - 50
    for text, size in (("{number}", 1.35), ("9+", 1.35), ("-9+", 1.0)):
        badge = {"class_": "laps", "fill": theme.last, "stroke": line, "stroke_width": 2.5}
        shapes = Shapes().circle(x, at("cy", y), radius, **badge)
        shapes.text(x, at("cy", y + 0.36 * size * radius), text, size * radius, fill=line)
        yield Look(str(shapes))
    below = plan.board.top + plan.board.left + plan.board.files * _SIDE - 10
    corner = {"text_anchor": "start", "fill": theme.faint}
    yield Look(str(Shapes().text(8, below, "turn {number}", plan.letters, **corner)))


def _panel(theme: Theme) -> Iterator[Look]:
    """Dice, lots and the winner's crown."""
    for thing in (
        "{die}",
        f"{glow(theme)}{{die}}",
        '<g class="used" opacity=".35">{die}</g>',
        blank_die(theme, is_grace=False),
        blank_die(theme, is_grace=True),
        "{slot}",
        crown(theme),
    ):
        shapes = Shapes()
        with shapes.group(transform="translate({cx} {cy}) scale({scale})"):
            shapes.add(thing)
        yield Look(str(shapes))


def _statuses(plan: _Plan, options: OptionsRecord, theme: Theme) -> Iterator[Look]:
    """Who does what next."""
    x, y = plan.middle
    text = str(Shapes().text(x, y + 0.5 * plan.unit, "{words}", 0.21 * plan.unit, fill=theme.ink))
    words = "lots are drawn"
    yield Look(text, words=words, title=words)
    for what, dice in (
        ("choose", ""),
        ("roll", ""),
        ("roll grace", ""),
        ("play", " {number}"),
        ("play", " {number} and {other}"),
        ("play grace", " {number}"),
    ):
        for colour in COLOURS:
            words = f"{colour.capitalize()} to {what}"
            yield Look(text, words=words, title=words + dice)
    for corner, colour in enumerate(COLOURS):
        words = f"{colour.capitalize()} wins"
        if options.number == PLAYERS:
            words = f"{' and '.join(seats(options)[corner % 2 :: 2])} win"
        yield Look(text, words=words, title=words)
