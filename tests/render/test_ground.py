"""Properties of all games' drawings."""

from __future__ import annotations

from itertools import islice
from xml.etree import ElementTree

import pytest

from pasgl_env import Position, render, variants
from pasgl_env.render.svg.canvas import Canvas
from pasgl_env.render.svg.theme import THEMES
from tests.steering import games
from tests.suites import over_all_games

from .reading import contrast, of_class, shapes, texts

SEED = 7


def positions(suite, number):
    """Positions of steered games, every seventh one."""
    return islice((position for position, _ in games(suite, SEED, 9)), 0, 7 * number, 7)


def symbols_in(drawn):
    """Id and content of all that has an id."""
    return {
        shape.get("id"): ElementTree.tostring(shape, "unicode")
        for shape in drawn
        if shape.get("id") is not None
    }


@over_all_games
def test_drawings_are_whole(suite):
    for position in positions(suite, 20):
        drawn = shapes(position)
        ids = [shape.get("id") for shape in drawn if shape.get("id")]
        used = {shape.get("href")[1:] for shape in drawn if shape.get("href")}
        assert len(ids) == len(set(ids))
        assert used <= set(ids)


@over_all_games
def test_what_is_written_is_in_the_font_of_bare_machines(suite):
    for position in positions(suite, 20):
        assert all(map(str.isascii, texts(shapes(position))))


@over_all_games
def test_drawings_are_small(suite):
    for position in positions(suite, 20):
        assert len(render.svg(position)) < 100_000


@pytest.mark.parametrize("variant", variants.names())
def test_a_drawing_begins_with_the_bare_board(variant):
    position = Position(variant)
    square = next(iter(render.marks_of(position.play(position.legal_moves()[0])).last), "a1")
    marks = render.Marks(frozenset([square]), heat=(render.Heat("b1", 0.5, "half <as> hot"),))
    bare = render.bare_board(position.ruleset, theme="dark", marks=marks)
    assert "half &lt;as&gt; hot" in str(bare)
    assert 'class="last"' in str(bare)
    assert str(render.drawing(position, theme="dark", marks=marks)).startswith(str(bare))


def test_no_two_symbols_in_a_page_have_one_id():
    page: dict[str, str] = {}
    for variant in variants.names():
        for theme in THEMES:
            for name, content in symbols_in(shapes(Position(variant), theme=theme)).items():
                assert page.setdefault(name, content) == content


@over_all_games
def test_symbols_do_not_depend_on_the_state(suite):
    page: dict[str, str] = {}
    for position in positions(suite, 20):
        for name, content in symbols_in(shapes(position)).items():
            assert page.setdefault(name, content) == content


def test_drawings_of_a_game_are_of_one_size(variant):
    position = Position(variant)
    before = render.drawing(position)
    for _ in range(3):
        position.play(position.legal_moves()[-1])
        after = render.drawing(position)
        assert (after.width, after.height) == (before.width, before.height)


def test_a_drawing_says_what_it_shows(variant):
    position = Position(variant)
    svg, title, description = shapes(position)[:3]
    assert svg.get("role") == "img"
    assert variants.find(variant).title in title.text
    assert description.text == position.text


def test_size_is_the_width_in_pixels(variant):
    svg = shapes(Position(variant), size=400)[0]
    assert svg.get("width") == "400"
    assert float(svg.get("height")) < 600


def test_without_a_size_it_is_left_to_whoever_shows_it():
    assert shapes(Position("pasgl312"), size=None)[0].get("width") is None


@pytest.mark.parametrize("size", [0, -5, float("nan"), float("inf"), 10**400, "400", (400, 300)])
def test_impossible_sizes(size):
    with pytest.raises(ValueError, match="size must be above 0 and up to 100000, or None, not"):
        render.svg(Position("pasgl312"), size=size)


class TestMarks:
    def test_last_turn(self):
        position = Position("pasgl312")
        assert not of_class(shapes(position), "last")
        assert len(of_class(shapes(position.play("Th1h2")), "last")) == 2

    def test_where_a_piece_may_go(self):
        drawn = shapes(Position("pasgl312"), origin="b2")
        assert len(of_class(drawn, "origin")) == 1
        assert len(of_class(drawn, "target")) == 2

    def test_what_may_be_chosen_in_the_middle_of_a_turn(self):
        text = "4b3/8/8/8/4t3/3B4/8/8 ./././. ./. 1 w 0:0 0 0 Bd3e4"
        assert len(of_class(shapes(Position.from_text("pasgl312", text)), "target")) == 8

    @pytest.mark.parametrize("origin", ["e3", "e9", "", "a7b6", "<a7>", 7])
    def test_origin_from_where_nothing_moves(self, origin):
        with pytest.raises(ValueError, match=r"no legal move starts from .* from a7, a8, "):
            render.svg(Position("pasgl312").play("Pd2e3"), origin=origin)

    def test_a_move_off_the_board_ends_where_it_began(self):
        text = "R*,E*,Hc7:1,S*/Rg1:0,E@,H@,S@ black 2 i 60"
        position = Position.from_text("pachessi", text)
        assert position.legal_moves() == ["2:Hc7-a6", "2:Hc7-b5", "2:Hc7-off"]
        assert render.marks_of(position, "c7").targets == {"a6", "b5", "c7"}

    def test_origin_when_dice_are_to_be_rolled(self):
        with pytest.raises(ValueError, match="moves start from nowhere"):
            render.svg(Position("pachessi"), origin="a7")

    def test_origin_is_no_square_where_something_is_put(self):
        text = "4b3/8/8/8/4t3/3B4/8/8 ./././. ./. 1 w 0:0 0 0 Bd3e4"
        with pytest.raises(ValueError, match="nowhere"):
            render.svg(Position.from_text("pasgl312", text), origin="e5")


@pytest.mark.parametrize("theme", ["", "Light", None, 0, ["light"]])
def test_unknown_theme(theme):
    with pytest.raises(ValueError, match="theme must be 'light' or 'dark', not"):
        render.svg(Position("pasgl312"), theme=theme)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
class TestContrast:
    def test_writing(self, theme):
        assert contrast(theme.ink, theme.page) >= 7
        assert contrast(theme.faint, theme.page) >= 4

    def test_pieces_on_squares(self, theme):
        for square in (theme.light, theme.dark):
            for player in range(2):
                assert max(contrast(part, square) for part in theme.of_player(player)) >= 3

    def test_sides(self, theme):
        assert contrast(theme.white, theme.black) >= 7

    def test_details(self, theme):
        for player in range(2):
            assert contrast(*theme.of_player(player)) >= 7


def test_texts_are_escaped():
    canvas = Canvas(10, 10, '<title> & "so" on')
    canvas.description = "</desc>"
    canvas.text(0, 0, "a < b & c", 5, class_='"quoted"')
    title, description, _, text = list(ElementTree.fromstring(canvas.to_svg()))
    assert title.text == '<title> & "so" on'
    assert description.text == "</desc>"
    assert (text.text, text.get("class")) == ("a < b & c", '"quoted"')
