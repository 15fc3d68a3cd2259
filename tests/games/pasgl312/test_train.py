"""Rules, "The Train": its schedule, what it does when it advances, how it blocks the way."""

from pasgl_env import Position

from ...rows import rows
from .positions import fields, listed, place

# Head and tail, and the turns on which they stand there. Row by row these are phases 1 to 20; in
# phase 15 the tail is on c5 (Ruling 13).
SCHEDULE = """
    x4,x5  1 21 41
    h4,x4  2 22 42
    g4,h4  3 23 43
    f4,g4  4 24 44
    e4,f4  5 25 45
    d4,e4  6 26 46
    c4,d4  7 27 47
    b4,c4  8 28 48
    a4,b4  9 29 49
    z4,a4 10 30 50
    z5,z4 11 31 51
    a5,z5 12 32 52
    b5,a5 13 33 53
    c5,b5 14 34 54
    d5,c5 15 35 55
    e5,d5 16 36 56
    f5,e5 17 37 57
    g5,f5 18 38 58
    h5,g5 19 39 59
    x5,h5 20 40 60
"""
ROWS = [row.split() for row in SCHEDULE.strip().splitlines()]
TRAIN = {phase: tuple(row[0].split(",")) for phase, row in enumerate(ROWS, 1)}
PHASE_OF_TURN = {int(turn): phase for phase, row in enumerate(ROWS, 1) for turn in row[1:]}
# The phase before the head comes to a square.
BEFORE = {TRAIN[phase % 20 + 1][0]: phase for phase in TRAIN}
ON_BOARD = sorted(square for square in BEFORE if square[0] not in "xz")


def blocked(phase):
    """The squares of the track that Chipmunks all along it cannot move to."""
    squares = set()
    for mover, symbol, rank, track in (("w", "M", "3", "4"), ("b", "m", "6", "5")):
        critters = " ".join(f"{symbol}{file}{rank}" for file in "abcdefgh")
        text = place(critters, phase=phase, mover=mover)
        free = {label[3:] for label in Position.from_text("pasgl312", text).legal_moves()}
        squares |= {file + track for file in "zabcdefghx"} - free
    return squares


def after_black(critters, phase, label="be8d8", **rest):
    """The position after Black's turn, when the Train has advanced."""
    text = place(critters, phase=phase, mover="b", **rest)
    return Position.from_text("pasgl312", text).play(label)


@rows("phase", TRAIN)
def test_train_stands_where_the_schedule_says(phase):
    assert blocked(phase) == set(TRAIN[phase])


def test_schedule_of_the_first_sixty_turns():
    position = Position.from_text("pasgl312", place())
    phases = {}
    for turn in range(1, 61):
        phases[turn] = int(fields(position).phase)
        white, black = ("Be1d1", "be8d8") if turn % 2 else ("Bd1e1", "bd8e8")
        position.play(white)
        assert int(fields(position).phase) == phases[turn], "the Train waits for Black"
        position.play(black)
    assert phases == PHASE_OF_TURN


@rows("square", ON_BOARD)
def test_head_squashes_everything_on_its_new_square(square):
    crowd = " ".join(symbol + square for symbol in "HDFWTMPhdfwtmp")
    position = after_black(f"{crowd} *Te2", BEFORE[square])
    assert listed(position) == "*Te2 bd8"


@rows("square", ON_BOARD)
def test_train_squashes_nothing_beside_its_new_square(square):
    phase = BEFORE[square]
    taken = {square, *TRAIN[phase]}
    critters = " ".join(sorted(f"M{other}" for other in ON_BOARD if other not in taken)[:8])
    assert listed(after_black(critters, phase)) == f"{critters} bd8"


@rows("square", ["z4", "x5"])
def test_train_squashes_nothing_in_a_terminal(square):
    critters = f"T{square} d{square} ~h{square}"
    assert listed(after_black(critters, BEFORE[square])) == f"T{square} bd8 d{square} ~h{square}"


@rows(
    ("skunk", "critters", "after"),
    [
        # Black's squashed Skunk sprays White on the squares next to e4, but not those under it.
        ("s", "Hd3 Td5 Pf3 he3 Mg3 Tc4", "*-Hd3 *Pf3 *Td5 Mg3 Tc4 bd8 he3"),
        ("S", "hd3 td5 pf3 He3 mg3 tc4", "*-hd3 *pf3 *td5 He3 bd8 mg3 tc4"),
    ],
)
def test_squashed_skunk_sprays(skunk, critters, after):
    assert listed(after_black(f"{skunk}e4 {critters}", 4)) == after


def test_every_squashed_skunk_sprays_when_all_are_squashed():
    position = after_black("Se4 se4 te4 Te4 Fd3 fd5", 4)
    assert listed(position) == "*-Fd3 *-fd5 bd8"


def test_squashed_lunchless_skunk_sprays():
    assert listed(after_black("-Se4 fd5", 4)) == "*-fd5 bd8"


@rows(
    ("phase", "critters", "after"),
    [
        (
            10,
            "T@head f@head s@tail Hz5 hz4 Wz4 mz4 ~Dz5 ~tz4 Px5 ~dx4",
            "H@head Px5 W@tail bd8 h@tail m@tail ~Dz5 ~Tz5 ~dx4 ~fz5 ~sz4 ~tz4",
        ),
        (
            20,
            "T@head f@head s@tail Hx4 hx5 Wx5 mx5 ~Dx4 ~tx5 Pz4 ~dz5",
            "H@head Pz4 W@tail bd8 h@tail m@tail ~Dx4 ~Tx4 ~dz5 ~fx4 ~sx5 ~tx5",
        ),
    ],
)
def test_train_in_a_terminal_puts_off_riders_and_takes_on_who_boards(phase, critters, after):
    assert listed(after_black(critters, phase)) == after


@rows("phase", sorted(set(TRAIN) - {10, 20}))
def test_nobody_boards_or_leaves_a_train_half_in_a_terminal_or_on_its_way(phase):
    critters = "Hz4 M@head Px4 d@tail fz5 tx5"
    assert listed(after_black(critters, phase)) == "Hz4 M@head Px4 bd8 d@tail fz5 tx5"


def test_riders_cannot_move():
    position = Position.from_text("pasgl312", place("T@head S@tail", phase=6))
    assert {label[0] for label in position.legal_moves()} == {"B"}


@rows(("start", "end"), [("x4", "z5"), ("x5", "z4"), ("z5", "x4"), ("z4", "x5")])
def test_a_ride_takes_half_a_circuit(start, end):
    position = Position.from_text("pasgl312", place(f"T{start}", phase=20 if "x" in start else 10))
    rides = []
    for turn in range(11):
        for label in ("Bd1e1", "bd8e8") if turn % 2 else ("Be1d1", "be8d8"):
            position.play(label)
        rides.append("@" in listed(position))
    assert rides == [True] * 10 + [False]
    assert f"~T{end}" in listed(position)


@rows(
    ("critters", "mover", "reached"),
    [
        ("Be3", "Be3", "d2 d3 d4 e2 e4 f2 f3"),
        ("Hf3", "Hf3", "e3 f2 g3"),
        ("Sf2", "Sf2", "a2 b2 c2 d2 e2 f1 f3 g2 h2"),
        ("Se4", "Se4", "a4 b4 c4 d4 e1 e2 e3 e5 e6 e7 e8 z4"),
        ("Tf3", "Tf3", "c3 d3 e3 f1 f2 g3 h3"),
        ("Te4", "Te4", "b4 c4 d4 e1 e2 e3 e5 e6 e7"),
        ("Me3", "Me3", "d2 d4 f2"),
        ("Pe3", "Pe3", "d4"),
        ("Wf3", "Wf3", "d3 e3 f1 f2 g3 h3"),
        ("Wh4", "Wh4", "h2 h3 h5 h6 x4"),
        # The zigzags to g3 and h4 by f4 are shut: with f2 taken as well, nothing leads there.
        ("Fe3 Pf2", "Fe3", "b2 b4 c3 d2 d4 d6 e1 e2 e5 f2"),
        # Onto f4, and on to g6 by way of it.
        ("De2", "De2", "a4 b8 c1 c3 c6 d4 g1 g3 x4"),
        # Over f4, on the first leap and on the second.
        ("Df3", "Df3", "b1 b5 d2 d4 e1 g1 h2 h4"),
        ("Bh1 De1", "De1", "a3 b7 c2 c5 d3 f3 g2"),
    ],
)
def test_no_critter_moves_onto_through_or_over_the_train(side, critters, mover, reached):
    assert side.targets(critters, mover, phase=4) == reached


@rows(("label", "after"), [("te3e4", ""), ("te3d3", "td3")])
def test_moving_where_the_train_comes_next_is_suicide(label, after):
    assert listed(after_black("te3", 4, label)) == after


def test_white_stands_before_the_train_until_black_has_moved():
    position = Position.from_text("pasgl312", place("Te3", phase=4)).play("Te3e4")
    assert listed(position) == "Te4"
    assert listed(position.play("be8d8")) == "bd8"


@rows(
    ("critters", "mover", "phase", "reached"),
    [
        ("Fa3 Pb4", "Fa3", 1, "a1 a2 b2 b4 c3 d2 z4"),
        ("Fa5 pb4", "Fa5", 1, "a4 a7 b4 b6 b8 c5 d6 z4"),
        ("Fh3 Pg4", "Fh3", 11, "e2 f3 g2 g4 h1 h2 x4"),
    ],
)
def test_no_move_passes_through_a_terminal(side, critters, mover, phase, reached):
    assert side.targets(critters, mover, phase=phase) == reached


@rows(
    ("critters", "mover", "phase", "reached"),
    [
        # z4-a6 goes over z5, z5-a3 over z4: a critter there is no obstacle, only the Train is.
        ("~Dz4 Tz5", "Dz4", 1, "a2 a6 b3 b5 b8 d2 d6 f1 f7 h8"),
        ("~Dz4", "Dz4", 12, "a2 b3 b5 d2 d6 f1 f7 h8"),
        ("~Dz5 tz4", "Dz5", 1, "a3 a7 b1 b4 b6 d3 d7 f2 f8 h1"),
        ("~Dz5", "Dz5", 10, "a7 b4 b6 d3 d7 f2 f8 h1"),
        # The Train on their own square and on a4 or a5.
        ("~Dz4", "Dz4", 10, "a2 a6 b8"),
        ("~Dz5", "Dz5", 12, "a3 a7 b1"),
    ],
)
def test_leap_over_a_terminal_is_blocked_by_the_train_only(side, critters, mover, phase, reached):
    assert side.targets(critters, mover, phase=phase) == reached


@rows("standing", ["Tz4", "~tz4"])
@rows(("movers", "enter"), [("Ha4 Wa4 -Sa4 -Db3 -Fa3", False), ("Sa4 Db3 Fa3 Ta4 Ma3 Pa3", True)])
def test_terminal_square_with_a_critter_is_occupied(side, movers, enter, standing):
    for mover in movers.split():
        assert "z4" in side.targets(mover, mover).split()
        assert ("z4" in side.targets(f"{mover} {standing}", mover).split()) is enter
