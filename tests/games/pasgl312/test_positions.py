"""The helpers that the rules tests stand on."""

from pasgl_env import Position

from ...rows import rows
from .positions import Side, fields, listed, mirrored, mirrored_word, place

START = "tsfhbdwt/pppppppp/8/8/8/8/PPPPPPPP/TSFHBDWT ./././. ./. 1 w 0:0 0 0"
ARMY = "Sb1 Fc1 Hd1 Df1 Wg1 Ta1 Th1 Pa2 Pb2 Pc2 Pd2 Pe2 Pf2 Pg2 Ph2"


def test_place_writes_the_start():
    assert place(f"{ARMY} {mirrored(ARMY)}") == START


def test_place_writes_stacks_in_order_and_every_field():
    critters = "*de4 We4 -We4 te4 ~Tz4 Tz4 hx5 T@head s@tail F@tail"
    text = place(critters, phase=12, mover="b", score="3:4", passes=5, turns=6)
    assert text == "4b3/8/8/8/4[W-W*dt]3/8/8/4B3 [T~T]/././h T/[Fs] 12 b 3:4 5 6"


@rows("critters", ["", "*-de4 Pa2", "Bd1 Ta1 Tz4 bd8 s@head ~tx5"])
def test_listed_undoes_place(critters):
    assert listed(Position.from_text("pasgl312", place(critters))) == critters


@rows(
    ("word", "other"),
    [
        ("*-Wg6", "*-wg3"),
        ("Tz4", "tz5"),
        ("He4:e7", "he5:e2"),
        ("-w", "-W"),
        ("pass", "pass"),
        ("f@head", "F@head"),
    ],
)
def test_mirrored_exchanges_colours_and_ranks(word, other):
    assert mirrored_word(word) == other
    assert mirrored_word(other) == word


def test_sides_answer_as_if_they_were_white(side):
    assert side.targets("Ta3 pc3", "Ta3") == "a1 a2 a4 a5 a6 b3 c3"
    assert side.after("Ta3 pc3", "Ta3c3") == "Tc3 pc3"


def test_black_sees_the_mirrored_train():
    black = Side("black").position("Ta3", phase=4, score="3:5")
    assert fields(black)[3:6] == ("18", "b", "5:3")
