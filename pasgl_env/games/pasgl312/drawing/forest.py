"""The scenery of PASGL 312 Chess: layout, squares, railway, campfire, the Train.

The board has a column on either side with the terminals in its middle: a square of track for each
rank, with a platform above z5 and x5, below z4 and x4. The fire is where d4, e4, d5 and e5 meet.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from string import ascii_lowercase

from pasgl_env.render.svg import board as boards
from pasgl_env.render.svg.board import Board, Box
from pasgl_env.render.svg.canvas import Shapes
from pasgl_env.render.svg.theme import Theme

SIDE = 40
MARGIN = 15
BOARD = Board(left=MARGIN + SIDE, top=8, side=SIDE, files=8, ranks=8)
BOTTOM = BOARD.top + 8 * SIDE
WIDTH, HEIGHT = BOARD.left + 9 * SIDE + MARGIN, BOTTOM + 34
PLATFORM_WIDTH, PLATFORM_HEIGHT = 30, 36
COLUMN = {"z": BOARD.left - SIDE, "x": BOARD.left + 8 * SIDE}
LABEL = 9


@dataclass(frozen=True)
class Forest:
    """Colours of this game's scenery, in addition to a theme's.

    Attributes:
        theme: the theme, with the squares' colours of this game.
        ground: the ground of terminals, and behind the dead.
        rail: rails and arrows beside them.
        sleeper: railway sleepers.
        log: firewood.
        flame: outer part of the fire.
        glow: inner part of the fire, and its light on the squares.
        train: the Train.
        train_line: outlines and wheels of the Train.
        window: background of riders.
        lunch: paper bags.
        lunch_line: outlines of the bags.
        stink: lines of stink.
        cloud: background of stink.
        danger: the Train's next square.
    """

    theme: Theme
    ground: str
    rail: str
    sleeper: str
    log: str
    flame: str
    glow: str
    train: str
    train_line: str
    window: str
    lunch: str
    lunch_line: str
    stink: str
    cloud: str
    danger: str


@cache
def forest(theme: Theme) -> Forest:
    """The scenery's colours for a theme."""
    if theme.name == "dark":
        return Forest(
            theme=replace(theme, light="#858d76", dark="#687259"),
            ground="#7d786b",
            rail="#2b2620",
            sleeper="#4f473b",
            log="#4a2f18",
            flame="#e8672a",
            glow="#ffc84a",
            train="#a5402f",
            train_line="#1c0f0b",
            window="#857d6e",
            lunch="#d09a5a",
            lunch_line="#2f1a06",
            stink="#1d5c12",
            cloud="#c3e85a",
            danger="#ff8a73",
        )
    return Forest(
        theme=replace(theme, light="#f1f2e2", dark="#c6d2ab"),
        ground="#e9e4d6",
        rail="#77685a",
        sleeper="#b9a68a",
        log="#6b4526",
        flame="#e2571e",
        glow="#ffc233",
        train="#a8412f",
        train_line="#4a1a12",
        window="#fbf3df",
        lunch="#c58b4b",
        lunch_line="#5b3613",
        stink="#226b14",
        cloud="#c9e86a",
        danger="#c22f1f",
    )


def corner(name: str) -> tuple[float, float]:
    """The upper left corner of a square, terminals included, by its name."""
    return BOARD.corner("zabcdefghx".index(name[0]) - 1, int(name[1]) - 1)


def platform(name: str) -> Box:
    """A terminal's platform."""
    x, y = corner(name)
    inset = SIDE - PLATFORM_WIDTH if name[0] == "x" else 0
    top = y - PLATFORM_HEIGHT if name[1] == "5" else y + SIDE
    return Box(x + inset, top, PLATFORM_WIDTH, PLATFORM_HEIGHT)


@cache
def ground(theme: Theme) -> str:
    """Page, terminals, squares and their coordinates, as SVG."""
    colours = forest(theme)
    shapes = Shapes()
    shapes.rect(0, 0, WIDTH, HEIGHT, fill=theme.page)
    for end in COLUMN:
        _terminal(shapes, end, colours)
    shapes.add(boards.squares(BOARD, colours.theme))
    _coordinates(shapes, theme)
    return str(shapes)


@cache
def railway(theme: Theme) -> str:
    """Railway and campfire, as SVG."""
    colours = forest(theme)
    shapes = Shapes()
    x, y = corner("d5")
    shapes.rect(x, y, 2 * SIDE, 2 * SIDE, fill=colours.glow, fill_opacity=0.22)
    _track(shapes, colours)
    _fire(shapes, colours)
    return str(shapes)


def _terminal(shapes: Shapes, end: str, colours: Forest) -> None:
    """The track's two squares at an end of the railway, between their platforms."""
    with shapes.group(fill=colours.ground, stroke=colours.theme.faint, stroke_width=0.8):
        for rank in "45":
            shapes.rect(*platform(end + rank), class_="platform", rx=4)
        x, y = corner(f"{end}5")
        shapes.rect(x, y, SIDE, 2 * SIDE)
        shapes.line(x, y + SIDE, x + SIDE, y + SIDE)


def _coordinates(shapes: Shapes, theme: Theme) -> None:
    below = BOTTOM + 1.15 * LABEL
    with shapes.group(fill=theme.faint):
        for file, letter in enumerate(ascii_lowercase[:8]):
            shapes.text(BOARD.centre(file, 0)[0], below, letter, LABEL)
        for rank in range(8):
            y = BOARD.centre(0, rank)[1] + 0.36 * LABEL
            if rank in (3, 4):
                shapes.text(MARGIN / 2, y, f"z{rank + 1}", LABEL)
                shapes.text(WIDTH - MARGIN / 2, y, f"x{rank + 1}", LABEL)
            else:
                shapes.text(BOARD.left - 0.5 * LABEL, y, str(rank + 1), LABEL)


def _track(shapes: Shapes, colours: Forest) -> None:
    with shapes.group(fill="none"):
        shapes.path(_loop(0), stroke=colours.sleeper, stroke_width=17, stroke_dasharray="2.5 5")
        with shapes.group(stroke=colours.rail, stroke_width=1.3):
            shapes.path(_loop(5))
            shapes.path(_loop(-5))
    east, west = corner("z5")[1] + SIDE / 2, corner("z4")[1] + SIDE / 2
    arrows = "".join(
        f"M{BOARD.left + file * SIDE - 3:g} {east - 4:g}l6 4l-6 4z"
        f"M{BOARD.left + file * SIDE + 3:g} {west - 4:g}l-6 4l6 4z"
        for file in (0, 2, 6, 8)
    )
    shapes.path(arrows, fill=colours.rail, stroke=colours.theme.light, stroke_width=0.8)


def _loop(outward: float) -> str:
    """The course of the railway, or a line parallel to it."""
    radius = SIDE / 2 + outward
    left, right = COLUMN["z"] + 0.76 * SIDE, COLUMN["x"] + 0.24 * SIDE
    top, bottom = corner("z4")[1] - radius, corner("z4")[1] + radius
    arc = f"A{radius:g} {radius:g} 0 0 1"
    return f"M{left:g} {top:g}H{right:g}{arc} {right:g} {bottom:g}H{left:g}{arc} {left:g} {top:g}z"


def _fire(shapes: Shapes, colours: Forest) -> None:
    x, y = corner("e4")
    with shapes.group(class_="upright", transform=f"translate({x:g} {y:g})"):
        shapes.path(
            "M-10 7L9 11M10 7L-9 11", stroke=colours.log, stroke_width=3.6, stroke_linecap="round"
        )
        shapes.path(
            "M-8 5C-10 -2 -5 -4 -4 -10C-1 -8 0 -6 0 -4C2 -7 2 -11 1 -14C7 -10 10 -2 7 5"
            "C5 10 -6 10 -8 5z",
            fill=colours.flame,
        )
        shapes.path(
            "M-4 6C-6 2 -2 0 -1 -4C1 -2 2 -1 2 1C3 0 3 -1 3 -2C6 2 5 8 1 8C-1 8 -3 8 -4 6z",
            fill=colours.glow,
        )


@dataclass(frozen=True)
class Car:
    """A vehicle of the Train in a square, going left.

    Attributes:
        body: the paths in the Train's colour.
        wheels: positions of the wheels, from the left.
        window: the window for riders.
    """

    body: str
    wheels: tuple[float, ...]
    window: Box

    def shapes(self, colours: Forest) -> str:
        """The vehicle as SVG."""
        shapes = Shapes()
        with shapes.group(stroke=colours.train_line, stroke_width=1.2, stroke_linejoin="round"):
            shapes.path(self.body, fill=colours.train)
            shapes.rect(*self.window, rx=1.5, fill=colours.window, stroke_width=0.8)
            for x in self.wheels:
                shapes.circle(x, 33.5, 3.6, fill=colours.train_line, stroke=colours.train)
        return str(shapes)


LOCOMOTIVE = Car(
    body="M13 3H39.5V6H38.5V32H6L1 36L3 29V15H4.5V10L2.5 5H11L9 10V15H14V6H13z",
    wheels=(9.5, 20, 32),
    window=Box(14, 6, 24.5, 24),
)
WAGON = Car(
    body="M1 3H39V6H38V32H40V29H0V32H2V6H1z",
    wheels=(10, 30),
    window=Box(3, 6, 34, 24),
)
# The spaces of critters: a square, a platform, the windows of the cars.
SPACES = (
    Box(0, 0, SIDE, SIDE),
    Box(0, 0, PLATFORM_WIDTH, PLATFORM_HEIGHT),
    LOCOMOTIVE.window,
    WAGON.window,
)
