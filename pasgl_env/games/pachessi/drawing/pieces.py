"""The pieces of Pachessi: tokens with a silhouette, and dice.

Each player's tokens have a distinct shape, so that nobody depends on colours: Black has round
tokens, Green square ones, Yellow four petals, Red shields. All are drawn around their centre, in a
box of 100 × 100 units.
"""

from __future__ import annotations

from typing import NamedTuple

from pasgl_env.render.svg.canvas import Shapes
from pasgl_env.render.svg.theme import Theme


class TokenLook(NamedTuple):
    """The look of a player's tokens and dice.

    Attributes:
        shape: outline of the token, as SVG's attribute ``d``.
        fill: fill of tokens and dice.
        sign: colour of silhouettes and pips.
        edge: colour of outlines on light pages; on dark ones it is the sign's.
    """

    shape: str
    fill: str
    sign: str
    edge: str


# By corner, counterclockwise from the upper left one.
LOOKS = (
    TokenLook("M-45 0a45 45 0 1 1 90 0a45 45 0 1 1-90 0z", "#25211d", "#fbf3e0", "#000000"),
    TokenLook(
        "M-31-42H31Q42-42 42-31V31Q42 42 31 42H-31Q-42 42-42 31V-31Q-42-42-31-42z",
        "#237a49",
        "#ffffff",
        "#0f3d23",
    ),
    TokenLook(
        "M0-35A25 25 0 1 1 35 0A25 25 0 1 1 0 35A25 25 0 1 1-35 0A25 25 0 1 1 0-35z",
        "#f3bf2c",
        "#2b2116",
        "#7a560a",
    ),
    TokenLook("M-41-42H41V-4C41 24 22 38 0 47C-22 38-41 24-41-4z", "#c0322a", "#ffffff", "#5e0f0b"),
)

# In the order R E H S.
SILHOUETTES = (
    "M-35 39h70v-13h-70zM-35 18L-45-18Q-33-11-23-5Q-21-23-12-27Q-3-31 0-41Q3-31 12-27"
    "Q21-23 23-5Q33-11 45-18L35 18z",
    "M-8-34C12-40 34-34 40-12C43 0 46 10 49 16L44 18L41 10C41 20 40 26 40 36H24V16"
    "Q12 20 2 16V36H-14V16C-20 12-24 8-26 2C-29 8-29 18-30 24Q-31 32-38 32Q-46 32-46 22"
    "L-39 22Q-39 25-37 24C-36 16-40 2-40-12C-40-28-28-38-16-36z",
    "M-4-44L4-34C28-30 38-10 36 22L34 40H-24C-24 24-10 18-6 4C-14 8-18 10-22 18"
    "C-26 24-34 22-40 16C-44 12-42 8-38 2C-30-12-28-22-20-30Q-16-36-4-44z",
    "M-46 16H46Q40 40 22 40H-22Q-40 40-46 16zM-4 10V-44H3V10zM8-38C30-30 40-10 40 6"
    "Q26 10 8 8zM-9-30V8Q-26 10-36 6C-34-10-24-22-9-30z",
)
# The middle of a shield is above the centre of its box.
_RAISED = (0, 0, 0, 5)

_PIPS = ((), (4,), (2, 6), (2, 4, 6), (0, 2, 6, 8), (0, 2, 4, 6, 8), (0, 2, 3, 5, 6, 8))


def token(corner: int, kind: int, theme: Theme) -> str:
    """A piece of the player of a corner, as SVG."""
    look = LOOKS[corner]
    shapes = Shapes().path(look.shape, fill=look.fill, stroke=edge(corner, theme), stroke_width=4)
    place = f"translate(0 {-_RAISED[corner]}) scale(.64)"
    return str(shapes.path(SILHOUETTES[kind], fill=look.sign, transform=place))


def slot(corner: int, theme: Theme) -> str:
    """An empty place for a token, as SVG."""
    line = {"stroke": theme.faint, "stroke_width": 4, "stroke_dasharray": "7 7"}
    return str(Shapes().path(LOOKS[corner].shape, fill="none", **line))


def glow(theme: Theme) -> str:
    """What is behind a grace die, as SVG."""
    return str(Shapes().rect(-50, -50, 100, 100, rx=24, fill=theme.last))


def die(corner: int, number: int, theme: Theme) -> str:
    """A die of the player of a corner, as SVG; without pips for the number 0."""
    look, line = LOOKS[corner], {"stroke": edge(corner, theme), "stroke_width": 4}
    which = {"class_": "die", "data_number": number}
    shapes = Shapes().rect(-43, -43, 86, 86, rx=18, **which, fill=look.fill, **line)
    for pip in _PIPS[number]:
        shapes.circle(pip % 3 * 25 - 25, pip // 3 * 25 - 25, 9.5, fill=look.sign)
    return str(shapes)


def blank_die(theme: Theme, is_grace: bool) -> str:
    """A die to be rolled, as SVG."""
    colour, width = (theme.last, 7) if is_grace else (theme.faint, 4)
    line = {"stroke": colour, "stroke_width": width, "stroke_dasharray": "12 9"}
    shapes = Shapes().rect(-43, -43, 86, 86, rx=18, class_="due", fill="none", **line)
    return str(shapes.text(0, 18, "?", 52, fill=theme.faint))


def crown(theme: Theme) -> str:
    """The winner's crown, as SVG."""
    line = {"stroke": theme.white_line, "stroke_width": 3}
    return str(Shapes().path(SILHOUETTES[0], fill=theme.last, **line))


def edge(corner: int, theme: Theme) -> str:
    """The colour of outlines of the player of a corner."""
    return LOOKS[corner].edge if theme.name == "light" else LOOKS[corner].sign
