"""Drawings as pixels: their shape, what is drawn, the same on all machines."""

import io
import re
import signal
from importlib import resources

import numpy as np
import pytest
from PIL import Image

from pasgl_env import Position, render
from pasgl_env.render import raster
from pasgl_env.render.svg.canvas import Canvas

RED = [255, 0, 0]


def blank(width=100, height=100):
    canvas = Canvas(width, height, "a test")
    canvas.rect(0, 0, width, height, fill="white")
    return canvas


def ink(canvas, size=100):
    """Where a drawing on white is dark: rows and columns."""
    return np.nonzero(raster.pixels(canvas, size).min(axis=2) < 128)


class TestPixels:
    @pytest.mark.parametrize(
        ("canvas", "size", "shape"),
        [
            ((100, 100), 64, (64, 64, 3)),
            ((100, 100), 65, (65, 65, 3)),
            ((200, 100), 64, (32, 64, 3)),
            ((100, 200), 64, (64, 32, 3)),
            ((100, 67), 100, (66, 100, 3)),
            ((320, 10), 64, (2, 64, 3)),
        ],
    )
    def test_longer_side_has_the_size_and_the_other_one_is_even(self, canvas, size, shape):
        image = raster.pixels(blank(*canvas), size)
        assert image.shape == shape
        assert image.dtype == np.uint8
        assert (image == 255).all()

    def test_shapes_are_where_they_were_drawn_in_their_colour(self):
        canvas = blank()
        canvas.rect(10, 50, 30, 20, fill="#ff0000")
        image = raster.pixels(canvas, 200)
        assert (image[100:140, 20:80] == RED).all()
        assert (image == RED).all(axis=2).sum() == 40 * 60

    def test_symbols_inherit_where_they_are_used(self):
        canvas = blank()
        canvas.symbol("box", "<path d='M0 0h10v10h-10z'/>")
        canvas.use("box", 20, 30, scale=2, fill="red")
        image = raster.pixels(canvas, 100)
        assert (image[30:50, 20:40] == RED).all()

    def test_group_is_translucent_as_one(self):
        canvas = blank()
        with canvas.group(opacity=0.5):
            canvas.rect(0, 0, 60, 100, fill="black")
            canvas.rect(40, 0, 60, 100, fill="black")
        assert len(np.unique(raster.pixels(canvas, 100))) == 1

    def test_image_is_the_callers_own(self):
        first = raster.pixels(blank(), 32)
        first[:] = 0
        assert (raster.pixels(blank(), 32) == 255).all()

    @pytest.mark.parametrize("size", [31, 4097, 0, -5, 10**30, 64.0, "64", None, True, [64]])
    def test_other_sizes_are_refused(self, size):
        with pytest.raises(ValueError, match="integer number of pixels, 32 to 4096, not"):
            raster.pixels(blank(), size)

    def test_what_is_no_drawing_is_an_error_and_the_next_drawing_is_right(self):
        canvas = blank()
        canvas.to_svg = lambda: "no SVG"
        with pytest.raises(RuntimeError, match="ThorVG cannot read the drawing"):
            raster.pixels(canvas, 64)
        assert (raster.pixels(blank(), 64) == 255).all()


class TestText:
    @pytest.mark.parametrize(
        ("anchor", "left", "right"), [("start", 50, 88), ("middle", 31, 69), ("end", 12, 50)]
    )
    def test_stands_on_its_point_by_its_anchor(self, anchor, left, right):
        canvas = blank()
        canvas.text(50, 60, "HHH", 17, text_anchor=anchor, fill="black")
        rows, columns = ink(canvas)
        assert abs(columns.min() - left) <= 3 and abs(columns.max() - right) <= 3
        assert abs(rows.max() - 59) <= 1
        assert abs(rows.min() - (60 - 17 * 0.73)) <= 1.5

    def test_inherits_colour_and_is_turned_and_scaled_with_its_group(self):
        canvas = blank()
        with canvas.group(fill="red", transform="rotate(90 50 50) translate(25 25) scale(0.5)"):
            canvas.text(50, 50, "IIIIII", 30)
        image = raster.pixels(canvas, 100)
        rows, columns = np.nonzero((image == RED).all(axis=2))
        assert np.ptp(rows) > 2 * np.ptp(columns) > 0

    def test_marks_of_markup_are_drawn_as_themselves(self):
        inks = {text: len(ink_of(text)) for text in ("<&>", "&lt;&amp;&gt;", "lt;amp;gt;")}
        assert 0 < inks["<&>"] < inks["lt;amp;gt;"] < inks["&lt;&amp;&gt;"]

    def test_letters_that_the_font_lacks_are_boxes_of_one_kind(self):
        assert (ink_of("\N{CJK UNIFIED IDEOGRAPH-4E00}") == ink_of("\N{SNOWMAN}")).all()
        assert len(ink_of("\N{SNOWMAN}")) > 0

    @pytest.mark.parametrize("text", ["", " ", "\n", "-1.5e3", "'quoted\"", "x" * 10000])
    def test_any_text_is_drawn(self, text):
        ink_of(text)

    def test_printable_letters_are_in_the_font(self):
        box = raster._glyph("\N{SNOWMAN}")
        printable = [chr(code) for code in (*range(0x20, 0x7F), *range(0xA0, 0x100))]
        assert [
            letter for letter in (*printable, *"–—−’…←↑→↓") if raster._glyph(letter) == box
        ] == []

    def test_no_text_of_a_game_is_left_to_the_fonts_of_a_machine(self, variant):
        svg = render.svg(Position(variant))
        assert "<text" in svg and "<text" not in raster._outlined(svg)


def ink_of(text):
    canvas = blank(200, 50)
    canvas.text(100, 30, text, 20)
    return np.argwhere(raster.pixels(canvas, 400).min(axis=2) < 128)


class TestPositions:
    def test_is_drawn_in_both_themes(self, variant):
        light, dark = (render.rgb(Position(variant), theme=theme) for theme in ("light", "dark"))
        assert light.shape == dark.shape
        assert max(light.shape) == 512 and min(light.shape[:2]) % 2 == 0
        for image in (light, dark):
            assert len(np.unique(image.reshape(-1, 3), axis=0)) > 20
        assert light.mean() > dark.mean() + 40

    def test_a_move_changes_pixels_and_not_the_shape(self, variant):
        position = Position(variant)
        before = render.rgb(position, size=200)
        position.play_action(position.legal_actions()[0])
        after = render.rgb(position, size=200)
        assert before.shape == after.shape
        assert 0 < (before != after).any(axis=2).mean() < 0.5

    def test_png_holds_the_same_pixels(self):
        position = Position("pasgl312")
        image = Image.open(io.BytesIO(render.png(position, size=300, theme="dark")))
        assert image.format == "PNG"
        assert (np.asarray(image) == render.rgb(position, size=300, theme="dark")).all()

    @pytest.mark.parametrize("theme", ["Light", "", None, 3, ["light"]])
    @pytest.mark.parametrize("draw", [render.svg, render.rgb, render.png])
    def test_other_themes_are_refused(self, draw, theme):
        with pytest.raises(ValueError, match="theme must be 'light' or 'dark', not"):
            draw(Position("pasgl312"), theme=theme)

    @pytest.mark.parametrize("draw", [render.rgb, render.png])
    def test_other_sizes_are_refused(self, draw):
        with pytest.raises(ValueError, match=re.escape("not 100000")):
            draw(Position("pasgl312"), size=100_000)


def test_an_interrupt_waits_for_the_end_of_a_drawing(interruptible, monkeypatch):
    """From Python 3.14 on it might leave the engine locked for ever."""

    def draw(*arguments):
        signal.raise_signal(signal.SIGINT)
        drawn.append(drawing(*arguments))
        return drawn[0]

    drawing = raster._drawn
    drawn: list[np.ndarray] = []
    monkeypatch.setattr(raster, "_drawn", draw)
    with pytest.raises(KeyboardInterrupt):
        raster.pixels(Canvas(20, 10, "an example"), 64)
    assert drawn


def test_the_fonts_licence_comes_with_it():
    fonts = resources.files("pasgl_env.render") / "fonts"
    assert "Bitstream Vera" in (fonts / "LICENSE").read_text(encoding="utf-8")
