"""Drawings of PASGL 312 Chess: critters, lunches, stink, the railway and its Train.

A critter with its lunch has a paper bag. Green lines rise from a stinky one, and an arrow marks
those that the Train has put on a platform. In a terminal, critters are on the platform above or
below the track; riders are in the windows of the cars. Where critters are small, bags are larger
and stinky ones have a green background.
"""

from __future__ import annotations

from collections.abc import Iterator

from pasgl_env.contract.base import OptionsRecord
from pasgl_env.contract.description import Symbol
from pasgl_env.games.pasgl312.description import CONDITIONS, symbols
from pasgl_env.games.pasgl312.drawing import scene as shown
from pasgl_env.games.pasgl312.drawing.forest import (
    BOARD,
    BOTTOM,
    COLUMN,
    HEIGHT,
    LOCOMOTIVE,
    MARGIN,
    SIDE,
    WAGON,
    WIDTH,
    Forest,
    corner,
    forest,
    ground,
    platform,
    railway,
)
from pasgl_env.games.pasgl312.drawing.pieces import (
    STINK_LEVEL,
    critter_shapes,
    leaving_shapes,
    lunch_shapes,
    stink_shapes,
)
from pasgl_env.games.pasgl312.names import CARS, KIND_NAMES, passes
from pasgl_env.games.pasgl312.rules.board import CAR_AT, NAMES, PHASES, TERMINALS
from pasgl_env.games.pasgl312.rules.state import CARRIERS
from pasgl_env.render.svg.board import Box, seat
from pasgl_env.render.svg.canvas import Shapes
from pasgl_env.render.svg.layout import Arrow, Icon, Layout, Look, Role
from pasgl_env.render.svg.silhouette import BOX, SEATS
from pasgl_env.render.svg.theme import Theme

MOST, scene = shown.MOST, shown.scene
NOTE = 10.5
# A critter's share of its cell; in crowds, critters may touch, so that they can be larger.
SHARES = (0.94, 1.08, 1.08)
_RIDERS = [f"{car} car" for car in CARS[:2] for _ in range(PHASES)]
ARROW = Arrow(shaft=1.3 / SIDE, head=4 / SIDE, length=6 / SIDE, gap=0.42)


def layout(options: OptionsRecord, theme: Theme) -> Layout:
    """The board, the railway, and what is beside them."""
    colours, prefix = forest(theme), f"pasgl312-{theme.name}-"
    fields = [_fields(symbol, prefix, colours) for symbol in symbols(options)]
    return Layout(
        theme=theme,
        prefix=prefix,
        size=(WIDTH, HEIGHT),
        side=SIDE,
        ground=ground(theme),
        scenery=railway(theme),
        places=tuple(_places()),
        squares=NAMES,
        others=(*TERMINALS, *_RIDERS, *["dead"] * (2 * shown.ROWS)),
        looks=tuple(_looks(options, colours)),
        symbols=tuple(fields),
        shapes=_shapes(colours),
        icons={each["symbol"]: Icon(each["name"], each["signs"]) for each in fields},
        arrow=ARROW,
    )


def _places() -> Iterator[Box]:
    """Squares, platforms, windows, and the ground of the dead, in the order of their numbers."""
    yield from (Box(*corner(name), SIDE, SIDE) for name in NAMES)
    yield from map(platform, TERMINALS)
    for number, car in enumerate((LOCOMOTIVE, WAGON)):
        for square in CAR_AT[1:, number].tolist():
            (x, y), (left, top, width, height) = corner(NAMES[square]), car.window
            if _goes_right(square):
                left = SIDE - left - width
            yield Box(x + left, y + top, width, height)
    for side in range(2):  # the dead are beside the board, at their side's end
        for rows in range(1, shown.ROWS + 1):
            y = BOARD.top if side else BOTTOM - 17 * rows
            yield Box(COLUMN["z"] - 5, y, 34, 17 * rows)


def _goes_right(square: int) -> bool:
    return NAMES[square][1] == "5"


def _shapes(colours: Forest) -> dict[str, str]:
    """The critters and the signs of their condition."""
    critters = {
        _name(side, kind): critter_shapes(colours.theme, side, kind)
        for side in range(2)
        for kind in range(len(KIND_NAMES))
    }
    return {
        **critters,
        "stink": stink_shapes(colours),
        "lunch": lunch_shapes(colours),
        "leaving": leaving_shapes(colours),
    }


def _name(side: int, kind: int) -> str:
    return f"{SEATS[side]}-{KIND_NAMES[kind]}".lower()


def _fields(symbol: Symbol, prefix: str, colours: Forest) -> dict[str, str]:
    """A critter's description, and the signs that its picture consists of."""
    side, kind = int(symbol.text[-1].islower()), KIND_NAMES.index(symbol.name)
    signs = symbol.text[:-1]
    stink = STINK_LEVEL.get(kind, 0) if "*" in signs else None
    has_lunch = bool(CARRIERS >> kind & 1) and "-" not in signs

    def drawn(lunch: float) -> str:
        """The signs, with a lunch of a size, which extends up and left from its corner."""
        shapes = Shapes(prefix)
        shapes.use(_name(side, kind), 0, 0)
        if stink is not None:
            shapes.use("stink", 0, stink)
        if has_lunch and lunch:
            at = 0.0 if lunch == 1 else -68
            shapes.use("lunch", at, at, lunch)
        if "~" in signs:
            shapes.use("leaving", 0, 0)
        return str(shapes)

    cloud = Shapes().rect(0, 0, BOX, BOX, rx=20, fill=colours.stink, fill_opacity=0.5)
    conditions = [CONDITIONS[sign] for sign in "-*~" if sign in signs]
    return {
        "symbol": symbol.text,
        "whose": f"{SEATS[side]}'s {symbol.name}" + f" ({symbol.condition})" * bool(signs),
        "name": ", ".join([f"{SEATS[side]} {symbol.name}", *conditions]),
        "signs": drawn(1),
        "cloud": "" if stink is None else str(cloud),
        "small": drawn(1.7),
        "dead": drawn(0),
    }


def _looks(options: OptionsRecord, colours: Forest) -> Iterator[Look]:
    """The looks, in the order of their numbers."""
    yield from _train(colours)
    for size in range(3):
        for is_asked in (False, True):
            signs = ("", "{signs}") if size < shown.SMALL else ("{cloud}", "{small}")
            yield _critter(*signs, colours.theme, share=SHARES[size], is_asked=is_asked)
    for is_asked in (False, True):
        yield _critter("{cloud}", "{small}", colours.theme, is_asked=is_asked, is_counted=True)
    yield from map(Look, _tiles(colours))
    for is_counted in (False, True):
        yield _critter("", "{dead}", colours.theme, is_counted=is_counted, opacity=0.8)
    frame = {"stroke": colours.theme.page, "stroke_width": 0.8}
    tint = {"class_": "chosen", "fill": colours.theme.target, **frame}
    yield Look(str(Shapes().path("{arrow+0.25}", **tint)))
    yield from _scores(options, colours.theme)
    yield from _situations(options, colours.theme)
    end = {"fill": colours.theme.faint, "text_anchor": "end"}
    where = WIDTH - MARGIN, HEIGHT - 8, "The Train comes to {square}", NOTE
    yield Look(str(Shapes().text(*where, **end)))


def _train(colours: Forest) -> Iterator[Look]:
    """The next square of the Train's head, and the cars."""
    line = {"stroke": colours.danger, "stroke_width": 1.8, "stroke_dasharray": "5 3.2"}
    frame = {"class_": "next", "rx": 3, "fill": "none", **line}
    following = Shapes().rect("{x+2.5}", "{y+2.5}", SIDE - 5, SIDE - 5, **frame)
    yield Look(str(following), Role.SCENERY)
    for car in (LOCOMOTIVE, WAGON):
        for place in ("translate({x} {y})", f"translate({{x+{SIDE}}} {{y}}) scale(-1 1)"):
            svg = f'<g class="train" transform="{place}">{car.shapes(colours)}</g>'
            yield Look(svg, Role.SCENERY)


def _critter(
    cloud: str,
    signs: str,
    theme: Theme,
    *,
    share: float = SHARES[shown.SMALL],
    is_asked: bool = False,
    is_counted: bool = False,
    opacity: float | None = None,
) -> Look:
    """A critter, or several that look the same with their number."""
    shapes = Shapes()
    with shapes.group(
        class_="piece",
        data_piece="{symbol}",
        data_square="{square}",
        data_count="{number}" if is_counted else None,
        transform="translate({x} {y}) scale({scale})",
        opacity=opacity,
    ):
        shapes.add(f"<title>{'{number} times ' * is_counted}{{name}}, {{square}}</title>")
        if is_asked:
            tint = {"fill": theme.target, "fill_opacity": 0.45}
            shapes.rect(2, 2, 96, 96, rx=20, class_="asked", **tint)
        shapes.add(cloud)
        if is_counted:
            with shapes.group(transform="translate(0 38) scale(0.62)"):
                shapes.add(signs)
            # At the right foot of the picture, and not below another one's.
            edge = {"stroke": theme.page, "stroke_width": 14, "stroke_linejoin": "round"}
            number = {"fill": theme.ink, **edge, "paint_order": "stroke"}
            shapes.text(82, 95, "{number}", 54, **number)
        else:
            shapes.add(signs)
    return Look(str(shapes), Role.PIECE, share=share)


def _tiles(colours: Forest) -> Iterator[str]:
    """The ground of the dead of each side, by the number of rows."""
    for place, (x, y, width, height) in enumerate(list(_places())[shown.GRAVE :]):
        tile = {"class_": "tile", "rx": 4, "fill": colours.ground}
        shapes = Shapes().rect(x - 2, y - 2, width + 4, height + 4, **tile)
        below = y + height + 11 if place >= shown.ROWS else y - 6
        shapes.text(x + width / 2, below, "dead", 8, class_="dead", fill=colours.theme.faint)
        yield str(shapes)


def _scores(options: OptionsRecord, theme: Theme) -> Iterator[Look]:
    """Each side's turn, score and lead, at its end of the board."""
    x, heights = COLUMN["x"] + SIDE / 2 + 5, (BOTTOM - 46, BOARD.top + 14)
    for moves in (False, True):
        for side, y in enumerate(heights):
            yield Look(seat(x, y, 15, theme, side, moves))
    for words, down, size, room, class_, colour in (
        ("{number}", 27, 17, 80, "score", theme.ink),
        (f"+{{number}} of {int(options.win_margin)}", 38, 8, 72, "lead", theme.faint),
    ):
        for y in heights:
            text = Shapes().text(x, y + down, "{words}", "{size}", class_=class_, fill=colour)
            yield Look(str(text), words=words, size=size, room=room)


def _situations(options: OptionsRecord, theme: Theme) -> Iterator[Look]:
    """Who has to do what, passes, and the result."""
    for what in (" to move", ": where does {whose} go?", ": which critter on {square}?"):
        for name in SEATS:
            yield _situation(f"{name}{what}", theme)
    x, note = COLUMN["x"] + SIDE / 2 + 5, {"class_": "passes", "fill": theme.faint}
    yield Look(str(Shapes().text(x, BOTTOM - 62, "passes: {number}", 8, **note)))
    results = ("a draw", *(f"{name} wins" for name in SEATS))
    after = f" after {passes(int(options.passes))}"
    for reason in (", a Bear is dead", after, ", {other} points ahead"):
        yield from (_situation(f"over: {result}{reason}", theme) for result in results)


def _situation(words: str, theme: Theme) -> Look:
    """Words in the lower margin and in the title; where the Train comes to is at their right."""
    start = {"fill": theme.ink, "text_anchor": "start"}
    text = str(Shapes().text(MARGIN, HEIGHT - 8, "{words}", "{size}", **start))
    words = f"urn {{number}}, {words}"
    # A letter is some 0.6 of the size wide, and the Train takes the other 0.4 of the width.
    return Look(text, words=f"T{words}", size=NOTE, room=WIDTH, title=f"t{words}")
