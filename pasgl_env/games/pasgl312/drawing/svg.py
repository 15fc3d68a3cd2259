"""The drawing of PASGL 312 Chess: critters, lunches, stink, the railway and its Train.

A critter with its lunch has a paper bag. Green lines rise from a stinky one, and an arrow marks
those that the Train has put on a platform. In a terminal, critters are on the platform above or
below the track; riders are in the windows of the cars. If ten or more critters share a square, each
kind and condition is drawn once, with its number. Where critters are small, bags are larger and
stinky ones have a green background.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import groupby
from math import ceil, hypot
from typing import TYPE_CHECKING, NamedTuple

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.games.pasgl312.drawing.forest import (
    BOARD,
    BOTTOM,
    COLUMN,
    HEIGHT,
    LOCOMOTIVE,
    MARGIN,
    PLATFORM_HEIGHT,
    PLATFORM_WIDTH,
    SIDE,
    WAGON,
    WIDTH,
    Car,
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
from pasgl_env.games.pasgl312.names import KIND_NAMES, passes
from pasgl_env.games.pasgl312.position_text import Critter, describe, members, question
from pasgl_env.games.pasgl312.rules.board import (
    BOARD_SQUARES,
    CAR_AT,
    DEAD,
    HEAD_CAR,
    NAMES,
    PHASES,
    SQUARES,
    TRAIN_HEAD,
)
from pasgl_env.games.pasgl312.rules.legal import victims
from pasgl_env.games.pasgl312.rules.play import displaced_next
from pasgl_env.games.pasgl312.rules.state import (
    CARRIERS,
    CHOOSE_DISPLACEMENT,
    CHOOSE_VICTIM,
    LETTERS,
    at,
    bear_is_dead,
    in_turn,
    is_over,
    winner,
)
from pasgl_env.render.svg.board import Box, mark_choices, mark_squares, seat
from pasgl_env.render.svg.canvas import Canvas, Shapes
from pasgl_env.render.svg.silhouette import BOX, SEATS
from pasgl_env.render.svg.theme import Theme

if TYPE_CHECKING:
    from pasgl_env.render import Marks

# Up to this number, the critters of a place are drawn one by one.
MOST_SINGLE = 9
# In cells below this width, lunch and stink are emphasised.
SMALL = 0.4 * SIDE
NOTE = 10.5


class Group(NamedTuple):
    """Critters drawn as one: one critter, or all at a place that look the same.

    Attributes:
        critter: side, kind and condition.
        number: number of critters.
        has_lunch: whether they have their lunch; the dead do not.
        is_asked: whether the player to act has to choose one of them, or its new square.
    """

    critter: Critter
    number: int
    has_lunch: bool
    is_asked: bool


def bare(options: OptionsRecord, marks: Marks, theme: Theme) -> Canvas:
    """Board, terminals, railway and campfire."""
    canvas = Canvas(WIDTH, HEIGHT, "the board", f"pasgl312-{theme.name}-")
    canvas.add(ground(theme))
    mark_squares(canvas, marks, corner, SIDE, theme)
    canvas.add(railway(theme))
    return canvas


def places(options: OptionsRecord) -> dict[str, Box]:
    """The squares; of a terminal, its platform and the track beside it."""
    boxes = {name: Box(*corner(name), SIDE, SIDE) for name in NAMES[:BOARD_SQUARES]}
    for name in NAMES[BOARD_SQUARES:]:
        (x, y), (_, top) = corner(name), platform(name)
        boxes[name] = Box(x, min(y, top), SIDE, SIDE + PLATFORM_HEIGHT)
    return boxes


def icon(symbol: str, options: OptionsRecord, theme: Theme) -> Canvas:
    """A critter; its modifiers are drawn too."""
    letter = symbol[-1]
    kind = LETTERS.index(letter.upper())
    critter = Critter(int(letter.islower()), kind, symbol[:-1].lstrip("~"), symbol.startswith("~"))
    group, colours = Group(critter, 1, _carries_lunch(critter), is_asked=False), forest(theme)
    canvas = Canvas(BOX, BOX, _words(group), f"pasgl312-{theme.name}-")
    for sign, shapes, _ in _signs(group, colours):
        canvas.symbol(sign, shapes)
    _draw_signs(canvas, group, colours)
    return canvas


def draw(state: State, options: OptionsRecord, marks: Marks, theme: Theme) -> Canvas:
    """The position: board, terminals, Train, the dead, the score."""
    stands = _stands(state, options)
    canvas = bare(options, marks, theme)
    canvas.title = stands
    colours = forest(theme)
    _draw_train(canvas, state, options, colours)
    occupied = {NAMES[place] for place in _occupied(state) if place < SQUARES}
    mark_choices(canvas, marks, corner, SIDE, theme, occupied)
    _draw_critters(canvas, state, colours)
    _draw_arrows(canvas, state, theme)
    _draw_scores(canvas, state, options, theme)
    _draw_notes(canvas, state, options, stands, theme)
    return canvas


def _stands(state: State, options: OptionsRecord) -> str:
    """A short description of the situation."""
    over = is_over(state, options)
    turn = f"turn {int(state.turn_count) + (not over)}"
    if over:
        return f"{turn}, over: {_outcome(state, options)}"
    mover = SEATS[state.mover]
    if in_turn(state):
        return f"{turn}, {mover}: {question(state, options)}"
    return f"{turn}, {mover} to move"


def _outcome(state: State, options: OptionsRecord) -> str:
    """The winner, and the reason why the game is over."""
    won = int(winner(state, options))
    result = f"{SEATS[won]} wins" if won >= 0 else "a draw"
    if bear_is_dead(state):
        return f"{result}, a Bear is dead"
    if state.pass_count >= options.passes:
        return f"{result} after {passes(int(options.passes))}"
    return f"{result}, {abs(int(state.score[0]) - int(state.score[1]))} points ahead"


def _draw_train(canvas: Canvas, state: State, options: OptionsRecord, colours: Forest) -> None:
    """The Train, and its head's next square."""
    if not is_over(state, options):
        x, y = corner(_next_head(state))
        canvas.rect(
            x + 2.5,
            y + 2.5,
            SIDE - 5,
            SIDE - 5,
            class_="next",
            rx=3,
            fill="none",
            stroke=colours.danger,
            stroke_width=1.8,
            stroke_dasharray="5 3.2",
        )
    for square, car in _cars(state)[: options.train_length]:
        x, y = corner(NAMES[square])
        place = f"translate({x:g} {y:g})"
        if _goes_right(square):
            place = f"translate({x + SIDE:g} {y:g}) scale(-1 1)"
        with canvas.group(class_="train", transform=place):
            canvas.add(car.shapes(colours))


def _next_head(state: State) -> str:
    return NAMES[TRAIN_HEAD[int(state.phase) % PHASES + 1]]


def _cars(state: State) -> tuple[tuple[int, Car], ...]:
    """The places of the cars of the longest Train; index 0 is the head."""
    head, *others = CAR_AT[state.phase].tolist()
    return (head, LOCOMOTIVE), *((square, WAGON) for square in others)


def _goes_right(square: int) -> bool:
    return NAMES[square][1] == "5"


def _draw_critters(canvas: Canvas, state: State, colours: Forest) -> None:
    asked = _asked(state)
    for place in _occupied(state):
        name, box = _space(state, place)
        _draw_place(canvas, _groups(state, place, asked), box, name, colours)
    _draw_dead(canvas, state, colours)


def _draw_dead(canvas: Canvas, state: State, colours: Forest) -> None:
    dead = _groups(state, DEAD, 0)
    for side in range(2):
        own = [group for group in dead if group.critter.side == side]
        if own:
            box = _box_of_dead(side, len(own))
            tile = Box(box.x - 2, box.y - 2, box.width + 4, box.height + 4)
            canvas.rect(*tile, class_="tile", rx=4, fill=colours.ground)
            y = tile.y - 4 if side == 0 else tile.y + tile.height + 9
            canvas.text(
                box.x + box.width / 2, y, "dead", 8, class_="dead", fill=colours.theme.faint
            )
            with canvas.group(opacity=0.8):
                _draw_place(canvas, own, box, "dead", colours)


def _occupied(state: State) -> list[int]:
    """Squares with critters, and cars with riders."""
    return [place for place, here in enumerate(state.standing[:DEAD].tolist()) if here]


def _asked(state: State) -> int:
    """The set of critters that the next choice is about."""
    if state.choice == CHOOSE_VICTIM:
        return int(victims(state, int(state.actor), int(state.target)))
    if state.choice == CHOOSE_DISPLACEMENT:
        return 1 << int(displaced_next(state))
    return 0


def _space(state: State, place: int) -> tuple[str, Box]:
    """The name of a place, and the box for its critters."""
    if place < BOARD_SQUARES:
        return NAMES[place], Box(*corner(NAMES[place]), SIDE, SIDE)
    if place < SQUARES:
        return NAMES[place], Box(*platform(NAMES[place]), PLATFORM_WIDTH, PLATFORM_HEIGHT)
    car = place - HEAD_CAR
    return ("head car", "tail car")[car], _window(*_cars(state)[car])


def _window(square: int, car: Car) -> Box:
    x, y = corner(NAMES[square])
    left, top, width, height = car.window
    if _goes_right(square):
        left = SIDE - left - width
    return Box(x + left, y + top, width, height)


def _box_of_dead(side: int, number: int) -> Box:
    """The box of a dead critter beside the board, each side's at its own end, in pairs."""
    height = 17 * ceil(number / 2)
    y = BOTTOM - height if side == 0 else BOARD.top
    return Box(COLUMN["z"] - 5, y, 34, height)


def _groups(state: State, place: int, asked: int) -> list[Group]:
    """The groups of critters at a place, in stack order."""
    critters = int(at(state, place))
    here = sorted(
        ((describe(state, critter), bool(asked >> critter & 1)) for critter in members(critters)),
        key=lambda item: item[0].sort_key(),
    )
    piles = [[item] for item in here]
    if len(here) > MOST_SINGLE:
        piles = [list(alike) for _, alike in groupby(here, key=lambda item: item[0])]
    return [
        Group(
            critter=pile[0][0],
            number=len(pile),
            has_lunch=place != DEAD and _carries_lunch(pile[0][0]),
            is_asked=any(is_asked for _, is_asked in pile),
        )
        for pile in piles
    ]


def _carries_lunch(critter: Critter) -> bool:
    return bool(CARRIERS >> critter.kind & 1) and "-" not in critter.modifiers


def _draw_place(canvas: Canvas, groups: list[Group], box: Box, name: str, colours: Forest) -> None:
    for group, cell in zip(groups, _cells(box, len(groups)), strict=True):
        _draw_group(canvas, group, cell, name, colours)


def _cells(box: Box, number: int) -> list[Box]:
    """``number`` cells as large as fit into a box, evenly spread."""
    if number == 2 and 0.8 < box.width / box.height < 1.25:
        # Larger on the diagonal than side by side, because silhouettes leave their corners free.
        side = 0.58 * min(box.width, box.height)
        right, bottom = box.x + box.width - side, box.y + box.height - side
        return [Box(box.x, box.y, side, side), Box(right, bottom, side, side)]
    columns = _columns(box.width, box.height, number)
    width, height = box.width / columns, box.height / ceil(number / columns)
    side = min(width, height)
    left, top = box.x + (width - side) / 2, box.y + (height - side) / 2
    return [
        Box(left + cell % columns * width, top + cell // columns * height, side, side)
        for cell in range(number)
    ]


@cache
def _columns(width: float, height: float, number: int) -> int:
    """The number of columns with the largest cells; the greatest of several."""
    sides = {
        columns: min(width / columns, height / ceil(number / columns))
        for columns in range(1, number + 1)
    }
    return max(sides, key=lambda columns: (sides[columns], columns))


def _draw_group(canvas: Canvas, group: Group, cell: Box, name: str, colours: Forest) -> None:
    for sign, shapes, _ in _signs(group, colours):
        canvas.symbol(sign, shapes)
    canvas.add(_group_shapes(canvas.prefix, group, cell, name, colours))


@lru_cache(maxsize=4096)  # few critters move in a turn
def _group_shapes(prefix: str, group: Group, cell: Box, name: str, colours: Forest) -> str:
    critter, shapes = group.critter, Shapes(prefix)
    # In crowds, critters may touch, so that they can be larger.
    size = (0.94 if cell.width > SIDE / 2 else 1.08) * cell.width
    inset = (cell.width - size) / 2
    x, y, scale = cell.x + inset, cell.y + inset, size / BOX
    with shapes.group(
        class_="piece",
        data_piece=critter.symbol(),
        data_square=name,
        data_count=group.number if group.number > 1 else None,
        transform=f"translate({x:.4g} {y:.4g}) scale({scale:.3g})",
    ):
        shapes.add(f"<title>{_words(group)}, {name}</title>")
        if group.is_asked:
            shapes.rect(
                2, 2, 96, 96, rx=20, class_="asked", fill=colours.theme.target, fill_opacity=0.45
            )
        is_small = cell.width < SMALL
        if is_small and "*" in critter.modifiers:
            shapes.rect(0, 0, BOX, BOX, rx=20, fill=colours.stink, fill_opacity=0.5)
        if group.number == 1:
            _draw_signs(shapes, group, colours, is_small=is_small)
        else:
            with shapes.group(transform="translate(0 38) scale(0.62)"):
                _draw_signs(shapes, group, colours, is_small=is_small)
            _draw_number(shapes, group.number, colours.theme)
    return str(shapes)


def _draw_signs(shapes: Shapes, group: Group, colours: Forest, *, is_small: bool = False) -> None:
    for name, _, down in _signs(group, colours):
        if is_small and name == "lunch":  # extends up and left from its lower right corner
            with shapes.group(transform="translate(-68 -68) scale(1.7)"):
                shapes.use(name, 0, down)
        else:
            shapes.use(name, 0, down)


def _words(group: Group) -> str:
    """The description of a group, shown on hover."""
    critter = group.critter
    kind = f"{SEATS[critter.side]} {KIND_NAMES[critter.kind]}"
    counted = f"{group.number} times {kind}" if group.number > 1 else kind
    conditions = [
        *(["without lunch"] if "-" in critter.modifiers else []),
        *(["stinky"] if "*" in critter.modifiers else []),
        *(["leaving"] if critter.leaving else []),
    ]
    return ", ".join([counted, *conditions])


def _signs(group: Group, colours: Forest) -> Iterator[tuple[str, str, float]]:
    """The symbols that make up the picture of a group: name, shapes, vertical offset."""
    side, kind, modifiers, is_leaving = group.critter
    name = f"{SEATS[side]}-{KIND_NAMES[kind]}".lower()
    yield name, critter_shapes(colours.theme, side, kind), 0
    if "*" in modifiers:
        yield "stink", stink_shapes(colours), STINK_LEVEL.get(kind, 0)
    if group.has_lunch:
        yield "lunch", lunch_shapes(colours), 0
    if is_leaving:
        yield "leaving", leaving_shapes(colours), 0


def _draw_number(shapes: Shapes, number: int, theme: Theme) -> None:
    """The number of a group, at the right foot of its picture, and not below another one's."""
    shapes.text(
        82,
        95,
        str(number),
        54,
        fill=theme.ink,
        stroke=theme.page,
        stroke_width=14,
        stroke_linejoin="round",
        paint_order="stroke",
    )


def _draw_arrows(canvas: Canvas, state: State, theme: Theme) -> None:
    """The choices of an incomplete turn, which have no effect on the board yet."""
    if not in_turn(state):
        return
    target = NAMES[state.target]
    _draw_arrow(canvas, NAMES[state.where[state.actor]], target, theme)
    for critter in members(int(state.pushed)):
        _draw_arrow(canvas, target, NAMES[state.push_to[critter]], theme)


def _draw_arrow(canvas: Canvas, start: str, end: str, theme: Theme) -> None:
    (x1, y1), (x2, y2) = ((x + SIDE / 2, y + SIDE / 2) for x, y in map(corner, (start, end)))
    length = hypot(x2 - x1, y2 - y1)
    right, down = (x2 - x1) / length, (y2 - y1) / length
    tip = length - 0.42 * SIDE
    outline = ((0.25 * SIDE, 1.3), (tip - 6, 1.3), (tip - 6, 4), (tip, 0))
    both = [*outline, *((along, -across) for along, across in reversed(outline))]
    points = (
        f"{x1 + along * right - across * down:.4g} {y1 + along * down + across * right:.4g}"
        for along, across in both
    )
    canvas.path(
        f"M{'L'.join(points)}z",
        class_="chosen",
        fill=theme.target,
        stroke=theme.page,
        stroke_width=0.8,
    )


def _draw_scores(canvas: Canvas, state: State, options: OptionsRecord, theme: Theme) -> None:
    """Each side's score at its end of the board, and the leader's lead."""
    x = COLUMN["x"] + SIDE / 2 + 5
    for side, y in ((1, BOARD.top + 14), (0, BOTTOM - 46)):
        moves = not is_over(state, options) and int(state.mover) == side
        seat(canvas, x, y, 15, theme.of_player(side), theme, moves)
        score = str(int(state.score[side]))
        size = min(17, 80 / len(score))
        canvas.text(x, y + 27, score, size, class_="score", fill=theme.ink)
        lead = int(state.score[side]) - int(state.score[1 - side])
        if lead > 0:
            note = f"+{lead} of {int(options.win_margin)}"
            size = min(8, 72 / len(note))
            canvas.text(x, y + 38, note, size, class_="lead", fill=theme.faint)
    if state.pass_count:
        note = f"passes: {int(state.pass_count)}"
        canvas.text(x, BOTTOM - 62, note, 8, class_="passes", fill=theme.faint)


def _draw_notes(
    canvas: Canvas, state: State, options: OptionsRecord, stands: str, theme: Theme
) -> None:
    """The situation at the left, the Train at the right of the lower margin."""
    y = HEIGHT - 8
    # A letter is some 0.6 of the size wide, and the Train takes the other 0.4 of the width.
    size = min(NOTE, WIDTH / len(stands))
    note = stands[0].upper() + stands[1:]
    canvas.text(MARGIN, y, note, size, fill=theme.ink, text_anchor="start")
    if not is_over(state, options):
        train = f"The Train comes to {_next_head(state)}"
        canvas.text(WIDTH - MARGIN, y, train, NOTE, fill=theme.faint, text_anchor="end")
