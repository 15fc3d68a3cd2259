"""The fixed part of a game's drawings, as data, and the pictures that it makes of scenes.

A :class:`Layout` says where places are and how everything looks; the sprites of a
:func:`~pasgl_env.contract.scene.scene` say what is where. Conventions are those of
:mod:`pasgl_env.render.svg.board`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from html import escape
from itertools import chain
from math import ceil, hypot
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pasgl_env.contract.scene import SPRITE
from pasgl_env.render.svg.board import Board, Box, area, outline
from pasgl_env.render.svg.canvas import Canvas, Shapes, written_number
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
    """A piece: marks of targets leave it in sight. Pieces at one place share its space: each has a
    cell, a square, and all cells of a place are of one size, as large as possible."""
    SHAPE = "shape"
    """Any other shape."""
    SCENERY = "scenery"
    """A shape below the marks of origin and targets."""
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
    place or cell, or ``{x+5}``, that many units to the right; ``{cx}`` and ``{cy}``, its middle;
    ``{scale}``, its width in units of symbols, of which a box has 100; ``{square}``, its name;
    ``{number}`` and ``{other}``, the sprite's; ``{arrow}``, the outline of an arrow to the sprite's
    target, or ``{arrow+0.3}``, which starts that many squares off the middle of its place; those of
    the symbol; and in shapes ``{words}`` and ``{size}``.

    Attributes:
        svg: its shapes.
        role: what it is to the drawing.
        words: what it says.
        size: size of the letters, at most.
        room: width of the words, at most, where a letter is as wide as its size; 0: any.
        title: what it adds to the drawing's title.
        share: how much of the width and height of its place or cell it takes, in the middle.
    """

    svg: str = ""
    role: Role = Role.SHAPE
    words: str = ""
    size: float = 0
    room: float = 0
    title: str = ""
    share: float = 1


def at(axis: str, distance: float) -> str:
    """The field of a coordinate, ``x``, ``y``, ``cx`` or ``cy``, and a distance from it."""
    return f"{{{axis}{distance:+.6g}}}"


def used_piece(prefix: str, shape: str = "{symbol}", **attributes: object) -> str:
    """The shapes of pieces that are symbols: one of ``shapes``, as large as the cell.

    Args:
        prefix: the layout's.
        shape: the field with its name.
        attributes: more attributes, and other values of those that all pieces have.
    """
    usual = {"class_": "piece", "data_piece": "{symbol}", "data_square": "{square}"}
    return str(Shapes(prefix).use(shape, "{x}", "{y}", "{scale}", **(usual | attributes)))


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
        scenery: what lies upon the squares of the last turn.
        places: the places of sprites.
        squares: names of the first places, which are squares.
        others: names of the places after them. One with the name of a square belongs to it.
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
    places: tuple[Box, ...]
    squares: tuple[str, ...]
    looks: tuple[Look, ...]
    scenery: str = ""
    others: tuple[str, ...] = ()
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

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of places."""
        return self.squares + self.others

    def corner(self, square: str) -> tuple[float, float]:
        """The upper left corner of a square."""
        return self.places[self.numbers[square]][:2]

    def boxes(self) -> dict[str, Box]:
        """Where squares can be clicked: on all places of their names."""
        boxes: dict[str, Box] = {}
        for name, box in zip(self.names, self.places, strict=False):
            if name in self.numbers:
                boxes[name] = boxes.get(name, box).with_(box)
        return boxes

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
        for square, strength, words in marks.heat:
            with canvas.group(class_="heat"):
                canvas.add(f"<title>{escape(words)}</title>")
                box, colour = (*self.corner(square), self.side, self.side), self.theme.heat
                canvas.rect(*box, fill=colour, fill_opacity=strength)
        for name in sorted(marks.last):
            # The frame stays visible on scenery of a similar colour.
            self._tint(canvas, name, self.theme.last, 0.5, 0.04, "last")
        return canvas.add(self.scenery)

    def draw(self, sprites: np.ndarray, marks: Marks) -> Canvas:
        """A scene with marks."""
        canvas = self.bare(marks)
        canvas.title = ""
        by_role: dict[Role, list[int]] = {role: [] for role in Role}
        for number, look in enumerate(sprites["look"].tolist()):
            by_role[self.looks[look].role].append(number)
        rows = sprites.view(_ROW).tolist()
        places = sprites["place"]
        for move in marks.moves if self.move >= 0 else ():
            self._add(canvas, _fragment(self, self._arrow(*move)))
        for shape in by_role[Role.SCENERY]:
            self._add(canvas, _fragment(self, rows[shape]))
        if areas := by_role[Role.AREA]:
            files = tuple(sprites["number"][areas].tolist())
            self._add(canvas, _area(self, int(sprites["look"][areas[0]]), files))
        own = self._mark(canvas, sprites, by_role, marks)
        chosen = [each for each in by_role[Role.CHOICE] if places[each] in own]
        pieces = by_role[Role.PIECE]
        cells = dict(zip(pieces, self._cells(places[pieces].tolist()), strict=True))
        for shape in sorted(pieces + by_role[Role.SHAPE] + chosen):
            self._add(canvas, _fragment(self, rows[shape], cells.get(shape)))
        return canvas

    def _cells(self, places: Sequence[int]) -> list[Box]:
        """The cells of pieces, given by their places."""
        free = {place: iter(cells(self.places[place], n)) for place, n in Counter(places).items()}
        return [next(free[place]) for place in places]

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
        if marks.origin is not None:
            self._tint(canvas, marks.origin, self.theme.target, 0.25, 0.07, "origin")
        occupied = {self.names[place] for place in sprites["place"][by_role[Role.PIECE]].tolist()}
        for name in sorted(marks.targets):
            self._mark_target(canvas, name, name in occupied)
        return set(own)

    def _tint(
        self, canvas: Canvas, square: str, colour: str, opacity: float, width: float, class_: str
    ) -> None:
        """Fill and frame a square; the width of the frame is a share of the side."""
        (x, y), line = self.corner(square), width * self.side
        inner = self.side - line
        tint = {"fill": colour, "fill_opacity": opacity, "stroke": colour, "stroke_width": line}
        canvas.rect(x + line / 2, y + line / 2, inner, inner, class_=class_, **tint)

    def _mark_target(self, canvas: Canvas, square: str, is_occupied: bool) -> None:
        """Mark the corners of an occupied square; elsewhere draw a dot."""
        (x, y), side, target = self.corner(square), self.side, {"fill": self.theme.target}
        if not is_occupied:
            canvas.circle(x + side / 2, y + side / 2, 0.15 * side, class_="target", **target)
            return
        left, top, wide, arm = map(written_number, (x, y, side, 0.24 * side))
        corners = (
            f"M{left} {top}h{arm}l-{arm} {arm}zm{wide} 0v{arm}l-{arm} -{arm}z"
            f"m0 {wide}h-{arm}l{arm} -{arm}zm-{wide} 0v-{arm}l{arm} {arm}z"
        )
        canvas.path(corners, class_="target", **target)

    def _arrow(self, start: str, end: str) -> bytes:
        sprite = np.zeros(1, SPRITE)
        sprite["look"], sprite["symbol"] = self.move, -1
        sprite["place"], sprite["target"] = self.numbers[start], self.numbers[end]
        return sprite.tobytes()

    def _add(self, canvas: Canvas, fragment: _Fragment) -> None:
        svg, used, title = fragment
        canvas.title += title
        for name in used:
            canvas.symbols[name] = self.shapes[name]
        canvas.add(svg)

    def _used(self, svg: str) -> tuple[str, ...]:
        return tuple(name.removeprefix(self.prefix) for name in _USE.findall(svg))


def plain(value: Any) -> Any:
    """A layout, or a part of it, as JSON has it: what has named fields is an object."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        value = value._asdict()
    elif is_dataclass(value) and not isinstance(value, type):
        value = {each.name: getattr(value, each.name) for each in fields(value)}
    if isinstance(value, Mapping):
        return {name: plain(each) for name, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, tuple) else value


@lru_cache(_MOST_KEPT)  # little changes in a turn
def _fragment(layout: Layout, row: bytes, cell: Box | None = None) -> _Fragment:
    """The shapes of a sprite, given as bytes, in a cell or its place."""
    sprite = np.frombuffer(row, SPRITE)[0]
    look, place = layout.looks[sprite["look"]], int(sprite["place"])
    box = (cell or layout.places[place]).shrunk(look.share)
    fields = {name: str(sprite[name]) for name in ("number", "other")}
    fields["scale"] = written_number(box.width / BOX, 4)
    if sprite["symbol"] >= 0:
        fields |= layout.symbols[sprite["symbol"]]
    if 0 <= place < len(layout.names):
        fields["square"] = layout.names[place]
    cx, cy = box.centre
    coordinates = {"x": box.x, "y": box.y, "cx": cx, "cy": cy}

    def write(match: re.Match[str]) -> str:
        name, more = match.groups()
        if name in coordinates:
            return written_number(coordinates[name] + float(more or 0))
        if name == "arrow":
            end = layout.places[sprite["target"]].centre
            return _arrow_between(layout, box.centre, end, float(more or 0))
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
    """The outline of an arrow between two points."""
    assert layout.arrow is not None
    shaft, head, head_length, gap = layout.arrow
    (x, y), (x_end, y_end) = start, end
    length = hypot(x_end - x, y_end - y) / layout.side
    right, down = (x_end - x) / length, (y_end - y) / length
    tip = length - gap
    neck = tip - head_length
    points = [(off, shaft), (neck, shaft), (neck, head), (tip, 0.0)]
    points += [(along, -aside) for along, aside in points[2::-1]]
    data = "L".join(
        f"{written_number(x + along * right - aside * down)}"
        f" {written_number(y + along * down + aside * right)}"
        for along, aside in points
    )
    return f"M{data}z"


@lru_cache(_MOST_KEPT)
def cells(box: Box, number: int) -> list[Box]:
    """``number`` squares as large as fit into a box, evenly spread."""
    if number == 2 and 0.8 < box.width / box.height < 1.25:
        # Larger on the diagonal than side by side, because silhouettes leave their corners free.
        side = 0.58 * min(box.width, box.height)
        right, bottom = box.x + box.width - side, box.y + box.height - side
        return [Box(box.x, box.y, side, side), Box(right, bottom, side, side)]
    side, columns = max(
        (min(box.width / columns, box.height / ceil(number / columns)), columns)
        for columns in range(1, number + 1)
    )
    width, height = box.width / columns, box.height / ceil(number / columns)
    left, top = box.x + (width - side) / 2, box.y + (height - side) / 2
    return [
        Box(left + cell % columns * width, top + cell // columns * height, side, side)
        for cell in range(number)
    ]
