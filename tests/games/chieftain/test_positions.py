"""The words that the rules tests are written in."""

from pasgl_env import Position

from ...rows import rows
from .positions import DIRECTIONS, Side, fields, listed, mirrored, mirrored_label, place, square

CUSTOM = "3c/4/M3/C1H1"


def test_place_writes_ranks_from_the_highest_with_runs_of_empty_squares():
    assert place("Ca1 Hc1 Ma2 cd4", "4x4") == CUSTOM
    assert place("Ca1 Mm1 cm2", "13x2") == "12c/C11M"


@rows("pieces", ["Ca1 Hc1 Ma2 cd4", "Bb3 Ca1 cb4 rd1"])
def test_listed_undoes_place(pieces):
    assert listed(place(pieces, "4x4")) == pieces


def test_mirrored_exchanges_colours_and_ranks():
    assert mirrored("Ca1 Hx12 cb4", "24x12") == "Cb9 ca12 hx1"
    assert mirrored_label("Hb1xb4", "4x16") == "Hb16xb13"
    assert mirrored_label("by a10", "4x16") == "by a7"
    assert mirrored_label("pass") == "pass"


def test_square_counts_steps():
    assert [square("c3", direction, 2) for direction in DIRECTIONS] == (
        "e3 e5 c5 a5 a3 a1 c1 e1".split()
    )


def test_sides_answer_as_if_they_were_white(side):
    pieces = "Ca1 Mb1 ma2 Nh4"
    assert side.targets(pieces, "Ca1") == "xa2 a3 b2 b3 c1 c2 c3"
    assert side.movers(pieces) == "Ca1 Mb1"
    assert side.after(pieces, "Mb1xa2") == "Ca1 Ma2 Nh4"


def test_sides_say_who_is_to_move():
    assert fields(Side("white").position("Ca1", size="4x4")).mover == "w"
    black = Side("black").position("Ca1", size="4x4", passes=1, turns=7)
    assert black.text == "c3/4/4/3C b 1 7"


def test_a_position_in_words_is_a_setup():
    assert Side("white").position("Ca1 Hc1 Ma2", size="4x4").text == f"{CUSTOM} w 0 0"
    assert Position("chieftain", setup=CUSTOM).text == f"{CUSTOM} w 0 0"
