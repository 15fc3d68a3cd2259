"""Parsing of drawings for tests."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from pasgl_env import render
from pasgl_env.render.svg.canvas import Canvas
from pasgl_env.render.svg.silhouette import BOX


def shapes(position, **settings):
    """All elements of a position's drawing, in order."""
    return list(ElementTree.fromstring(render.svg(position, **settings)).iter())


def of_class(shapes, name):
    return [shape for shape in shapes if shape.get("class") == name]


def texts(shapes):
    """The visible text."""
    return [shape.text or "" for shape in shapes if shape.tag.endswith("text")]


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    """As the Web Content Accessibility Guidelines define it."""
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def box(shape):
    """Left, top, right and bottom of the box that a symbol is drawn in, in units of the drawing."""
    move, grow = shape.get("transform").split(") ")
    x, y = map(float, move.removeprefix("translate(").split())
    size = BOX * float(grow.removeprefix("scale(").removesuffix(")"))
    return x, y, x + size, y + size


def pixels_of(picture, ground, size):
    """A picture in a box of `BOX` units on a ground of a colour, as numbers from 0 to 255."""
    raster = pytest.importorskip("pasgl_env.render.raster", exc_type=ImportError)
    canvas = Canvas(BOX, BOX, "")
    canvas.rect(0, 0, BOX, BOX, fill=ground)
    canvas.add(picture)
    return raster.pixels(canvas, size).astype(int)
