"""Counters of squares, as heat maps on the drawing of the board."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from pasgl_env import render, variants
from pasgl_env.engine.position import Position
from pasgl_env.playtest.lab.results import Measure, Results
from pasgl_env.render.svg.theme import THEMES

_SQUARE = re.compile(r"[a-z][1-9][0-9]?")
_MARK = re.compile(r'<rect (?P<place>[^>]*?) class="last"[^>]*>')
_FAINTEST = 0.08  # of a square with anything at all


class HeatMap(NamedTuple):
    """A heat map.

    Attributes:
        drawings: SVG by theme.
        most: what the strongest colour stands for, in the measure's unit per game.
        square: where that is.
    """

    drawings: dict[str, str]
    most: float
    square: str


def axis_of(measure: Measure) -> str | None:
    """The axis of a measure's cells that consists of squares; None if there is none."""
    for axis in measure.figures[0].cell if measure.figures else ():
        if all(_SQUARE.fullmatch(figure.cell[axis]) for figure in measure.figures):
            return axis
    return None


def heat_map(results: Results, measure: Measure) -> HeatMap | None:
    """A measure's totals on each square, per game, over all other axes; None without any.

    The values are drawn where a drawing marks squares of the last turn: above the board's squares
    and below all scenery and pieces, which are left out.
    """
    axis = axis_of(measure)
    if axis is None or measure.per != "games":
        return None
    heat: dict[str, float] = {}
    for figure in measure.figures:
        square = figure.cell[axis]
        heat[square] = heat.get(square, 0.0) + (figure.total or 0.0) / results.games
    square = max(heat, key=lambda each: heat[each])
    if heat[square] <= 0:
        return None
    drawings = {theme: _drawn(results, heat, heat[square], theme) for theme in THEMES}
    return HeatMap(drawings, heat[square], square)


def _drawn(results: Results, heat: dict[str, float], most: float, theme: str) -> str:
    plan = results.plan
    position = Position(plan.variant, **plan.options)
    canvas = render.drawing_of_state(
        plan.variant,
        position.state[0],
        position.options_record[0],
        theme=theme,
        marks=render.Marks(last=frozenset(heat)),
    )
    canvas.title = f"{variants.find(plan.variant).title}: a heat map"
    marks = [number for number, part in enumerate(canvas.parts) if _MARK.match(part)]
    canvas.parts[marks[0] :] = _tints(
        [canvas.parts[number] for number in marks], sorted(heat.items()), most
    )
    canvas.symbols = {}
    return canvas.to_svg()


def _tints(marks: list[str], heat: list[tuple[str, float]], most: float) -> Iterator[str]:
    """A tint for each square, which says its number to those who point at it.

    Args:
        marks: of the same squares in the same order, as drawings have them.
        heat: the squares' names and numbers.
        most: the largest number.
    """
    for mark, (square, number) in zip(marks, heat, strict=True):
        place = _MARK.match(mark)
        assert place is not None
        opacity = _FAINTEST + (1 - _FAINTEST) * number / most if number > 0 else 0
        yield (
            f'<rect {place["place"]} class="heat" fill-opacity="{opacity:.3f}">'
            f"<title>{escape(square)}: {number:.4g} a game</title></rect>"
        )
