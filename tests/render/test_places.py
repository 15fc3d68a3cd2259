"""Where squares are in drawings, and pieces drawn alone."""

import re

import pytest

from pasgl_env import Dice, Position, render


def started(variant, **options):
    position, dice = Position(variant, **options), Dice(1)
    while position.is_chance:
        position.roll(dice)
    return position


def test_every_square_that_an_action_names_has_a_place(variant):
    position = started(variant)
    places = render.places(position.ruleset)
    for action in position.choices:
        assert set(action.squares) <= places.keys()


def test_places_lie_within_the_drawing_and_do_not_overlap_on_the_board(variant):
    ruleset = Position(variant).ruleset
    board = render.bare_board(ruleset)
    boxes = render.places(ruleset).values()
    for box in boxes:
        assert box.x >= 0 and box.x + box.width <= board.width
        assert box.y >= 0 and box.y + box.height <= board.height
    assert len({(box.x, box.y) for box in boxes}) == len(boxes)


def test_pieces_are_drawn_where_their_squares_are():
    drawing = render.drawing(Position("spalding")).to_svg()
    box = render.places(Position("spalding").ruleset)["e1"]
    box_drawn = r'translate\((\d+) (\d+)\)[^>]* class="piece" data-piece="X"'
    [(x, y)] = re.findall(box_drawn, drawing)
    assert box.x <= int(x) <= box.x + box.width and box.y <= int(y) <= box.y + box.height


def test_pachessi_has_no_places_in_its_hole():
    places = render.places(Position("pachessi").ruleset)
    assert len(places) == 40 and "d4" not in places


@pytest.mark.parametrize(
    ("variant", "symbol"),
    [("pasgl312", "*-W"), ("spalding", "D"), ("overlord", "r"), ("pachessi", "green-R")],
)
def test_a_piece_can_be_drawn_alone(variant, symbol):
    drawn = render.icon(Position(variant).ruleset, symbol, theme="dark").to_svg(40)
    assert 'viewBox="0 0 100 100"' in drawn and "<path" in drawn
