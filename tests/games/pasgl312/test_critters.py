"""Rules, "Critters": how each moves, what stops it, where it may go, far from the Train."""

from ...rows import rows

ENTERING = {
    "B": ("d3", "e3"),
    "H": ("d3", "e3"),
    "D": ("d3", "e5"),
    "F": ("d3", "e4"),
    "W": ("d3", "e3"),
    "S": ("d3", "e3"),
    "T": ("d3", "e3"),
    "M": ("d3", "e4"),
    "P": ("d3", "e4"),
}
ENTER_OCCUPIED = "BDFSTMP"


@rows(
    ("critters", "mover", "reached"),
    [
        ("Bc2", "Bc2", "b1 b2 b3 c1 c3 d1 d2 d3"),
        ("Hd3", "Hd3", "c3 d2 d4 e3"),
        ("Dd4", "Dd4", "b3 b5 b8 c2 c6 e2 e6 f3 f5 f8 h2 h6"),
        ("Bh1 Fd4", "Fd4", "a3 a5 b4 c1 c3 c5 c7 d2 d3 d6 e1 e3 e5 e7 f4 g3 g5"),
        ("Wd4", "Wd4", "b4 c4 d2 d3 d5 d6 e4 f4"),
        ("Sd3", "Sd3", "a3 b3 c3 d1 d2 d4 d5 d6 d7 d8 e3 f3 g3 h3"),
        ("Td3", "Td3", "a3 b3 c3 d1 d2 d4 d5 d6 e3 f3 g3"),
        ("Md3", "Md3", "c2 c4 e2 e4"),
        ("Pd3", "Pd3", "c4 e4"),
    ],
)
def test_move_of_each_critter(side, critters, mover, reached):
    assert side.targets(critters, mover) == reached


@rows(
    ("critters", "mover", "reached"),
    [
        ("-Bc2", "-Bc2", "b1 b2 b3 c1 c3 d1 d2 d3"),
        ("-Hd3", "-Hd3", "c3 d2 d4 e3"),
        ("-Dd4", "-Dd4", "b3 b5 b8 c2 c6 e2 e6 f3 f5 f8 h2 h6"),
        ("Bh1 -Fd4", "-Fd4", "a3 a5 b4 c1 c3 c5 c7 d2 d3 d6 e1 e3 e5 e7 f4 g3 g5"),
        ("-Wd4", "-Wd4", "b4 c4 d2 d3 d5 d6 e4 f4"),
        ("-Sd3", "-Sd3", "a3 b3 c3 d1 d2 d4 d5 d6 d7 d8 e3 f3 g3 h3"),
    ],
)
def test_lunchless_carrier_moves_as_ever(side, critters, mover, reached):
    assert side.targets(critters, mover) == reached


@rows(
    ("critters", "mover", "phase", "reached"),
    [
        ("Bd4", "Bd4", 1, "c3 c4 d3 e3 e4"),
        ("Ba4", "Ba4", 1, "a3 b3 b4"),
        ("Bh4", "Bh4", 11, "g3 g4 h3"),
        ("Ba3", "Ba3", 1, "a2 a4 b2 b3 b4"),
        ("Bh3", "Bh3", 11, "g2 g3 g4 h2 h4"),
    ],
)
def test_bear_stays_in_its_half_and_off_terminals(side, critters, mover, phase, reached):
    assert side.targets(critters, mover, phase=phase) == reached


@rows("occupant", ["T", "t"])
@rows("symbol", [*ENTERING, *(f"-{letter}" for letter in "BHDFWS")])
def test_who_may_enter_an_occupied_square(side, symbol, occupant):
    start, end = ENTERING[symbol[-1]]
    mover = symbol + start
    assert end in side.targets(mover, mover).split()
    entered = end in side.targets(f"{mover} {occupant}{end}", mover).split()
    assert entered is (symbol in ENTER_OCCUPIED)


def test_woodchuck_may_not_leap_onto_an_occupied_square(side):
    assert side.targets("Wd3 tf3 Pd5", "Wd3") == "b3 c3 d1 d2 d4 e3"


@rows("crowd", ["h -w d *t t m m", "h -w d *t H -D M P P"])
def test_any_number_of_critters_shares_a_square(side, crowd):
    crowd = " ".join(f"{symbol}e4" for symbol in crowd.split())
    assert side.after(f"Td4 {crowd}", "Td4e4") == " ".join(sorted(f"Te4 {crowd}".split()))


def test_critters_may_leave_a_crowd_one_by_one(side):
    assert side.after("Te4 Te4 De4 te4", "Te4e5") == "De4 Te4 Te5 te4"


@rows(
    ("critters", "mover", "reached"),
    [
        ("Sd3 pd5 Pf3 Mb3", "Sd3", "b3 c3 d1 d2 d4 d5 e3 f3"),
        ("-Sd3 pd5 Pf3 Mb3", "-Sd3", "c3 d1 d2 d4 e3"),
        ("Td3 pd5 Pf3 Mb3", "Td3", "b3 c3 d1 d2 d4 d5 e3 f3"),
        # The ride d1-e3-f5-g7 ends where it is met, a single leap passes over anything.
        ("Dd1 pe3 Pd2 pd3", "Dd1", "a7 b2 b5 c3 e3 f2 h3"),
        ("Dd1 pf5", "Dd1", "a7 b2 b5 c3 e3 f2 f5 h3"),
        ("-Dd1 pf5", "-Dd1", "a7 b2 b5 c3 e3 f2 h3"),
        ("-Dd1 pe3", "-Dd1", "a7 b2 b5 c3 f2 h3"),
    ],
)
def test_sliders_and_the_rider_stop_at_the_first_occupied_square(side, critters, mover, reached):
    assert side.targets(critters, mover) == reached


@rows(
    ("obstacles", "reached"),
    [
        ("", "a2 a4 b3 c2 c4 c6 d1 d2 d5 e2 e4 e6 f3 g2 g4"),
        # (1,1) ends two zigzags; the squares on their second steps are reached by others.
        ("pe4", "a2 a4 b3 c2 c4 c6 d1 d2 d5 e2 e4 f3 g2"),
        # Both zigzags to the right end on (2,0).
        ("pf3", "a2 a4 b3 c2 c4 c6 d1 d2 d5 e2 e4 e6 f3"),
        ("pe4 Pe2", "a2 a4 b3 c2 c4 c6 d1 d2 d5 e2 e4"),
        ("Pg4", "a2 a4 b3 c2 c4 c6 d1 d2 d5 e2 e4 e6 f3 g2 g4"),
        # Nothing that stands beside the zigzag matters.
        ("pe3 pf4 pd4 pf5", "a2 a4 b3 c2 c4 c6 d1 d2 d5 e2 e4 e6 f3 g2 g4"),
    ],
)
def test_crooked_bishop_stops_at_the_first_occupied_square(side, obstacles, reached):
    assert side.targets(f"Bh1 Fd3 {obstacles}", "Fd3") == reached
    free = [square for square in reached.split() if square not in obstacles]
    assert side.targets(f"Bh1 -Fd3 {obstacles}", "-Fd3") == " ".join(free)


def test_fox_steps_back_not_forward_or_sideways(side):
    assert side.targets("Fa7 Tb8 Tb6", "Fa7") == "a6 b6 b8"


@rows(
    ("critters", "label", "after"),
    [
        ("Pb7", "Pb7a8", "Ma8"),
        ("Pb7 ta8", "Pb7a8", "Ma8 ta8"),
        ("*Pb7", "*Pb7c8", "Mc8"),
        ("Pb6", "Pb6a7", "Pa7"),
        ("Mb7", "Mb7a8", "Ma8"),
        ("Mb2", "Mb2a1", "Ma1"),
        ("Tb7", "Tb7b8", "Tb8"),
    ],
)
def test_shrew_on_its_last_rank_becomes_a_chipmunk(side, critters, label, after):
    assert side.after(critters, label) == after
