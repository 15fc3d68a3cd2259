"""A drawing in progress: shapes in the order of painting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from html import escape
from typing import Any, Self

import numpy as np

from pasgl_env.contract.game import brief

# Rasterisers on bare machines have only the first font, in regular weight with printable ASCII.
FONT = "DejaVu Sans, Verdana, sans-serif"
_WIDEST = 100_000
Number = float | str
"""A number, or a field such as ``{x+5}`` that stands for one."""


class Shapes:
    """Stacked shapes; ``str()`` returns them as SVG.

    Parts of drawings that never change can be stored as such strings, and added to drawings with
    :meth:`add`, which makes drawing fast.

    Keyword arguments of shapes are SVG attributes, with ``_`` for ``-``; None leaves one out. Each
    method returns the shapes.

    >>> str(Shapes().circle(5, 5, 2.25, stroke_width=1).line(0, 0, 5, 5))
    '<circle cx="5" cy="5" r="2.25" stroke-width="1"/><line x1="0" y1="0" x2="5" y2="5"/>'

    Args:
        prefix: prefix of the ids of symbols, as in :class:`Canvas`.

    Attributes:
        parts: the shapes and groups, each written in SVG.
    """

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self.parts: list[str] = []

    def rect(self, x: Number, y: Number, width: float, height: float, **attributes: object) -> Self:
        """A rectangle by its upper left corner."""
        return self._shape("rect", x=x, y=y, width=width, height=height, **attributes)

    def circle(self, x: Number, y: Number, radius: float, **attributes: object) -> Self:
        """A circle around a point."""
        return self._shape("circle", cx=x, cy=y, r=radius, **attributes)

    def line(self, x1: float, y1: float, x2: float, y2: float, **attributes: object) -> Self:
        """A straight line between two points."""
        return self._shape("line", x1=x1, y1=y1, x2=x2, y2=y2, **attributes)

    def path(self, data: str, **attributes: object) -> Self:
        """A path, given as SVG's attribute ``d``."""
        return self._shape("path", d=data, **attributes)

    def text(self, x: Number, y: Number, text: str, size: Number, **attributes: object) -> Self:
        """A line of text, centred on its base line unless ``text_anchor`` says otherwise."""
        given = {"text_anchor": "middle", "font_family": FONT, "font_size": size, **attributes}
        return self.add(f"<text{_written({'x': x, 'y': y, **given})}>{escape(text)}</text>")

    @contextmanager
    def group(self, **attributes: object) -> Iterator[None]:
        """Shapes drawn in the block inherit the attributes."""
        around, self.parts = self.parts, []
        yield
        around.append(f"<g{_written(attributes)}>{self}</g>")
        self.parts = around

    def add(self, shapes: str) -> Self:
        """Add shapes that are already SVG."""
        if shapes:
            self.parts.append(shapes)
        return self

    def use(self, name: str, x: Number, y: Number, scale: Number = 1, **attributes: object) -> Self:
        """Draw a symbol of a :class:`Canvas` with its origin at a point.

        Its shapes inherit the attributes.
        """
        move = f"translate({_value(x)} {_value(y)})" if x or y else ""
        grow = f"scale({_factor(scale)})" if scale != 1 else ""
        transform = f"{move} {grow}".strip() or None
        return self._shape("use", href=f"#{self.prefix}{name}", transform=transform, **attributes)

    def __str__(self) -> str:
        return "".join(self.parts)

    def _shape(self, tag: str, **attributes: object) -> Self:
        return self.add(f"<{tag}{_written(attributes)}/>")


class Canvas(Shapes):
    """Shapes on an area of ``width`` × ``height`` units, written as SVG by :meth:`to_svg`.

    >>> canvas = Canvas(20, 10, "an example")
    >>> canvas.symbol("dot", "<circle r='3'/>")
    >>> print(canvas.use("dot", 10, 5, fill="green").to_svg(size=400))
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10" width="400" height="200" ...

    Args:
        width: width in units of the drawing.
        height: height in units of the drawing.
        title: a description of the drawing for people who cannot see it.
        prefix: prefix of the ids of symbols. Several drawings may be in one HTML page, where they
            share their ids, so a symbol that looks different in another drawing needs another
            prefix there, such as ``"pasgl312-light-"``.

    Attributes:
        description: a longer description for people who cannot see the drawing.
        symbols: reusable shapes as SVG, by name.
    """

    def __init__(self, width: float, height: float, title: str, prefix: str = "") -> None:
        super().__init__(prefix)
        self.width = width
        self.height = height
        self.title = title
        self.description = ""
        self.symbols: dict[str, str] = {}

    def symbol(self, name: str, shapes: str) -> None:
        """Store shapes, as SVG, under a name that is a valid id; see :meth:`use`."""
        self.symbols[name] = shapes

    def to_svg(self, size: float | None = None) -> str:
        """The drawing as a complete SVG document.

        Args:
            size: width in pixels; None lets the viewer choose.

        Raises:
            ValueError: for a size that is not a number above 0 and up to 100000.
        """
        _check_width(size)
        box = {"viewBox": f"0 0 {written_number(self.width)} {written_number(self.height)}"}
        if size is not None:
            box |= {
                "width": written_number(size),
                "height": written_number(size * self.height / self.width),
            }
        symbols = "".join(
            f'<g id="{self.prefix}{name}">{shapes}</g>' for name, shapes in self.symbols.items()
        )
        about = f"<title>{escape(self.title)}</title>"
        if self.description:
            about += f"<desc>{escape(self.description)}</desc>"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg"{_written(box)} role="img">'
            f"{about}<defs>{symbols}</defs>{self}</svg>"
        )


def _check_width(size: Any) -> None:
    if size is not None and not (isinstance(size, int | float | np.number) and 0 < size <= _WIDEST):
        raise ValueError(f"size must be above 0 and up to {_WIDEST}, or None, not {brief(size)}")


def _written(attributes: Mapping[str, object]) -> str:
    return "".join(
        f' {_attribute(name)}="{_value(value)}"'
        for name, value in attributes.items()
        if value is not None
    )


@cache
def _attribute(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def _value(value: object) -> str:
    return written_number(value) if isinstance(value, int | float) else escape(str(value))


def _factor(value: Number) -> str:
    return value if isinstance(value, str) else f"{value:.4g}"


def written_number(value: float, decimals: int = 2) -> str:
    """A number with at most this many decimals.

    What is added decides between two that are equally near, the same way in JavaScript.
    """
    return f"{value + 1e-9:.{decimals}f}".rstrip("0").rstrip(".")
