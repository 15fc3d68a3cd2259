"""Rules, the table of pieces: how each moves and captures."""

from ...rows import rows
from .positions import DIAGONALS, DIRECTIONS, ORTHOGONALS, square


def line(side, letter, obstacles, direction):
    """How many steps away are the squares that the piece reaches in that direction.

    Obstacles are a letter and a number of steps each: "M1 m3".
    """
    words = [word[0] + square("f6", direction, int(word[1:])) for word in obstacles.split()]
    # This Chieftain commands f6 and is on no line with it.
    pieces = " ".join(["Ce3", f"{letter}f6", *words])
    reached = side.targets(pieces, f"{letter}f6", size="12x12").split()
    steps = {square("f6", direction, step): str(step) for step in range(1, 6)}
    ahead = [(steps[end.strip("x")], end) for end in reached if end.strip("x") in steps]
    return " ".join("x" * ("x" in end) + step for step, end in sorted(ahead))


# Where to, on an empty board. What is not listed is not reached.


@rows(
    ("letter", "reached"),
    [
        ("H", "b5 c5 d5 f5 g5 h5 e2 e3 e4 e6 e7 e8"),
        ("S", "b2 c3 d4 f6 g7 h8 b8 c7 d6 f4 g3 h2"),
        ("N", "c4 c6 d3 d7 f3 f7 g4 g6"),
        ("M", "d4 d5 d6 e4 e6 f4 f5 f6"),
        ("B", "a1 b2 c3 d4 f6 g7 h8 i9 a9 b8 c7 d6 f4 g3 h2 i1 c5 e3 e7 g5"),
        ("R", "a5 b5 c5 d5 f5 g5 h5 i5 e1 e2 e3 e4 e6 e7 e8 e9 c3 c7 g3 g7"),
    ],
)
def test_moves_on_an_empty_board(side, letter, reached):
    # The Chieftain that commands e5 is on no line with it.
    pieces = f"Cd2 {letter}e5"
    targets = side.targets(pieces, f"{letter}e5", size="10x10")
    assert set(targets.split()) == set(reached.split())


def test_chieftain_moves_one_or_two_king_steps(side):
    assert side.targets("Ce5", "Ce5", size="10x10") == (
        "c3 c4 c5 c6 c7 d3 d4 d5 d6 d7 e3 e4 e6 e7 f3 f4 f5 f6 f7 g3 g4 g5 g6 g7"
    )


@rows(
    ("pieces", "mover", "reached"),
    [
        ("Ca1", "Ca1", "a2 a3 b1 b2 b3 c1 c2 c3"),
        ("Cd1", "Cd1", "b1 b2 b3 c1 c2 c3 d2 d3"),
        ("Cb2 Ha1", "Ha1", "a2 a3 xa4 b1 c1 d1"),
        ("Cc2 Sd1", "Sd1", "xa4 b3"),
        ("Cd3 Na1", "Na1", "b3 c2"),
        ("Cb3 Md1", "Md1", "c1 c2 d2"),
        ("Cb3 Md4", "Md4", "c3 c4 d3"),
        ("Cb3 Ba1", "Ba1", "a3 b2 c1 c3 d4"),
        ("Cc3 Rd1", "Rd1", "a1 b1 b3 c1 d2 d3 d4"),
    ],
)
def test_nothing_moves_off_the_board(side, pieces, mover, reached):
    assert side.targets(f"{pieces} ca4", mover, size="4x4") == reached


@rows(
    ("size", "pieces", "mover", "reached"),
    [
        ("24x24", "Cw22 Rx24 ca1", "Rx24", "t24 u24 v22 v24 w24 x20 x21 x22 x23"),
        ("24x24", "Cw22 Bx24 ca1", "Bx24", "t20 u21 v22 v24 w23 x22"),
        ("24x24", "Cv23 Hx24 ca1", "Hx24", "u24 v24 w24 x21 x22 x23"),
        ("24x24", "Cx24 ca1", "Cx24", "v22 v23 v24 w22 w23 w24 x22 x23"),
        ("24x12", "Cc10 Na12", "Na12", "b10 c11"),
        ("4x24", "Cb22 Sa24", "Sa24", "b23 c22 d21"),
    ],
)
def test_moves_in_the_corners_of_large_boards(side, size, pieces, mover, reached):
    assert side.targets(pieces, mover, size=size) == reached


# Hero and Shaman: step, jump, or both in one straight line, in either order.


@rows(
    ("letter", "direction"),
    [("H", way) for way in ORTHOGONALS] + [("S", way) for way in DIAGONALS],
)
@rows(
    ("obstacles", "reached"),
    [
        ("", "1 2 3"),
        ("M1", "2 3"),
        ("m1", "x1 2 3"),
        ("M2", "1 3"),
        ("m2", "1 x2 3"),
        ("M3", "1 2"),
        ("m3", "1 2 x3"),
        ("m4", "1 2 3"),
        ("M1 M2", ""),
        ("m1 m2", "x1 x2"),
        ("M1 m2", "x2"),
        ("m1 M2", "x1"),
        ("m1 m2 m3", "x1 x2"),
        ("m1 m3", "x1 2 x3"),
        ("M1 m3", "2 x3"),
        ("m2 m3", "1 x2 x3"),
        ("M2 m3", "1 x3"),
    ],
)
def test_hero_and_shaman_jump_over_one_of_two_squares(side, letter, direction, obstacles, reached):
    assert line(side, letter, obstacles, direction) == reached


@rows(("letter", "ways"), [("H", DIAGONALS), ("S", ORTHOGONALS)])
def test_hero_and_shaman_keep_to_their_lines(side, letter, ways):
    assert [line(side, letter, "m1 m2 m3", way) for way in ways] == [""] * 4


# Bishopy and Rookish: slide up to four squares, or jump two on the other lines.


@rows(
    ("letter", "direction"),
    [("B", way) for way in DIAGONALS] + [("R", way) for way in ORTHOGONALS],
)
@rows(
    ("obstacles", "reached"),
    [
        ("", "1 2 3 4"),
        ("M1", ""),
        ("m1", "x1"),
        ("M2", "1"),
        ("m2", "1 x2"),
        ("M3", "1 2"),
        ("m3 m4", "1 2 x3"),
        ("M4", "1 2 3"),
        ("m4", "1 2 3 x4"),
        ("m5", "1 2 3 4"),
        ("m1 m2", "x1"),
    ],
)
def test_bishopy_and_rookish_slide(side, letter, direction, obstacles, reached):
    assert line(side, letter, obstacles, direction) == reached


@rows(
    ("letter", "direction"),
    [("B", way) for way in ORTHOGONALS] + [("R", way) for way in DIAGONALS],
)
@rows(
    ("obstacles", "reached"),
    [
        ("", "2"),
        ("M1", "2"),
        ("m1", "2"),
        ("M2", ""),
        ("m2", "x2"),
        ("M1 m2", "x2"),
        ("m1 m2 m3 m4", "x2"),
    ],
)
def test_bishopy_and_rookish_jump(side, letter, direction, obstacles, reached):
    assert line(side, letter, obstacles, direction) == reached


# Knight and Man.


def test_knight_leaps(side):
    ring = "Md4 md5 Md6 me4 Me6 mf4 Mf5 mf6"
    targets = side.targets(f"Cd2 Ne5 {ring} mc4 Mc6 mf7", "Ne5", size="10x10")
    assert targets == "xc4 d3 d7 f3 xf7 g4 g6"


@rows("direction", DIRECTIONS)
@rows(("obstacles", "reached"), [("", "1"), ("M1", ""), ("m1", "x1"), ("m2", "1")])
def test_man_moves_and_captures_one_square_all_around(side, direction, obstacles, reached):
    assert line(side, "M", obstacles, direction) == reached


def test_man_on_the_last_rank_stays_a_man(side):
    assert side.after("Cc7 Mb7", "Mb7-b8") == "Cc7 Mb8"
    assert side.targets("Cc7 Mb8", "Mb8") == "a7 a8 b7 c8"


def test_man_has_no_double_step(side):
    assert side.targets("Cc1 Mb2", "Mb2") == "a1 a2 a3 b1 b3 c2 c3"


# The Chieftain: the first square must be empty to go on.


@rows(
    ("pieces", "reached"),
    [
        ("Mb1 Mb2", "a2 a3 b3"),
        ("Ma2 Mb2", "b1 c1 c2"),
        ("Ma2 Mb1", "b2 a3 b3 c1 c2 c3"),
        ("Ma2 Mb1 Mb2", ""),
        ("ma2 mb1 mb2", "xa2 xb1 xb2"),
        ("ma2 mb1 mb2 mb3 mc1", "xa2 xb1 xb2"),
        ("Ma2 mb1 Mb2 mc1", "xb1"),
        ("Mb1 Mb2 mb3 ma3", "a2 xa3 xb3"),
        ("ma2 Mb2 mc2", "xa2 b1 c1 xc2"),
        ("mc3 mb3 ma3", "a2 b1 b2 c1 c2 xa3 xb3 xc3"),
        ("Mc3 Mb3 Ma3", "a2 b1 b2 c1 c2"),
        ("ma4 mb4 mc4 md1 md4", "a2 a3 b1 b2 b3 c1 c2 c3"),
    ],
)
def test_chieftain_in_a_corner(side, pieces, reached):
    assert set(side.targets(f"Ca1 {pieces}", "Ca1").split()) == set(reached.split())


@rows(
    ("gap", "reached"),
    [
        ("e5", "d6 e5 e6 f4 f5 f6"),
        ("d5", "c6 d5 d6 e6"),
        ("c5", "b4 b5 b6 c5 c6 d6"),
        ("c4", "b3 b4 b5 c4"),
        ("c3", "b2 b3 b4 c2 c3 d2"),
        ("d3", "c2 d2 d3 e2"),
        ("e3", "d2 e2 e3 f2 f3 f4"),
        ("e4", "e4 f3 f4 f5"),
    ],
)
def test_chieftain_may_turn_after_its_first_step(side, gap, reached):
    ring = ["c3", "c4", "c5", "d3", "d5", "e3", "e4", "e5"]
    men = " ".join(f"M{end}" for end in ring if end != gap)
    assert side.targets(f"Cd4 {men}", "Cd4") == reached


def test_chieftain_goes_on_past_no_capture(side):
    men = "Mc3 Mc4 Mc5 Md3 Md5 Me3 Me4"
    assert side.targets(f"Cd4 {men} me5 mf5 mf6", "Cd4") == "xe5"


def test_chieftain_goes_between_two_pieces_at_a_corner(side):
    assert "b2" in side.targets("Ca1 Ma2 mb1", "Ca1").split()


def test_chieftain_does_not_return_to_its_start(side):
    assert not [label for label in side.labels("Cd4") if label.endswith("d4")]


# Captures.


@rows(
    ("mover", "end"),
    [
        ("Ce5", "g6"),
        ("He5", "e8"),
        ("Se5", "h8"),
        ("Ne5", "f7"),
        ("Me5", "f6"),
        ("Be5", "i9"),
        ("Be5", "g5"),
        ("Re5", "a5"),
        ("Re5", "g7"),
    ],
)
@rows("victim", "HSNMBR")
def test_all_capture_all_by_replacement(side, mover, end, victim):
    chieftain = "" if mover[0] == "C" else "Cd2 "
    after = side.after(
        f"{chieftain}{mover} {victim.lower()}{end} md9", f"{mover}x{end}", size="10x10"
    )
    assert set(after.split()) == set(f"{chieftain}{mover[0]}{end} md9".split())


@rows("mover", ["C", "H", "S", "N", "M", "B", "R"])
@rows("friend", "CHSNMBR")
def test_nobody_captures_a_friend(side, mover, friend):
    end = {"C": "g6", "H": "e8", "S": "h8", "N": "f7", "M": "f6", "B": "g5", "R": "g7"}[mover]
    chieftain = "" if mover == "C" else "Cd2"
    reached = side.targets(f"{chieftain} {mover}e5 {friend}{end}", f"{mover}e5", size="10x10")
    assert end not in reached.replace("x", "").split()


def test_moving_changes_nothing_else(side):
    assert side.after("Cd2 Re5 Md4 mf6 me9", "Re5-g7", size="10x10") == "Cd2 Md4 Rg7 me9 mf6"
