"""Rasterised drawings, by ThorVG.

Letters are drawn as outlines of a font that comes with the package: machines have different fonts
or none, and ThorVG's own text supports neither ``text-anchor`` nor entities.
"""

from __future__ import annotations

import os
import re
from functools import cache
from html import unescape
from importlib import resources
from io import BytesIO
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.jit.interrupts import deferred_signals
from pasgl_env.render.size import checked_size
from pasgl_env.render.svg.canvas import Canvas

try:
    import thorvg_python as thorvg
    from fontTools.pens.svgPathPen import SVGPathPen
    from fontTools.ttLib import TTFont
    from PIL import Image
except ImportError as error:
    raise ImportError("pixels need the extra: pip install 'pasgl-env[render]'") from error

_TEXT = re.compile(r"<text([^>]*)>([^<]*)</text>")
_ATTRIBUTE = re.compile(r"""([\w-]+)=["']([^"']*)["']""")
_ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}
# The binding stores a type for every length of document, forever.
_LENGTHS = 4096
# ThorVG has one engine per process.
_one_at_a_time = Lock()
if hasattr(os, "register_at_fork"):  # or a fork in the middle of a drawing would keep it locked
    os.register_at_fork(
        before=_one_at_a_time.acquire,
        after_in_parent=_one_at_a_time.release,
        after_in_child=_one_at_a_time.release,
    )


def pixels(canvas: Canvas, size: int = 512) -> np.ndarray:
    """A drawing as an image, ``uint8[H, W, 3]``, red first.

    >>> from pasgl_env.render.svg.canvas import Canvas
    >>> canvas = Canvas(20, 10, "an example").rect(0, 0, 20, 10, fill="#ff8000")
    >>> image = pixels(canvas, 64)
    >>> image.shape, image[0, 0].tolist()
    ((32, 64, 3), [255, 128, 0])

    Args:
        canvas: the drawing, fully opaque.
        size: the longer of width and height. The other one follows, rounded to an even number,
            because many players cannot show other videos.

    Raises:
        ValueError: for a size that is not an integer from 32 to 4096.
    """
    scale = checked_size(size) / max(canvas.width, canvas.height)
    width, height = canvas.width * scale, canvas.height * scale
    shown = [size if side >= size else max(2, int(side) // 2 * 2) for side in (width, height)]
    with deferred_signals(), _one_at_a_time:
        drawn = _drawn(_outlined(canvas.to_svg()), (width, height), (shown[0], shown[1]))
    return drawn[..., :3].copy()


def png(image: np.ndarray) -> bytes:
    """An image from :func:`pixels` as a PNG file."""
    file = BytesIO()
    Image.fromarray(image).save(file, "PNG")
    return file.getvalue()


def _drawn(svg: str, size: tuple[float, float], shown: tuple[int, int]) -> np.ndarray:
    """The upper left part of a document drawn at a given size, ``uint8[H, W, 4]``."""
    engine, data = _engine(), svg.encode()
    target = thorvg.SwCanvas(engine)
    picture = thorvg.Picture(engine)
    try:
        target.set_target(*shown)
        target.add(picture)
        padded = data.ljust(-(-len(data) // _LENGTHS) * _LENGTHS)
        if failure := picture.load_data(padded, "svg", None, True):
            raise RuntimeError(f"ThorVG cannot read the drawing: {failure.name}")
        picture.set_size(*size)
        target.draw(True)
        target.sync()
    finally:
        target.destroy()
    return np.frombuffer(target.buffer_arr, np.uint8).reshape(shown[1], shown[0], 4)


@cache
def _engine() -> Any:
    return thorvg.Engine()


def _outlined(svg: str) -> str:
    """The document with outlines instead of letters."""
    return _TEXT.sub(lambda found: _outline(found[1], unescape(found[2])), svg)


def _outline(attributes: str, text: str) -> str:
    given = dict(_ATTRIBUTE.findall(attributes))
    glyphs = [_glyph(letter) for letter in text]
    scale = float(given["font-size"]) / _font()["head"].unitsPerEm
    length = sum(glyph.advance for glyph in glyphs)
    left = float(given["x"]) - scale * length * _ANCHORS[given.get("text-anchor", "start")]
    shapes, position = "", 0
    for glyph in glyphs:
        shapes += f'<path transform="translate({position} 0)" d="{glyph.path}"/>'
        position += glyph.advance
    move = f"translate({left:.3f} {given['y']}) scale({scale:.6f} {-scale:.6f})"
    return f'<g{attributes}><g transform="{move}">{shapes}</g></g>'


class _Glyph(NamedTuple):
    path: str
    advance: int


@cache
def _glyph(letter: str) -> _Glyph:
    """A letter's outline, y upwards; a box for letters that the font lacks."""
    glyphs = _font().getGlyphSet()
    glyph = glyphs[_font().getBestCmap().get(ord(letter), ".notdef")]
    pen = SVGPathPen(glyphs)
    glyph.draw(pen)
    return _Glyph(pen.getCommands(), glyph.width)


@cache
def _font() -> Any:
    file = resources.files("pasgl_env.render") / "fonts" / "DejaVuSans-subset.ttf"
    return TTFont(BytesIO(file.read_bytes()))
