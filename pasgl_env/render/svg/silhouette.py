"""Silhouettes of pieces, in a box of ``BOX`` × ``BOX`` units."""

from __future__ import annotations

from typing import NamedTuple

from pasgl_env.render.svg.canvas import Shapes
from pasgl_env.render.svg.theme import Theme

BOX = 100
OUTLINE, BOLD_OUTLINE = 5, 12
# The yellow of golden parts, on both sides' pieces.
BRIGHT = "#ffd42a"
SEATS = ("White", "Black")


class Silhouette(NamedTuple):
    """The shape of a piece, as paths, from bottom to top.

    Attributes:
        bodies: filled and outlined shapes, one over the other.
        limbs: shapes too thin for an outline, below the bodies.
        bright: yellow parts, outlined in the colour of limbs.
        lines: lines drawn on them.
        spots: shapes filled with the colour of the lines.
    """

    bodies: tuple[str, ...]
    limbs: str = ""
    bright: str = ""
    lines: str = ""
    spots: str = ""

    def of_player(self, theme: Theme, player: int, name: str = "", *, bold: bool = False) -> str:
        """The silhouette in the colours of player 0 or 1, as SVG.

        Limbs are dark for both players: light ones would disappear on light squares.
        """
        fill, line = theme.of_player(player)
        title = f"{SEATS[player]} {name}" if name else ""
        return self.painted(fill, line, title, limb=(line, fill)[player], bold=bold)

    def painted(
        self, fill: str, line: str, title: str = "", *, limb: str | None = None, bold: bool = False
    ) -> str:
        """The silhouette as SVG.

        Args:
            fill: colour of the bodies.
            line: colour of outlines, lines and spots.
            title: text shown on hover.
            limb: colour of limbs, and of outlines on yellow; None for that of lines.
            bold: whether lines are wide, and outlines lie around the bodies instead of half upon
                them: for small pieces.
        """
        shapes = Shapes()
        width = BOLD_OUTLINE if bold else OUTLINE
        with shapes.group(
            fill=fill,
            stroke=line,
            stroke_width=width,
            stroke_linejoin="round",
            stroke_linecap="round",
            paint_order="stroke" if bold else None,
        ):
            if title:
                shapes.add(f"<title>{title}</title>")
            if self.limbs:
                shapes.path(self.limbs, fill="none", stroke=limb, stroke_width=width + 1)
            for path in self.bodies:
                shapes.path(path)
            if self.bright:
                shapes.path(self.bright, fill=BRIGHT, stroke=limb)
            if self.lines:
                shapes.path(self.lines, fill="none")
            if self.spots:
                shapes.path(self.spots, fill=line, stroke="none")
        return str(shapes)


def dot(x: float, y: float, radius: float) -> str:
    """A circle as part of a path."""
    arc = f"a{radius:g} {radius:g} 0 1 0"
    return f"M{x - radius:g} {y:g}{arc} {2 * radius:g} 0{arc} {-2 * radius:g} 0z"
