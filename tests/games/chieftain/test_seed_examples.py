"""The inventor's text: what it states about pieces, turns and activation.

A comparison with robots that need gas explains activation there; it is told here in those words.
"""

from pasgl_env import Position

from ...rows import rows
from .positions import fields

# Its Leader2: two pieces a turn, at a range of one or two squares.
LEADER2 = {"activations": 2, "command_range": 2}


# Pieces.


@rows("squares", [1, 2])
def test_chieftain_slides_one_or_two_squares(side, squares):
    assert f"d{4 + squares}" in side.targets("Cd4", "Cd4").split()
    assert f"d{4 + squares}" not in side.targets("Cd4 Mc5 Md5 Me5", "Cd4").split()


def test_chieftain_may_change_direction_during_its_move(side):
    assert side.targets("Cd4 Mc3 Mc4 Mc5 Md3 Md5 Me3 Me4", "Cd4") == "d6 e5 e6 f4 f5 f6"


@rows(("obstacles", "end"), [("", "d5"), ("md5", "d6"), ("md6", "d7"), ("md5", "d7")])
def test_hero_moves(side, obstacles, end):
    assert end in side.targets(f"Cc1 Hd4 {obstacles}", "Hd4").split()


def test_hero_moves_in_a_straight_line_only(side):
    assert side.targets("Cc1 Hd4", "Hd4") == "a4 b4 c4 d1 d2 d3 d5 d6 d7 e4 f4 g4"


@rows(("obstacles", "end"), [("", "e5"), ("me5", "f6"), ("mf6", "g7"), ("me5", "g7")])
def test_shaman_is_the_diagonal_analog(side, obstacles, end):
    assert end in side.targets(f"Cc1 Sd4 {obstacles}", "Sd4").split()


def test_shaman_does_not_change_directions(side):
    assert side.targets("Cd1 Sd4", "Sd4") == "a1 a7 b2 b6 c3 c5 e3 e5 f2 f6 g1 g7"


def test_man_captures_as_it_moves(side):
    assert side.targets("Cd2 Md4 mc3 md5 me5", "Md4") == "xc3 c4 c5 d3 xd5 e3 e4 xe5"


def test_bishopy_slides_four_or_leaps_to_the_second_square(side):
    pieces = "Cb3 Bd4 Md5 mc4 mg7 ch2"
    assert side.targets(pieces, "Bd4") == "a1 a7 b2 b4 b6 c3 c5 d2 d6 e3 e5 f2 f4 f6 g1 xg7"


def test_rookish_slides_four_or_leaps_to_the_second_square(side):
    pieces = "Cc1 Rd4 Me5 mc3 mg4 ch2"
    assert side.targets(pieces, "Rd4") == ("a4 b2 b4 b6 c4 d1 d2 d3 d5 d6 d7 d8 e4 f2 f4 f6 xg4")


# Rules.


def test_there_is_no_castling(side):
    assert side.after("Ce1 Rh1 Ra1", "Ce1-g1") == "Cg1 Ra1 Rh1"


def test_there_is_no_en_passant(side):
    pieces = "Cb4 Mb5 hc7 cc8"
    assert side.after(pieces, "Cb4-b3", "Hc7-c5", "Mb5-c6") == "Cb3 Mc6 cc8 hc5"


@rows(
    ("piece", "end"),
    [("Md7", "d8"), ("Hd7", "d8"), ("Sd7", "e8"), ("Nd6", "e8"), ("Bd7", "e8"), ("Rd7", "d8")],
)
def test_there_is_no_promotion(side, piece, end):
    after = side.after(f"Cc5 {piece}", f"{piece}-{end}")
    assert set(after.split()) == {"Cc5", f"{piece[0]}{end}"}


def test_a_draw_is_half_a_point_each():
    drawn = Position.from_text("chieftain", "3c/4/4/C3 w 2 9", setup="3c/4/4/C3")
    assert drawn.returns == (0, 0)


def test_at_least_one_piece_moves(side):
    assert all("-" in label or "x" in label for label in side.labels("Ca1 Cb1 Mc1"))


def test_chieftain_that_activates_may_have_moved_there_earlier_in_the_turn(side):
    pieces = "Ca1 Cc1 Mg5"
    assert "Mg5" not in side.movers(pieces).split()
    assert "Mg5" in side.movers(pieces, "Cc1-e3", "by a1").split()


def test_pieces_without_a_chieftain_near_stay(side):
    pieces = "Ca1 He5 Sf5 Ng5 Mh5 Bf8 Re8"
    assert side.movers(pieces) == "Ca1"


# The robots.


def test_storage_tank_fills_one_gas_tank_and_is_empty_until_the_next_turn(side):
    pieces = "Ca1 Cg1 Mb2 Mb3"
    assert side.movers(pieces, "Mb2-c2") == "Cg1"
    assert side.movers(pieces, "Mb2-c2", "end", "Ch8-h7") == "Ca1 Cg1 Mb3 Mc2"


def test_hose_reaches_three_squares_or_the_gas_tank_in_its_own_base(side):
    assert side.movers("Ca1 Md4 Me1") == "Ca1 Md4"


def test_fuelled_chieftain_carries_its_storage_tank_along(side):
    pieces = "Ca1 Cd1 Mi1"
    labels = ["Cd1-f1", "by a1"]
    assert side.movers(pieces, *labels, size="9x4") == "Mi1"
    # Had it fuelled itself, its storage tank would be empty.
    assert side.movers(pieces, labels[0], "by d1", size="9x4") == "Ca1"


def test_a_storage_tank_cannot_be_filled_by_another(side):
    position = side.position("Ca1 Cd1 Mf2 Mf3", "Cd1-e1", "by a1", "Mf2-g2")
    assert position.to_move == 1 - side.index


def test_gas_cannot_be_saved_up_for_a_later_turn(side):
    pieces = "Ca1 Cb1 Mc1 Mc2"
    labels = ["Mc1-d1", "by a1", "end", "Ch8-h7", "Mc2-d2", "by a1", "Md1-e1"]
    position = side.position(pieces, *labels)
    assert position.to_move == 1 - side.index
    assert fields(position).turns == "3"


# The experimental leader.


def test_leader2_activates_two_pieces_within_two_squares(side):
    pieces = "Ca1 Mc1 Mc3 Md1 Ma4"
    assert side.movers(pieces, **LEADER2) == "Ca1 Mc1 Mc3"
    assert side.movers(pieces, "Mc1-b1", **LEADER2) == "Ca1 Mc3"
    assert side.position(pieces, "Mc1-b1", "Mc3-c4", **LEADER2).to_move == 1 - side.index


def test_leader2_is_royal_and_moves_as_the_chieftain_does(side):
    assert side.targets("Cd4", "Cd4", **LEADER2) == side.targets("Cd4", "Cd4")
    assert side.position("Ca1 Mb2 cb3", "Mb2xb3", **LEADER2).is_over
