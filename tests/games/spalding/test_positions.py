"""The helpers that the rules tests stand on."""

from pasgl_env import Position

from ...rows import rows
from .positions import fields, listed, mirrored, mirrored_left, mirrored_squares, place

START = "j2x3p/8/8/8/8/8/8/P3X2J w RHErhe 0"


def test_place_writes_the_start():
    assert place("Xe1 Pa1 Jh1 xd8 ph8 ja8", left="RHErhe") == START


def test_place_writes_every_field_and_adds_the_boxes():
    text = place("Nd4 ve4", mover="b", left="He", turns=7)
    assert text == "7x/8/8/8/3Nv3/8/8/7X b He 7"


@rows("pieces", ["", "Bd4 Rd5 vd6", "Xe1 ca8 mh2 xg7"])
def test_listed_undoes_place(pieces):
    assert listed(Position.from_text("spalding", place(pieces))) == pieces


@rows(
    ("pieces", "others"), [("Ra1", "ra8"), ("xd8", "Xd1"), ("Nc3", "Nc6"), ("Bd4 De5", "Bd5 De4")]
)
def test_mirrored_exchanges_colours_and_ranks(pieces, others):
    assert mirrored(pieces) == others
    assert mirrored(others) == pieces


def test_mirrored_labels_keep_their_capitals():
    assert mirrored_squares("Rd4xe6") == "Rd5xe3"
    assert mirrored_squares("/Rd3") == "/Rd6"


@rows(("left", "other"), [("-", "-"), ("RHErhe", "RHErhe"), ("Hre", "REh"), ("R", "r")])
def test_mirrored_left_exchanges_colours_and_keeps_the_order(left, other):
    assert mirrored_left(left) == other
    assert mirrored_left(other) == left


def test_sides_answer_as_if_they_were_white(side):
    pieces = "Vd4 vd5 Xe1"
    assert side.targets(pieces, "Vd4") == "xd5"
    assert side.created(pieces, "Xe1-f2", letter="C") == "e1 e2 e3 f1 f3 g1 g2 g3"
    assert side.letters(pieces, "Xe1-f2", square="g2") == "CV"
    assert side.after(pieces, "Vd4xd5") == "Vd5 Xe1"
    assert side.left(pieces, left="He") == "He"
    assert fields(side.position(pieces, turns=3)).turns == "3"
