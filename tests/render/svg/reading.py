"""What tests read in drawings."""

from __future__ import annotations

from xml.etree import ElementTree

from pasgl_env import render


def shapes(position, **settings):
    """All elements of a position's drawing, in order."""
    return list(ElementTree.fromstring(render.svg(position, **settings)).iter())


def of_class(shapes, name):
    return [shape for shape in shapes if shape.get("class") == name]


def texts(shapes):
    """What is written to be seen."""
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
