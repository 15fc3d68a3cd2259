"""Drawings of positions. Imported only when needed.

>>> from pasgl_env import Position, render
>>> position = Position("pasgl312").play("Th1h2")
>>> print(render.diagram(position)[:6])
<BLANKLINE>
...
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pasgl_env.contract import parts
from pasgl_env.contract.base import State
from pasgl_env.contract.game import brief
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.contract.scene import SPRITE, scene
from pasgl_env.render.size import checked_size
from pasgl_env.render.svg.board import Box
from pasgl_env.render.svg.canvas import Canvas
from pasgl_env.render.svg.diagram import drawn_diagram
from pasgl_env.render.svg.layout import Layout, plain
from pasgl_env.render.svg.legend import with_legend
from pasgl_env.render.svg.theme import THEMES

if TYPE_CHECKING:
    from pasgl_env.engine.position import Position

__all__ = [
    "Heat",
    "Marks",
    "bare_board",
    "checked_theme",
    "compact_diagram",
    "diagram",
    "diagram_of_state",
    "drawing",
    "drawing_of_state",
    "icon",
    "layout",
    "marks_of",
    "places",
    "png",
    "rehearse",
    "rgb",
    "summary",
    "svg",
]


class Heat(NamedTuple):
    """A square of a heat map.

    Attributes:
        square: the square's name.
        strength: strength of its tint, from 0 to 1.
        words: text shown on hover.
    """

    square: str
    strength: float
    words: str


class Marks(NamedTuple):
    """Squares to mark in a drawing, by name.

    Attributes:
        last: squares that the last turn touched.
        origin: the selected square; None for none.
        targets: legal targets of its piece, or the choices in the middle of a turn.
        moves: origins and targets of the last turn's moves, for arrows.
        rolled: the last outcome of chance in the current turn; -1: none, or unknown.
        heat: squares of a heat map.
    """

    last: frozenset[str] = frozenset()
    origin: str | None = None
    targets: frozenset[str] = frozenset()
    moves: tuple[tuple[str, str], ...] = ()
    rolled: int = -1
    heat: tuple[Heat, ...] = ()


NO_MARKS = Marks()


def diagram(position: Position) -> str:
    """The position as a text diagram, like ``str(position)``."""
    return diagram_of_state(position.ruleset, position.state[0])


def diagram_of_state(ruleset: Ruleset, state: State) -> str:
    """A state record as a text diagram; as its position text if the game has none."""
    option = ruleset.record[0]
    try:
        return parts.diagram(ruleset.game).diagram(state, option)
    except NotImplementedError:
        return ruleset.game.texts.write(state, option)


def compact_diagram(position: Position) -> str:
    """The position as a text diagram with few lines, for small terminals.

    >>> from pasgl_env import Position, render
    >>> len(render.compact_diagram(Position("pasgl312")).splitlines())
    12
    """
    with suppress(NotImplementedError):
        drawn = parts.diagram(position.ruleset.game)
        if (compact := getattr(drawn, "compact", None)) is not None:
            return str(compact(position.state[0], position.ruleset.record[0]))
    return "\n".join(line for line in diagram(position).splitlines() if not _is_frame(line))


def _is_frame(line: str) -> bool:
    """Whether a line of a diagram is only a separator."""
    return "+" in line and not line.strip(" +-=")


def summary(ruleset: Ruleset) -> str:
    """A summary of the rules; of a game without one, the line that describes it."""
    try:
        page = parts.summary(ruleset.game).summary(ruleset.record[0])
    except NotImplementedError:
        page = f"{ruleset.game.summary or 'Nothing is said about this game'}."
    return f"{ruleset.game.title.upper()}\n\n{page}"


def rehearse(position: Position) -> None:
    """Play on until a player acts, in place, and run all that reads and shows it once.

    What it needs is then compiled: what people see would otherwise wait for it.
    """
    while position.is_chance:
        position.play_action(position.legal_actions()[0])
    position.from_text(position.ruleset, position.text)
    action = position.legal_actions()[0]
    position.describe(action)
    position.effects(action)
    svg(position)


def svg(
    position: Position,
    *,
    theme: str = "light",
    size: float | None = 480,
    origin: str | None = None,
    legend: bool = False,
) -> str:
    """The position as an SVG document.

    Args:
        position: the position; its last turn, or the current one, is marked.
        theme: ``"light"`` or ``"dark"``.
        size: width in pixels; None lets the viewer choose.
        origin: name of a square, to mark the legal targets of its piece.
        legend: whether to list the names of the pieces below the board.

    Raises:
        ValueError: for an unknown theme, a size that is not a number above 0 and up to 100000, or
            if no legal move starts from ``origin``.
    """
    canvas = _picture(position, theme, origin, legend)
    canvas.description = position.text
    return canvas.to_svg(size)


def rgb(
    position: Position,
    *,
    theme: str = "light",
    size: int = 512,
    origin: str | None = None,
    legend: bool = False,
) -> np.ndarray:
    """The position as an image, ``uint8[H, W, 3]``, red first.

    Needs the extra ``render``.

    >>> from pasgl_env import Position, render
    >>> render.rgb(Position("pasgl312"), size=400).dtype
    dtype('uint8')

    Args:
        position: the position, drawn as by :func:`svg`.
        theme: ``"light"`` or ``"dark"``.
        size: the longer side in pixels; the other side is an even number.
        origin: name of a square, to mark the legal targets of its piece.
        legend: whether to list the names of the pieces below the board.

    Raises:
        ValueError: for an unknown theme, a size that is not an integer from 32 to 4096, or if no
            legal move starts from ``origin``.
        ImportError: without the extra.
    """
    from pasgl_env.render import raster

    checked_size(size)
    return raster.pixels(_picture(position, theme, origin, legend), size)


def png(
    position: Position,
    *,
    theme: str = "light",
    size: int = 512,
    origin: str | None = None,
    legend: bool = False,
) -> bytes:
    """The position as a PNG file; arguments and errors as for :func:`rgb`."""
    from pasgl_env.render import raster

    return raster.png(rgb(position, theme=theme, size=size, origin=origin, legend=legend))


def _picture(position: Position, theme: str, origin: str | None, legend: bool) -> Canvas:
    canvas = drawing(position, theme=theme, marks=marks_of(position, origin))
    if not legend:
        return canvas
    ruleset = position.ruleset
    pieces = parts.guide(ruleset.game).pieces(ruleset.record[0])
    shown = [(icon(ruleset, piece.symbol, theme=theme), piece.name) for piece in pieces]
    return with_legend(canvas, shown, THEMES[theme])


def drawing(position: Position, *, theme: str = "light", marks: Marks = NO_MARKS) -> Canvas:
    """The position as a drawing to which more can be added.

    Raises:
        ValueError: for an unknown theme.
    """
    return drawing_of_state(position.ruleset, position.state[0], theme=theme, marks=marks)


def drawing_of_state(
    ruleset: Ruleset, state: State, *, theme: str = "light", marks: Marks = NO_MARKS
) -> Canvas:
    """A state record as a drawing; as one of its diagram in a game without drawings.

    Raises:
        ValueError: for an unknown theme.
    """
    try:
        fixed = _layout(ruleset, checked_theme(theme))
    except NotImplementedError:
        drawn = drawn_diagram(diagram_of_state(ruleset, state), THEMES[theme])
    else:
        drawn = fixed.draw(scene(ruleset.game, state, ruleset.record[0], marks.rolled), marks)
    return _titled(ruleset, drawn)


def bare_board(ruleset: Ruleset, *, theme: str = "light", marks: Marks = NO_MARKS) -> Canvas:
    """The empty board with its scenery, as a drawing.

    Args:
        ruleset: the variant with its options.
        theme: ``"light"`` or ``"dark"``.
        marks: marks; only squares of the last turn and of a heat map are drawn.

    Raises:
        ValueError: for an unknown theme.
    """
    try:
        drawn = _layout(ruleset, checked_theme(theme)).bare(marks)
    except NotImplementedError:
        drawn = drawn_diagram("", THEMES[theme])
    return _titled(ruleset, drawn)


def _titled(ruleset: Ruleset, canvas: Canvas) -> Canvas:
    canvas.title = f"{ruleset.game.title}: {canvas.title}"
    return canvas


@lru_cache(maxsize=64)
def _layout(ruleset: Ruleset, theme: str) -> Layout:
    """The layout of a game's drawings; ``NotImplementedError`` if there are none."""
    return parts.drawing(ruleset.game).layout(ruleset.record[0], THEMES[theme])


def layout(ruleset: Ruleset, *, theme: str = "light") -> dict[str, Any]:
    """All that a renderer elsewhere needs to draw scenes, as JSON has it.

    >>> from pasgl_env import Position, render
    >>> render.layout(Position("spalding").ruleset)["sprite"]["place"]
    {'type': 'int16', 'offset': 20}

    Returns:
        The fields of :class:`~pasgl_env.render.svg.layout.Layout`; ``title``, the game's; and
        ``sprite``, the fields of a record of :data:`~pasgl_env.contract.scene.SPRITE`.

    Raises:
        ValueError: for an unknown theme.
        NotImplementedError: if the game has no drawings.
    """
    assert SPRITE.fields is not None
    sprite = {
        name: {"type": str(where[0]), "offset": where[1]} for name, where in SPRITE.fields.items()
    }
    data = plain(_layout(ruleset, checked_theme(theme)))
    return {**data, "title": ruleset.game.title, "sprite": sprite}


def places(ruleset: Ruleset) -> dict[str, Box]:
    """The position of each square in drawings, by name, in units of the drawing."""
    try:
        return _layout(ruleset, "light").boxes()
    except NotImplementedError:
        return {}


def icon(ruleset: Ruleset, symbol: str, *, theme: str = "light") -> Canvas:
    """A single piece, by its symbol, such as ``R``, or ``black-R`` with its colour.

    Raises:
        ValueError: for an unknown theme.
    """
    return _layout(ruleset, checked_theme(theme)).icon(symbol)


def checked_theme(theme: object) -> str:
    """Check the name of a theme.

    Raises:
        ValueError: for an unknown theme.
    """
    if not isinstance(theme, str) or theme not in THEMES:
        raise ValueError(f"theme must be {' or '.join(map(repr, THEMES))}, not {brief(theme)}")
    return theme


def marks_of(position: Position, origin: str | None = None) -> Marks:
    """The marks for the last turn, and for the moves from a square or the current choices.

    Raises:
        ValueError: if no legal move starts from ``origin``.
    """
    played = position.played
    marks = Marks(
        last=frozenset(square for action in played for square in action.squares),
        moves=tuple((each.origin, each.target) for each in played if each.origin and each.target),
        rolled=position.rolled,
    )
    if origin is not None:
        return marks._replace(origin=origin, targets=_targets(position, origin))
    if not position.in_turn:
        return marks
    asked = position.choices
    return marks._replace(targets=frozenset(at for each in asked for at in each.squares))


def _targets(position: Position, origin: str) -> frozenset[str]:
    """The legal targets of the piece on a square; its own square for leaving the board."""
    moves = [action for action in position.choices if action.origin]
    targets = frozenset(each.target or origin for each in moves if each.origin == origin)
    if not targets:
        starts = sorted({action.origin for action in moves})
        some = ", ".join(starts[:8]) + (", ..." if len(starts) > 8 else "") or "nowhere"
        raise ValueError(f"no legal move starts from {brief(origin)}; moves start from {some}")
    return targets
