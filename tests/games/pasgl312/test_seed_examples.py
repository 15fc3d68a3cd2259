"""The inventors' worked examples, of Betza's rules and of Lawson's notation.

Where one cannot happen (the rulings say which), the nearest position that can stands for it.
"""

import pytest

from pasgl_env import IllegalMove, Position

from ...rows import rows
from .positions import fields, listed, place

# Lawson's cheat sheet: size, whether it carries lunch, makes others lose theirs, enters occupied
# squares; its points; where it starts.
CHEAT_SHEET = """
    B large  yes no  yes 5 e1
    H large  yes no  no  4 d1
    D large  yes yes yes 3 f1
    F medium yes yes yes 3 c1
    W medium yes yes no  3 g1
    S medium yes yes yes 2 b1
    T medium no  no  yes 2 a1,h1
    M tiny   no  no  yes 1 none
    P tiny   no  no  yes 0 a2,b2,c2,d2,e2,f2,g2,h2
"""
ROWS = [row.split() for row in CHEAT_SHEET.strip().splitlines()]
# A square from which each critter goes to e3.
TO_E3 = {"B": "d3", "D": "f1", "F": "d2", "S": "e1", "H": "d3", "W": "d3", "T": "d3"} | {
    "M": "d2",
    "P": "d2",
}


def after(critters, *labels, **rest):
    position = Position.from_text("pasgl312", place(critters, **rest))
    for label in labels:
        position.play(label)
    return listed(position)


@rows(("letter", "size"), [(row[0], row[1]) for row in ROWS if row[0] != "B"])
def test_cheat_sheet_size(side, letter, size):
    """The Hunter shoots all but the tiny; the Fox devours no large critter, and of the medium-sized
    no Fox."""
    sign = "-" if letter in "HDFWS" else ""
    victim = f"{sign}{letter.lower()}"
    assert (side.targets(f"Hd4 {victim}d6", "Hd4:") == "d6") is (size != "tiny")
    devoured = victim not in side.after(f"Fd3 {victim}e4", "Fd3e4")
    assert devoured is (size == "medium" and letter != "F")


@rows(("letter", "carries"), [(row[0], row[2] == "yes") for row in ROWS])
def test_cheat_sheet_carries_lunch(letter, carries):
    text = place(f"-{letter}d3")
    if carries:
        assert Position.from_text("pasgl312", text).text == text
    else:
        with pytest.raises(ValueError):
            Position.from_text("pasgl312", text)


@rows(("letter", "enters"), [(row[0], row[4] == "yes") for row in ROWS])
def test_cheat_sheet_moves_to_occupied_squares(side, letter, enters):
    mover = letter + TO_E3[letter]
    bear = "" if letter == "B" else "Bh1"
    assert ("e3" in side.targets(f"{mover} {bear} he3", mover).split()) is enters


@rows(("letter", "points"), [(row[0], row[5]) for row in ROWS])
def test_cheat_sheet_score(side, letter, points):
    assert side.score(f"{letter}e4 Tb2", "Tb2a2") == f"{points}:0"


def test_cheat_sheet_start():
    start = {f"{row[0]}{square}" for row in ROWS for square in row[6].split(",")} - {"Mnone"}
    board = set(listed(Position("pasgl312")).split())
    assert {critter for critter in board if critter[0].isupper()} == start - {"Be1"}
    assert "Be1d1" in Position("pasgl312").legal_moves()


# Betza: the rules.


@rows(("between", "shot"), [("", "e5"), ("Pe3", ""), ("pe4", ""), ("te4", "e4")])
def test_hunter_on_e2_shoots_the_bear_on_e5(between, shot):
    position = Position.from_text("pasgl312", place(f"He2 be5 {between}"))
    shots = [label for label in position.legal_moves() if ":" in label]
    assert shots == ([f"He2:{shot}"] if shot else [])


def test_the_bear_that_is_shot_gives_twenty_points():
    position = Position.from_text("pasgl312", place("He2 be5")).play("He2:e5")
    assert position.is_over
    assert fields(position).score == "20:0"


def test_train_of_the_first_three_moves():
    position = Position("pasgl312")
    for move, phase in (("Pa2b3 pa7b6", "2"), ("Pb3c4 pb6c5", "3")):
        for label in move.split():
            position.play(label)
        assert fields(position).phase == phase


def test_critter_picked_up_on_x4_is_dropped_off_on_z5():
    boarding = Position.from_text("pasgl312", place("Tx4", phase=20, mover="b"))
    assert listed(boarding.play("be8d8")) == "T@head bd8"
    riding = Position.from_text("pasgl312", place("T@head", phase=10, mover="b"))
    assert listed(riding.play("be8d8")) == "bd8 ~Tz5"


def test_no_theft_from_a_critter_already_on_the_same_square(side):
    assert side.after("De3 he3 fe3", "De3g4") == "Dg4 fe3 he3"


def test_lunchless_bear_cannot_go_home_past_a_chipmunk(side):
    assert "e1" in side.targets("-Be2", "-Be2").split()
    assert "e1" not in side.targets("-Be2 me1", "-Be2").split()


def test_skunk_run_over_is_a_weapon():
    assert after("se4 Hd4 De3 te5", "te5e6", phase=4, mover="b") == "*-De3 *-Hd4 te6"


def test_only_one_critter_a_turn_escapes_the_train():
    crowd = "te4 de4 he4"
    assert after(crowd, "te4e5", phase=4, mover="b") == "te5"


def test_skunked_shrew_must_move_but_has_no_lunch_to_lose(side):
    assert side.after("Wg2 sd5 Pd4", "Wg2^d5") == "*Pd4 -sd5 Wg2"
    assert side.legal("*Pd4 Ta1") == "*Pd4c5 *Pd4e5"


# Lawson: the notation.


def test_bear_displaces_and_squashes():
    """Be4e5_P,fe4_,Wd4,Td4,wd4_: here Black's Bear comes from e6, the Train is on d4 and e4."""
    labels = ["be6e5", "Wd5", "Td5", "fe4", "wd4"]
    assert after("be6 We5 Te5 Pe5 fe5 we5", *labels, phase=6, mover="b") == "Td5 Wd5 be5"


def test_bear_does_not_cross_the_middle():
    for critters, label, mover in (("Be4", "Be4e5", "w"), ("be5", "be5e4", "b")):
        position = Position.from_text("pasgl312", place(critters, mover=mover))
        assert label not in position.legal_moves()


def test_hunter_moves_or_shoots():
    """He4e5, and He4:De7."""
    assert after("He4 de7", "He4e5") == "He5 de7"
    assert after("He4 de7", "He4:e7") == "He4"


def test_deer_steals_from_the_fox():
    """Df1d5-F, and Df1d5:S-F with a Shrew squashed."""
    assert after("Df1 fd5", "Df1d5") == "-fd5 Dd5"
    assert after("Df1 fd5 pd5", "Df1d5") == "-fd5 Dd5"


def test_fox_devours_or_robs_the_woodchuck():
    """Fc1b4:-W, and Fc1b4-W."""
    assert after("Fc1 -wb4", "Fc1b4") == "Fb4"
    assert after("Fc1 wb4", "Fc1b4") == "-wb4 Fb4"


def test_woodchuck_hits_the_hunter_on_a_diagonal_only():
    """Wg6^d4-H is no diagonal; Wg6^d3-H is one."""
    position = Position.from_text("pasgl312", place("Wg6 hd4"))
    with pytest.raises(IllegalMove):
        position.play("Wg6^d4")
    assert after("Wg6 hd3", "Wg6^d3") == "-hd3 Wg6"


def test_woodchuck_hits_the_skunk_which_sprays():
    """Wg6^d4-S*De4,We5,Te4: as above, and the side that is sprayed has but one Woodchuck."""
    assert after("Wg6 sd3 De4 Te4", "Wg6^d3") == "*-De4 *Te4 -sd3 Wg6"


@rows("shrew", ["", "Pf4"])
def test_train_moves_from_g4_h4_with_its_riders(shrew):
    """Xf4;Tf;S, and Xf4_P;Tf;S with a Shrew squashed."""
    assert after(f"T@head f@head S@tail {shrew}", "be8d8", phase=3, mover="b") == (
        "S@tail T@head bd8 f@head"
    )


def test_whole_move_with_the_train_and_the_score():
    """1. Te3-e4 Be5-e4,Td4 Xd4_T W:15 B:18: here the Bear goes from e6 to e5, the Turkey to d4."""
    text = place("Td3 be6 Te5", phase=5, score="13:18")
    position = Position.from_text("pasgl312", text)
    for label in ("Td3c3", "be6e5", "Td4"):
        position.play(label)
    assert listed(position) == "Tc3 be5"
    assert fields(position)[3:6] == ("6", "w", "15:18")
