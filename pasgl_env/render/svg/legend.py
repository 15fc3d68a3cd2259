"""A legend below a drawing: the pieces with their names."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from pasgl_env.render.svg.canvas import Canvas
from pasgl_env.render.svg.theme import Theme

# As fractions of the drawing's width.
_LETTERS, _ICON, _GAP = 0.028, 0.06, 0.012
_LETTER_WIDTH = 0.6  # as a fraction of a letter's height


def with_legend(board: Canvas, pieces: Sequence[tuple[Canvas, str]], theme: Theme) -> Canvas:
    """The drawing with a legend below it."""
    letters, icon, gap = (part * board.width for part in (_LETTERS, _ICON, _GAP))
    longest = max(len(name) for _, name in pieces)
    columns = int(board.width // (icon + longest * _LETTER_WIDTH * letters + 3 * gap))
    columns = max(1, min(columns, len(pieces)))
    rows = ceil(len(pieces) / columns)
    columns = ceil(len(pieces) / rows)
    width, height = board.width / columns, icon + gap
    canvas = Canvas(board.width, board.height + rows * height + gap, board.title, board.prefix)
    canvas.symbols = dict(board.symbols)
    canvas.parts = list(board.parts)
    canvas.rect(0, board.height, canvas.width, canvas.height - board.height, fill=theme.page)
    for number, (drawn, name) in enumerate(pieces):
        x = number % columns * width + gap
        y = board.height + number // columns * height
        canvas.symbols |= drawn.symbols
        scale = icon / drawn.height
        with canvas.group(transform=f"translate({x:.5g} {y:.5g}) scale({scale:.4g})"):
            canvas.parts += drawn.parts
        middle = y + icon / 2 + 0.36 * letters
        canvas.text(x + icon + gap, middle, name, letters, fill=theme.ink, text_anchor="start")
    return canvas
