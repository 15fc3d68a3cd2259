"""Drawings of Captain Spalding Chess: the board between two trays, one for each player.

A tray shows the possible finds of a player's containers; impossible ones are pale. In the middle of
a turn, small pieces on the board show which finds may be put where.
"""

from __future__ import annotations

from collections.abc import Iterator

from pasgl_env.contract.base import OptionsRecord
from pasgl_env.games.spalding import GAME
from pasgl_env.games.spalding.drawing import scene as shown
from pasgl_env.games.spalding.drawing.pieces import piece
from pasgl_env.games.spalding.names import KIND_NAMES
from pasgl_env.games.spalding.position_text import CONTENT_LETTERS
from pasgl_env.games.spalding.rules.board import NAMES, SQUARES
from pasgl_env.games.spalding.rules.legal import CREATES, FINDS_OF
from pasgl_env.games.spalding.rules.state import BEYOND, BOX, EMPTY, GREAT, KIND, OWN, PAJAMA
from pasgl_env.render.svg.board import Board, coordinates, seat, squares
from pasgl_env.render.svg.canvas import Shapes
from pasgl_env.render.svg.layout import Icon, Layout, Look, Role, at, used_piece
from pasgl_env.render.svg.silhouette import BOX as UNITS
from pasgl_env.render.svg.silhouette import SEATS
from pasgl_env.render.svg.theme import Theme

MOST, scene = shown.MOST, shown.scene
WIDTH, HEIGHT = 860, 1040
SIDE = 100
BOARD = Board(left=44, top=100, side=SIDE, files=8, ranks=8)
RIGHT = BOARD.left + 8 * SIDE
TRAY_LEFT, NOTE_WIDTH, NOTE_SIZE = 122, 146, 27
TRAY_MIDDLE = (992, 50)
SHARE, CONTAINER_SIZE, FIND_SIZE, GAP = 0.86, 60, 46, 9
PALE = 0.25
# Finds on a free square, one to four: the size of small pieces, and their upper left corners.
CHOICES = (
    (60, ((20, 20),)),
    (42, ((7, 29), (51, 29))),
    (42, ((7, 7), (51, 7), (29, 51))),
    (42, ((7, 7), (51, 7), (7, 51), (51, 51))),
)
# The same on an occupied square, which has one possible find.
ON_DISC = (46, ((47, 47),))


def layout(options: OptionsRecord, theme: Theme) -> Layout:
    """The board, and the trays under options."""
    prefix = f"spalding-{theme.name}-"
    pieces = {CONTENT_LETTERS[content]: content for content in range(1, BEYOND)}
    shapes = {letter: piece(content, theme) for letter, content in pieces.items()}
    return Layout(
        theme=theme,
        prefix=prefix,
        size=(WIDTH, HEIGHT),
        side=SIDE,
        ground=_ground(theme),
        places=tuple(BOARD.box(square % 8, square // 8) for square in range(SQUARES)),
        squares=NAMES[:SQUARES],
        looks=tuple(_looks(options, theme, prefix)),
        symbols=({}, *({"symbol": letter} for letter in pieces)),
        shapes=shapes,
        icons={
            letter: Icon(KIND_NAMES[int(KIND[content])], shapes[letter])
            for letter, content in pieces.items()
        },
    )


def _ground(theme: Theme) -> str:
    shapes = Shapes().rect(0, 0, WIDTH, HEIGHT, fill=theme.page).add(squares(BOARD, theme))
    return str(shapes.add(coordinates(BOARD, theme, 26)))


def _looks(options: OptionsRecord, theme: Theme, prefix: str) -> Iterator[Look]:
    """The looks, in the order of their numbers."""
    yield Look(used_piece(prefix), Role.PIECE, share=SHARE)
    yield Look(role=Role.ORIGIN)
    line = {"stroke": theme.target, "stroke_width": 4}
    tint = {"rx": 12, "class_": "target", "fill": theme.target, "fill_opacity": 0.2, **line}
    yield Look(str(Shapes().rect("{x+3}", "{y+3}", SIDE - 6, SIDE - 6, **tint)), Role.TARGET)
    disc = Shapes().circle("{x+70}", "{y+70}", 30, fill=theme.light, **line)
    yield Look(str(disc), Role.CHOICE)
    for size, places in (ON_DISC, *CHOICES):
        for right, down in places:
            place = at("x", right), at("y", down), size / UNITS
            yield Look(str(Shapes(prefix).use("{symbol}", *place, class_="choice")), Role.CHOICE)
    yield from _seats(theme)
    yield from _trays(options, theme, prefix)


def _seats(theme: Theme) -> Iterator[Look]:
    """Each player's turn, or the result."""
    yield from (Look(_seat(theme, player)) for player in range(2))
    for player, name in enumerate(SEATS):
        turn = _seat(theme, player, "turn", "{words}", moves=True)
        title = f"turn {{number}}, {name} to move"
        yield Look(turn, words="{number}", size=NOTE_SIZE, room=NOTE_WIDTH, title=title)
    for lack in ("no Box", "no turn"):
        for player, name in enumerate(SEATS):
            title = f"turn {{number}}, over: {SEATS[1 - player]} wins, {name} has {lack}"
            yield Look(_seat(theme, player, "lost", lack), title=title)
    yield from (Look(_seat(theme, player, "won")) for player in range(2))


def _seat(theme: Theme, player: int, *notes: str, moves: bool = False) -> str:
    """A player's disc, and one or two short lines at the right end of the tray."""
    y = TRAY_MIDDLE[player]
    shapes = Shapes().add(seat(88, y, 40, theme, player, moves))
    with shapes.group(class_="upright"):  # both lines together, so that they stay in order
        for text, down in zip(notes, (-8, 24) if len(notes) == 2 else (9,), strict=False):
            size = "{size}" if text == "{words}" else min(NOTE_SIZE, NOTE_WIDTH / len(text))
            shapes.text(RIGHT, y + down, text, size, text_anchor="end", fill=theme.ink)
    return str(shapes)


def _trays(options: OptionsRecord, theme: Theme, prefix: str) -> Iterator[Look]:
    """Containers, lost ones with all their finds; then finds, and those that cannot come out."""
    trays: list[str] = []
    lost: list[str] = []
    finds: list[str] = []
    gone: list[str] = []
    for player, middle in enumerate(TRAY_MIDDLE):
        x = TRAY_LEFT
        for kind in (BOX, PAJAMA, GREAT):
            own = range(*FINDS_OF[kind])
            held = [options[GAME.options[find].name] for find in own]
            width = CONTAINER_SIZE + sum(held) * FIND_SIZE + 2 * GAP
            tray = Shapes(prefix)
            tray.rect(x, middle - 38, width, 76, rx=16, fill=theme.light)
            letter, scale = CONTENT_LETTERS[OWN[player] + kind], CONTAINER_SIZE / UNITS
            tray.use(letter, x + GAP / 2, middle - CONTAINER_SIZE / 2, scale)
            trays.append(str(tray))
            left = x + 1.25 * GAP + CONTAINER_SIZE
            for find, is_held in zip(own, held, strict=True):
                for looks, opacity in ((finds, None), (gone, PALE)):
                    shapes = Shapes(prefix)
                    if is_held:
                        letter = CONTENT_LETTERS[CREATES[player, find, EMPTY]]
                        place = left, middle - FIND_SIZE / 2, FIND_SIZE / UNITS
                        shapes.use(letter, *place, class_="find", opacity=opacity)
                    looks.append(str(shapes))
                left += FIND_SIZE * is_held
            everything = "".join([trays[-1], *finds[-len(own) :]])
            lost.append(f'<g opacity="{PALE}">{everything}</g>')
            x += width + GAP
    yield from map(Look, (*trays, *lost, *finds, *gone))
