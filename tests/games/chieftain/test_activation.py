"""Rules, "A turn": which pieces a Chieftain activates, and which Chieftain does it."""

from ...rows import rows
from .positions import fields

# Two Chieftains; both command b2, only one a2, the other h2.
TWO = "Ca1 Ce1 Ma2 Mb2 Mh2"


# The range.


@rows("square", "b2 b5 b8 e2 e8 h2 h5 h8 b3 d8 h7 c2 e4 f6".split())
def test_chieftain_activates_within_three_squares(side, square):
    assert side.movers(f"Ce5 M{square}", size="10x10") == f"Ce5 M{square}"


@rows("square", "a1 a5 a9 e1 e9 i1 i5 i9 a3 d9 i8 e10".split())
def test_chieftain_activates_nobody_beyond_three_squares(side, square):
    assert side.movers(f"Ce5 M{square}", size="10x10") == "Ce5"


@rows("letter", "HSNMBR")
def test_every_kind_has_to_be_activated(side, letter):
    assert set(side.movers(f"Ca1 {letter}d4").split()) == {"Ca1", f"{letter}d4"}
    assert side.movers(f"Ca1 {letter}e4") == "Ca1"


@rows("between", ["Mb1 Mc1", "mb1 mc1", "Hb1 Ha2 mb2 mc1", "Mb1 nc1 Ra2"])
def test_range_goes_over_anything(side, between):
    assert "Md1" in side.movers(f"Ca1 {between} Md1").split()
    assert "Me1" not in side.movers(f"Ca1 {between} Me1").split()


def test_chieftain_activates_itself_and_other_chieftains(side):
    assert side.movers("Ca1") == "Ca1"
    assert side.legal("Ca1 Cd1", "Ca1-a2") == "by a1, by d1"


@rows("enemies", ["ce5", "ce5 ce7 cg7"])
def test_chieftain_activates_its_own_side_only(side, enemies):
    assert side.movers(f"Ca1 Mf6 mb2 {enemies}") == "Ca1"


def test_activated_piece_may_leave_the_range(side):
    assert side.targets("Ca1 Hd1", "Hd1") == "b1 c1 d2 d3 d4 e1 f1 g1"
    assert side.after("Ca1 Hd1", "Hd1-g1") == "Ca1 Hg1"
    assert side.after("Ca1 Rd4", "Rd4-h4") == "Ca1 Rh4"


def test_piece_out_of_range_may_not_move_into_it(side):
    assert side.movers("Ca1 Ra5 Me1") == "Ca1"


# One activation each; one move each.


def test_chieftain_activates_one_piece_a_turn(side):
    pieces = "Ca1 Mb1 Mb2"
    assert side.position(pieces, "Mb1-c1").to_move == 1 - side.index
    assert side.movers(f"{pieces} Ch1 Mg1", "Mb1-c1") == "Ch1 Mg1"


def test_chieftain_that_activated_itself_has_spent_its_activation(side):
    assert side.movers("Ca1 Mb2 Ch1 Mg1", "Ca1-a2") == "Ch1 Mg1"


@rows(
    ("by", "movers"),
    [
        # The Chieftain on f1 commands from there: no longer b3, but h4.
        ("by a1", "Mh4"),
        # It has spent its own, and a1 commands what it did before.
        ("by d1", "Ca1 Mb3"),
    ],
)
def test_chieftain_activates_from_where_it_now_stands(side, by, movers):
    pieces = "Ca1 Cd1 Mb3 Mh4"
    assert side.movers(pieces) == "Ca1 Cd1 Mb3"
    assert side.movers(pieces, "Cd1-f1", by) == movers


def test_activation_is_carried_by_the_chieftain(side):
    labels = ["Cb1-d3", "by a1", "Mg6-h7"]
    assert side.movers("Ca1 Cb1 Mg6", *labels[:2]) == "Ca1 Mg6"
    assert side.after("Ca1 Cb1 Mg6", *labels) == "Ca1 Cd3 Mh7"


def test_chain_of_chieftains(side):
    # Each is moved by the one before.
    pieces = "Ca1 Cd1 Cg1 Mk2"
    assert side.movers(pieces, size="12x4") == "Ca1 Cd1 Cg1"
    labels = ["Cd1-f1", "by a1", "Cg1-h1", "by f1"]
    assert side.movers(pieces, *labels, size="12x4") == "Mk2"
    assert side.after(pieces, *labels, "Mk2-l3", size="12x4") == "Ca1 Cf1 Ch1 Ml3"


@rows(
    ("pieces", "labels", "movers"),
    [
        ("Ca1 Cb1 Mc1", ["Mc1-d1", "by a1"], "Ca1 Cb1"),
        ("Ca1 Cb1 Mc1", ["Ca1-a2", "by b1"], "Cb1 Mc1"),
        ("Ca1 Cb1 Mc1", ["Ca1-a2", "by a1"], "Cb1 Mc1"),
        ("Ca1 Cb1 Cc1 Md1", ["Md1-d2", "by a1", "Cb1-b2", "by b1"], "Ca1 Cc1"),
        ("Ca1 Cb1 Mc1 mc2", ["Mc1xc2", "by b1"], "Ca1 Cb1"),
        ("Ca1 Cb1 Mc1 Md1", ["Mc1-c2", "by b1"], "Ca1 Cb1 Md1"),
    ],
)
def test_piece_moves_once_a_turn(side, pieces, labels, movers):
    assert side.movers(pieces, *labels) == movers


def test_piece_that_comes_where_a_moved_one_stood_has_moved_too(side):
    labels = ["Mb2-b3", "by a1", "Mc2-b2", "by b1"]
    assert side.movers("Ca1 Cb1 Cc1 Mb2 Mc2", *labels) == "Ca1 Cb1 Cc1"


@rows("chieftains", [1, 2, 3, 4, 5])
def test_at_most_as_many_moves_as_chieftains(side, chieftains):
    files = "adgjm"[:chieftains]
    pieces = " ".join(f"C{file}1 M{file}2 M{file}4" for file in files)
    position = side.position(pieces, size="16x4")
    for file in files:
        assert position.to_move == side.index
        position.play(side.label(f"M{file}2-{file}3", "16x4"))
        asked = [label for label in position.legal_moves() if label.startswith("by")]
        if asked:
            position.play(asked[0])
    assert position.to_move == 1 - side.index


# Who activates.


@rows(
    ("pieces", "labels", "asked"),
    [
        ("Ca1 Cb1 Mc1", ["Mc1-d1"], "by a1, by b1"),
        ("Ca1 Cb1 Cc1 Md2", ["Md2-d3"], "by a1, by b1, by c1"),
        ("Ca1 Cb1 Ch1 Md2", ["Md2-d3"], "by a1, by b1"),
        ("Ca1 Cg1 Rd1", ["Rd1-c1"], "by a1, by g1"),
        ("Ca1 Cg1 Rd1", ["Rd1-d5"], "by a1, by g1"),
        ("Ca1 Cb1 Mc1 nc2", ["Mc1xc2"], "by a1, by b1"),
        ("Ca1 Cb1 Mc1 cc2 ch8", ["Mc1xc2"], "by a1, by b1"),
        # A moving Chieftain counts itself, by the square that it leaves.
        ("Ca1 Cd1", ["Ca1-a2"], "by a1, by d1"),
        ("Ca1 Cd1", ["Cd1-f1"], "by a1, by d1"),
        ("Ca1 Cd1 Ce1", ["Ca1-b2"], "by a1, by d1"),
        # Without those whose activation is spent.
        ("Ca1 Cb1 Cc1 Mb2 Mc2", ["Mb2-b3", "by a1", "Mc2-c3"], "by b1, by c1"),
        ("Ca1 Cb1 Cc1 Mb2 Mc2", ["Mb2-b3", "by c1", "Mc2-c3"], "by a1, by b1"),
        ("Ca1 Cb1 Cc1 Mb2", ["Cb1-b3", "by b1", "Mb2-a2"], "by a1, by c1"),
        ("Ca1 Cb1 Cc1 Mb2", ["Mb2-b3", "by b1", "Cb1-b2"], "by a1, by c1"),
        # From where they stand now, and by that square's name.
        ("Ca1 Cb1 Cc1 Mc3", ["Ca1-a3", "by c1", "Mc3-c4"], "by a3, by b1"),
        ("Ca1 Cd1 Cg1 Mg4", ["Cd1-d3", "by a1", "Mg4-h4"], "by d3, by g1"),
        ("Ca1 Cb1 Cc1 Mc3", ["Cc1-d2", "by a1", "Cb1-c1"], "by b1, by d2"),
    ],
)
def test_who_activates_is_asked_for_where_there_is_a_choice(side, pieces, labels, asked):
    assert side.position(pieces, *labels).to_move == side.index
    assert side.legal(pieces, *labels) == asked


@rows(
    ("size", "pieces", "label", "asked"),
    [
        ("24x24", "Cw23 Cx24 ca1", "Cx24-x22", "by w23, by x24"),
        ("12x12", "Ca9 Ca10 Mb9", "Mb9-c9", "by a10, by a9"),
    ],
)
def test_chieftains_are_named_on_large_boards(side, size, pieces, label, asked):
    assert side.legal(pieces, label, size=size) == asked


@rows(
    ("pieces", "labels", "movers"),
    [
        ("Ca1 Ch1 Mc1", ["Mc1-c2"], "Ch1"),
        ("Ca1 Ch1 Rd1", ["Rd1-e1"], "Ch1"),
        ("Ca1 Cf1 Mb2", ["Mb2-c2"], "Cf1"),
        ("Ca1 Ce1", ["Ca1-b2"], "Ce1"),
        ("Ca1 Ce1 Mb1", ["Ca1-b2"], "Ce1 Mb1"),
        ("Ca1 Ce1", ["Ce1-d2"], "Ca1"),
        ("Ca1 Cd1 Cg1 Mg3", ["Cd1-b2", "by d1", "Mg3-f3"], "Ca1"),
    ],
)
def test_single_chieftain_is_taken_without_asking(side, pieces, labels, movers):
    assert side.movers(pieces, *labels) == movers


@rows(
    ("pieces", "labels"),
    [
        ("Ca1 Cb1 Mc1 Mc2", ["Mc1-d1", "by a1", "Mc2-d2"]),
        ("Ca1 Cb1 Mc1 Mc2", ["Mc1-d1", "by b1", "Mc2-d2"]),
        ("Ca1 Cb1 Mc1", ["Cb1-c2", "by b1", "Mc1-d1"]),
        ("Ca1 Ce1 Mb2", ["Ce1-g1", "Mb2-b3"]),
    ],
)
def test_last_chieftain_with_an_activation_is_taken_without_asking(side, pieces, labels):
    assert side.position(pieces, *labels).to_move == 1 - side.index


@rows(("by", "movers"), [("by a1", "Ce1 Mh2"), ("by e1", "Ca1 Ma2")])
def test_the_chieftain_named_has_spent_its_activation(side, by, movers):
    assert side.movers(TWO, "Mb2-b3", by) == movers


def test_the_moving_chieftain_is_named_by_the_square_before_its_move(side):
    pieces = "Ca1 Cd1 Mf4"
    assert side.movers(pieces, "Cd1-d2", "by d1") == "Ca1"
    assert side.movers(pieces, "Cd1-d2", "by a1") == "Ca1 Mf4"


def test_chieftain_that_comes_where_another_stood_is_told_from_it(side):
    # The first on b1 has spent its activation, the second still has it.
    labels = ["Cb1-c2", "by b1", "Ca1-b1", "by c4"]
    assert side.movers("Ca1 Cb1 Cc4 Mb2", *labels) == "Cc4 Mb2"


def test_nothing_else_is_legal_while_it_is_asked_for(side):
    position = side.position(TWO, "Mb2-b3")
    assert sorted(map(side.label, position.legal_moves())) == ["by a1", "by e1"]
    assert fields(position).turns == "0"
