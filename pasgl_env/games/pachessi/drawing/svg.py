"""The drawing of Pachessi: a ring of squares, with dice and borne-off pieces in the hole.

Taken pieces wait outside of the board, next to their starting squares. Borne-off pieces are in the
hole, or below the board if the hole is too small.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from string import ascii_lowercase
from typing import TYPE_CHECKING

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.games.pachessi.drawing.pieces import (
    blank_die,
    crown,
    die,
    slot,
    token,
)
from pasgl_env.games.pachessi.names import KIND_NAMES
from pasgl_env.games.pachessi.position_text import name_of, seats
from pasgl_env.games.pachessi.rules.board import PIECES, square_at
from pasgl_env.games.pachessi.rules.state import (
    ABSENT,
    CHOICE,
    COLOURS,
    FIRST_ROLL,
    GRACE,
    LETTERS,
    LOTS,
    OFF,
    PLAYERS,
    TAKEN,
    corner_of,
    home_of,
)
from pasgl_env.render.svg.board import (
    Board,
    Box,
    coordinates,
    mark_choices,
    mark_squares,
    squares,
)
from pasgl_env.render.svg.canvas import Canvas, Shapes
from pasgl_env.render.svg.theme import Theme

if TYPE_CHECKING:
    from pasgl_env.render import Marks

_SIDE = 100
# Scales of tokens: on squares; beside the board, relative to the margin; at home, relative to the
# panel's unit.
_TOKEN, _WAITING, _HOME = 0.9, 0.0086, 0.0044
# The side of the board that a corner's pieces start on, as seen from its squares.
_OUTWARD = ((0, -1), (-1, 0), (0, 1), (1, 0))
# The smallest hole that holds the dice, as a fraction of the drawing's width.
_LEAST_HOLE = 0.26
# From the middle of the panel, in its units.
_HOMES_IN_HOLE = ((-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (1.0, -1.0))
_HOMES_BELOW = ((-3.3, 0.0), (-2.1, 0.0), (3.3, 0.0), (2.1, 0.0))
_ROLL = re.compile(r"roll (\d)(?: (\d))?")


@dataclass(frozen=True)
class _Plan:
    """The layout of a board's drawing, in its units.

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

    def corner(self, name: str) -> tuple[float, float]:
        """The upper left corner of a square."""
        return self.board.corner(ascii_lowercase.index(name[0]), int(name[1:]) - 1)

    def centre(self, place: int) -> tuple[float, float]:
        """The middle of a square of the rules."""
        return self.board.centre(*square_at(place))

    def home(self, corner: int, kind: int) -> tuple[float, float]:
        """The position of a borne-off piece."""
        x, y = self.homes[corner]
        step = 0.235 * self.unit
        return x + step * (kind % 2 * 2 - 1), y + step * (kind // 2 * 2 - 1)

    def beside(self, place: int, corner: int) -> tuple[float, float]:
        """A position outside of the board, next to a starting square of a corner."""
        x, y = self.centre(place)
        across, down = _OUTWARD[corner]
        labels = self.board.left - self.margin if corner in (1, 2) else 0
        distance = _SIDE / 2 + labels + self.margin / 2
        return x + across * distance, y + down * distance


def bare(options: OptionsRecord, marks: Marks, theme: Theme) -> Canvas:
    """The board without pieces, with crosses on starting squares."""
    plan = _plan_under(options)
    canvas = Canvas(plan.width, plan.height, "the board", f"pachessi-{theme.name}-")
    canvas.add(_ground(plan, theme))
    mark_squares(canvas, marks, plan.corner, _SIDE, theme)
    _draw_starts(canvas, plan, options, theme)
    return canvas


def places(options: OptionsRecord) -> dict[str, Box]:
    """The squares of the ring."""
    plan = _plan_under(options)
    size, ring = plan.board.files, (plan.board.files - plan.hole) // 2
    hole = range(ring, ring + plan.hole)
    return {
        f"{ascii_lowercase[file]}{rank + 1}": plan.board.box(file, rank)
        for rank in range(size)
        for file in range(size)
        if not (file in hole and rank in hole)
    }


def icon(symbol: str, options: OptionsRecord, theme: Theme) -> Canvas:
    """A piece, by its colour and letter, such as ``black-R``."""
    colour, _, letter = symbol.partition("-")
    canvas = Canvas(_SIDE, _SIDE, KIND_NAMES[LETTERS.index(letter)], f"pachessi-{theme.name}-")
    with canvas.group(transform=f"translate({_SIDE / 2:g} {_SIDE / 2:g})"):
        canvas.add(token(COLOURS.index(colour), LETTERS.index(letter), theme))
    return canvas


def draw(state: State, options: OptionsRecord, marks: Marks, theme: Theme) -> Canvas:
    """The drawing of a state record under an options record."""
    canvas = bare(options, marks, theme)
    canvas.title = _title(state, options)
    _PachessiDrawing(canvas, _plan_under(options), state, options, marks, theme).draw()
    return canvas


def _plan_under(options: OptionsRecord) -> _Plan:
    return _plan(int(options.last) + 1, int(options.hole))


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


@cache
def _ground(plan: _Plan, theme: Theme) -> str:
    """Page, squares and coordinates."""
    shapes = Shapes()
    shapes.rect(0, 0, plan.width, plan.height, fill=theme.page)
    shapes.add(squares(plan.board, theme))
    ring = (plan.board.files - plan.hole) // 2
    x, y = plan.board.corner(ring, ring + plan.hole - 1)
    side = plan.hole * _SIDE
    shapes.rect(x, y, side, side, fill=theme.page, stroke=theme.faint, stroke_width=2)
    shapes.add(coordinates(plan.board, theme, plan.letters))
    return str(shapes)


def _draw_starts(shapes: Shapes, plan: _Plan, options: OptionsRecord, theme: Theme) -> None:
    """Crosses on starting squares, as on old boards of India."""
    crosses = ""
    for player in range(options.number):
        for kind in range(options.kinds):
            x, y = plan.centre(int(home_of(options, player, kind)))
            crosses += f"M{x - 50:g} {y - 50:g}l100 100m-100 0l100-100"
    shapes.path(crosses, stroke=theme.ink, stroke_width=2.5, stroke_opacity=0.45)


@dataclass(frozen=True)
class _PachessiDrawing:
    """A drawing in progress."""

    canvas: Canvas
    plan: _Plan
    state: State
    options: OptionsRecord
    marks: Marks
    theme: Theme

    def draw(self) -> None:
        """Draw everything on and beside the board, from bottom to top."""
        occupied = {name_of(place) for place in self.state.place.tolist() if place > ABSENT}
        mark_choices(self.canvas, self.marks, self.plan.corner, _SIDE, self.theme, occupied)
        self._draw_way()
        for player in range(self.options.number):
            for kind in range(self.options.kinds):
                self._draw_piece(player, kind)
        self._draw_panel()

    def _draw_way(self) -> None:
        """Arrows around the corners; the acting player's arrow stands out."""
        plan, theme = self.plan, self.theme
        mover = -1 if self.state.roll == LOTS else self._corner
        left, top = plan.board.left, plan.board.top
        side = plan.board.files * _SIDE
        corners = ((left, top), (left, top + side), (left + side, top + side), (left + side, top))
        radius = min(plan.margin - 16, 1.55 * plan.letters)
        arrow = f"M0-{radius:g}A{radius:g} {radius:g} 0 0 0-{radius:g} 0m-10-8l10 14l10-14"
        for corner, (x, y) in enumerate(corners):
            self.canvas.path(
                arrow,
                transform=f"translate({x:g} {y:g}) rotate({-90 * corner})",
                fill="none",
                stroke=theme.target if corner == mover else theme.faint,
                stroke_width=9 if corner == mover else 4,
                stroke_linecap="round",
                stroke_linejoin="round",
            )

    def _draw_piece(self, player: int, kind: int) -> None:
        """A piece at its place, and its future place unless it is borne off."""
        corner = int(corner_of(self.options, player))
        piece = PIECES * player + kind
        place = int(self.state.place[piece])
        if place != OFF:
            self.canvas.symbol(f"{COLOURS[corner]}-slot", slot(corner, self.theme))
            x, y = self.plan.home(corner, kind)
            self.canvas.use(f"{COLOURS[corner]}-slot", x, y, _HOME * self.plan.unit)
        if place == OFF:
            self._use(corner, kind, self.plan.home(corner, kind), _HOME * self.plan.unit, "off")
        elif place == TAKEN:
            beside = self.plan.beside(int(home_of(self.options, player, kind)), corner)
            self._use(corner, kind, beside, _WAITING * self.plan.margin, "taken")
        else:
            self._use(corner, kind, self.plan.centre(place), _TOKEN, name_of(place))
            self._draw_laps(place, int(self.state.laps[piece]))

    def _use(
        self, corner: int, kind: int, centre: tuple[float, float], scale: float, where: str
    ) -> None:
        colour, letter = COLOURS[corner], LETTERS[kind]
        self.canvas.symbol(f"{colour}-{letter}", token(corner, kind, self.theme))
        self.canvas.use(
            f"{colour}-{letter}",
            *centre,
            scale,
            class_="piece",
            data_piece=letter,
            data_colour=colour,
            data_square=where,
        )

    def _draw_laps(self, place: int, laps: int) -> None:
        """A badge with the number of a piece's laps, if not 0."""
        if laps == 0:
            return
        text = str(laps) if -9 <= laps <= 9 else "9+" if laps > 0 else "-9+"
        radius = max(17, 0.95 * self.plan.board.files)
        x, y = self.plan.centre(place)
        x, y = x + 50 - 0.8 * radius, y - 50 + 0.8 * radius
        line = self.theme.white_line
        self.canvas.circle(
            x, y, radius, class_="laps", fill=self.theme.last, stroke=line, stroke_width=2.5
        )
        size = (1.35 if len(text) < 3 else 1.0) * radius
        self.canvas.text(x, y + 0.36 * size, text, size, fill=line)

    def _draw_panel(self) -> None:
        """The turn, the player to act, and the dice, lots or crown."""
        plan, theme = self.plan, self.theme
        turn = f"turn {int(self.state.turn_count) + (not self.state.over)}"
        low = plan.board.top + plan.board.left + plan.board.files * _SIDE
        self.canvas.text(8, low - 10, turn, plan.letters, text_anchor="start", fill=theme.faint)
        x, y = plan.middle
        status = _status(self.state, self.options)
        self.canvas.text(x, y + 0.5 * plan.unit, status, 0.21 * plan.unit, fill=theme.ink)
        things = self._what_decides()
        width = min(0.68, 2.3 / len(things)) * plan.unit
        left, step = x - 1.15 * width * (len(things) - 1) / 2, 1.15 * width
        for number, thing in enumerate(things):
            move = f"translate({left + number * step:g} {y - 0.08 * plan.unit:g})"
            with self.canvas.group(transform=f"{move} scale({width / 100:.4g})"):
                self.canvas.add(thing)

    def _what_decides(self) -> list[str]:
        """Dice, lots or the winner's crown, each in a box of 100 units."""
        if self.state.over:
            return [crown(self.theme)]
        if self.state.roll == LOTS:
            return self._lots(range(self.options.number))
        if self.state.roll == CHOICE:
            return self._lots(range(self.state.mover % 2, PLAYERS, 2))
        return self._dice()

    def _lots(self, players: Iterable[int]) -> list[str]:
        """The players of whom one is about to be chosen."""
        return [slot(int(corner_of(self.options, player)), self.theme) for player in players]

    def _dice(self) -> list[str]:
        """The dice of the roll: used dice pale, dice to be rolled empty."""
        is_grace = bool(self.state.roll == GRACE)
        left = [int(number) for number in self.state.dice if number]
        if not left:
            return [blank_die(self.theme, is_grace)] * (1 if is_grace else 2)
        used = [self._die(number) for number in _used(self.state, self.marks)]
        return [
            *(f'<g class="used" opacity=".35">{pale}</g>' for pale in used),
            *map(self._die, left),
            *[blank_die(self.theme, is_grace=True)] * int(self.state.captured),
        ]

    def _die(self, number: int) -> str:
        return die(self._corner, number, self.theme, is_grace=bool(self.state.roll == GRACE))

    @property
    def _corner(self) -> int:
        """The corner of the player to act."""
        return int(corner_of(self.options, self.state.mover))


def _used(state: State, marks: Marks) -> list[int]:
    """The used numbers of this roll; 0 for an unknown one."""
    rolls = [match for match in map(_ROLL.fullmatch, marks.turn) if match]
    left = Counter(int(number) for number in state.dice if number)
    if rolls:
        rolled = Counter(int(number) for number in rolls[-1].groups() if number)
        return list((rolled - left).elements())
    return [0] * (2 - left.total() if state.roll == FIRST_ROLL else 0)


def _status(state: State, options: OptionsRecord) -> str:
    """A short description of who does what next."""
    if state.roll == LOTS:
        return "lots are drawn"
    names = seats(options)
    mover = int(state.mover)
    if state.over:
        if options.number < PLAYERS:
            return f"{names[mover]} wins"
        return f"{' and '.join(names[mover % 2 :: 2])} win"
    if state.roll == CHOICE:
        return f"{names[mover]} to choose"
    what = "play" if state.dice[0] else "roll"
    return f"{names[mover]} to {what}{' grace' if state.roll == GRACE else ''}"


def _title(state: State, options: OptionsRecord) -> str:
    dice = " and ".join(str(number) for number in state.dice if number)
    return f"{_status(state, options)}{f' {dice}' if dice and not state.over else ''}"
