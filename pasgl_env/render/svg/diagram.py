"""Text diagrams as drawings, for games without drawings of their own."""

from __future__ import annotations

from pasgl_env.render.svg.canvas import FONT, Canvas
from pasgl_env.render.svg.theme import Theme

SIDE, _MARGIN = 480, 16
_LARGEST, _WIDTH, _LEADING = 26.0, 0.603, 1.3  # of letters; the others are in units of their size


def drawn_diagram(text: str, theme: Theme) -> Canvas:
    """A drawing of a text in letters of one width; all such drawings have one size."""
    lines = text.splitlines()
    room, longest = SIDE - 2 * _MARGIN, max(map(len, lines), default=1)
    size = min(_LARGEST, room / (_WIDTH * max(longest, 1)), room / (_LEADING * max(len(lines), 1)))
    canvas = Canvas(SIDE, SIDE, "a diagram")
    canvas.rect(0, 0, SIDE, SIDE, fill=theme.page)
    left = (SIDE - _WIDTH * size * longest) / 2
    top = (SIDE - _LEADING * size * len(lines)) / 2
    for number, line in enumerate(lines, 1):
        canvas.text(
            left,
            top + _LEADING * size * (number - 0.3),
            line.replace(" ", "\N{NO-BREAK SPACE}"),
            size,
            text_anchor="start",
            font_family=f"DejaVu Sans Mono, monospace, {FONT}",
            fill=theme.ink,
        )
    return canvas
