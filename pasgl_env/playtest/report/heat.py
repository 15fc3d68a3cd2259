"""Counters by square as heat maps on the drawing of the board."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from pasgl_env import render
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.playtest.results import Measure, Results
from pasgl_env.render.svg.theme import THEMES

_SQUARE = re.compile(r"[a-z][1-9][0-9]?")
_FAINTEST = 0.08  # of a square with a count above 0


class HeatMap(NamedTuple):
    """A heat map.

    Attributes:
        drawings: SVG by theme.
        most: the count per game that the strongest colour stands for.
        square: where that is.
    """

    drawings: dict[str, str]
    most: float
    square: str


def heat_map(results: Results, measure: Measure) -> HeatMap | None:
    """The totals of a measure on each square, per game; None if it is not counted by square."""
    axis = _squares_axis(measure)
    if axis is None or measure.per != "games":
        return None
    heat: dict[str, float] = {}
    for figure in measure.figures:
        square = figure.cell[axis]
        heat[square] = heat.get(square, 0.0) + (figure.total or 0.0) / results.games
    square = max(heat, key=lambda each: heat[each])
    if heat[square] <= 0:
        return None
    drawings = tinted(results.plan.ruleset, heat)
    return HeatMap(drawings, heat[square], square)


def _squares_axis(measure: Measure) -> str | None:
    """The axis whose labels are squares; None if there is none."""
    for axis in measure.figures[0].cell if measure.figures else ():
        if all(_SQUARE.fullmatch(figure.cell[axis]) for figure in measure.figures):
            return axis
    return None


def tinted(ruleset: Ruleset, heat: Mapping[str, float]) -> dict[str, str]:
    """The board with tinted squares, each of which shows its number as a tooltip.

    Args:
        ruleset: the variant under its options.
        heat: a number for each square, per game; at least one is above 0.

    Returns:
        SVG by theme.
    """
    most = max(heat.values())
    marks = render.Marks(
        heat=tuple(
            render.Heat(square, _strength(number / most), f"{square}: {number:.4g} a game")
            for square, number in heat.items()
        )
    )
    return {
        theme: render.bare_board(ruleset, theme=theme, marks=marks).to_svg() for theme in THEMES
    }


def _strength(share: float) -> float:
    return _FAINTEST + (1 - _FAINTEST) * share if share > 0 else 0.0
