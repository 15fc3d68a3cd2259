"""Rules, "Terminals": boarding, leaving, and how safe it is there."""

from ...rows import rows

ANY_CRITTER = rows("letter", "HDFWSTMP")


@rows(
    ("critter", "phase", "label", "after"),
    [
        ("Ta4", 1, "Ta4z4", "Tz4"),
        ("Ta5", 1, "Ta5z5", "Tz5"),
        ("Th4", 11, "Th4x4", "Tx4"),
        ("Th5", 11, "Th5x5", "Tx5"),
        ("-Ha4", 1, "-Ha4z4", "Hz4"),
        ("-Db3", 1, "-Db3z4", "Dz4"),
        ("-Fa3", 1, "-Fa3z4", "Fz4"),
        ("-Wa4", 1, "-Wa4z4", "Wz4"),
        ("-Sa4", 1, "-Sa4z4", "Sz4"),
        ("*-Wb4", 1, "*-Wb4z4", "Wz4"),
        ("*Ha4", 1, "*Ha4z4", "Hz4"),
        ("*Ma3", 1, "*Ma3z4", "Mz4"),
    ],
)
def test_who_moves_into_a_terminal_boards_gets_lunch_and_is_clean(
    side, critter, phase, label, after
):
    assert side.after(critter, label, phase=phase) == after


@rows(
    ("pushed", "label", "after"),
    [
        ("ta4", "tz5", "tz5"),
        ("Ta4", "Tz4", "Tz4"),
        ("-ha4", "-hz4", "hz4"),
        ("-Sa4", "-Sz4", "Sz4"),
        ("*-da4", "*-dz4", "dz4"),
        ("*ma4", "*mz4", "mz4"),
    ],
)
def test_who_is_pushed_into_a_terminal_boards_gets_lunch_and_is_clean(side, pushed, label, after):
    critters = side.after(f"Bb4 {pushed}", "Bb4a4", label)
    assert critters == " ".join(sorted(["Ba4", after]))


@ANY_CRITTER
@rows(
    ("square", "other", "phase"),
    [("z4", "z5", 1), ("z5", "z4", 1), ("x4", "x5", 11), ("x5", "x4", 11)],
)
def test_boarding_critter_moves_to_the_other_square_only(side, letter, square, other, phase):
    mover = letter + square
    assert side.targets(mover, mover, phase=phase) == other
    assert side.after(mover, mover + other, phase=phase) == letter + other


@rows(
    ("square", "phase", "reached"),
    [
        ("z4", 12, ""),
        ("z5", 12, "z4"),
        ("z4", 11, ""),
        ("z5", 10, ""),
        ("z4", 10, "z5"),
        ("x4", 20, ""),
        ("x5", 20, "x4"),
        ("x5", 1, ""),
        ("x5", 2, ""),
        ("x4", 2, "x5"),
    ],
)
def test_boarding_critter_may_not_move_to_the_train(side, square, phase, reached):
    mover = f"T{square}"
    assert side.targets(mover, mover, phase=phase) == reached


@ANY_CRITTER
@rows("standing", ["Tz5", "tz5", "~mz5"])
def test_boarding_critter_moves_to_an_occupied_square_if_it_may(side, letter, standing):
    mover = f"{letter}z4"
    assert side.targets(f"{mover} {standing}", mover) == ("" if letter in "HW" else "z5")


@rows(
    ("mover", "reached"),
    [
        ("Hz4", "a4"),
        ("Dz4", "a2 a6 b3 b5 b8 d2 d6 f1 f7 h8"),
        ("Fz4", "a3 a5 b4 c3 c5"),
        ("Fz5", "a4 a6 b5 c4 c6"),
        ("Wz4", "a4 b4"),
        ("Sz4", "a4 b4 c4 d4 e4 f4 g4 h4"),
        ("Tz4", "a4 b4 c4"),
        ("Mz4", "a3 a5"),
        ("Pz4", "a5"),
    ],
)
def test_leaving_critter_moves_as_ever_but_to_no_terminal(side, mover, reached):
    assert side.targets(f"~{mover}", mover) == reached


def test_leaving_skunk_does_not_cross_to_the_other_terminal(side):
    assert side.targets("~Sz4", "Sz4", phase=11) == "a4 b4 c4 d4 e4 f4 g4 h4"


@rows(("phase", "reached"), [(11, "a4 b4 c4"), (10, ""), (12, "a4 b4 c4")])
def test_train_hinders_who_leaves_only_outside_its_own_square(side, phase, reached):
    assert side.targets("~Tz4", "Tz4", phase=phase) == reached


def test_train_on_its_own_square_hinders_no_leaving_critter(side):
    assert side.targets("~Mz4", "Mz4", phase=10) == "a3 a5"


@rows(
    ("critters", "label", "after"),
    [
        ("~Tz4", "Tz4a4", "Ta4"),
        ("~Dz4 hb5", "Dz4b5", "-hb5 Db5"),
        ("~Dz4 pb5 Pb5", "Dz4b5", "Db5"),
        ("~Fz4 ta5", "Fz4a5", "Fa5"),
        ("~Fz4 ha5", "Fz4a5", "-ha5 Fa5"),
        ("~Pz4", "Pz4a5", "Pa5"),
    ],
)
def test_leaving_critter_may_harm(side, critters, label, after):
    assert side.after(critters, label) == after


def test_leaving_critter_stays_until_it_moves(side):
    assert side.after("~Tz4 Mb2", "Mb2a1") == "Ma1 ~Tz4"


@rows(
    ("critters", "start"),
    [
        ("Hb4 tz4", "Hb4:"),
        ("Ha4 ~tz4", "Ha4:"),
        ("~Hz4 ta4", "Hz4:"),
        ("Hz4 ta4", "Hz4:"),
        ("Hz4 tz5", "Hz4:"),
        ("Wb2 hz4", "Wb2^"),
        ("Wc1 ~hz4", "Wc1^"),
        ("Wb2 sz4", "Wb2^"),
        ("~Wz4 hb2", "Wz4^"),
        ("~Wz5 hc2", "Wz5^"),
        ("Wz4 hb6", "Wz4^"),
    ],
)
def test_no_shots_or_chucks_at_terminals_or_from_them(side, critters, start):
    assert side.targets(critters, start) == ""


@rows(
    ("critters", "label", "after"),
    [
        ("Db3 hz4", "Db3z4", "Dz4 hz4"),
        ("Db3 Pz4 pz4", "Db3z4", "Dz4 Pz4 pz4"),
        ("Fa3 tz4", "Fa3z4", "Fz4 tz4"),
        ("Fa3 ~hz4 wz4", "Fa3z4", "Fz4 wz4 ~hz4"),
        ("Dz5 hz4 pz4", "Dz5z4", "Dz4 hz4 pz4"),
        ("Fz5 tz4", "Fz5z4", "Fz4 tz4"),
        ("Fz5 sz4", "Fz5z4", "Fz4 sz4"),
    ],
)
def test_no_harm_on_a_terminal_square(side, critters, label, after):
    assert side.after(critters, label) == after


def test_no_spray_on_terminals(side):
    after = side.after("Db2 sa4 Ta3 Tz4 Hz5 ~Mz4", "Db2a4")
    assert after == "*-Da4 *Ta3 -sa4 Hz5 Tz4 ~Mz4"


def test_no_spray_on_the_train(side):
    assert side.after("Dc1 sd3 T@head W@tail", "Dc1d3", phase=6) == "*-Dd3 -sd3 T@head W@tail"


def test_riders_by_the_campfire_do_not_score(side):
    assert side.score("T@head T@tail Mb2", "Mb2a1", phase=6) == "0:0"
