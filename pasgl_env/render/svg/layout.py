"""The fixed part of a game's drawings, as data, and the pictures that it makes of scenes.

A :class:`Layout` says where places are and how everything looks; the sprites of a
:func:`~pasgl_env.contract.scene.scene` say what is where. Conventions are those of
:mod:`pasgl_env.render.svg.board`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, lru_cache
from html import escape
from itertools import chain
from math import hypot
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pasgl_env.contract.scene import SPRITE
from pasgl_env.render.svg.board import Board, Box, area, mark_choices, mark_squares, outline
from pasgl_env.render.svg.canvas import Canvas, written_number
from pasgl_env.render.svg.silhouette import BOX
from pasgl_env.render.svg.theme import Theme

if TYPE_CHECKING:
    from pasgl_env.render import Marks

_FIELD = re.compile(r"\{(\w+)([+-][\d.]+)?\}")
_USE = re.compile(r'href="#([^"]+)"')
_MOST_KEPT = 2**13
_ROW = f"V{SPRITE.itemsize}"


class Role(StrEnum):
    """What sprites of a look are to a drawing."""

    PIECE = "piece"
    """A piece: marks of targets leave it in sight."""
    SHAPE = "shape"
    """Any other shape."""
    AREA = "area"
    """A shape below the marks of origin and targets, for all such sprites together. The number of
    the first one is the set of files on the first rank, as bits, and so on; ``svg`` has the fields
    ``{area}`` and ``{outline}``, paths."""
    ORIGIN = "origin"
    """Marks its place as the origin."""
    TARGET = "target"
    """Marks its place, or all without a place, in place of the usual mark of targets. As long as
    a piece is selected, the marks are the usual ones."""
    CHOICE = "choice"
    """A shape that is drawn where targets are marked by a look of their own."""


class Look(NamedTuple):
    """How sprites of a kind are drawn.

    Shapes, words and title have fields in braces: ``{x}`` and ``{y}``, the upper left corner of the
    place, or ``{x+5}``, that many units to the right; ``{square}``, its name; ``{number}``, the
    sprite's; ``{arrow}``, the outline of an arrow to the sprite's target, or ``{arrow+0.3}``, which
    starts that many squares off the middle of its place; those of the symbol; and in shapes
    ``{words}`` and ``{size}``.

    Attributes:
        svg: its shapes.
        role: what it is to the drawing.
        words: what it says.
        size: size of the letters, at most.
        room: width of the words, at most, where a letter is as wide as its size; 0: any.
        title: what it adds to the drawing's title.
    """

    svg: str = ""
    role: Role = Role.SHAPE
    words: str = ""
    size: float = 0
    room: float = 0
    title: str = ""


class Icon(NamedTuple):
    """A piece alone.

    Attributes:
        name: its name.
        svg: its shapes, in a box of 100 × 100 units.
    """

    name: str
    svg: str


class Arrow(NamedTuple):
    """The shape of arrows, in sides of squares.

    Attributes:
        shaft: half of the shaft's width.
        head: half of the head's width.
        length: length of the head.
        gap: distance between its tip and the middle of the target.
    """

    shaft: float
    head: float
    length: float
    gap: float


_Fragment = tuple[str, tuple[str, ...], str]
"""Shapes, the ids of those that they use, and a part of the title."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Layout:
    """The fixed part of drawings under some options, in a theme.

    Attributes:
        theme: the theme.
        prefix: prefix of ids, see :class:`~pasgl_env.render.svg.canvas.Canvas`.
        size: width and height of drawings, in their units.
        side: side of a square.
        ground: the page and the board.
        places: upper left corners of the places of sprites.
        squares: names of the first places, which are squares.
        looks: how sprites are drawn.
        symbols: the fields of each symbol.
        shapes: shapes that looks and icons use, by their names without the prefix.
        icons: the pieces, by their symbols in position texts.
        board: the chequered board, for areas.
        arrow: the shape of arrows.
        move: the look of the moves of the last turn, which are arrows; -1: not drawn.
    """

    theme: Theme
    prefix: str
    size: tuple[float, float]
    side: float
    ground: str
    places: tuple[tuple[float, float], ...]
    squares: tuple[str, ...]
    looks: tuple[Look, ...]
    symbols: tuple[Mapping[str, str], ...] = ()
    shapes: Mapping[str, str] = field(default_factory=dict)
    icons: Mapping[str, Icon] = field(default_factory=dict)
    board: Board | None = None
    arrow: Arrow | None = None
    move: int = -1

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The places of squares."""
        return {name: place for place, name in enumerate(self.squares) if name}

    def corner(self, square: str) -> tuple[float, float]:
        """The upper left corner of a square."""
        return self.places[self.numbers[square]]

    def boxes(self) -> dict[str, Box]:
        """Where squares can be clicked."""
        return {name: Box(*self.corner(name), self.side, self.side) for name in self.numbers}

    def icon(self, symbol: str) -> Canvas:
        """A piece alone."""
        icon = self.icons[symbol]
        canvas = Canvas(BOX, BOX, icon.name, self.prefix)
        self._add(canvas, (icon.svg, self._used(icon.svg), ""))
        return canvas

    def bare(self, marks: Marks) -> Canvas:
        """The board without pieces, with the marks of the last turn and of a heat map."""
        canvas = Canvas(*self.size, "the board", self.prefix)
        canvas.add(self.ground)
        if marks.moves and self.move >= 0:
            marks = marks._replace(last=frozenset(chain.from_iterable(marks.moves)))
        mark_squares(canvas, marks, self.corner, self.side, self.theme)
        return canvas

    def draw(self, sprites: np.ndarray, marks: Marks) -> Canvas:
        """A scene with marks."""
        canvas = self.bare(marks)
        canvas.title = ""
        by_role: dict[Role, list[int]] = {role: [] for role in Role}
        for number, look in enumerate(sprites["look"].tolist()):
            by_role[self.looks[look].role].append(number)
        rows = sprites.view(_ROW).tolist()
        for move in marks.moves if self.move >= 0 else ():
            self._add(canvas, _fragment(self, self._arrow(*move)))
        if areas := by_role[Role.AREA]:
            files = tuple(sprites["number"][areas].tolist())
            self._add(canvas, _area(self, int(sprites["look"][areas[0]]), files))
        own = self._mark(canvas, sprites, by_role, marks)
        places = sprites["place"]
        chosen = [each for each in by_role[Role.CHOICE] if places[each] in own]
        for shape in sorted(by_role[Role.PIECE] + by_role[Role.SHAPE] + chosen):
            self._add(canvas, _fragment(self, rows[shape]))
        return canvas

    def _mark(
        self, canvas: Canvas, sprites: np.ndarray, by_role: dict[Role, list[int]], marks: Marks
    ) -> set[int]:
        """Mark origin and targets; return the places that have marks of their own."""
        own = {}
        if marks.origin is None:
            looks = {int(sprites["place"][each]): sprites[each] for each in by_role[Role.TARGET]}
            for place in sorted(self.numbers[name] for name in marks.targets):
                if (sprite := looks.get(place, looks.get(-1))) is not None:
                    own[place] = sprite.copy()
                    own[place]["place"] = place
                    self._add(canvas, _fragment(self, own[place].tobytes()))
            usual = marks.targets - {self.squares[place] for place in own}
            marks = marks._replace(targets=usual)
        for place in sprites["place"][by_role[Role.ORIGIN]]:
            marks = marks._replace(origin=self.squares[place])
        occupied = self._squares(sprites["place"][by_role[Role.PIECE]])
        mark_choices(canvas, marks, self.corner, self.side, self.theme, occupied)
        return set(own)

    def _arrow(self, start: str, end: str) -> bytes:
        sprite = np.zeros(1, SPRITE)
        sprite["look"], sprite["symbol"] = self.move, -1
        sprite["place"], sprite["target"] = self.numbers[start], self.numbers[end]
        return sprite.tobytes()

    def _squares(self, places: np.ndarray) -> set[str]:
        number = len(self.squares)
        return {self.squares[place] for place in places.tolist() if place < number}

    def _add(self, canvas: Canvas, fragment: _Fragment) -> None:
        svg, used, title = fragment
        canvas.title += title
        for name in used:
            canvas.symbols[name] = self.shapes[name]
        canvas.add(svg)

    def _used(self, svg: str) -> tuple[str, ...]:
        return tuple(name.removeprefix(self.prefix) for name in _USE.findall(svg))


@lru_cache(_MOST_KEPT)  # little changes in a turn
def _fragment(layout: Layout, row: bytes) -> _Fragment:
    """The shapes of a sprite, given as bytes."""
    sprite = np.frombuffer(row, SPRITE)[0]
    look, place = layout.looks[sprite["look"]], int(sprite["place"])
    fields = {"number": str(sprite["number"])}
    if sprite["symbol"] >= 0:
        fields |= layout.symbols[sprite["symbol"]]
    if 0 <= place < len(layout.squares):
        fields["square"] = layout.squares[place]
    x, y = layout.places[place]
    coordinates = {"x": x, "y": y}

    def write(match: re.Match[str]) -> str:
        name, more = match.groups()
        if name in coordinates:
            return written_number(coordinates[name] + float(more or 0))
        if name == "arrow":
            return _arrow_between(layout, (x, y), layout.places[sprite["target"]], float(more or 0))
        return fields[name]

    words, title = _FIELD.sub(write, look.words), _FIELD.sub(write, look.title)
    fields["words"] = escape(words)
    if look.room:
        fields["size"] = written_number(min(look.size, look.room / len(words)))
    svg = _FIELD.sub(write, look.svg)
    return svg, layout._used(svg), title


@lru_cache(_MOST_KEPT)
def _area(layout: Layout, look: int, files: tuple[int, ...]) -> _Fragment:
    """The shapes of an area."""
    assert layout.board is not None
    if not any(files):
        return "", (), ""
    fields = {"area": area(layout.board, files), "outline": outline(layout.board, files)}
    return _FIELD.sub(lambda match: fields[match[1]], layout.looks[look].svg), (), ""


def _arrow_between(
    layout: Layout, start: tuple[float, float], end: tuple[float, float], off: float
) -> str:
    """The outline of an arrow between two squares, given by their corners."""
    assert layout.arrow is not None
    shaft, head, head_length, gap = layout.arrow
    half = layout.side / 2
    (x, y), (x_end, y_end) = ((left + half, top + half) for left, top in (start, end))
    length = hypot(x_end - x, y_end - y) / layout.side
    right, down = (x_end - x) / length, (y_end - y) / length
    tip = length - gap
    neck = tip - head_length
    points = [(off, shaft), (neck, shaft), (neck, head), (tip, 0.0)]
    points += [(along, -aside) for along, aside in points[2::-1]]
    data = "L".join(
        f"{x + along * right - aside * down:.1f} {y + along * down + aside * right:.1f}"
        for along, aside in points
    )
    return f"M{data}z"
